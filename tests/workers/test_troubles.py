"""A tournament goes on and ends, whatever its bots do; each loses by its own fault only, and nobody by another's."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from itertools import cycle

import pytest
import pytest_asyncio
from sqlalchemy import select

from arena.contest.referee import Reason
from arena.contest.verify import verified
from arena.desk import dispatch, tournaments
from arena.gateway import rounds
from arena.jobs.server import Server
from arena.store import games, schema
from arena.store.kinds import TournamentState
from arena.v1 import play_pb2 as pb
from tests.gateway.hosts import Host, eventually, hosting
from tests.gateway.raw import Raw
from tests.remote.tables import answer
from tests.workers.staff import (
    HANG_UP,
    NAMES,
    Guest,
    finished,
    forfeits,
    guests,
    is_complete,
    results,
    slow,
    some_played,
    staffed,
    start,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

RUDE = cycle(
    [
        pb.Reply(forced_pass=pb.Pass()),
        pb.Reply(resign=pb.Resign()),
        pb.Reply(failure=pb.Failure(message="oops")),
        pb.Reply(),
    ]
)


def rude(_: Raw, ask: pb.Ask) -> pb.PlayRequest:
    said = pb.Reply(game=ask.game, ask=ask.ask)
    said.MergeFrom(next(RUDE))
    return pb.PlayRequest(replies=[said])


def garbage(_: Raw, __: pb.Ask) -> bytes:
    return b"\xff\xff"


def silent(_: Raw, __: pb.Ask) -> None:
    return None


def stuttering(_: Raw, ask: pb.Ask) -> pb.PlayRequest:
    """Everything twice, with some old and some stray replies."""
    stray = [pb.Reply(game=ask.game, ask=max(0, ask.ask - 2)), pb.Reply(game="stray", ask=1)]
    return pb.PlayRequest(replies=[*stray, answer(ask), answer(ask)])


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def host(tmp_path_factory: pytest.TempPathFactory, redis_server: Server) -> AsyncIterator[Host]:
    """One gateway and two workers for all of these; each tournament has bots of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "SWEEP", 0.2)
        patch.setattr(dispatch, "SILENCE", 4.0)  # a worker beats every 2 s
        async with (
            hosting(tmp_path_factory.mktemp("troubles"), redis_server.url, grace=1.5) as found,
            staffed(found, 2),
        ):
            yield found


@dataclass(slots=True)
class Flapping:
    """Loses its connection at the first question of each game, and answers when it is asked again."""

    seen: set[str] = field(default_factory=set)

    def __call__(self, _: Raw, ask: pb.Ask) -> pb.PlayRequest | bytes:
        if ask.game in self.seen:
            return pb.PlayRequest(replies=[answer(ask)])
        self.seen.add(ask.game)
        return HANG_UP


async def test_a_tournament_outlives_its_bots(host: Host) -> None:
    there = [
        Guest(host, "good"),
        Guest(host, "stutter", stuttering),
        Guest(host, "rude", rude),
        Guest(host, "garbage", garbage),
        Guest(host, "silent", silent),
        Guest(host, "flapping", Flapping()),
    ]
    names = [guest.name for guest in there]
    async with guests(*there):
        spec = start(host, *names, "gone", clock="20+1/0.7", no_show=1.0)
        found = await finished(host, spec)
    counts = forfeits(host, found)
    assert is_complete(found, spec)
    assert counts["good"].keys() == {None}
    assert counts["stutter"].keys() == {None}
    assert counts["flapping"].keys() == {None}
    assert counts["rude"].keys() - {None} == {Reason.ILLEGAL, Reason.RESIGN, Reason.CRASH, Reason.MALFORMED}
    assert counts["garbage"].keys() - {None} == {Reason.MALFORMED}
    assert counts["silent"].keys() - {None} == {Reason.TIME}
    assert counts["gone"].keys() - {None} == {Reason.DISCONNECT}


async def test_tables_of_four_play_on_without_a_bot_that_never_shows_up(host: Host) -> None:
    async with guests(Guest(host, "ada"), Guest(host, "bob"), Guest(host, "cyd")):
        spec = start(host, "ada", "bob", "cyd", "gone", sizes=(4,), no_show=0.5)
        found = await finished(host, spec)
    assert is_complete(found, spec)
    assert forfeits(host, found)["gone"] == {Reason.DISCONNECT: 4}
    assert all(result.plies > 12 for result in found)
    assert all(seat.early == (seat.forfeit is not None) for result in found for seat in result.seats)


async def test_a_bot_that_shows_up_late_plays(host: Host) -> None:
    spec = start(host, "ada", "late", no_show=60.0)
    async with guests(Guest(host, "ada")):
        await asyncio.sleep(1.5)
        async with guests(Guest(host, "late")):
            found = await finished(host, spec)
    assert is_complete(found, spec)
    assert forfeits(host, found)["late"] == {None: 2}


async def test_a_bot_that_dies_for_good_loses_what_it_played_and_then_does_not_show_up(host: Host) -> None:
    async with guests(Guest(host, "ada"), Guest(host, "bob")):
        async with Raw(host.address) as bot:
            await bot.hello("dies")
            spec = start(host, "ada", "bob", "dies", rounds=2, no_show=1.0)
            start_of_one = await bot.next(bot.starts)
            await bot.say(pb.PlayRequest(readies=[pb.Ready(game=start_of_one.game)]))
        found = await finished(host, spec)
    assert is_complete(found, spec)
    assert forfeits(host, found)["dies"] == {Reason.DISCONNECT: 8}
    assert forfeits(host, found)["ada"] == {None: 8}


async def test_a_bot_plays_no_more_games_at_once_than_it_declares(host: Host) -> None:
    there = [Guest(host, name, games=n, think=0.01) for n, name in ((1, "one"), (2, "two"), (3, "three"))]
    async with guests(*there):
        specs = [start(host, "one", "two", "three", rounds=2)]
        await asyncio.sleep(0.6)  # another batch, for the other worker
        specs.append(start(host, "one", "two", "three", rounds=2))
        found = [await finished(host, spec) for spec in specs]
    assert all(is_complete(*pair) for pair in zip(found, specs, strict=True))
    assert [guest.most for guest in there] <= [1, 2, 3]
    assert all(guest.most <= guest.games for guest in there)


async def test_a_bot_is_not_seated_at_a_table_size_it_does_not_play(host: Host) -> None:
    there = [Guest(host, name) for name in ("ada", "bob", "cyd")]
    duo = Guest(host, "duo", sizes=(2,))
    async with guests(*there, duo):
        spec = start(host, "ada", "bob", "cyd", "duo", sizes=(2, 4), no_show=1.0)
        found = await finished(host, spec)
    assert is_complete(found, spec)
    by_size = {size: [one for one in found if one.players == size] for size in (2, 4)}
    assert forfeits(host, by_size[2])["duo"] == {None: 6}
    assert forfeits(host, by_size[4])["duo"] == {Reason.DISCONNECT: 4}
    assert duo.tables == {2}


async def test_nobody_wins_a_game_to_which_nobody_came(host: Host) -> None:
    spec = start(host, "gone", "away", no_show=0.2)
    found = await finished(host, spec)
    assert is_complete(found, spec)
    assert forfeits(host, found) == {name: {Reason.DISCONNECT: 2} for name in ("gone", "away")}
    assert {seat.place for result in found for seat in result.seats} == {1}


async def test_an_arena_that_was_idle_for_long_plays(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "SILENCE", 0.5)
    async with guests(Guest(host, "ada"), Guest(host, "bob")):
        await asyncio.sleep(1.5)  # some sweeps and a silence
        monkeypatch.setattr(dispatch, "SILENCE", 3.5)
        spec = start(host, "ada", "bob")
        assert is_complete(await finished(host, spec), spec)


async def test_a_redis_that_forgets_everything_loses_nothing(host: Host) -> None:
    async with guests(*slow(host)):
        spec = start(host, *NAMES, rounds=2, no_show=0.0)
        await some_played(host, spec)
        host.redis.flushall()
        found = await finished(host, spec)
    assert is_complete(found, spec)
    assert {reason for counts in forfeits(host, found).values() for reason in counts} == {None}


async def test_a_paused_tournament_hands_out_nothing_and_goes_on_when_resumed(host: Host) -> None:
    async with guests(*slow(host)):
        spec = start(host, *NAMES, rounds=2)
        await some_played(host, spec)
        tournaments.set_state(host.store, spec.name, TournamentState.PAUSED, at=0.0)
        await eventually(lambda: tournaments.progress(host.store, spec.name).running == 0, every=0.1)
        stopped = len(results(host, spec))
        await asyncio.sleep(0.7)
        assert len(results(host, spec)) == stopped < 24
        start(host, *NAMES, rounds=2, name=spec.name)
        assert is_complete(await finished(host, spec), spec)


async def test_every_game_on_record_verifies(host: Host) -> None:
    async with guests(Guest(host, "ada"), Guest(host, "bob")):
        spec = start(host, "ada", "bob", "gone", no_show=0.5)
        found = await finished(host, spec)
    with host.store.reading() as tx:
        texts = [games.notation(tx, one.match_id, one.game_index) for one in found]
    assert [verified(text).record.head.game for text in texts if text] == [one.game_index for one in found]


async def test_every_game_is_played_again_by_a_worker_that_did_not_referee_it(host: Host) -> None:
    spec = start(host, *NAMES[:2], rounds=4)
    async with staffed(host, 2), guests(Guest(host, NAMES[0]), Guest(host, NAMES[1])):
        found = await finished(host, spec)
        by, game, recheck = schema.attempt.c, schema.game.c, schema.recheck.c
        rows = (
            select(recheck.fault, recheck.worker == by.worker_id)
            .join(schema.game, (recheck.match_id == game.match_id) & (recheck.game_index == game.game_index))
            .join(schema.attempt, (by.match_id == game.match_id) & (by.number == game.attempt))
            .where(game.match_id.like(f"{spec.name}-%"))
        )

        def checked() -> list[tuple[str | None, bool]]:
            with host.store.reading() as tx:
                return [(row[0], bool(row[1])) for row in tx.execute(rows)]

        await eventually(lambda: len(checked()) == len(found), 60.0)
    assert set(checked()) == {(None, False)}
