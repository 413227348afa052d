"""What pages and metrics are made of: the record and the lobby, read at most every few seconds for all requests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Self

from arena.contest.referee import Reason
from arena.desk import boards, tournaments
from arena.desk.boards import Leaderboard, Standing
from arena.desk.directory import listed
from arena.desk.tournaments import Progress
from arena.errors import Unavailable
from arena.lobby.presence import Lobby, Roll, Tallies
from arena.store import totals
from arena.store.engine import Store
from arena.store.kinds import AttemptEnd, MatchState, VoidReason
from arena.web.cached import Cached

KEEP = 2.0  # seconds
SHELF = 64  # tournaments whose standings are kept


@dataclass(frozen=True, slots=True)
class Totals:
    """All counts of one moment, from one transaction."""

    matches: Mapping[MatchState, int]
    attempts: Mapping[AttemptEnd, int]
    games: totals.Games
    forfeits: Mapping[Reason, int]
    voids: Mapping[VoidReason, int]
    alarms: totals.Alarms
    checks: totals.Checks
    backlog: totals.Backlog


@dataclass(frozen=True, slots=True)
class Seen:
    """The lobby as it answered."""

    roll: Roll
    tallies: Tallies

    @property
    def bots(self) -> int:
        """How many bots are connected; one that changes gateways may be behind two for a moment."""
        return len({one.bot for one in self.roll.presents})


@dataclass(frozen=True, slots=True)
class Unseen:
    """No word from the lobby, and why."""

    why: str


Presence = Seen | Unseen


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament as its page shows it; who is absent is None when the lobby does not say."""

    progress: Progress
    standings: tuple[Standing, ...]
    absent: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that can be shown, each behind its own cache; `event` finds a tournament's by name."""

    leaderboard: Cached[Leaderboard]
    tournaments: Cached[tuple[Progress, ...]]
    totals: Cached[Totals]
    presence: Cached[Presence]
    event: Callable[[str], Cached[Event]]

    @classmethod
    def of(cls, store: Store, lobby: Lobby | None, clock: Callable[[], float], keep: float = KEEP) -> Self:
        """The sources over an open database and a lobby, which may be missing or out of reach."""
        return cls(
            leaderboard=Cached(partial(boards.leaderboard, store), keep),
            tournaments=Cached(partial(tournaments.every, store), keep),
            totals=Cached(lambda: counted(store, now=clock()), keep),
            presence=Cached(partial(presence, lobby), keep),
            event=lru_cache(SHELF)(lambda name: Cached(partial(event, store, lobby, name), keep)),
        )


def counted(store: Store, *, now: float) -> Totals:
    """The totals as they stand; `now` is the wall clock."""
    with store.reading() as tx:
        return Totals(
            matches=totals.matches(tx),
            attempts=totals.attempts(tx),
            games=totals.games(tx),
            forfeits=totals.forfeits(tx),
            voids=totals.voids(tx),
            alarms=totals.alarms(tx),
            checks=totals.checks(tx),
            backlog=totals.backlog(tx, now=now),
        )


def presence(lobby: Lobby | None) -> Presence:
    """Who is connected, and the gateways' counters; a lobby that is silent is no error here."""
    if lobby is None:
        return Unseen("no Redis is set; set ARENA_REDIS_URL or --redis")
    try:
        return Seen(lobby.roll(), lobby.tallies())
    except Unavailable as silence:
        return Unseen(str(silence))


def event(store: Store, lobby: Lobby | None, name: str) -> Event:
    """One tournament; raises NotFound."""
    progress = tournaments.progress(store, name)
    return Event(progress, boards.standings(store, name), _absent(store, lobby, progress))


def _absent(store: Store, lobby: Lobby | None, progress: Progress) -> tuple[str, ...] | None:
    match presence(lobby):
        case Unseen():
            return None
        case Seen(roll):
            present = {one.name for one in listed(store, roll) if one.connected}
            return tuple(bot for bot in progress.spec.bots if bot not in present)
