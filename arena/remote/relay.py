"""The worker's stream to a gateway: questions out, answers in, matched by bot and game."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import grpc

from arena.v1 import seats_pb2 as pb
from arena.v1.seats_pb2_grpc import SeatsServiceStub
from arena.wire.channel import RELAY, bearer, open_channel
from arena.wire.outbox import Outbox


class PlatformFault(Exception):
    """Our own machinery failed: nothing that happened since may be charged to a bot."""


class Relay:
    """One attached stream; usable inside `async with`."""

    def __init__(self, address: str, token: str, ca: Path | None = None) -> None:
        self._address = address
        self._token = token
        self._ca = ca
        self._outbox = Outbox(pb.AttachRequest, most=4096)
        self._waiting: dict[tuple[str, str], asyncio.Future[pb.Up]] = {}
        self._broken = ""

    async def __aenter__(self) -> Self:
        self._channel = open_channel(self._address, self._ca, RELAY)
        attach: Callable[..., grpc.aio.StreamStreamCall[pb.AttachRequest, pb.AttachResponse]]
        attach = SeatsServiceStub(self._channel).Attach
        self._call = attach(metadata=bearer(self._token))
        self._tasks = (asyncio.create_task(self._read()), asyncio.create_task(self._write()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._outbox.close()
        await asyncio.wait(self._tasks, timeout=2.0)
        self._call.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()

    @property
    def broken(self) -> str:
        """Why nothing goes through any more; empty while it does."""
        return self._broken

    def tell(self, down: pb.Down) -> None:
        """Send what needs no answer; raises PlatformFault if the stream is broken."""
        if self._broken or not self._outbox.put(pb.AttachRequest(downs=[down])):
            raise PlatformFault(self._broken or f"gateway {self._address} does not keep up")

    async def ask(self, down: pb.Down, game: str, patience: float) -> pb.Up:
        """Send what one seat must answer, and its answer; raises PlatformFault when none comes at all."""
        key = (down.bot, game)
        answer: asyncio.Future[pb.Up] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        try:
            self.tell(down)
            async with asyncio.timeout(patience):
                return await answer
        except TimeoutError:
            raise PlatformFault(f"gateway {self._address} gave no answer for {game} in {patience:g} s") from None
        finally:
            del self._waiting[key]

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for up in response.ups:
                    self._deliver(up)
            self._break(f"gateway {self._address} closed the relay")
        except grpc.aio.AioRpcError as error:
            self._break(f"gateway {self._address}: {error.code().name} {error.details()}")

    def _deliver(self, up: pb.Up) -> None:
        answer = self._waiting.get((up.bot, up.game))
        if answer is not None and not answer.done():
            answer.set_result(up)

    async def _write(self) -> None:
        try:
            while (request := await self._outbox.next()) is not None:
                await self._call.write(request)
            await self._call.done_writing()  # the gateway hears all of it, and then ends the stream
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            self._break(f"gateway {self._address}: {error}")

    def _break(self, why: str) -> None:
        """Nothing more will come: everybody who waits learns it at once."""
        self._broken = self._broken or why
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(PlatformFault(why))
