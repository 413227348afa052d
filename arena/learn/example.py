"""A worked example: a small network learns from its own games how far ahead a seat will be, then plays house bots.

    python -m arena.learn.example --minutes 2 --out learned.npz

Each round plays a thousand games by the network so far, with some random decisions among them, and trains it on how
they ended. Round by round a seed learns the same; the minutes only say how many rounds there are. The weights are
kept after each round, and Ctrl-C ends the learning early. docs/learning.md says more.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path

import numpy as np

from arena.errors import ArenaError, NotFound
from arena.game import position, ruleset
from arena.game.actions import Action
from arena.game.rules import WORD
from arena.game.view import View, view
from arena.learn.net import Net, saved
from arena.learn.selfplay import learned

Choose = Callable[[View], Action]


def duel(ours: Choose, theirs: Choose, deals: int) -> tuple[float, float]:
    """Share of the games won, draws one half, and half the width of its 95 % interval; each deal is played twice."""
    shares = [(_won(ours, theirs, deal, 0) + _won(ours, theirs, deal, 1)) / 2 for deal in range(deals)]
    return float(np.mean(shares)), 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(deals)


def _won(ours: Choose, theirs: Choose, deal: int, seat: int) -> float:
    rules = ruleset.named()
    state = position.opened(rules, 2, sha256(f"example {deal}".encode()).digest())
    while not state.over:
        choose = ours if state.seat == seat else theirs
        position.apply(state, choose(view(state, rules)))
    points = position.scores(state)
    return 0.5 + 0.5 * ((points[seat] > points[1 - seat]) - (points[seat] < points[1 - seat]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn for as long as the command line says, keep the weights, and play the house bots."""
    given = _given(arguments)
    houses = {name: _house(name) for name in ("random", "greedy")}
    try:
        net = _trained(given)
        results = {name: _told_duel(net, name, house, given.deals) for name, house in houses.items()}
    except KeyboardInterrupt:
        _say("stopped")
        return 130
    sys.stdout.write(_as_json(results, given.deals) if given.json else _as_text(results, given.deals))
    return 0


def _trained(given: argparse.Namespace) -> Net:
    """The network of the last round that was over in time, in its file; Ctrl-C ends the time once there is one."""
    net = None
    ends = time.monotonic() + given.minutes * 60 if given.rounds is None else math.inf
    try:
        _say("learning; Ctrl-C ends it early")
        for net in islice(learned(given.seed, _told), given.rounds):
            saved(net, given.out)
            if time.monotonic() >= ends:
                break
    except KeyboardInterrupt:
        if net is None:
            raise
        _say("learning was stopped; press Ctrl-C again to stop the games too")
    assert net is not None  # there is a first round
    _say(f"the weights are in {given.out}")
    return net


def _told_duel(net: Net, name: str, house: Choose, deals: int) -> tuple[float, float]:
    _say(f"playing {2 * deals} games against {name}")
    return duel(net.choose, house, deals)


def _as_text(results: Mapping[str, tuple[float, float]], deals: int) -> str:
    return "".join(
        f"against {name}: won {share:.1%} ± {width:.1%} of {2 * deals} games\n"
        for name, (share, width) in results.items()
    )


def _as_json(results: Mapping[str, tuple[float, float]], deals: int) -> str:
    rows = {
        name: {"share": share, "plus_minus": width, "games": 2 * deals} for name, (share, width) in results.items()
    }
    return json.dumps(rows) + "\n"


def _given(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What the command line says; one that makes no sense ends the program with code 2."""
    parser = _parser()
    given = parser.parse_args(arguments)
    wrong = {
        "--minutes: a number from 0 on": not 0 <= given.minutes < math.inf,
        "--rounds: 1 or more": given.rounds is not None and given.rounds < 1,
        "--deals: 2 or more, or there is no interval": given.deals < 2,
        f"--seed: a number from 0 to {WORD}": not 0 <= given.seed <= WORD,
        f"--out: there is no folder {given.out.parent}; make it first": not given.out.parent.is_dir(),
        f"--out: {given.out} is a folder; name a file": given.out.is_dir(),
    }
    for message in (message for message, is_so in wrong.items() if is_so):
        parser.error(message)
    return given


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m arena.learn.example", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument("--minutes", type=float, default=2.0, help="time to learn; at least one round (default 2)")
    budget.add_argument("--rounds", type=int, help="learn so many rounds instead, however long they take")
    parser.add_argument("--deals", type=int, default=200, help="deals per house bot, two games each (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the games and of the network (default 1)")
    parser.add_argument("--out", type=Path, default=Path("learned.npz"), help="the file of the weights")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def _told(number: int, error: float) -> None:
    _say(f"round {number}: off by {error:.1f} points")


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _house(name: str) -> Choose:
    for point in entry_points(group="glassworks.bots", name=name):
        found: Choose = point.load()
        return found
    raise NotFound(f"no bot {name!r} is installed; type: pip install --force-reinstall glassworks-arena")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ArenaError as error:
        _say(f"error: {error}")
        sys.exit(2)
