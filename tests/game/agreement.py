"""Engine and oracle play the same random games and must agree on every state and every legal set.

python -m tests.game.agreement --games 25000 --players 2,3,4,5 --seed 1
A summary goes to stdout as JSON; at the first difference it names seed, ply and difference and exits with 1.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from arena.game import legal, position
from arena.game.rules import State
from tests.game import bridge
from tests.oracle import Action, Numbers, Policy, dump, legal_actions, legal_count, numbered_pieces, policies
from tests.oracle.corners import CORNERS, Step, corners, watched
from tests.oracle.facts import KINDS, SHAPES
from tests.oracle.rules import Game, new_game
from tests.oracle.turns import compact_legal

STEEP = tuple((0, *(3 * height * height + column for height in range(1, 10))) for column in range(7))
RULE_SETS = {
    "default": Numbers(),
    "no refill": Numbers(refill_in_last_stage=False),
    "three rows": Numbers(rows=3, column_points=tuple(line[:4] for line in STEEP)),
    "nine rows": Numbers(rows=9, column_points=tuple((0, *range(1 + column, 10 + column)) for column in range(7))),
    "other tables": Numbers(row_points=(0, 2, 3, 6, 7, 8, 21, 22), column_points=[line[:6] for line in STEEP]),
    "one stone": Numbers(stones=(1,) * 6, refill_in_last_stage=False),
    "two stones": Numbers(stones=(2,) * 6),
    "other pieces": Numbers(kinds=tuple(tuple(reversed(row)) for row in KINDS), stones=(2, 1, 2, 1, 2, 1)),
}
LISTS = 0.06  # how often a legal set is compared action by action and not only in its compact form
LISTED = 300  # and up to what size


class Disagreement(AssertionError):
    """Engine and oracle differ."""


@dataclass(slots=True)
class Summary:
    """What was compared so far."""

    games: int = 0
    plies: int = 0
    listed: int = 0
    corners: set[str] = field(default_factory=set)
    rules: Counter[str] = field(default_factory=Counter)

    @property
    def missing(self) -> list[str]:
        """Corners of the rules that no game went through."""
        return sorted(set(CORNERS) - self.corners)

    def add(self, other: "Summary") -> None:
        """Take over what another run compared."""
        self.games, self.plies, self.listed = (
            self.games + other.games,
            self.plies + other.plies,
            self.listed + other.listed,
        )
        self.corners |= other.corners
        self.rules += other.rules


def agreed(games: int, players: int, seed: int, progress: Callable[[int], None] | None = None) -> Summary:
    """Play so many games at one table size; raises Disagreement at the first difference."""
    summary = Summary()
    for number in range(games):
        _play(summary, players, f"{seed}/{players}/{number}")
        if progress:
            progress(number + 1)
    return summary


def _play(summary: Summary, players: int, name: str) -> None:
    rng = Random(name)
    rules = "default" if rng.random() < 0.5 else rng.choice(list(RULE_SETS))
    numbers = RULE_SETS[rules]
    count = len(numbered_pieces(players, numbers))
    bag = rng.sample(range(count), k=count)
    tiles = rng.sample(range(SHAPES), k=SHAPES)
    state = bridge.dealt(numbers, players, bag, tiles)
    game = new_game(players, bag, tiles, numbers)
    summary.games += 1
    summary.rules[rules] += 1
    try:
        steps = watched(game, _choosers(rng, players), rng)
        summary.corners |= corners(_compared(summary, state, steps, rng))
    except Disagreement as found:
        raise Disagreement(f"game {name} ({rules}), {found}") from None


def _choosers(rng: Random, players: int) -> list[Policy]:
    """One policy for the whole table now and then, else one for each seat."""
    known = list(policies().values())
    return [rng.choice(known)] * players if rng.random() < 0.3 else rng.choices(known, k=players)


def _compared(summary: Summary, state: State, steps: Iterator[Step], rng: Random) -> Iterator[Step]:
    """The steps of a game, each handed on once the engine has made it too and agrees."""
    for before, action, after in steps:
        same(before.ply, "compact legal set", bridge.compact(legal.legal(state)), compact_legal(before))
        if rng.random() < LISTS and legal_count(before) <= LISTED:
            summary.listed += 1
            same(before.ply, "legal set", _listed(state), sorted(legal_actions(before)))
        turn = bridge.to_engine(action)
        same(before.ply, "canonical spelling", position.canonical(state, turn), turn)
        state = position.advance(state, turn)
        same(before.ply, f"position after {action}", bridge.dumped(state), dump(after))
        same(before.ply, "end and passes", (state.end or None, state.passes), _end(after))
        summary.plies += 1
        yield before, action, after


def _listed(state: State) -> list[Action]:
    return sorted(map(bridge.to_oracle, legal.actions(state)))


def _end(game: Game) -> tuple[int | None, int]:
    return None if game.last_ply is None else game.last_ply + 1, game.passes_this_round


def same(ply: int, what: str, engine: object, oracle: object) -> None:
    """Raise Disagreement unless both are equal, naming the parts that differ."""
    if engine == oracle:
        return
    if isinstance(engine, dict) and isinstance(oracle, dict):
        parts = {key: (engine[key], oracle[key]) for key in oracle if engine[key] != oracle[key]}
        raise Disagreement(f"ply {ply}, {what} (engine, oracle): {parts}")
    raise Disagreement(f"ply {ply}, {what}: engine {engine}, oracle {oracle}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as many games as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.game.agreement", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games for each number of players")
    parser.add_argument("--players", default="2,3,4,5", help="numbers of players, with commas")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    started, summary = time.perf_counter(), Summary()
    try:
        for players in map(int, given.players.split(",")):
            summary.add(agreed(given.games, players, given.seed, _progress(players, given.games)))
    except Disagreement as found:
        print(f"\nthe engine differs from the oracle: {found}", file=sys.stderr)
        return 1
    print(json.dumps(_report(summary, time.perf_counter() - started)))
    return 0


def _progress(players: int, games: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        if done % 100 == 0 or done == games:
            print(f"\r{players} players: {done} of {games} games", end="\n" if done == games else "", file=sys.stderr)

    return show


def _report(summary: Summary, seconds: float) -> dict[str, object]:
    return {
        "games": summary.games,
        "plies": summary.plies,
        "legal_sets_listed": summary.listed,
        "rule_sets": dict(summary.rules),
        "corners": len(summary.corners),
        "corners_missing": summary.missing,
        "seconds": round(seconds, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
