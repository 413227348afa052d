"""The native and the pure engine play the same random games and agree on every state.

python -m tests.game.engines --games 250000 --players 2,3,4,5 --seed 1 --jobs 2
Each game takes random decisions under one of several rule sets; after each of them all fields of both are compared.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from types import ModuleType

from arena.bench.interpreted import own_tables, pure
from arena.game import position, rules
from arena.game.deal import all_kinds
from tests.game import bridge
from tests.game.agreement import RULE_SETS

BLOCK = 500  # games compared at a time
NAMES = tuple(RULE_SETS)


def compared(players: int, seed: str, games: int) -> int:
    """Play so many games in both engines and count the states compared; raises AssertionError at a difference."""
    return sum(1 for number in range(games) for _ in _game(players, f"{seed}/{players}/{number}"))


def _game(players: int, name: str) -> Iterator[None]:
    rng = Random(name)
    numbers = RULE_SETS[rng.choice(NAMES)]
    rule_set = bridge.rule_set(numbers)
    bag = rng.sample(all_kinds(rule_set, players), k=len(all_kinds(rule_set, players)))
    tiles = rng.sample(range(rules.SHAPES), k=rules.SHAPES)
    both = [_dealt(module, rule_set, players, bag, tiles) for module in (rules, pure())]
    if rng.random() < 0.5:
        number = rng.getrandbits(64)
        for state in both:
            state.reseed(number)
    while not both[0].over:
        _same(both, name)
        yield
        legal = both[0].legal()
        decision = legal[rng.randrange(len(legal))]
        for state in both:
            state.step(decision)
    _same(both, name)
    yield


def _dealt(
    module: ModuleType, rule_set: object, players: int, bag: Sequence[int], tiles: Sequence[int]
) -> rules.State:
    tables = position.tables(rule_set)  # type: ignore[arg-type]
    own = tables if module is rules else own_tables(tables)
    state: rules.State = module.dealt(own, players, bag, tiles)
    return state


def _same(both: Sequence[rules.State], name: str) -> None:
    native, plain = both
    one, two = rules.snapshot(native), pure().snapshot(plain)
    assert one == two, f"game {name}, ply {one.ply}: {one} is not {two}"
    assert native.legal() == plain.legal(), f"game {name}, ply {one.ply}: {one}"
    scores = [state.score(seat) for state in both for seat in range(one.players)]
    assert scores[: one.players] == scores[one.players :], f"game {name}, ply {one.ply}: {one}"


def _block(given: tuple[int, str, int]) -> int:
    return compared(*given)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as many games as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.game.engines", description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games for each number of players")
    parser.add_argument("--players", default="2,3,4,5", help="numbers of players, with commas")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args(arguments)
    if not rules.BUILT_FROM:
        print("there is no native engine here to compare; run: make native", file=sys.stderr)
        return 1
    blocks = [
        (players, f"{given.seed}/{number}", min(BLOCK, given.games - number * BLOCK))
        for number in range(-(-given.games // BLOCK))
        for players in map(int, given.players.split(","))
    ]
    started, states = time.perf_counter(), 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for done, count in enumerate(pool.map(_block, blocks), 1):
            states += count
            print(f"\r{done} of {len(blocks)} blocks, {states} states", end="", file=sys.stderr)
    games = sum(block[2] for block in blocks)
    print(f"\n{games} games, {states} states, no difference, {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
