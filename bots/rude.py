"""The bot that misbehaves on demand, for tests: RUDE says how, RUDE_PLY from which of its own turns on.

RUDE is late, slow:SECONDS, silent, illegal, garbage, raises or dies; without it the bot behaves.
"""

import os
import time
from itertools import count

from arena.sdk import Action, River, View

HOW = os.environ.get("RUDE", "")
FROM = int(os.environ.get("RUDE_PLY", "0"))  # its own turns count from 0
LATE = 3600.0  # seconds: beyond every limit
ILLEGAL = River((0, 6), 5, 1)  # the last tile has no right neighbour (§3.2)
GARBAGE = "river of no return"  # no action at all; a bot without the SDK may put this on the wire

_turn = count()


def choose(view: View) -> Action:
    """The first legal turn, until it is time to be rude."""
    action = next(view.actions())
    return misbehaved(HOW, action) if next(_turn) >= FROM else action


def misbehaved(how: str, action: Action) -> Action:
    """The same action late, another one that will not do, or none."""
    kind, _, seconds = how.partition(":")
    match kind:
        case "late" | "slow":
            time.sleep(float(seconds or LATE))
        case "illegal":
            return ILLEGAL
        case "garbage":
            return GARBAGE  # type: ignore[return-value]  # that is the point
        case "silent" | "raises" | "dies":
            gone(kind)
    return action


def gone(how: str) -> None:
    """Never come back."""
    if how == "raises":
        raise RuntimeError("no more of this")
    if how == "dies":
        os._exit(7)
    while True:
        time.sleep(LATE)


if __name__ == "__main__":
    from arena.sdk import run

    run(choose, name="rude")
