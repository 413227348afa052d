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

ONE, TWO = "random games of two", "time on two threads to that on one"
MOVE = "random play in one call"
DRIVEN = "a decision from Python, by Python's dice"
PICKED = "a decision from Python, by the engine's dice"

PAIRS = (
    Compared(ONE, "us/game", "games", "plain C", 0.9),
    Compared(ONE, "us/game", "games", "interpreted", 60),
    Compared(MOVE, "ns/decision", "decision", "OpenSpiel connect_four in C++", 2),
    Compared(MOVE, "ns/turn", "turn", "OpenSpiel connect_four in C++"),
    Compared(TWO, "-", "two threads", "plain C on two threads", 0.92),  # of C's own scaling, which is 1.9
    Compared("a playout in one call", "ns", "playout", "interpreted playout", 50),
    Compared("a step of the vector environment", "ns/decision", "vector", "the bare decision", 0.25),
    Compared("clone and one decision", "ns", "clone+step", "OpenSpiel connect_four clone+apply", 3),
    *(Compared(PICKED, "ns", "picked", f"OpenSpiel {name}", bar) for name, bar in peers.GAMES.items()),
    *(Compared(DRIVEN, "ns", "driven", f"OpenSpiel {name}") for name in peers.GAMES),
    Compared(DRIVEN, "ns", "driven", "RLCard limit-holdem"),
    Compared("a decision in a PettingZoo environment", "ns", "zoo", "PettingZoo connect_four"),
)


def probes(folder: Path) -> Mapping[str, Probe]:
    """All probes that can run here; raises BadInput if C and engine do not play the same games."""
    state = position.opened(ruleset.named(), 2, bytes(32))
    state.reseed(SEED)
    plain = pure().dealt(own_tables(TABLES), 2, BAG, range(6))
    plain.reseed(SEED)
    first = state.legal()[0]
    decisions, turns = _lengths(state)
    found: dict[str, Probe] = {
        "games": lambda: _games() / 1e3,
        "interpreted": lambda: _interpreted() / PURE_GAMES * 1e6,
        "decision": lambda: _games() / decisions,
        "turn": lambda: _games() / turns,
        "the bare decision": lambda: _games() / decisions,
        "two threads": lambda: _threaded(2) / _threaded(1),
        "playout": each(5_000, lambda: state.clone().playout()),
        "interpreted playout": each(30, lambda: pure().playout(pure().clone(plain))),
        "clone+step": each(20_000, lambda: state.clone().step(first)),
        "driven": per_decision(lambda number: _driven(state, number)),
        "picked": per_decision(lambda number: _picked(state, number)),
        **peers.probes(),
    }
    with suppress(ImportError):
        found |= _vector()
    with suppress(Unavailable):
        found |= _yardstick(yardstick.built(folder))
    return found


def _yardstick(program: Path) -> Mapping[str, Probe]:
    if yardstick.played(program, BAG, 2, 500).checksum != rules.random_games(TABLES, 2, BAG, SEED, 500):
        raise BadInput("the engine and the yardstick in C play different games; one of them has the rules wrong")
    return {
        "plain C": lambda: yardstick.played(program, BAG, 2, GAMES).seconds / GAMES * 1e6,
        "plain C on two threads": lambda: (
            yardstick.played(program, BAG, 2, GAMES, 2).seconds / 2 / yardstick.played(program, BAG, 2, GAMES).seconds
        ),
    }


def _vector() -> Mapping[str, Probe]:
    """Random play in a vector environment, mask and observation included, and in one of PettingZoo's kind."""
    from arena.learn import glassworks_v0
    from arena.learn.vector import VectorEnv

    env, steps = VectorEnv(1024), 100

    def played() -> None:
        for _ in range(steps):
            env.step(env.sample())

    return {
        "vector": lambda: _timed(played) / steps / env.games * 1e9,
        "zoo": per_decision(lambda number: peers.walked(glassworks_v0.env(), number), games=10),
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


def _games() -> float:
    """Nanoseconds for a random game of two."""
    return _timed(lambda: rules.random_games(TABLES, 2, BAG, SEED, GAMES)) / GAMES * 1e9


def _lengths(state: rules.State) -> tuple[float, float]:
    """Decisions and turns of a random game."""
    games, decisions, turns = 300, 0, 0
    for number in range(games):
        copy = state.clone()
        copy.reseed(number)
        while not copy.over:
            copy.step(copy.pick())
            decisions += 1
        turns += copy.ply
    return decisions / games, turns / games


def _driven(state: rules.State, number: int) -> int:
    """A game whose every decision is chosen by Python; says how many they were."""
    copy, count = state.clone(), 0
    copy.reseed(number)
    while not copy.over:
        copy.step(random.choice(copy.legal()))  # noqa: S311 - dice of a benchmark
        count += 1
    return count


def _picked(state: rules.State, number: int) -> int:
    """The same where the dice of the state choose."""
    copy, count = state.clone(), 0
    copy.reseed(number)
    while not copy.over:
        copy.step(copy.pick())
        count += 1
    return count
