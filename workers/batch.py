"""RQ's entry: a job is a batch of matches, handed to those who play them."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from arena.desk import work
from arena.store.ids import BotId
from workers.floor import FLOOR, Floor
from workers.starting import Batch
from workers.suspects import SUSPECTS
from workers.tools import TOOLS


def play(*, v: int, batch: str, matches: Sequence[str], absent: Sequence[str], alone: bool) -> None:  # noqa: ARG001
    """The arguments are those of `arena.jobs.queue.payload`; returns when nothing of the batch waits any more."""
    if alone:
        for match in matches:
            SUSPECTS.get().play(batch, match, absent)
        return
    waiting = work.bots_of(TOOLS.get().store, matches)
    with _closing(FLOOR.get()) as floor:
        floor.take(Batch(batch, waiting, frozenset(map(BotId, absent))))


@contextmanager
def _closing(floor: Floor) -> Iterator[Floor]:
    """On a signal start nothing more and let RQ's own handler know; its handlers are back afterwards."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def close(number: int, _frame: object) -> None:
        floor.close()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, None)

    for number in before:
        signal.signal(number, close)
    try:
        yield floor
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
