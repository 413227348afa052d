"""Workers that die, freeze or drain, and a Redis that forgets: every game has exactly one result in the end."""

import asyncio
import signal
from collections import Counter

from sqlalchemy import select

from arena.contest.verify import verified
from arena.desk import tournaments
from arena.desk.tournaments import Spec
from arena.store import games, schema
from arena.store.kinds import AttemptEnd, TournamentState
from tests.gateway.hosts import Host, eventually, hosting
from tests.workers.staff import Guest, finished, forfeits, guests, is_complete, results, staffed, start, words

NAMES = ("ada", "bob", "cyd", "dee")


def slow(host: Host) -> tuple[Guest, ...]:
    """Bots that think long enough for something to happen meanwhile."""
    return tuple(Guest(host, name, games=2, think=0.01) for name in NAMES)


def outcomes(host: Host) -> Counter[AttemptEnd | None]:
    """How the attempts ended."""
    with host.store.reading() as tx:
        return Counter(tx.scalars(select(schema.attempt.c.outcome)))


async def some_played(host: Host, spec: Spec, least: int = 2) -> None:
    await eventually(lambda: len(results(host, spec)) >= least)


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


async def test_a_frozen_worker_that_wakes_up_late_is_refused_and_works_again(host: Host) -> None:
    async with staffed(host, 1) as staff, guests(*slow(host)):
        spec = start(host, *NAMES)
        await some_played(host, spec)
        staff[0].send_signal(signal.SIGSTOP)
        await eventually(lambda: outcomes(host)[AttemptEnd.LOST] >= 1)
        staff[0].send_signal(signal.SIGCONT)
        found = await finished(host, spec)
    assert is_complete(found, spec)


async def test_a_redis_that_forgets_everything_loses_nothing(host: Host) -> None:
    async with staffed(host, 2), guests(*slow(host)):
        spec = start(host, *NAMES, rounds=2, no_show=0.0)
        await some_played(host, spec)
        host.redis.flushall()
        found = await finished(host, spec)
    assert is_complete(found, spec)
    assert {reason for counts in forfeits(host, found).values() for reason in counts} == {None}


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


async def test_a_paused_tournament_hands_out_nothing_and_goes_on_when_resumed(host: Host) -> None:
    async with staffed(host, 1), guests(*slow(host)):
        spec = start(host, *NAMES, rounds=3)
        await some_played(host, spec)
        tournaments.set_state(host.store, spec.name, TournamentState.PAUSED, at=0.0)
        await eventually(lambda: tournaments.progress(host.store, spec.name).running == 0, every=0.1)
        stopped = len(results(host, spec))
        await asyncio.sleep(0.7)
        assert len(results(host, spec)) == stopped < 36
        start(host, *NAMES, rounds=3, name=spec.name)
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


async def test_every_game_on_record_verifies(host: Host) -> None:
    async with staffed(host, 1), guests(Guest(host, "ada"), Guest(host, "bob")):
        spec = start(host, "ada", "bob", "gone", no_show=0.5)
        found = await finished(host, spec)
    with host.store.reading() as tx:
        texts = [games.notation(tx, one.match_id, one.game_index) for one in found]
    assert [verified(text).record.head.game for text in texts if text] == [one.game_index for one in found]
