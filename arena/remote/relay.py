"""A worker's stream to one gateway: what it says goes out, what it hears is handed on, and when it breaks is told."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from arena.v1 import seats_pb2 as pb
from arena.v1.seats_pb2_grpc import SeatsServiceStub
from arena.wire.channel import RELAY, bearer, open_channel
from arena.wire.outbox import Outbox


@dataclass(frozen=True, slots=True)
class Pass:
    """What a worker shows at a gateway: its token, and the authority it trusts where TLS is spoken."""

    token: str = field(default="", repr=False)
    ca: Path | None = None


class Relay:
    """One attached stream, until `broken` says why it is none any more."""

    def __init__(
        self, address: str, shown: Pass, *, heard: Callable[[pb.Up], None], lost: Callable[["Relay"], None]
    ) -> None:
        self._heard, self._lost = heard, lost
        self._outbox = Outbox(pb.AttachRequest, most=4096)
        self._channel = open_channel(address, shown.ca, RELAY)
        attach: Callable[..., grpc.aio.StreamStreamCall[pb.AttachRequest, pb.AttachResponse]]
        attach = SeatsServiceStub(self._channel).Attach
        self._call = attach(metadata=bearer(shown.token))
        self._tasks = (asyncio.create_task(self._read()), asyncio.create_task(self._write()))
        self.broken = ""

    def tell(self, down: pb.Down) -> None:
        """Say something to a seat; a stream that does not keep up is given up."""
        if not self.broken and not self._outbox.put(pb.AttachRequest(downs=[down])):
            self._break("it does not keep up")

    async def close(self) -> None:
        """Say what is still to be said, and end the stream."""
        self.broken = self.broken or "closed"
        self._outbox.close()
        await asyncio.wait(self._tasks, timeout=2.0)
        self._call.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._channel.close()

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for up in response.ups:
                    self._heard(up)
            self._break("it closed the relay")
        except grpc.aio.AioRpcError as error:
            self._break(f"{error.code().name} {error.details()}")

    async def _write(self) -> None:
        try:
            while (request := await self._outbox.next()) is not None:
                await self._call.write(request)
            await self._call.done_writing()  # the gateway hears all of it, and then ends the stream
        except grpc.aio.AioRpcError as error:
            self._break(f"{error.code().name} {error.details()}")
        except asyncio.InvalidStateError as error:
            self._break(str(error))

    def _break(self, why: str) -> None:
        """Nothing more will come or go."""
        if not self.broken:
            self.broken = why
            self._lost(self)
