"""Attempts: one worker at a time, no bot above its capacity, ended once, fenced for ever."""

import multiprocessing
import random
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection, select, text

from arena.store import attempts, matches, results, schema, tournaments, workers
from arena.store.engine import Store
from arena.store.ids import BotId, WorkerId
from arena.store.kinds import AttemptEnd, MatchState, TournamentState, VoidReason
from tests.store import hall
from tests.store.hall import EVENT, WORKER, bot_id, match_id

SPAWN = multiprocessing.get_context("spawn")
GAMES = 40
CAPACITIES = {bot_id(number): 3 for number in range(4)}


def test_a_claimed_match_runs_with_a_recorded_attempt(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        attempt = hall.claimed(tx)
        assert attempts.attempts(tx, match_id(0)) == (attempt,)
        match = matches.match(tx, match_id(0))
        assert match is not None
        assert (match.state, match.attempt, match.starts) == (MatchState.RUNNING, 1, 1)


def test_a_match_is_claimed_once(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert hall.claimed(tx) is not None
        assert hall.claimed(tx) is None


def test_a_full_bot_keeps_its_match_queued_and_others_do_not_wait(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=4)
        capacities = {bot_id(1): 1}
        taken = [hall.claimed(tx, number, capacities=capacities) is not None for number in range(4)]
        assert taken == [True, False, True, True]
        assert attempts.busy(tx) == {bot_id(0): 2, bot_id(1): 1, bot_id(2): 1, bot_id(3): 2}


def test_capacity_is_never_exceeded_by_rival_workers(store: Store, store_url: str) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=GAMES)
        hall.queue_all(tx, GAMES)
    rivals = [SPAWN.Process(target=_claim_all, args=(store_url, seed)) for seed in range(4)]
    for rival in rivals:
        rival.start()
    for rival in rivals:
        rival.join()
    with store.reading() as tx:
        assert attempts.busy(tx) == CAPACITIES
    assert [rival.exitcode for rival in rivals] == [0] * 4


def test_a_claim_waits_for_a_rival_that_wants_the_same_limited_bot(postgres_store: Store) -> None:
    capacities = {bot_id(1): 1}
    with postgres_store.writing() as tx:
        hall.set_up(tx, games=2)
        hall.queue_all(tx, 2)
    with ThreadPoolExecutor(1) as pool, postgres_store.writing() as tx:
        assert hall.claimed(tx, 0, capacities=capacities) is not None
        rival = pool.submit(_claim, postgres_store, 1, capacities)
        while not rival.done() and not _somebody_waits(tx):
            time.sleep(0.01)
    assert rival.result() is None


def test_an_attempt_given_back_waits_for_the_next(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        assert attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.LOST)
        second = hall.claimed(tx)
        assert second is not None
        assert second.number == 2
        assert [attempt.outcome for attempt in attempts.attempts(tx, match_id(0))] == [AttemptEnd.LOST, None]


def test_only_the_current_attempt_can_end(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.LOST)
        hall.claimed(tx)
        assert not attempts.give_back(tx, match_id(0), attempt=1, at=6.0, outcome=AttemptEnd.RETURNED)
        assert not attempts.finish(tx, match_id(0), attempt=1, at=6.0)
        assert attempts.busy(tx) == {bot_id(0): 1, bot_id(1): 1}


def test_a_match_given_back_after_its_event_was_cancelled_is_cancelled(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        tournaments.set_state(tx, EVENT, TournamentState.CANCELLED, at=4.0)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=AttemptEnd.RETURNED)
        assert tournaments.progress(tx, EVENT)[MatchState.CANCELLED] == 1


@pytest.mark.parametrize(("outcome", "starts"), [(AttemptEnd.LOST, 2), (AttemptEnd.RETURNED, 1)])
def test_a_drain_does_not_count_as_a_start(store: Store, outcome: AttemptEnd, starts: int) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        attempts.give_back(tx, match_id(0), attempt=1, at=5.0, outcome=outcome)
        hall.claimed(tx)
        match = matches.match(tx, match_id(0))
        assert match is not None
        assert match.starts == starts


def test_a_match_finishes_when_every_game_has_a_result(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx, 0, 0)
        assert not attempts.finish(tx, match_id(0), attempt=1, at=5.0)
        hall.recorded(tx, 0, 1)
        assert attempts.finish(tx, match_id(0), attempt=1, at=5.0)
        assert tournaments.progress(tx, EVENT)[MatchState.FINISHED] == 1


def test_a_void_game_is_not_played_again(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx, 0, 0)
        results.void(tx, match_id(0), game_index=1, reason=VoidReason.PLATFORM, at=5.0)
        assert attempts.finish(tx, match_id(0), attempt=1, at=5.0)


def test_a_stopped_worker_neither_beats_nor_claims(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert workers.beat(tx, WORKER)
        assert [worker.counter for worker in workers.workers_seen(tx)] == [1]
        assert workers.stop(tx, WORKER, at=5.0)
        assert not workers.beat(tx, WORKER)
        assert hall.claimed(tx) is None
        assert workers.workers_seen(tx) == ()


def test_the_sweeper_finds_attempts_of_workers_that_stand_still_or_stopped(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=4)
        for name in ("still", "stopped", "alive"):
            workers.add_worker(tx, workers.Worker(WorkerId(name), name, 0, 1.0))
        orphans = [hall.claimed(tx, n, worker=WorkerId(name)) for n, name in enumerate(("still", "stopped", "alive"))]
        workers.stop(tx, WorkerId("stopped"), at=5.0)
        assert attempts.orphaned(tx, [WorkerId("still")]) == tuple(orphans[:2])


def test_a_secret_is_never_shown(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        assert "sss" not in repr(hall.claimed(tx))
        assert tx.scalar(select(schema.attempt.c.secret)) == b"s" * 32


def _claim(store: Store, number: int, capacities: Mapping[BotId, int]) -> attempts.Attempt | None:
    with store.writing() as tx:
        return hall.claimed(tx, number, capacities=capacities)


def _somebody_waits(tx: Connection) -> bool:
    return bool(tx.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")))


def _claim_all(url: str, seed: int) -> None:
    store = Store.open(url)
    numbers = list(range(GAMES))
    random.Random(seed).shuffle(numbers)
    for number in numbers:
        offer = attempts.Offer(WORKER, b"s" * 32, "commitment", 3.0)
        with store.writing() as tx:
            attempts.claim(tx, match_id(number), offer=offer, capacities=CAPACITIES)
    store.close()
