"""The process of an own bot, `python -m arena.play.child FILE READ WRITE PARENT`: its prints disturb nobody."""

import contextlib
import random
import sys
from pathlib import Path

from arena.contest.asking import Choose, asked
from arena.contest.clock import Clock
from arena.contest.notation import action_text
from arena.errors import ArenaError
from arena.game import ruleset
from arena.game.actions import Lake, Pass, River
from arena.game.packing import view_from_bytes
from arena.leash import leash
from arena.play.frames import Closed, receive, send
from arena.play.roster import blame, found

READY = b"ready"
ACTION, FAILED = b"a", b"f"
SEED, VIEW = b"s", b"v"


def main(spec: str, pipe_in: int, pipe_out: int, *, parent: int) -> None:
    """Load the bot, say ready or why not, then answer views until the pipe closes."""
    leash(parent)
    try:
        choose = found(spec)
    except ArenaError as error:
        send(pipe_out, FAILED + str(error).encode())
        return
    with contextlib.suppress(Closed):
        send(pipe_out, READY)
        while True:
            _answer(choose, spec, receive(pipe_in), pipe_out)


def _answer(choose: Choose, spec: str, frame: bytes, pipe_out: int) -> None:
    kind, body = frame[:1], frame[1:]
    if kind == SEED:
        random.seed(body)
        return
    name, times, packed = body.split(b"\0", 2)
    clock = Clock(*map(float, times.split()))
    try:
        action = asked(choose, view_from_bytes(packed, ruleset.named(name.decode())), clock)
    except Exception as error:  # noqa: BLE001 - the author's code may raise anything
        send(pipe_out, FAILED + blame(error, Path(spec)).encode())
        return
    if isinstance(action, River | Lake | Pass):
        send(pipe_out, ACTION + _spelled(action))
    else:
        send(pipe_out, FAILED + f"choose returned {action!r}"[:200].encode() + b", not a River, Lake or Pass")


def _spelled(action: River | Lake | Pass) -> bytes:
    try:
        return action_text(action).encode()
    except (IndexError, KeyError, TypeError) as error:
        return f"no action: {action!r} ({error})"[:300].encode()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), parent=int(sys.argv[4]))
