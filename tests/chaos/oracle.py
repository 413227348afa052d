"""What must be true after every storm, whatever was broken in it."""

import random
from dataclasses import dataclass

from sqlalchemy import func, select

from arena.contest.rating import Settings, boards
from arena.contest.reading import Flaw
from arena.contest.verify import verified
from arena.desk.boards import rated
from arena.desk.exports import keys, records
from arena.desk.tournaments import planned, spec_from_json
from arena.store import games, schema, tournaments
from arena.store.ids import TournamentId
from tests.chaos.field import Field

_MATCH = schema.match.c


@dataclass(frozen=True, slots=True)
class Finding:
    """A tournament after its storm, in games: all `scheduled` ones; those `lost`; those of matches that were `begun`
    again on another deal; forfeits charged (all wrongly, the bots are honest); records that do not verify; alarms."""

    scheduled: int
    lost: int
    begun_again: int
    forfeits: int
    untrue: int
    alarms: int
    ratings_differ: bool

    @property
    def clean(self) -> bool:
        """Whether nothing was lost, charged or changed."""
        return not (self.lost or self.forfeits or self.untrue or self.alarms or self.ratings_differ)


def finding(field: Field, cup: str) -> Finding:
    """What a finished tournament looks like."""
    with field.store.reading() as tx:
        results = tuple(games.results(tx, TournamentId(cup)))
        found = tournaments.tournament(tx, TournamentId(cup))
        alarms = tx.scalar(select(func.count()).select_from(schema.alarm)) or 0
        fresh = select(func.count(schema.attempt.c.match_id.distinct())).where(schema.attempt.c.origin > 1)
        of_cup = schema.attempt.c.match_id.in_(select(_MATCH.id).where(_MATCH.tournament_id == cup))
        again = tx.scalar(fresh.where(of_cup)) or 0
    assert found is not None
    spec = spec_from_json(found.spec)
    plan = planned(spec)
    wanted = {(f"{cup}-{one.number:04d}", game) for one in plan for game in range(len(one.seats))}
    played = [(one.match_id, one.game_index) for one in results]
    tables = [rated(result) for result in results]
    settings = Settings(None, sizes=spec.sizes)
    shuffled = random.Random(7).sample(tables * 2, 2 * len(tables))
    return Finding(
        scheduled=len(wanted),
        lost=len(wanted ^ set(played)) + len(played) - len(set(played)),
        begun_again=again,
        forfeits=sum(seat.forfeit is not None for one in results for seat in one.seats),
        untrue=_untrue(field, cup),
        alarms=alarms,
        ratings_differ=boards(shuffled, settings) != boards(tables, settings),
    )


def _untrue(field: Field, cup: str) -> int:
    texts = (text for _, text in records(field.store, keys(field.store, cup)))
    return sum(not _is_true(text) for text in texts)


def _is_true(text: str) -> bool:
    try:
        return not verified(text).edited
    except Flaw:
        return False
