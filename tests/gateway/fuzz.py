"""`make fuzz-wire`: malformed messages for every method of a running arena, while two honest bots play there."""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from google.rpc.error_details_pb2 import ErrorInfo

from arena.desk import access
from arena.store.engine import Store
from arena.store.kinds import Role
from arena.store.migration import migrate
from arena.v1 import leaderboard_pb2, operator_pb2, play_pb2, seats_pb2, tournaments_pb2
from arena.wire.channel import MESSAGE, PROTOCOL, open_channel
from arena.wire.status import DOMAIN, details
from tests.end_to_end.houses import House, house, until
from tests.gateway.raw import PLAY
from tests.gateway.test_garbage import mutated

AT_ONCE = 12  # clients
BAR = 1.05  # resident memory after all messages by that after the first tenth
FILES = (leaderboard_pb2, operator_pb2, seats_pb2, tournaments_pb2)
METHODS = tuple(
    (f"/{service.full_name}/{method.name}", method)
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
)
NOT_OURS = (
    "Internal error from Core",  # what the client's library says of a stream that ended while it wrote
    "Received message larger than max",  # gRPC's words for what it refuses before we see it
)


@dataclass(slots=True)
class Fuzz:
    """What was sent, how it ended, and what ended without a name."""

    server: str
    token: str
    dice: random.Random
    sent: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    unnamed: Counter[str] = field(default_factory=Counter)

    def ended(self, error: grpc.RpcError | None) -> None:
        """A stream or call has ended."""
        if error is None:
            self.ends["OK"] += 1
            return
        reasons = [info.reason for info in details(error, ErrorInfo) if info.domain == DOMAIN]
        self.ends[reasons[0] if reasons else error.code().name] += 1
        if not reasons and not any(words in (error.details() or "") for words in NOT_OURS):
            self.unnamed[f"{error.code().name}: {error.details()}"] += 1


def hello(fuzz: Fuzz, name: str) -> play_pb2.PlayRequest:
    """A proper Hello."""
    return play_pb2.PlayRequest(
        hello=play_pb2.Hello(
            protocol_from=PROTOCOL, protocol_to=PROTOCOL, token=fuzz.token, bot=name, version="1", games=3
        )
    )


def samples(dice: random.Random) -> tuple[bytes, ...]:
    """Messages of a bot that can be read, but mean nothing here."""
    game, ask = f"cup-{dice.randrange(99):04d}/{dice.randrange(3)}/1", dice.randrange(90)
    river = play_pb2.River(pieces=dice.randbytes(2), tile=dice.randrange(9), side=play_pb2.SIDE_LEFT)
    messages = (
        play_pb2.PlayRequest(replies=[play_pb2.Reply(game=game, ask=ask, river=river)]),
        play_pb2.PlayRequest(readies=[play_pb2.Ready(game=game, nonce=dice.randbytes(dice.randrange(64)))]),
        play_pb2.PlayRequest(replies=[play_pb2.Reply(game=game, ask=ask)] * dice.randrange(20)),
        play_pb2.PlayRequest(hello=play_pb2.Hello(bot="eve", games=2**31)),
    )
    return tuple(message.SerializeToString() for message in messages)


def junk(dice: random.Random, good: Sequence[bytes]) -> bytes:
    """Something malformed: noise, a damaged message, one that is right but senseless, or one that is too large."""
    match dice.randrange(200):
        case 0:
            return b"\x12" + bytes(dice.randrange(MESSAGE, 2 * MESSAGE))
        case roll if roll < 20:
            return dice.randbytes(dice.randint(0, 300))
        case roll if roll < 120:
            return mutated(dice.choice(good), dice)
        case _:
            return dice.choice(good)


async def stream(fuzz: Fuzz, channel: grpc.aio.Channel, method: str, name: str) -> None:
    """Send junk over a stream until it ends, or until a hundred messages are sent."""
    stub: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
    call = stub()
    reader = asyncio.create_task(drained(call))
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # it ended while we wrote
        if fuzz.dice.random() < 0.9 and method == PLAY:
            await call.write(hello(fuzz, name).SerializeToString())
        for _ in range(100):
            if reader.done():
                break
            await call.write(junk(fuzz.dice, samples(fuzz.dice)))
            fuzz.sent += 1
        await call.done_writing()
    try:
        async with asyncio.timeout(20.0):
            fuzz.ended(await reader)
    except TimeoutError:
        call.cancel()
        fuzz.ends["had to be cut"] += 1


async def drained(call: grpc.aio.StreamStreamCall[bytes, bytes]) -> grpc.aio.AioRpcError | None:
    """Read a stream to its end; the error there, if any."""
    with suppress(grpc.aio.AioRpcError):
        async for _ in call:
            pass
    if await call.code() is grpc.StatusCode.OK:
        return None
    initial, trailing = await call.initial_metadata(), await call.trailing_metadata()
    return grpc.aio.AioRpcError(await call.code(), initial, trailing, details=await call.details())


async def call_once(fuzz: Fuzz, channel: grpc.aio.Channel) -> None:
    """Send junk to one of the other methods."""
    path, method = fuzz.dice.choice(METHODS)
    if method.client_streaming:
        await stream(fuzz, channel, path, "")
        return
    raw = junk(fuzz.dice, (b"", *samples(fuzz.dice)))
    fuzz.sent += 1
    try:
        if method.server_streaming:
            several: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(path)
            async for _ in several(raw, timeout=30):
                pass
        else:
            one: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
            await one(raw, timeout=30)
        fuzz.ended(None)
    except grpc.aio.AioRpcError as error:
        fuzz.ended(error)


async def client(fuzz: Fuzz, number: int, until_sent: int) -> None:
    """One client among many."""
    async with open_channel(fuzz.server, None) as channel:
        while fuzz.sent < until_sent:
            if fuzz.dice.random() < 0.5:
                await stream(fuzz, channel, PLAY, f"eve{number}")
            else:
                await call_once(fuzz, channel)


async def run(fuzz: Fuzz, messages: int) -> None:
    """Send so many messages more."""
    goal = fuzz.sent + messages
    async with asyncio.TaskGroup() as group:
        for number in range(AT_ONCE):
            group.create_task(client(fuzz, number, goal))
        while fuzz.sent < goal:
            print(f"{fuzz.sent:,} sent", end="\r", file=sys.stderr, flush=True)
            await asyncio.sleep(1.0)


def resident(pid: int) -> float:
    """Resident megabytes of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def guarded(folder: Path) -> Iterator[tuple[House, str]]:
    """An arena with tokens in which two honest bots play, and a token for bots."""
    (folder / "data").mkdir(parents=True)
    with Store.open(f"sqlite:///{folder / 'data' / 'arena.db'}") as store:
        migrate(store)
        access.add_owner(store, "eve", at=1.0)
        owner, organiser = (access.new_token(store, "eve", r, at=1.0).secret for r in (Role.OWNER, Role.ORGANISER))
    with house(folder, "--workers", "1", "--tokens") as home, ExitStack() as stack:
        for name in ("ada", "bob"):
            stack.enter_context(home.bot(name, "--games", "2", think=0.02, ARENA_TOKEN=owner))
        assert until(lambda: home.met("ada", "bob")), home.log
        words = ("tournament", "run", "cup", "ada", "bob", "--rounds", "5000", "--clock", "60+1/10", "--detach")
        started = home.cli(*words, ARENA_TOKEN=organiser)
        assert started.returncode == 0, started.stderr
        yield home, owner


def main() -> int:
    """Send a million messages; 0 if nobody was hurt."""
    parser = argparse.ArgumentParser(prog="python -m tests.gateway.fuzz", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, guarded(Path(folder)) as (home, token):
        fuzz = Fuzz(home.address, token, random.Random(chosen.seed))
        gateway = home.part("arena.gateway")
        asyncio.run(run(fuzz, chosen.messages // 10))
        first, games = resident(gateway), games_of(home)
        asyncio.run(run(fuzz, chosen.messages - chosen.messages // 10))
        last = resident(gateway)
        same = gateway == home.part("arena.gateway")
        played = until(lambda: games_of(home) > games)
        forfeits = sum(row["forfeits"] for row in home.shown("cup")["standings"])  # type: ignore[attr-defined]
        traces = home.log.count("Traceback")
        took = time.monotonic() - began
    print(f"{fuzz.sent:,} malformed messages in {took:.0f} s; how calls ended: {dict(fuzz.ends)}")
    print(f"without a name: {fuzz.unnamed.most_common(5) or 'none'}; tracebacks in the log: {traces}")
    print(f"resident: {first:.1f} MB after a tenth, {last:.1f} MB after all, {last / first:.3f} times")
    print(f"the gateway ran on: {same}; games went on: {played}; forfeits of honest bots: {forfeits}")
    return 0 if same and played and not (forfeits or traces or fuzz.unnamed) and last <= BAR * first else 1


def games_of(home: House) -> int:
    """Games that the honest bots have finished."""
    found = home.shown("cup")["games_finished"]
    assert isinstance(found, int)
    return found


if __name__ == "__main__":
    sys.exit(main())
