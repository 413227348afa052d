"""A client of the Play stream that says whatever it is told, bytes included, and keeps all that it hears."""

import asyncio
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from arena.v1 import play_pb2 as pb
from arena.wire.channel import CLIENT, PROTOCOL, open_channel

PATIENCE = 20.0  # seconds to wait for what must come
PLAY = "/arena.v1.BotService/Play"
Part = TypeVar("Part", pb.Welcome, pb.GameStart, pb.Ask, pb.Ack, pb.GameOver, pb.Goodbye)
InGame = TypeVar("InGame", pb.GameStart, pb.Ask, pb.Ack, pb.GameOver)


class Raw:
    """One stream; `heard` holds every message in order, the queues its parts by kind."""

    def __init__(self, address: str, ca: Path | None = None, *, reads: bool = True, waits: bool = True) -> None:
        self._channel = open_channel(address, ca, CLIENT)
        self._reads, self._waits = reads, waits
        self._told = asyncio.Event()
        self._pen = asyncio.Lock()  # one writer at a time
        self.ended = False
        self.heard: list[pb.PlayResponse] = []
        self.welcomes: deque[pb.Welcome] = deque()
        self.starts: deque[pb.GameStart] = deque()
        self.asks: deque[pb.Ask] = deque()
        self.acks: deque[pb.Ack] = deque()
        self.overs: deque[pb.GameOver] = deque()
        self.goodbyes: deque[pb.Goodbye] = deque()

    async def __aenter__(self) -> Self:
        method: grpc.aio.StreamStreamMultiCallable[bytes, pb.PlayResponse] = self._channel.stream_stream(
            PLAY, request_serializer=None, response_deserializer=pb.PlayResponse.FromString
        )
        self._call = method(wait_for_ready=self._waits)
        self._reader = asyncio.create_task(self._read()) if self._reads else None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.cut()

    async def cut(self) -> None:
        """Be gone at once, without a goodbye."""
        self._call.cancel()
        if self._reader is not None:
            await asyncio.wait({self._reader})
        await self._channel.close()

    def hang_up(self) -> None:
        """Let the stream break."""
        self._call.cancel()

    async def leave(self) -> None:
        """Say that no new games are wanted."""
        await self.say(pb.PlayRequest(goodbye=pb.Goodbye(reason=pb.GOODBYE_REASON_LEAVING)))

    async def say(self, what: pb.PlayRequest | bytes) -> None:
        """Send one message."""
        async with asyncio.timeout(PATIENCE), self._pen:
            await self._call.write(what if isinstance(what, bytes) else what.SerializeToString())

    async def hello(self, bot: str, **fields: object) -> None:
        """Say a proper Hello and wait for the Welcome."""
        known: dict[str, object] = {"protocol_from": PROTOCOL, "protocol_to": PROTOCOL, "bot": bot, "version": "1"}
        hello = pb.Hello(**(known | fields))  # type: ignore[arg-type]
        await self.say(pb.PlayRequest(hello=hello))
        await self.next(self.welcomes)

    async def next(self, parts: deque[Part]) -> Part:
        """The next part of a kind, waited for."""
        await self.until(lambda: bool(parts))
        return parts.popleft()

    async def of(self, parts: deque[InGame], game: str) -> InGame:
        """The next part of a kind that is about one game, waited for."""
        await self.until(lambda: any(part.game == game for part in parts))
        found = next(part for part in parts if part.game == game)
        parts.remove(found)
        return found

    async def until(self, claim: Callable[[], bool]) -> None:
        """Wait until what was heard makes the claim true."""
        async with asyncio.timeout(PATIENCE):
            while not claim():
                self._told.clear()
                await self._told.wait()

    async def stirring(self) -> None:
        """Wait, however long, until something was heard that nobody took yet, or the stream has ended."""
        while not (self.starts or self.asks or self.ended):
            self._told.clear()
            await self._told.wait()

    async def end(self) -> grpc.aio.AioRpcError | None:
        """How the stream ended: the error, or None for a plain end."""
        async with asyncio.timeout(PATIENCE):
            if self._reader is not None:
                await self._reader
            if await self._call.code() is grpc.StatusCode.OK:
                return None
        return grpc.aio.AioRpcError(
            await self._call.code(),
            await self._call.initial_metadata(),
            await self._call.trailing_metadata(),
            details=await self._call.details(),
        )

    async def _read(self) -> None:
        try:
            async for response in self._call:
                self._note(response)
        except (grpc.aio.AioRpcError, asyncio.CancelledError):
            return
        finally:
            self.ended = True
            self._told.set()

    def _note(self, response: pb.PlayResponse) -> None:
        self.heard.append(response)
        if response.HasField("welcome"):
            self.welcomes.append(response.welcome)
        self.starts.extend(response.starts)
        self.asks.extend(response.asks)
        self.acks.extend(response.acks)
        self.overs.extend(response.overs)
        if response.HasField("goodbye"):
            self.goodbyes.append(response.goodbye)
        self._told.set()
