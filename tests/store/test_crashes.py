"""Processes that are killed in the middle of writing, and what the others find afterwards."""

import multiprocessing
import os
import random
import signal
from multiprocessing.connection import Connection as Pipe

from sqlalchemy import func, select

from arena.store import games, schema
from arena.store.engine import Store
from tests.store import hall

SPAWN = multiprocessing.get_context("spawn")
MATCHES = 20
KEYS = [(number, index) for number in range(MATCHES) for index in range(2)]


def test_results_reported_by_two_are_recorded_exactly_once_though_one_is_killed(store: Store, store_url: str) -> None:
    _claim_everything(store)
    victim = SPAWN.Process(target=_report_all, args=(store_url, 1, 15))
    survivor = SPAWN.Process(target=_report_all, args=(store_url, 2, None))
    for process in (victim, survivor):
        process.start()
    for process in (victim, survivor):
        process.join()
    assert (victim.exitcode, survivor.exitcode) == (-signal.SIGKILL, 0)
    with store.reading() as tx:
        counted = [(result.match_id, result.game_index, len(result.seats)) for result in games.results(tx)]
        assert sorted(counted) == sorted((hall.match_id(number), index, 2) for number, index in KEYS)
        assert tx.scalar(select(func.count()).select_from(schema.alarm)) == 0


def test_a_torn_write_leaves_every_committed_result_and_no_half_of_the_next(store: Store, store_url: str) -> None:
    _claim_everything(store)
    for kill_after in (3, 7, 12):
        committed = _write_until_killed(store_url, kill_after)
        reopened = Store.open(store_url)
        with reopened.reading() as tx:
            found = {(str(result.match_id), result.game_index): result.seats for result in games.results(tx)}
        reopened.close()
        assert committed <= found.keys()
        assert {len(seats) for seats in found.values()} == {2}


def _claim_everything(store: Store) -> None:
    with store.writing() as tx:
        hall.set_up(tx, games=MATCHES)
        for number in range(MATCHES):
            hall.claimed(tx, number)


def _report_all(url: str, seed: int, dies_after: int | None) -> None:
    store = Store.open(url)
    order = random.Random(seed).sample(KEYS, len(KEYS))
    for done, (number, index) in enumerate(order):
        with store.writing() as tx:
            hall.recorded(tx, number, index)
            if done == dies_after:
                os.kill(os.getpid(), signal.SIGKILL)


def _write_until_killed(url: str, kill_after: int) -> set[tuple[str, int]]:
    ours, theirs = SPAWN.Pipe(duplex=False)
    writer = SPAWN.Process(target=_report_commits, args=(url, theirs))
    writer.start()
    theirs.close()
    committed = {ours.recv() for _ in range(kill_after)}
    writer.kill()
    writer.join()
    ours.close()
    return committed


def _report_commits(url: str, pipe: Pipe) -> None:
    store = Store.open(url)
    for number, index in KEYS:
        with store.writing() as tx:
            hall.recorded(tx, number, index)
        pipe.send((hall.match_id(number), index))
