"""Where the time of each action went: the ledger of a game (docs/protocol.md, Time)."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from arena.errors import BadInput

_MICROSECONDS = 1e6


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of one question, in seconds: charged = wire - platform - network, never below 0.

    `sent` is the wall clock when the question was written, for people; all else was measured on the gateway's
    monotonic clock. `wire` runs from writing the question to reading the reply, `platform` is the delay of our own
    machine in it, `network` what the fixed allowance for the way took off.
    """

    sent: float = 0.0
    wire: float = 0.0
    platform: float = 0.0
    network: float = 0.0
    charged: float = 0.0


@dataclass(frozen=True, slots=True)
class Timed:
    """A line of the ledger: the question before the action of `ply`, and what was `left` in the bank after it."""

    ply: int
    seat: int
    sent: float
    wire: float
    platform: float
    network: float
    charged: float
    left: float


def ledger_to_text(lines: Iterable[Timed]) -> str:
    """A ledger as it is stored: one question a line, whole numbers, times in microseconds."""
    return "".join(f"{line.ply} {line.seat} {' '.join(map(_micro, _times(line)))}\n" for line in lines)


def ledger_from_text(text: str) -> tuple[Timed, ...]:
    """The ledger that was stored; raises BadInput naming the damaged line."""
    return tuple(_line(number, line) for number, line in enumerate(text.splitlines(), start=1))


def _times(line: Timed) -> tuple[float, ...]:
    return (line.sent, line.wire, line.platform, line.network, line.charged, line.left)


def _micro(seconds: float) -> str:
    return str(round(seconds * _MICROSECONDS))


def _line(number: int, line: str) -> Timed:
    try:
        ply, seat, *times = map(int, line.split(" "))
    except ValueError:
        times = []
    if len(times) != len(fields(Timed)) - 2:
        raise BadInput(f"line {number} of the stored ledger is damaged: {line[:80]!r}")
    return Timed(ply, seat, *(time / _MICROSECONDS for time in times))
