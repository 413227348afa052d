"""Where the author's code runs: off the event loop, in threads or processes, its mistakes turned into text."""

import os
import traceback
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from arena.contest.asking import Choose, asked
from arena.contest.clock import Clock
from arena.game import ruleset
from arena.game.actions import Action, Lake, Pass, River
from arena.game.packing import view_from_bytes
from arena.leash import leash


@dataclass(frozen=True, slots=True)
class Failed:
    """The author's code raised, or returned no action; the text is for the author."""

    message: str


def executor(processes: int) -> Executor:
    """A thread for one process, a pool of spawned processes, which end with this one, for more."""
    if processes <= 1:
        return ThreadPoolExecutor(1, thread_name_prefix="choose")
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=leash, initargs=(os.getpid(),))


def warmed(thinkers: Executor, processes: int) -> Executor:
    """The thinkers, all of them started: no game waits for that."""
    for ready in [thinkers.submit(ruleset.named) for _ in range(processes)]:
        ready.result()
    return thinkers


def decided(choose: Choose, packed: bytes, rules: str, clock: Clock) -> Action | Failed:
    """The bot's action for a packed view, or how its code failed."""
    try:
        action = asked(choose, view_from_bytes(packed, ruleset.named(rules)), clock)
        if isinstance(action, River | Lake | Pass):
            return action
        return Failed(f"choose returned {action!r}"[:200] + ", not a River, Lake or Pass")
    except Exception as error:  # noqa: BLE001 - the author's code may raise anything
        return Failed(_shortened(error))


def _shortened(error: Exception) -> str:
    """The last place in the author's own file, and the error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/arena/" not in frame.filename]
    place = f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno} " if frames else ""
    return f"{place}{type(error).__name__}: {error}"[:500]
