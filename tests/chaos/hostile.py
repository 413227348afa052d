"""What strangers and the machine may do to an arena: each returns when it is seen to go on."""

import asyncio
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterable
from contextlib import suppress

import grpc

from arena.v1 import play_pb2 as pb
from arena.v1.leaderboard_pb2 import ListBotsRequest
from arena.v1.leaderboard_pb2_grpc import DirectoryServiceStub
from arena.wire.channel import PROTOCOL, open_plain_channel
from tests.chaos.faults import redis_of
from tests.chaos.field import Field
from tests.gateway import fuzz
from tests.gateway.raw import Raw

CROWD = 300  # bots
SPELL = 10.0  # seconds


def evict_redis(field: Field) -> float:
    """Redis throws away what it likes for a while, as a wrong policy and too little memory let it."""
    with redis_of(field) as client:
        client.config_set("maxmemory-policy", "allkeys-random")
        client.config_set("maxmemory", 1)
        time.sleep(SPELL)
        client.config_set("maxmemory", 0)
        client.config_set("maxmemory-policy", "noeviction")
    return _until_it_goes_on(field, "Redis evicted keys")


def has_own_disk(field: Field) -> bool:
    """Whether the data lies on a disk that nobody else uses; to mount one needs root."""
    return (field.home.folder / "data").is_mount()


def fill_disk(field: Field) -> float:
    """No byte is left on the disk of the database for a while."""
    ballast = field.home.folder / "data" / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    time.sleep(SPELL)
    ballast.unlink()
    return _until_it_goes_on(field, "the disk was full")


def storm(field: Field) -> float:
    """kill -9 of the gateway while 300 bots more are connected; recovered when all of them are back."""
    command = [sys.executable, "-m", "tests.chaos.crowd", field.home.address, str(CROWD)]
    with subprocess.Popen(command, env={**os.environ, "ARENA_TOKEN": field.token}) as crowd:
        try:
            wanted = CROWD + connected(field)
            field.require(lambda: connected(field) >= wanted, f"{CROWD} bots more were connected")
            os.kill(field.pid(b"arena.gateway"), signal.SIGKILL)
            began = time.monotonic()
            field.require(lambda: connected(field) == 0, "nobody was connected")
            field.require(lambda: connected(field) >= wanted, f"{CROWD} bots were back")
            took = time.monotonic() - began
        finally:
            crowd.kill()
    field.goes_on("a storm")
    return took


def connected(field: Field) -> int:
    """How many bots the arena shows as connected; none while there is no gateway."""
    with open_plain_channel(field.home.address, None) as channel, suppress(grpc.RpcError):
        found = DirectoryServiceStub(channel).ListBots(ListBotsRequest(), timeout=5)
        return sum(bot.connected for bot in found.bots)
    return 0


def guess_tokens(field: Field) -> float:
    """Twenty clients try one token after the other."""

    async def guess() -> None:
        end = time.monotonic() + SPELL
        while time.monotonic() < end:
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with Raw(field.home.address) as bot:
                    token = f"gwa_{secrets.token_hex(6)}_{secrets.token_urlsafe(32)}"
                    await bot.say(pb.PlayRequest(hello=_hello("eve", token)))
                    await bot.end()

    asyncio.run(_all(guess() for _ in range(20)))
    return _until_it_goes_on(field, "tokens were guessed")


def send_junk(field: Field) -> float:
    """Malformed, senseless and oversize messages to every method."""
    junk = fuzz.Fuzz(field.home.address, field.token, random.Random(field.dice.getrandbits(32)))
    asyncio.run(fuzz.run(junk, 10_000))
    if junk.unnamed:
        print(f"errors without a name: {junk.unnamed}", file=sys.stderr)
    return _until_it_goes_on(field, "junk was sent")


def never_read(field: Field) -> float:
    """Thirty bots that ask for answers and never take them."""

    async def flood(number: int) -> None:
        stray = pb.PlayRequest(replies=[pb.Reply(game="stray" * 40, ask=n) for n in range(200)])
        end = time.monotonic() + SPELL
        while time.monotonic() < end:
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError):
                async with Raw(field.home.address, reads=False) as bot:
                    await bot.say(pb.PlayRequest(hello=_hello(f"mallory{number}", field.token)))
                    for _ in range(1000):
                        await bot.say(stray)

    asyncio.run(_all(flood(number) for number in range(30)))
    return _until_it_goes_on(field, "clients never read")


async def _all(clients: Iterable[Coroutine[None, None, None]]) -> None:
    await asyncio.gather(*clients)


def _hello(bot: str, token: str) -> pb.Hello:
    return pb.Hello(protocol_from=PROTOCOL, protocol_to=PROTOCOL, token=token, bot=bot, version="1")


def _until_it_goes_on(field: Field, what: str) -> float:
    began = time.monotonic()
    field.goes_on(what)
    return time.monotonic() - began
