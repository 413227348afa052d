"""The metrics of the whole arena: totals from the database, presence and answer times from the lobby.

One process exports them, so that no number is summed twice.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from arena.contest.rating import OVERALL
from arena.desk.boards import Leaderboard
from arena.errors import ArenaError
from arena.lobby.tally_names import BUCKETS, COUNT, SUM, bucket_name
from arena.store.kinds import MatchState
from arena.web.cached import Cached, T
from arena.web.sources import Presence, Seen, Sources, Totals, Unseen

F = TypeVar("F", GaugeMetricFamily, CounterMetricFamily)

RATED = 50  # versions with a rating of their own
PROMPT = 0.02  # seconds to wait for fresh ratings; a scrape takes those at hand instead
OPEN = (MatchState.PENDING, MatchState.QUEUED, MatchState.RUNNING)
ENDED = (MatchState.FINISHED, MatchState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Scrape:
    """What one scrape found; None is what the database did not give."""

    totals: Totals | None
    leaderboard: Leaderboard | None
    presence: Presence


class Exporter(Collector):
    """One scrape as metric families."""

    def __init__(self, scrape: Scrape) -> None:
        self._scrape = scrape

    def collect(self) -> Iterator[Metric]:
        """All families that are known now; what is not known is left out, not zero."""
        yield InfoMetricFamily("arena_build", "The running program.", {"version": version("glassworks-arena")})
        yield from _health(self._scrape)
        if self._scrape.totals is not None:
            yield from _counts(self._scrape.totals)
        if self._scrape.leaderboard is not None:
            yield _ratings(self._scrape.leaderboard)
        if isinstance(self._scrape.presence, Seen):
            yield from _lobby(self._scrape.presence)


async def scraped(sources: Sources) -> Scrape:
    """What there is to export; neither a missing database nor a missing Redis spoils the rest."""
    totals = await _given(sources.totals)
    leaderboard = await _given(sources.leaderboard, PROMPT)
    return Scrape(totals, leaderboard, await sources.presence.value())


def exposition(scrape: Scrape, accept: str) -> tuple[bytes, str]:
    """The metrics as text, and its content type, in a format that the scraper accepts."""
    registry = CollectorRegistry()
    registry.register(Exporter(scrape))
    encode, kind = choose_encoder(accept)
    return encode(registry), kind


async def _given(source: Cached[T], *patience: float) -> T | None:
    try:
        return await source.value(*patience)
    except ArenaError:
        return None


def _health(scrape: Scrape) -> Iterator[Metric]:
    yield _gauge("arena_database_up", "Whether the database answers.", scrape.totals is not None)
    yield _gauge("arena_redis_up", "Whether Redis answers.", isinstance(scrape.presence, Seen))
    yield _gauge("arena_scrape_problems", "Sources and entries that this scrape could not read.", _problems(scrape))


def _problems(scrape: Scrape) -> int:
    missing = (scrape.totals is None) + (scrape.leaderboard is None)
    match scrape.presence:
        case Seen(roll, tallies):
            return missing + len(roll.problems) + len(tallies.problems)
        case Unseen():
            return missing + 1


def _counts(found: Totals) -> Iterator[Metric]:
    stand = found.matches
    games = (("played", found.games.finished), ("forfeited", found.games.forfeited))
    states = GaugeMetricFamily("arena_open_matches", "Matches not yet ended.", labels=("state",))
    yield _filled(states, ((state, stand[state]) for state in OPEN))
    ends = ((state, stand[state]) for state in ENDED)
    yield _filled(_counter("arena_matches", "Matches that ended.", "outcome"), ends)
    yield _filled(_counter("arena_attempts", "Attempts that ended.", "outcome"), found.attempts.items())
    yield _filled(_counter("arena_games", "Games with a result, by whether a seat forfeited.", "outcome"), games)
    yield _filled(_counter("arena_forfeits", "Seats that forfeited.", "reason"), found.forfeits.items())
    yield _filled(_counter("arena_voids", "Games that do not count.", "reason"), found.voids.items())
    yield CounterMetricFamily("arena_alarms", "Results that differ, or do not verify.", found.alarms.raised)
    yield _gauge("arena_unresolved_alarms", "Alarms that nobody has resolved.", found.alarms.unresolved)
    yield CounterMetricFamily("arena_checks", "Finished games that were played again.", found.checks.made)
    yield _gauge("arena_unchecked_games", "Finished games that nobody has played again.", found.checks.waiting)
    yield _gauge("arena_queue_depth", "Matches of running tournaments that wait for a worker.", found.backlog.depth)
    yield _gauge("arena_queue_oldest_age_seconds", "For how long the oldest of them has waited.", found.backlog.age)


def _ratings(found: Leaderboard) -> Metric:
    """Ratings on every board of the versions that lead overall, labelled by id so that the labels stay few."""
    family = GaugeMetricFamily("arena_rating_elo", "Elo of the top versions overall.", labels=("board", "version"))
    chosen = {one.row.player for one in found.boards.get(OVERALL, ())[:RATED]}
    for board, rows in found.boards.items():
        for one in rows:
            if one.row.player in chosen:
                family.add_metric((board, one.row.player), one.row.elo)
    return family


def _lobby(seen: Seen) -> Iterator[Metric]:
    yield _gauge("arena_gateways", "Gateways that are open.", len(seen.roll.doors))
    yield _gauge("arena_connected_bots", "Bots connected to them.", seen.bots)
    kept = seen.tallies.totals
    limits = [(f"{limit:g}", kept.get(bucket_name(limit), 0.0)) for limit in BUCKETS]
    buckets = [*limits, ("+Inf", kept.get(COUNT, 0.0))]
    family = HistogramMetricFamily("arena_answer_seconds", "Time from an ask to its reply, at the gateway.")
    family.add_metric((), buckets, kept.get(SUM, 0.0))
    yield family


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _counter(name: str, meaning: str, label: str) -> CounterMetricFamily:
    return CounterMetricFamily(name, meaning, labels=(label,))


def _filled(family: F, members: Iterable[tuple[str, float]]) -> F:
    for member, count in members:
        family.add_metric((member,), count)
    return family
