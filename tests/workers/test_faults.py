"""Workers that die, freeze or drain, and a gateway that restarts: every game has exactly one result in the end."""

import asyncio
import signal
from collections import Counter

from sqlalchemy import select

from arena.store import schema
from arena.store.kinds import AttemptEnd
from tests.gateway.hosts import Host, eventually, hosting
from tests.workers.staff import (
    NAMES,
    Guest,
    finished,
    forfeits,
    freeze,
    guests,
    is_complete,
    results,
    slow,
    some_played,
    staffed,
    start,
    words,
)


def outcomes(host: Host) -> Counter[AttemptEnd | None]:
    """How the attempts ended."""
    with host.store.reading() as tx:
        return Counter(tx.scalars(select(schema.attempt.c.outcome)))


async def test_a_killed_workers_matches_are_played_by_another_and_no_game_twice(host: Host) -> None:
    async with staffed(host, 2) as staff, guests(*slow(host)):
        spec = start(host, *NAMES, rounds=2)
        await some_played(host, spec)
        for worker in staff:  # whichever has the batch
            if f"worker {worker.pid}" in words(host).partition("game finished")[2]:
                worker.kill()
        before = set(results(host, spec))
        found = await finished(host, spec)
    assert is_complete(found, spec)
    assert before <= set(found)
    assert outcomes(host)[AttemptEnd.LOST] >= 1
    assert {reason for counts in forfeits(host, found).values() for reason in counts} == {None}


async def test_bots_notice_no_more_of_a_killed_worker_than_a_pause(host: Host) -> None:
    there = tuple(Guest(host, name, games=2, think=0.05) for name in NAMES)
    async with staffed(host, 2) as staff, guests(*there):
        spec = start(host, *NAMES)
        await some_played(host, spec)
        for worker in staff:
            worker.kill()
        async with staffed(host, 1):
            found = await finished(host, spec)
    assert is_complete(found, spec)
    with host.store.reading() as tx:
        origins = tx.execute(select(schema.attempt.c.number, schema.attempt.c.origin)).all()
    assert max(number for number, _ in origins) > 1
    assert {origin for _, origin in origins} == {1}  # no game began anew on another deal
    assert {count for guest in there for count in guest.asked.values()} == {1}


async def test_a_frozen_worker_that_wakes_up_late_is_refused_and_works_again(host: Host) -> None:
    async with staffed(host, 1) as staff, guests(*slow(host)):
        spec = start(host, *NAMES, rounds=4)
        await some_played(host, spec)
        await freeze(host, staff[0])
        await eventually(lambda: outcomes(host)[AttemptEnd.LOST] >= 1, 60.0)
        staff[0].send_signal(signal.SIGCONT)
        found = await finished(host, spec)
    assert is_complete(found, spec)


async def test_a_worker_told_to_stop_finishes_its_games_and_hands_the_rest_back(host: Host) -> None:
    async with staffed(host, 1) as staff, guests(*slow(host)):
        spec = start(host, *NAMES, rounds=2)
        await some_played(host, spec)
        staff[0].send_signal(signal.SIGTERM)
        async with asyncio.timeout(20):
            assert await staff[0].wait() == 0
        assert outcomes(host).keys() == {AttemptEnd.DONE}
        assert len(results(host, spec)) < 24
        async with staffed(host, 1):
            assert is_complete(await finished(host, spec), spec)


async def test_a_restarted_gateway_goes_on_with_the_tournament(host: Host) -> None:
    async with staffed(host, 1), guests(*slow(host)):
        spec = start(host, *NAMES)
        await some_played(host, spec)
        host.stop.set()
        await asyncio.sleep(0.5)
        chosen = host.chosen
        url = chosen.redis_url.get_secret_value()  # type: ignore[union-attr]
        async with hosting(chosen.data, url, port=chosen.port) as again:
            found = await finished(again, spec)
    assert is_complete(found, spec)
