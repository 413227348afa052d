"""Repeated, stale and stray replies cost nothing; a good game ends for both with the same result."""

import hashlib
from dataclasses import replace

import pytest

from arena.contest import referee
from arena.contest.referee import Reason
from arena.v1 import play_pb2 as pb
from tests.gateway.hosts import Host
from tests.remote.tables import CALM, answer, party


async def test_two_bots_play_a_whole_game(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        found.play()
        at = found.open()
        end = await at.end()
        overs = [await bot.of(bot.overs, at.id) for bot in at.bots.values()]
    assert end.game.forfeits == ()
    assert overs[0] == overs[1]
    assert tuple(overs[0].scores) == referee.result(end.game).scores


async def test_the_secret_revealed_is_the_one_committed_to(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open(control=replace(CALM, setup=0.2))
        start = await found.bots["ada"].of(found.bots["ada"].starts, at.id)
        await at.end()
        over = await found.bots["ada"].of(found.bots["ada"].overs, at.id)
    assert hashlib.sha256(over.secret + start.match.encode()).hexdigest() == start.commitment


async def test_nothing_is_said_of_the_opponents_nor_of_the_secret_before_the_end(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.asked()
        said = b"".join(message.SerializeToString() for message in found.bots["ada"].heard)
    assert b"bob" not in said
    assert at.sitting.secret not in said


async def test_a_repeated_reply_gets_the_same_ack(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        await at.say(0, answer(ask))
        first = await at.bots[0].of(at.bots[0].acks, at.id)
        await at.say(0, answer(ask))
        second = await at.bots[0].of(at.bots[0].acks, at.id)
    assert first.accepted
    assert first == second


async def test_a_reply_said_three_times_at_once_is_one_move(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        await at.bots[0].say(pb.PlayRequest(replies=[answer(ask)] * 3))
        ply = await at.ask(1)
        acks = at.bots[0].acks
    assert ply.ask == ask.ask + 1
    assert all(ack.accepted for ack in acks)


async def test_a_reply_to_an_old_question_is_refused_and_costs_nothing(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        old = await at.asked()
        await at.say(0, answer(old))
        await at.say(1, answer(await at.ask(1)))
        now = await at.ask(0)
        at.bots[0].acks.clear()
        await at.say(0, pb.Reply(game=at.id, ask=now.ask - 1, forced_pass=pb.Pass()))
        ack = await at.bots[0].of(at.bots[0].acks, at.id)
        assert (ack.accepted, ack.message) == (False, f"not open; open here: ask {now.ask}")
        await at.say(0, answer(now))
        assert (await at.ask(1)).ask == now.ask + 1


@pytest.mark.parametrize("ask", [0, 2, 99, 2**63])
async def test_a_reply_to_a_question_not_asked_is_refused_and_costs_nothing(host: Host, ask: int) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        good = await at.asked()
        await at.say(0, pb.Reply(game=at.id, ask=ask, resign=pb.Resign()))
        assert not (await at.bots[0].of(at.bots[0].acks, at.id)).accepted
        await at.say(0, answer(good))
        assert (await at.bots[0].of(at.bots[0].acks, at.id)).accepted


async def test_a_reply_for_an_unknown_game_is_refused_and_costs_nothing(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        good = await at.asked()
        await at.say(0, pb.Reply(game="nobody's", ask=good.ask, resign=pb.Resign()))
        assert not (await at.bots[0].of(at.bots[0].acks, "nobody's")).accepted
        await at.say(0, answer(good))
        assert (await at.bots[0].of(at.bots[0].acks, at.id)).accepted


async def test_nobody_can_answer_for_somebody_else(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        await at.say(1, pb.Reply(game=at.id, ask=ask.ask, resign=pb.Resign()))
        assert not (await at.bots[1].of(at.bots[1].acks, at.id)).accepted
        await at.say(0, answer(ask))
        assert (await at.bots[0].of(at.bots[0].acks, at.id)).accepted


async def test_a_reply_after_the_end_is_answered_at_once(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open(control=replace(CALM, cap=0.2))
        ask = await at.asked()
        assert await at.faults() == [(0, Reason.TIME)]
        await at.bots[0].of(at.bots[0].overs, at.id)
        at.bots[0].acks.clear()
        await at.say(0, answer(ask))
        assert not (await at.bots[0].of(at.bots[0].acks, at.id)).accepted


async def test_the_time_of_the_last_action_comes_with_the_next_question(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        first = await at.asked()
        await at.say(0, answer(first))
        await at.say(1, answer(await at.ask(1)))
        second = await at.ask(0)
        end = at.game
        end.cancel()
    assert first.last_ms == 0
    assert second.left_ms == pytest.approx(first.left_ms - second.last_ms + CALM.increment * 1000, abs=2)
