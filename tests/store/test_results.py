"""Results: written once by key, compared ever after, refused when late, counted unless void or disputed."""

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.contest.referee import Reason
from arena.errors import BadInput, NotFound
from arena.store import attempts, games, results
from arena.store.engine import Store
from arena.store.kinds import AttemptEnd, VoidReason
from tests.store import hall
from tests.store.hall import EVENT, bot_id, match_id


@dataclass(frozen=True, slots=True)
class Delivery:
    match: int
    index: int
    digest: str


deliveries = st.lists(
    st.builds(Delivery, st.integers(0, 2), st.integers(0, 1), st.sampled_from(["one", "two"])), max_size=15
)


def test_a_result_counts_with_its_seats(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        assert hall.recorded(tx) == "new"
        (result,) = games.results(tx)
        assert result.seats == hall.seats()
        assert (result.tournament_id, result.match_id, result.plies, result.finished_at) == (
            EVENT,
            match_id(0),
            2,
            4.0,
        )


def test_a_forfeit_comes_back_with_its_reason(store: Store) -> None:
    seat = results.Seat(1, bot_id(1), hall.version_id(bot_id(1)), 0, 2, Reason.TIME, 1, early=True)
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        results.record(tx, hall.game(), seats=(hall.seats()[0], seat), at=4.0)
        (result,) = games.results(tx)
        assert result.seats[1] == seat


def test_the_same_result_again_is_no_matter(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        assert [hall.recorded(tx) for _ in range(3)] == ["new", "same", "same"]
        assert len(tuple(games.results(tx))) == 1


def test_a_repeat_after_the_match_finished_is_still_the_same(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx, 0, 0)
        hall.recorded(tx, 0, 1)
        attempts.finish(tx, match_id(0), attempt=1, at=5.0)
        assert hall.recorded(tx, 0, 1) == "same"


def test_a_different_result_raises_an_alarm_and_the_game_does_not_count(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        assert [hall.recorded(tx, digest="other") for _ in range(2)] == ["different"] * 2
        listed = games.game(tx, match_id(0), 0)
        assert listed is not None
        assert listed.alarmed
        assert tuple(games.results(tx)) == ()


def test_a_resolved_alarm_lets_the_kept_result_count(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        hall.recorded(tx, digest="other")
        assert results.resolve(tx, match_id(0), game_index=0, at=9.0) == 1
        assert [result.game_index for result in games.results(tx)] == [0]


def test_a_late_attempt_writes_nothing(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.LOST)
        hall.claimed(tx)
        assert hall.recorded(tx, attempt=1) == "late"
        assert results.missing(tx, match_id(0)) == (0, 1)
        assert hall.recorded(tx, attempt=2) == "new"


@pytest.mark.parametrize("outcome", [AttemptEnd.LOST, AttemptEnd.RETURNED, AttemptEnd.VOID])
def test_an_attempt_that_ended_is_late_even_before_the_next_begins(store: Store, outcome: AttemptEnd) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=outcome)
        assert hall.recorded(tx) == "late"


def test_a_second_attempt_plays_only_what_is_missing(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx, 0, 1)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.LOST)
        hall.claimed(tx)
        assert results.missing(tx, match_id(0)) == (0,)


def test_a_void_keeps_the_result_on_record_and_out_of_the_count(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        voided = [
            results.void(tx, match_id(0), game_index=0, reason=reason, at=6.0)
            for reason in (VoidReason.ADMIN, VoidReason.PLATFORM)
        ]
        assert voided == [True, False]
        assert tuple(games.results(tx)) == ()
        assert [listed.void for listed in games.games(tx, EVENT)] == [VoidReason.ADMIN]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=deliveries)
def test_whatever_the_order_the_first_result_stays_and_only_undisputed_games_count(
    store: Store, order: list[Delivery]
) -> None:
    kept: dict[tuple[str, int], str] = {}
    disputed = set()
    with store.writing() as tx, tx.begin_nested() as savepoint:
        hall.set_up(tx, games=3)
        for number in range(3):
            hall.claimed(tx, number)
        for one in order:
            key = (match_id(one.match), one.index)
            if kept.setdefault(key, one.digest) != one.digest:
                disputed.add(key)
            hall.recorded(tx, one.match, one.index, digest=one.digest)
        counted = {(result.match_id, result.game_index) for result in games.results(tx)}
        savepoint.rollback()
    assert counted == kept.keys() - disputed


def test_a_notation_comes_back_letter_for_letter(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        assert games.notation(tx, match_id(0), 0) == hall.game().notation
        assert games.notation(tx, match_id(0), 1) is None


def test_results_are_chosen_by_tournament_and_table_size(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
        assert len(tuple(games.results(tx, EVENT, 2))) == 1
        assert tuple(games.results(tx, players=3)) == ()


def test_games_are_listed_in_pages_newest_first(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=3)
        for number in range(3):
            hall.claimed(tx, number)
            results.record(tx, hall.game(number), seats=hall.seats(number), at=10.0 + number)
        pages = [games.games(tx, EVENT, limit=2, offset=offset) for offset in (0, 2)]
        found = [[listed.result.match_id for listed in page] for page in pages]
        assert found == [[match_id(2), match_id(1)], [match_id(0)]]


def test_a_report_with_a_seat_too_few_is_refused(store: Store) -> None:
    with store.writing() as tx, pytest.raises(BadInput, match="report all 2"):
        results.record(tx, hall.game(), seats=hall.seats()[:1], at=4.0)


def test_a_report_about_an_unknown_match_is_refused(store: Store) -> None:
    with store.writing() as tx, pytest.raises(NotFound, match="no match 'match-7'"):
        hall.recorded(tx, 7)
