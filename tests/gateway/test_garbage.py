"""Bytes of every kind: the gateway answers, stays up, and logs no traceback."""

import random

import grpc
import pytest

from arena.errors import BadInput
from arena.v1 import play_pb2 as pb
from arena.wire.channel import MESSAGE, open_channel
from arena.wire.status import status_to_error
from tests.gateway.hosts import Host
from tests.gateway.raw import Raw
from tests.remote.tables import answer, party

MESSAGES = 80


def mutated(good: bytes, rng: random.Random) -> bytes:
    """A message with some bytes changed, cut out or put in."""
    found = bytearray(good)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(found) + 1)
        match rng.randrange(3):
            case 0:
                found[at : at + rng.randint(0, 9)] = b""
            case 1:
                found[at:at] = rng.randbytes(rng.randint(1, 9))
            case _:
                found[at : at + 1] = rng.randbytes(1)
    return bytes(found)


async def test_random_and_mutated_messages_upset_nobody(host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(20261130)
    async with party(host, "ada", "bob") as found:
        at = found.open()
        ask = await at.asked()
        good = pb.PlayRequest(replies=[answer(ask)], readies=[pb.Ready(game=at.id, nonce=bytes(32))])
        for number in range(MESSAGES):
            async with Raw(host.address) as bot:
                await bot.hello("eve")
                raw = good.SerializeToString() if number % 2 else rng.randbytes(rng.randint(1, 200))
                await bot.say(mutated(raw, rng))
        await at.say(0, answer(ask))
        found.play()
        assert await at.faults() == []
    said = capfd.readouterr()
    assert "Traceback" not in said.err + said.out
    assert "never retrieved" not in said.err + said.out


async def test_a_message_of_the_largest_size_is_read_and_a_larger_one_ends_only_its_own_stream(host: Host) -> None:
    async with Raw(host.address) as bot, Raw(host.address) as other:
        await bot.hello("ada")
        await other.hello("bob")
        most = pb.PlayRequest(readies=[pb.Ready(game="g" * (MESSAGE - 16))])
        await bot.say(most)
        await bot.say(pb.PlayRequest(replies=[pb.Reply(game="stray")]))
        assert not (await bot.next(bot.acks)).accepted
        await bot.say(b"\x12" + bytes(MESSAGE))
        ended = await bot.end()
        assert ended is not None
        assert ended.code().name == "RESOURCE_EXHAUSTED"
        await other.say(pb.PlayRequest(replies=[pb.Reply(game="stray")]))
        assert not (await other.next(other.acks)).accepted


@pytest.mark.parametrize(
    "path", ["TournamentService/StartTournament", "GameService/ExportGames", "SeatsService/Attach"]
)
async def test_a_request_that_is_no_message_is_refused_by_name(host: Host, path: str) -> None:
    async with open_channel(host.address, None) as channel:
        call: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(f"/arena.v1.{path}")
        stream = call()
        await stream.write(b"\xff\xff")
        await stream.done_writing()
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await stream.read()
    error = status_to_error(failed.value, host.address)
    assert isinstance(error, BadInput)
    assert "a message of 2 bytes is not what this method takes" in str(error)
