"""Golden games under every rule set that tests know: decisions, points, and a digest of all positions on the way.

python -m tests.golden.rule_sets > tests/golden/rule_sets.txt
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from types import ModuleType

from arena.bench.interpreted import own_tables, pure
from arena.game import position, rules
from arena.game.deal import all_kinds
from arena.game.restore import restored
from arena.game.rules import State
from tests.game import bridge
from tests.game.agreement import RULE_SETS

SIZES = (2, 3, 4, 5)
ROUNDS = 2  # games of each rule set and size


@dataclass(frozen=True, slots=True)
class Golden:
    """One game: where it starts, its decisions, its points and the digest of its positions."""

    rule_set: str
    seed: str
    players: int
    decisions: bytes
    points: tuple[int, ...]
    digest: str

    @property
    def line(self) -> str:
        """One line of the file."""
        return "\t".join(
            (self.rule_set, self.seed, str(self.players), self.decisions.hex(), json.dumps(self.points), self.digest)
        )


def parsed(line: str) -> Golden:
    """The game of a line."""
    rule_set, seed, players, decisions, points, digest = line.split("\t")
    return Golden(rule_set, seed, int(players), bytes.fromhex(decisions), tuple(json.loads(points)), digest)


def start(rule_set: str, seed: str, players: int, engine: ModuleType = rules) -> State:
    """The first position of a game, in the compiled engine or the interpreted one."""
    rng, found = Random(seed), bridge.rule_set(RULE_SETS[rule_set])
    kinds, tables = all_kinds(found, players), position.tables(found)
    own = tables if engine is rules else own_tables(tables)
    bag, tiles = rng.sample(kinds, k=len(kinds)), rng.sample(range(6), k=6)
    state: State = engine.dealt(own, players, bag, tiles)
    return state


def replayed(golden: Golden, engine: ModuleType = rules) -> Golden:
    """The same game, played again."""
    state, digest = start(golden.rule_set, golden.seed, golden.players, engine), hashlib.sha256()
    tables = position.tables(bridge.rule_set(RULE_SETS[golden.rule_set]))
    for decision in golden.decisions:
        state.step(decision)
        shown = restored(tables, engine.snapshot(state))
        digest.update(json.dumps(bridge.dumped(shown)).encode())
    assert state.over
    points = tuple(state.score(seat) for seat in range(state.players))
    return Golden(golden.rule_set, golden.seed, golden.players, golden.decisions, points, digest.hexdigest()[:32])


def games() -> Iterator[Golden]:
    """Random games of every rule set and size."""
    for rule_set in RULE_SETS:
        for players in SIZES:
            for number in range(ROUNDS):
                seed = f"golden {rule_set} {players} {number}"
                yield replayed(Golden(rule_set, seed, players, played(rule_set, seed, players), (), ""))


def played(rule_set: str, seed: str, players: int) -> bytes:
    """The decisions of a random game."""
    state, rng, taken = start(rule_set, seed, players), Random(f"{seed} decisions"), []
    while not state.over:
        taken.append(rng.choice(state.legal()))
        state.step(taken[-1])
    return bytes(taken)


if __name__ == "__main__":
    for one in games():
        assert replayed(one, pure()) == one
        print(one.line)
