"""Matches on their way: in number order, queued once, put back when nobody plays them."""

import pytest

from arena.errors import Conflict
from arena.store import matches, tournaments
from arena.store.engine import Store
from arena.store.kinds import MatchState, TournamentState
from tests.store import hall
from tests.store.hall import EVENT, bot_id, match_id


def test_matches_wait_in_number_order_with_their_bots(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=12, seats=3)
        waiting = matches.waiting(tx, 11)
        assert [match.number for match in waiting] == list(range(11))
        assert waiting[3].bots == (bot_id(3), bot_id(0), bot_id(1))
        assert (waiting[3].players, waiting[3].state, waiting[3].attempt) == (3, MatchState.PENDING, 0)


def test_a_match_of_a_bot_that_is_left_out_does_not_hold_up_the_others(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=8)
        waiting = matches.waiting(tx, 2, without={bot_id(0)})
        assert [match.number for match in waiting] == [1, 2]


@pytest.mark.parametrize("state", [TournamentState.PAUSED, TournamentState.CANCELLED, TournamentState.FINISHED])
def test_only_a_running_tournament_hands_out_matches(store: Store, state: TournamentState) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=2)
        matches.queue(tx, [match_id(0)], batch="batch", at=2.0)
        tournaments.set_state(tx, EVENT, state, at=3.0)
        assert matches.waiting(tx, 10, tournament_id=EVENT) == ()
        assert hall.claimed(tx, 0) is None


def test_adding_matches_again_changes_nothing(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        before = matches.waiting(tx, 10)
        assert matches.add_matches(tx, hall.planned(4, 2, 4), at=9.0) == 1
        assert matches.waiting(tx, 3) == before


def test_a_match_is_queued_in_one_batch_only(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        ids = [match_id(0), match_id(1)]
        assert matches.queue(tx, ids, batch="first", at=2.0) == tuple(ids)
        assert matches.queue(tx, [match_id(1), match_id(2)], batch="second", at=2.0) == (match_id(2),)


def test_rival_queuers_share_the_matches_without_waiting(postgres_store: Store) -> None:
    with postgres_store.writing() as tx:
        hall.set_up(tx, games=4)
    everything = [match_id(number) for number in range(4)]
    with postgres_store.writing() as one, postgres_store.writing() as other:
        first = matches.queue(one, everything[:3], batch="one", at=2.0)
        assert matches.queue(other, everything, batch="other", at=2.0) == (match_id(3),)
    assert len(first) == 3


def test_what_a_batch_could_not_claim_is_pending_again(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        hall.claimed(tx, 0)
        matches.queue(tx, [match_id(1)], batch="batch", at=2.0)
        matches.queue(tx, [match_id(2)], batch="elsewhere", at=2.0)
        assert matches.put_back(tx, [match_id(n) for n in range(3)], batch="batch", at=5.0) == 1
        assert [match.number for match in matches.waiting(tx, 9)] == [1]


def test_a_match_whose_job_was_lost_is_pending_again(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=2)
        matches.queue(tx, [match_id(0)], batch="lost", at=2.0)
        matches.queue(tx, [match_id(1)], batch="fresh", at=50.0)
        assert matches.requeue_stale(tx, 10.0, at=51.0) == 1
        assert [match.number for match in matches.waiting(tx, 9)] == [0]


def test_cancelling_spares_what_runs(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=4)
        hall.claimed(tx, 0)
        hall.queue_all(tx, 2)
        assert matches.cancel(tx, [match_id(3)], at=5.0) == 1
        assert matches.cancel_waiting(tx, EVENT, at=5.0) == 2
        assert tournaments.progress(tx, EVENT)[MatchState.RUNNING] == 1
        assert tournaments.progress(tx, EVENT)[MatchState.CANCELLED] == 3


def test_a_finished_tournament_stays_finished(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert tournaments.set_state(tx, EVENT, TournamentState.FINISHED, at=8.0)
        assert not tournaments.set_state(tx, EVENT, TournamentState.RUNNING, at=9.0)
        found = tournaments.tournament_named(tx, "event")
        assert found == tournaments.tournament(tx, EVENT)
        assert found is not None
        assert (found.state, found.finished_at) == (TournamentState.FINISHED, 8.0)


def test_a_bot_enters_a_tournament_once(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        with pytest.raises(Conflict, match="enter each once"):
            tournaments.enter(tx, EVENT, [bot_id(0)], start=9)
        assert tournaments.entrants(tx, EVENT) == tuple(bot_id(number) for number in range(4))


def test_tournaments_are_listed_by_state(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert [event.id for event in tournaments.tournaments(tx)] == [EVENT]
        assert tournaments.tournaments(tx, TournamentState.PAUSED) == ()
