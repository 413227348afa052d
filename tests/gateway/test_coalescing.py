"""One stream carries everything that is pending: few messages for many questions, bounded for who does not read."""

import asyncio

import pytest

from arena.gateway import bots_door
from arena.v1 import play_pb2 as pb
from arena.wire.outbox import SPLIT, Outbox
from tests.gateway.hosts import Host, eventually
from tests.gateway.raw import Raw
from tests.remote.tables import answer, party

GAMES = 40
ROUNDS = 5


async def test_the_questions_of_many_games_come_in_few_messages(host: Host) -> None:
    async with party(host, "ada", "bob", games=GAMES) as found:
        ada, bob = found.bots.values()
        for _ in range(GAMES):
            found.open()
        for bot in (ada, bob):
            await bot.until(lambda bot=bot: len(bot.starts) == GAMES)  # type: ignore[misc]
            await bot.say(pb.PlayRequest(readies=[pb.Ready(game=start.game) for start in bot.starts]))
        ada.heard.clear()
        for _ in range(ROUNDS):
            for bot in (ada, bob):
                await bot.until(lambda bot=bot: len(bot.asks) == GAMES)  # type: ignore[misc]
                replies = [answer(bot.asks.popleft()) for _ in range(GAMES)]
                await bot.say(pb.PlayRequest(replies=replies))
        asking = [message for message in ada.heard if message.asks]
    assert sum(len(message.asks) for message in asking) == GAMES * ROUNDS
    assert len(asking) <= GAMES * ROUNDS / 4  # 200 questions in at most 50 messages


async def test_many_starts_are_split_below_the_limit_of_a_message(host: Host) -> None:
    async with party(host, "ada") as found:
        ada = found.bots["ada"]
        start = pb.GameStart(commitment="c" * 900)
        for number in range(300):
            start.game = str(number)
            found.tell("ada", start)
        await ada.until(lambda: len(ada.starts) == 300)
    assert [start.game for start in ada.starts] == [str(number) for number in range(300)]
    assert max(message.ByteSize() for message in ada.heard) <= SPLIT


async def test_who_never_reads_is_cut_and_others_play_on(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_door, "WRITE_SECONDS", 0.5)
    async with party(host, "ada", "bob") as found, Raw(host.address, reads=False) as deaf:
        await deaf.say(pb.PlayRequest(hello=pb.Hello(protocol_from=1, protocol_to=1, bot="deaf")))
        await eventually(lambda: host.shows("deaf"))
        start = pb.GameStart(rules="r" * 20_000)
        for number in range(400):  # 8 MB
            start.game = str(number)
            found.tell("deaf", start)
            await asyncio.sleep(0)
        await eventually(lambda: not host.shows("deaf"))
        found.play()
        assert await found.open().faults() == []


def test_what_is_put_while_the_writer_is_busy_becomes_one_message() -> None:
    outbox = Outbox(pb.PlayRequest)
    for number in range(100):
        assert outbox.put(pb.PlayRequest(readies=[pb.Ready(game=str(number))]))
    message = _next(outbox)
    assert message is not None
    assert [ready.game for ready in message.readies] == [str(number) for number in range(100)]


def test_an_outbox_is_bounded_and_refuses_what_is_too_much() -> None:
    outbox = Outbox(pb.PlayRequest, most=3)
    part = pb.PlayRequest(readies=[pb.Ready(game="g" * (SPLIT // 2 + 1))])
    assert [outbox.put(part) for _ in range(5)] == [True, True, True, False, False]


def test_a_closed_outbox_gives_what_it_has_and_then_ends() -> None:
    outbox = Outbox(pb.PlayRequest)
    outbox.put(pb.PlayRequest(readies=[pb.Ready(game="g")]))
    outbox.close()
    assert not outbox.put(pb.PlayRequest())
    assert _next(outbox) is not None
    assert _next(outbox) is None


def _next(outbox: Outbox[pb.PlayRequest]) -> pb.PlayRequest | None:
    return asyncio.run(outbox.next())
