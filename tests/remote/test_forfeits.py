"""What costs a bot its game, by which reason, and what does not."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from arena.contest.referee import Reason
from arena.v1 import play_pb2 as pb
from tests.gateway.hosts import Host
from tests.gateway.raw import Raw
from tests.remote.tables import CALM, Table, answer, party

SHORT = replace(CALM, cap=0.3)
Misdeed = Callable[[Table, pb.Ask], Awaitable[None]]


async def illegal(at: Table, ask: pb.Ask) -> None:
    turn = pb.River(pieces=bytes([255]), tile=4_000_000_000, side=pb.SIDE_LEFT, order=bytes(60_000))
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, river=turn))


async def voluntary_pass(at: Table, ask: pb.Ask) -> None:
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, forced_pass=pb.Pass()))


async def without_action(at: Table, ask: pb.Ask) -> None:
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask))


async def without_side(at: Table, ask: pb.Ask) -> None:
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, river=pb.River(pieces=b"\x00")))


async def garbage(at: Table, ask: pb.Ask) -> None:
    await at.bots[0].say(b"\xff\xff\xff\xff")


async def truncated(at: Table, ask: pb.Ask) -> None:
    await at.bots[0].say(pb.PlayRequest(replies=[answer(ask)]).SerializeToString()[:-3])


async def resigns(at: Table, ask: pb.Ask) -> None:
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, resign=pb.Resign()))


async def fails(at: Table, ask: pb.Ask) -> None:
    await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, failure=pb.Failure(message="bot.py:7 KeyError: 'x'")))


async def dies(at: Table, ask: pb.Ask) -> None:
    await at.bots[0].cut()


async def says_too_much(at: Table, ask: pb.Ask) -> None:
    await at.bots[0].say(b"\x12" + bytes(70_000))


@pytest.mark.parametrize(
    ("misdeed", "reason", "word"),
    [
        pytest.param(illegal, Reason.ILLEGAL, "§", id="illegal"),
        pytest.param(voluntary_pass, Reason.ILLEGAL, "§3", id="voluntary pass"),
        pytest.param(without_action, Reason.MALFORMED, "river, lake or forced_pass", id="no action"),
        pytest.param(without_side, Reason.MALFORMED, "side", id="no side"),
        pytest.param(garbage, Reason.MALFORMED, "4 bytes", id="garbage"),
        pytest.param(truncated, Reason.MALFORMED, "PlayRequest", id="truncated"),
        pytest.param(resigns, Reason.RESIGN, "", id="resigns"),
        pytest.param(fails, Reason.CRASH, "bot.py:7 KeyError: 'x'", id="own failure"),
        pytest.param(dies, Reason.DISCONNECT, "connection lost", id="cut connection"),
        pytest.param(says_too_much, Reason.DISCONNECT, "connection lost", id="oversize message"),
    ],
)
async def test_a_misdeed_costs_its_seat_the_game_for_its_own_reason(
    host: Host, misdeed: Misdeed, reason: Reason, word: str
) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await misdeed(at, await at.asked())
        (fault,) = (await at.end()).game.forfeits
    assert (fault.seat, fault.reason) == (0, reason)
    assert word in fault.detail


async def test_silence_is_a_loss_on_time_soon_after_the_limit(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open(control=SHORT)
        await at.asked()
        loop = asyncio.get_running_loop()
        asked = loop.time()
        assert await at.faults() == [(0, Reason.TIME)]
        assert SHORT.cap <= loop.time() - asked < SHORT.cap + 2.0


@pytest.mark.parametrize(("share", "late"), [(0.7, False), (1.1, True)])
async def test_the_limit_is_kept_on_both_sides(host: Host, share: float, late: bool) -> None:
    async with party(host, "ada", "bob", games=10) as found:
        tables = [found.open(control=replace(CALM, cap=1.0)) for _ in range(10)]
        asks = [await at.asked() for at in tables]
        await asyncio.sleep(share)
        for at, ask in zip(tables, asks, strict=True):
            await at.say(0, answer(ask))
        if late:
            assert [await at.faults() for at in tables] == [[(0, Reason.TIME)]] * 10
        else:
            assert [(await at.ask(1)).ask for at in tables] == [2] * 10


async def test_a_late_reply_is_refused_with_its_forfeit(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open(control=SHORT)
        ask = await at.asked()
        assert await at.faults() == [(0, Reason.TIME)]
        await at.say(0, answer(ask))
        assert not (await at.bots[0].next(at.bots[0].acks)).accepted


async def test_who_is_not_ready_in_time_loses_on_time(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open(control=replace(CALM, setup=0.3))
        await at.ready(1)
        (fault,) = (await at.end()).game.forfeits
    assert (fault.seat, fault.reason, fault.early) == (0, Reason.TIME, True)
    assert "not ready within 0.3 s" in fault.detail


@pytest.mark.parametrize("length", [1, 31, 33, 64])
async def test_a_nonce_has_32_bytes_or_none(host: Host, length: int) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.ready(1)
        await at.bots[0].say(pb.PlayRequest(readies=[pb.Ready(game=at.sitting.id, nonce=bytes(length))]))
        (fault,) = (await at.end()).game.forfeits
    assert (fault.seat, fault.reason) == (0, Reason.MALFORMED)
    assert f"not {length}" in fault.detail


async def test_garbage_costs_only_the_games_in_which_an_answer_is_due(host: Host) -> None:
    async with party(host, "ada", "bob", games=2) as found:
        due, waiting = found.open("ada", "bob"), found.open("bob", "ada")
        await due.asked()
        theirs = await waiting.asked()
        await found.bots["ada"].say(b"\xff")
        assert await due.faults() == [(0, Reason.MALFORMED)]
        async with Raw(host.address) as again:
            await again.hello("ada", games=2)
            await again.of(again.starts, waiting.id)
            await waiting.say(0, answer(theirs))
            assert (await again.of(again.asks, waiting.id)).ask == theirs.ask + 1


async def test_the_loser_is_told_why(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await illegal(at, await at.asked())
        await at.end()
        over = await at.bots[0].next(at.bots[0].overs)
        other = await at.bots[1].next(at.bots[1].overs)
    assert (over.forfeit, list(over.places)) == (Reason.ILLEGAL, [2, 1])
    assert "§" in over.detail
    assert other.forfeit == ""


async def test_three_play_on_when_one_of_four_is_out(host: Host) -> None:
    async with party(host, "ada", "bob", "cyd", "dee") as found:
        at = found.open()
        await illegal(at, await at.asked())
        found.play("bob", "cyd", "dee")
        game = (await at.end()).game
    assert [fault.seat for fault in game.forfeits] == [0]
    assert {move.seat for move in game.moves if not move.auto} == {1, 2, 3}


async def test_a_bots_own_words_do_not_break_the_record(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        text = '}\nresult s0 99 1\n"\x1b[2J' + "x" * 5000
        await at.say(0, pb.Reply(game=ask.game, ask=ask.ask, failure=pb.Failure(message=text)))
        (fault,) = (await at.end()).game.forfeits
    assert len(fault.detail) <= 500
