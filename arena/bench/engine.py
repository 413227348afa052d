"""Random games, copies, playouts and threads of the engine, beside C, the interpreter and peers."""

import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from arena.bench import peers, yardstick
from arena.bench.interpreted import own_tables, pure
from arena.bench.rows import Compared, Probe, each, per_decision
from arena.errors import BadInput, Unavailable
from arena.game import position, rules, ruleset
from arena.game.deal import all_kinds

GAMES = 20_000  # random games of a native probe
PURE_GAMES = 60
SEED = 7
TABLES = position.tables(ruleset.named())
BAG = all_kinds(ruleset.named(), 2)

ONE, TWO = "random games, one thread", "random games, two threads"
DRIVEN = "a decision from Python"

PAIRS = (
    Compared(ONE, "us/game", "games", "plain C", 0.9),
    Compared(ONE, "us/game", "games", "interpreted", 60),
    Compared(TWO, "us/game", "games on two threads", "plain C on two threads"),
    Compared("a playout in one call", "ns", "playout", "interpreted playout", 50),
    Compared("clone and one decision", "ns", "clone+step", "OpenSpiel connect_four clone+apply", 3),
    *(Compared(DRIVEN, "ns", "driven", f"OpenSpiel {name}", bar) for name, bar in peers.GAMES.items()),
)


def probes(folder: Path) -> Mapping[str, Probe]:
    """All probes that can run here; raises BadInput if C and engine do not play the same games."""
    state = position.opened(ruleset.named(), 2, bytes(32))
    state.reseed(SEED)
    plain = pure().dealt(own_tables(TABLES), 2, BAG, range(6))
    plain.reseed(SEED)
    first = state.legal()[0]
    found: dict[str, Probe] = {
        "games": lambda: _timed(lambda: rules.random_games(TABLES, 2, BAG, SEED, GAMES)) / GAMES * 1e6,
        "interpreted": lambda: _interpreted() / PURE_GAMES * 1e6,
        "games on two threads": lambda: _threaded(2),
        "playout": each(5_000, lambda: state.clone().playout()),
        "interpreted playout": each(30, lambda: pure().playout(pure().clone(plain))),
        "clone+step": each(20_000, lambda: state.clone().step(first)),
        "driven": _driven(state),
        **peers.probes(),
    }
    with suppress(Unavailable):
        found |= _yardstick(yardstick.built(folder))
    return found


def _yardstick(program: Path) -> Mapping[str, Probe]:
    if yardstick.played(program, BAG, 2, 500).checksum != rules.random_games(TABLES, 2, BAG, SEED, 500):
        raise BadInput("the engine and the yardstick in C play different games; one of them has the rules wrong")
    return {
        "plain C": lambda: yardstick.played(program, BAG, 2, GAMES).seconds / GAMES * 1e6,
        "plain C on two threads": lambda: yardstick.played(program, BAG, 2, GAMES, 2).seconds / GAMES / 2 * 1e6,
    }


def _interpreted() -> float:
    return _timed(lambda: pure().random_games(own_tables(TABLES), 2, BAG, SEED, PURE_GAMES))


def _timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def _threaded(threads: int) -> float:
    """Microseconds per game with so many threads at work."""

    def work(_: int) -> int:
        return rules.random_games(TABLES, 2, BAG, SEED, GAMES)

    with ThreadPoolExecutor(threads) as pool:
        return _timed(lambda: list(pool.map(work, range(threads)))) / GAMES / threads * 1e6


def _driven(state: rules.State) -> Probe:
    """Nanoseconds per decision of games whose every decision is taken from Python."""

    def played(number: int) -> int:
        copy, count = state.clone(), 0
        copy.reseed(number)
        while not copy.over:
            copy.step(random.choice(copy.legal()))  # noqa: S311 - dice of a benchmark
            count += 1
        return count

    return per_decision(played)
