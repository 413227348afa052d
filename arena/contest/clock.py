"""Time per seat: a bank with an increment and a cap per action, in seconds."""

import re
from dataclasses import dataclass, replace

from arena.errors import BadInput

DEFAULT = "60+0.5/10"
_SECONDS = r"([0-9]{1,5}(?:\.[0-9]{1,3})?)"
_FORM = re.compile(rf"{_SECONDS}\+{_SECONDS}/{_SECONDS}")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What a seat may use: a bank at the start, an increment after each action, at most `cap` for one action.

    `setup` is the budget for getting ready; it is not taken from the bank.
    """

    bank: float
    increment: float
    cap: float
    setup: float = 10.0

    def __str__(self) -> str:
        return f"{_seconds(self.bank)}+{_seconds(self.increment)}/{_seconds(self.cap)}"


@dataclass(frozen=True, slots=True)
class Bank:
    """Time a seat has left, in seconds."""

    left: float


@dataclass(frozen=True, slots=True)
class Clock:
    """What a bot knows about its time, in seconds: for this action, left in its bank, and added after each action."""

    limit: float
    left: float
    increment: float


def time_control(text: str) -> TimeControl:
    """A time control from `bank+increment/cap` in seconds, as 60+0.5/10; raises BadInput."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise BadInput(f"no time control {text[:40]!r}; write bank+increment/cap in seconds, as {DEFAULT}")
    bank, increment, cap = (float(part) for part in form.groups())
    if not (0 < bank <= 86400 and increment <= 3600 and 0 < cap <= 86400):
        raise BadInput(f"time control {text!r}: bank and cap must lie above 0 s and within a day")
    return TimeControl(bank, increment, cap)


def _seconds(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def limit(control: TimeControl, bank: Bank) -> float:
    """Seconds the seat may take for its next action."""
    return min(control.cap, bank.left)


def charged(control: TimeControl, bank: Bank, took: float) -> Bank:
    """The bank after an action that took so long and came in time."""
    return replace(bank, left=bank.left - took + control.increment)
