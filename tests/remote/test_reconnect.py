"""A lost connection: what comes again, what goes on, and when it is too late."""

import asyncio
from dataclasses import replace

import pytest

from arena.contest.referee import Reason
from arena.gateway.hall import Hall
from arena.gateway.parties import Line
from arena.gateway.stopwatch import Keeper
from arena.remote.sitting import Gone
from arena.remote.switchboard import seated
from arena.remote.table import played
from arena.v1 import play_pb2 as pb
from tests.gateway.hosts import Host, eventually
from tests.gateway.raw import Raw
from tests.remote.tables import answer, forgotten, party, playing, sitting


async def test_the_open_question_comes_again_and_the_game_ends_well(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as again:
        at = found.open()
        ask = await at.asked()
        await at.bots[0].cut()
        await again.hello("ada")
        assert (await again.of(again.starts, at.id)).seat == 0
        repeated = await again.of(again.asks, at.id)
        assert (repeated.ask, repeated.view) == (ask.ask, ask.view)
        await again.say(pb.PlayRequest(replies=[answer(repeated)]))
        found.play("bob")
        found.tasks.append(asyncio.create_task(playing(again)))
        assert await at.faults() == []


async def test_the_clock_runs_on_while_the_bot_is_away(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as again:
        at = found.open()
        ask = await at.asked()
        await at.bots[0].cut()
        await asyncio.sleep(0.2)
        await again.hello("ada")
        repeated = await again.of(again.asks, at.id)
    assert repeated.limit_ms <= ask.limit_ms - 200
    assert repeated.left_ms <= ask.left_ms - 200


async def test_an_answer_lost_with_the_connection_may_be_given_again(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as again:
        at = found.open()
        ask = await at.asked()
        await at.say(0, answer(ask))
        await at.ask(1)
        await at.bots[0].cut()
        await again.hello("ada")
        await again.say(pb.PlayRequest(replies=[answer(ask)]))
        assert (await again.of(again.acks, at.id)).accepted


async def test_twelve_games_come_again(host: Host) -> None:
    async with party(host, "ada", "bob", games=12) as found, Raw(host.address) as again:
        tables = [found.open() for _ in range(12)]
        for at in tables:
            await at.asked()
        await found.bots["ada"].cut()
        await again.hello("ada", games=12)
        await again.until(lambda: len(again.asks) == 12)
        assert {ask.game for ask in again.asks} == {at.id for at in tables}
        assert len(again.starts) == 12


async def test_a_bot_that_returns_while_the_other_thinks_learns_of_its_game_before_it_is_asked(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as again:
        at = found.open()
        await at.say(0, answer(await at.asked()))
        theirs = await at.ask(1)
        await at.bots[0].cut()
        await again.hello("ada")
        assert (await again.of(again.starts, at.id)).seat == 0
        await at.say(1, answer(theirs))
        assert (await again.of(again.asks, at.id)).ask == theirs.ask + 1


async def test_who_comes_and_goes_has_the_whole_grace_period_each_time(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.asked()
        await at.bots[0].cut()
        for _ in range(4):  # 0.6 s away each time, 1 s allowed
            await asyncio.sleep(0.6)
            async with Raw(host.address) as again:
                await again.hello("ada")
                await again.of(again.asks, at.id)
        assert not at.game.done()


async def test_a_connection_gone_for_good_costs_the_game_when_the_bot_is_to_move(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.say(0, answer(await at.asked()))
        theirs = await at.ask(1)
        await at.bots[0].cut()
        await asyncio.sleep(1.2)
        assert not at.game.done()
        await at.say(1, answer(theirs))
        async with asyncio.timeout(0.8):  # the grace period is over, there is no second one
            await at.game
        assert await at.faults() == [(0, Reason.DISCONNECT)]


async def test_a_bot_that_was_gone_before_it_heard_of_the_game_forfeits_nothing(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        await eventually(lambda: host.shows("bob"))
        await found.bots["bob"].cut()
        await eventually(lambda: not host.shows("bob"))
        at = found.open()
        with pytest.raises(Gone, match="gone before"):
            await at.game


async def test_of_two_connections_the_newer_plays_on_and_the_older_is_told(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as newer:
        at = found.open()
        await at.asked()
        await newer.hello("ada")
        repeated = await newer.of(newer.asks, at.id)
        goodbye = await at.bots[0].next(at.bots[0].goodbyes)
        assert goodbye.reason == pb.GOODBYE_REASON_REPLACED
        assert await at.bots[0].end() is None
        await newer.say(pb.PlayRequest(replies=[answer(repeated)]))
        assert (await newer.of(newer.acks, at.id)).accepted


async def test_a_replaced_connection_has_no_say_any_more(host: Host) -> None:
    hall = Hall(Keeper(asyncio.get_running_loop(), lambda: 0.0), 1.0, lambda _: None)
    older, newer = (Line("b", "ada", "v", 1, (2,), 0.0) for _ in range(2))
    hall.join(older)
    hall.join(newer)
    hall.heard(older, pb.PlayRequest(goodbye=pb.Goodbye()))
    hall.garbled(older, "junk")
    assert hall.lines == (newer,)
    assert not older.leaving


async def test_another_build_cannot_take_over_a_running_game(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Raw(host.address) as again:
        at = found.open()
        await at.say(0, answer(await at.asked()))
        theirs = await at.ask(1)
        await at.bots[0].cut()
        await again.hello("ada", version="2")
        await at.say(1, answer(theirs))
        (fault,) = (await at.end()).game.forfeits
    assert (fault.seat, fault.reason, fault.detail) == (0, Reason.DISCONNECT, "came back as another version")


async def test_a_leaving_bot_ends_its_game_and_then_its_stream(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        await at.bots[0].leave()
        await at.say(0, answer(ask))
        found.play()
        assert await at.faults() == []
        goodbye = await at.bots[0].next(at.bots[0].goodbyes)
        assert goodbye.reason == pb.GOODBYE_REASON_LEAVING
        assert await at.bots[0].end() is None


async def test_a_leaving_bot_gets_no_new_game(host: Host) -> None:
    async with party(host, "ada", "bob", games=2) as found:
        running = found.open()
        await running.asked()
        await found.bots["ada"].leave()
        await running.say(0, pb.Reply(game="stray"))  # answered after the goodbye was read
        await found.bots["ada"].of(found.bots["ada"].acks, "stray")
        refused = found.open()
        with pytest.raises(Gone):
            await refused.game
        assert refused.id not in {start.game for start in found.bots["ada"].starts}


async def test_an_idle_bot_that_leaves_is_let_go_at_once(host: Host) -> None:
    async with Raw(host.address) as bot:
        await bot.hello("ada")
        await bot.leave()
        assert (await bot.next(bot.goodbyes)).reason == pb.GOODBYE_REASON_LEAVING
        assert await bot.end() is None


async def test_a_game_counts_for_the_version_it_was_given_to_or_is_not_played(host: Host) -> None:
    async with party(host, "ada", "bob") as table:
        found = sitting(host, table.board, ("ada", "bob"))
        other = replace(found.chairs[0], version="an older version")
        with pytest.raises(Gone, match="was gone before"):
            await played(
                seated(table.board, replace(found, chairs=(other, found.chairs[1])), 1, {other.bot}), forgotten
            )
