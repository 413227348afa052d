"""Totals that the metrics show."""

from arena.contest.referee import Reason
from arena.store import attempts, matches, results, totals, tournaments
from arena.store.engine import Store
from arena.store.kinds import AttemptEnd, MatchState, TournamentState, VoidReason
from tests.store import hall
from tests.store.hall import EVENT, bot_id, match_id


def test_an_empty_arena_shows_zeros_for_everything(store: Store) -> None:
    with store.reading() as tx:
        assert totals.matches(tx) == dict.fromkeys(MatchState, 0)
        assert totals.attempts(tx) == dict.fromkeys(AttemptEnd, 0)
        assert totals.forfeits(tx) == dict.fromkeys(Reason, 0)
        assert totals.voids(tx) == dict.fromkeys(VoidReason, 0)
        assert totals.games(tx) == totals.Games(0, 0)
        assert totals.alarms(tx) == totals.Alarms(0, 0)
        assert totals.backlog(tx, now=5.0) == totals.Backlog(0, 0.0)


def test_matches_and_attempts_are_counted_by_how_they_stand(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        hall.claimed(tx, 0)
        hall.claimed(tx, 1)
        attempts.give_back(tx, match_id(1), attempt=1, at=4.0, outcome=AttemptEnd.LOST)
        assert totals.matches(tx) == dict.fromkeys(MatchState, 0) | {MatchState.PENDING: 2, MatchState.RUNNING: 1}
        assert totals.attempts(tx)[AttemptEnd.LOST] == 1


def test_a_game_with_two_forfeits_is_one_forfeited_game(store: Store) -> None:
    lost = [
        results.Seat(seat, bot_id(seat), hall.version_id(bot_id(seat)), 0, 2, reason, 0, early=True)
        for seat, reason in enumerate((Reason.CRASH, Reason.TIME))
    ]
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        results.record(tx, hall.game(), seats=lost, at=4.0)
        hall.recorded(tx, 0, 1)
        assert totals.games(tx) == totals.Games(finished=1, forfeited=1)
        assert totals.forfeits(tx) == dict.fromkeys(Reason, 0) | {Reason.CRASH: 1, Reason.TIME: 1}


def test_voids_and_alarms_are_counted(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        hall.recorded(tx, digest="other")
        results.void(tx, match_id(0), game_index=1, reason=VoidReason.PLATFORM, at=5.0)
        assert totals.alarms(tx) == totals.Alarms(raised=1, unresolved=1)
        results.resolve(tx, match_id(0), game_index=0, at=6.0)
        assert totals.alarms(tx) == totals.Alarms(raised=1, unresolved=0)
        assert totals.voids(tx)[VoidReason.PLATFORM] == 1


def test_the_backlog_is_what_waits_and_since_when(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        matches.queue(tx, [match_id(0)], batch="batch", at=30.0)
        hall.claimed(tx, 1)
        assert totals.backlog(tx, now=41.0) == totals.Backlog(depth=2, age=40.0)


def test_a_clock_set_back_gives_no_negative_age(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert totals.backlog(tx, now=0.0) == totals.Backlog(depth=1, age=0.0)


def test_a_paused_tournament_is_no_backlog(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        tournaments.set_state(tx, EVENT, TournamentState.PAUSED, at=3.0)
        assert totals.backlog(tx, now=5.0).depth == 0
