"""Probes, run in turn so that a busy minute hits all of them, and the rows that come of it."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

Probe = Callable[[], float]  # one measurement, in the unit of its row


@dataclass(frozen=True, slots=True)
class Compared:
    """Two probes that belong together; `peer` is measured beside `ours` in every round."""

    name: str
    unit: str
    ours: str
    peer: str
    bar: float | None = None  # least ratio that is promised


@dataclass(frozen=True, slots=True)
class Row:
    """Medians of both, and how many times less ours takes."""

    name: str
    unit: str
    ours: float
    peer_name: str
    peer: float
    ratio: float
    bar: float | None


def measured(
    probes: Mapping[str, Probe], rounds: int, progress: Callable[[int, int], None]
) -> Mapping[str, Sequence[float]]:
    """What each probe says, all of them once per round."""
    found: dict[str, list[float]] = {name: [] for name in probes}
    for done in range(rounds):
        progress(done, rounds)
        for name, probe in probes.items():
            found[name].append(probe())
    progress(rounds, rounds)
    return found


def rows(pairs: Sequence[Compared], found: Mapping[str, Sequence[float]]) -> tuple[Row, ...]:
    """The rows whose probes were both there."""
    return tuple(_row(pair, found) for pair in pairs if pair.ours in found and pair.peer in found)


def _row(pair: Compared, found: Mapping[str, Sequence[float]]) -> Row:
    ours, peer = median(found[pair.ours]), median(found[pair.peer])
    return Row(pair.name, pair.unit, ours, pair.peer, peer, peer / ours, pair.bar)


def per_decision(played: Callable[[int], int], games: int = 100) -> Probe:
    """Nanoseconds per decision of so many games; `played` plays one by its number and counts its decisions."""

    def probe() -> float:
        began, decisions = time.perf_counter(), sum(map(played, range(games)))
        return (time.perf_counter() - began) / decisions * 1e9

    return probe


def each(times: int, run: Callable[[], object]) -> Probe:
    """Nanoseconds that one call takes, of so many in a loop whose own time is part of it."""

    def probe() -> float:
        began = time.perf_counter()
        for _ in range(times):
            run()
        return (time.perf_counter() - began) / times * 1e9

    return probe
