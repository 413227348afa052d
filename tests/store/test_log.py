"""The log of games under way: fenced, followed by the next attempt, and what parks a match."""

import pytest
from sqlalchemy import Connection

from arena.store import attempts, log, matches
from arena.store.engine import Store
from arena.store.kinds import AttemptEnd
from arena.store.log import Entry
from tests.store import hall
from tests.store.hall import WORKER, match_id


def _entry(number: int, *, attempt: int = 1, match: int = 0) -> Entry:
    return Entry(match_id(match), 0, number, attempt, b"heard %d" % number)


def _lost(tx: Connection, attempt: int, *, alone: bool = False, cause: str = "") -> attempts.Attempt:
    """One more attempt, lost before it got anywhere."""
    matches.queue(tx, [match_id(0)], batch="batch", at=2.0)
    offer = attempts.Offer(WORKER, b"t" * 32, "other", 3.0, alone)
    claimed = attempts.claim(tx, match_id(0), offer=offer, capacities={})
    assert claimed is not None
    assert claimed.number == attempt
    assert attempts.give_back(tx, match_id(0), attempt=attempt, at=5.0, outcome=AttemptEnd.LOST, cause=cause)
    return claimed


def test_entries_are_read_back_in_order(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=2)
        hall.claimed(tx)
        hall.claimed(tx, 1)
        assert log.append(tx, [_entry(0), _entry(0, match=1), _entry(1)]) == frozenset()
        assert log.entries(tx, match_id(0), 0) == (b"heard 0", b"heard 1")


def test_a_late_attempt_writes_nothing_and_is_named(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=2)
        hall.claimed(tx)
        hall.claimed(tx, 1)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.LOST)
        assert log.append(tx, [_entry(0), _entry(0, match=1)]) == {(match_id(0), 1)}
        hall.claimed(tx)
        assert log.append(tx, [_entry(0)]) == {(match_id(0), 1)}
        assert log.append(tx, [_entry(0, attempt=2)]) == frozenset()
        assert log.entries(tx, match_id(0), 0) == (b"heard 0",)
        assert log.entries(tx, match_id(1), 0) == (b"heard 0",)


@pytest.mark.parametrize("outcome", [AttemptEnd.LOST, AttemptEnd.RETURNED])
def test_the_next_attempt_follows_with_the_same_secret_and_log(store: Store, outcome: AttemptEnd) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        first = hall.claimed(tx)
        assert first is not None
        log.append(tx, [_entry(0)])
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=outcome)
        second = _lost(tx, 2)
        third = hall.claimed(tx)
        assert third is not None
        assert second.secret == third.secret == first.secret
        assert (first.origin, second.origin, third.origin) == (1, 1, 1)
        assert log.entries(tx, match_id(0), 0) == (b"heard 0",)


def test_after_a_void_attempt_the_match_starts_afresh(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        first = hall.claimed(tx)
        assert first is not None
        log.append(tx, [_entry(0)])
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.VOID)
        second = _lost(tx, 2)
        assert second.secret != first.secret
        assert second.origin == 2
        assert log.entries(tx, match_id(0), 0) == ()


def test_a_result_takes_the_log_with_it(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        log.append(tx, [_entry(0)])
        assert hall.recorded(tx) == "new"
        assert log.entries(tx, match_id(0), 0) == ()


def test_progress_forgets_starts_and_kills(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        _lost(tx, 1, alone=True, cause="signal 9")
        hall.claimed(tx)
        match = matches.match(tx, match_id(0))
        assert match is not None
        assert (match.starts, match.kills) == (2, 1)
        log.append(tx, [_entry(0, attempt=2)])
        match = matches.match(tx, match_id(0))
        assert match is not None
        assert (match.starts, match.kills) == (0, 0)


def test_a_match_that_ended_three_workers_alone_is_parked_with_the_cause(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        for number in range(1, 4):
            assert attempts.parked(tx) == ()
            _lost(tx, number, alone=True, cause=f"signal 11 in attempt {number}")
        (parked,) = attempts.parked(tx)
        assert (parked.match_id, parked.cause) == (match_id(0), "signal 11 in attempt 3")
        assert matches.waiting(tx, 10) == ()
        assert attempts.release(tx, match_id(0))
        assert not attempts.release(tx, match_id(0))
        assert [match.id for match in matches.waiting(tx, 10)] == [match_id(0)]


def test_a_match_that_shared_its_workers_is_never_parked(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        for number in range(1, 9):
            _lost(tx, number)
        assert attempts.parked(tx) == ()
