"""Damaged texts and bytes end in named errors, and what is read is written again the same.

python -m tests.contest.fuzz --minutes 5 --seed 1

Game files, actions and packed views are cut, spliced and sprinkled with bytes, as long as there is time.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from arena.contest.notation import action_text, written
from arena.contest.reading import action_of, read
from arena.contest.verify import verified
from arena.errors import ArenaError
from arena.game import ruleset
from arena.game.packing import view_from_bytes, view_to_bytes
from arena.game.view import imagined, unseen
from tests.bots.views import some_views

GOLDEN = Path(__file__).parents[1] / "golden" / "rvg-1"
WORDS = (
    "river",
    "lake",
    "pass",
    "auto",
    "forfeit",
    "result",
    "seal",
    "s0",
    "->",
    "wh1",
    "bl6",
    "0",
    "-1",
    "9" * 40,
    "é",
    "\0",
    "\n",
)


def damaged(whole: Sequence[bytes], rng: Random) -> bytes:
    """One of these with a few changes, or two of them spliced."""
    text = bytearray(rng.choice(whole))
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(text) + 1), rng.choice((0, 1, 1, 4, 40))
        other = rng.choice(whole)
        start = rng.randrange(len(other))
        put = (
            bytes((rng.randrange(256),)),
            rng.choice(WORDS).encode(),
            other[start : start + rng.choice((1, 8, 80))],
            b"",
            bytes(text[at : at + 30]) * 2,
        )
        text[at : at + length] = rng.choice(put)
    return bytes(text)


def game_file(text: bytes) -> None:
    """A game file is verified, or a flaw; one that reads is written again the same."""
    said = text.decode(errors="replace")
    found = verified(said)
    if not found.edited:
        assert spoken(written(found.record)) == spoken(said)
    read(said)


def spoken(text: str) -> list[str]:
    """The lines that say something: an empty one more or less is no change."""
    return [line for line in text.split("\n") if line]


def action(text: bytes) -> None:
    """An action reads back from its own text."""
    found = action_of(text.decode(errors="replace"))
    assert action_of(action_text(found)) == found


def packed_view(packed: bytes) -> None:
    """A view that is read is one to think with."""
    view = view_from_bytes(packed, ruleset.named())
    assert view_from_bytes(view_to_bytes(view), ruleset.named()) == view
    for turn in (*view.legal.placements[:2], *view.legal.lakes[:1]):
        assert turn
    state = imagined(view, unseen(view))
    state.reseed(1)
    state.playout()


def targets() -> dict[str, tuple[Callable[[bytes], None], list[bytes]]]:
    """What is fuzzed, and where it starts from."""
    files = [file.read_bytes() for file in sorted(GOLDEN.glob("*.rvg"))]
    views = some_views(120, seed=9)
    actions = [action_text(turn).encode() for view in views[:40] for turn in list(view.actions())[:3]]
    return {
        "game files": (game_file, files),
        "actions": (action, actions),
        "packed views": (packed_view, [view_to_bytes(view) for view in views]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz until the time is over or an error has no name."""
    parser = argparse.ArgumentParser(prog="python -m tests.contest.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    rng, found, counts = Random(given.seed), targets(), Counter[str]()
    end = time.monotonic() + given.minutes * 60
    while time.monotonic() < end or not counts:
        for name, (tried, whole) in found.items():
            for _ in range(20):
                text = damaged(whole, rng)
                counts[f"{name} {_outcome(tried, text)}"] += 1
    for line in sorted(counts.items()):
        print(*line)
    return 0


def _outcome(tried: Callable[[bytes], None], text: bytes) -> str:
    try:
        tried(text)
    except ArenaError:
        return "refused"
    except BaseException:
        print(f"an error without a name on: {text!r}", file=sys.stderr)
        raise
    return "read"


if __name__ == "__main__":
    sys.exit(main())
