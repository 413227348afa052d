"""SeatsService.Attach: one stream per referee worker, relaying between its games and connected bots."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc

from arena.errors import Forbidden
from arena.gateway.hall import Hall
from arena.gateway.parties import Link
from arena.gateway.reception import Call, refusal
from arena.store.ids import TokenId
from arena.v1 import seats_pb2 as pb
from arena.v1 import seats_pb2_grpc

Context = grpc.aio.ServicerContext[pb.AttachRequest, pb.AttachResponse]


class WorkersDoor(seats_pb2_grpc.SeatsServiceServicer):
    """The relay; `vouch` raises Forbidden for a caller that is no worker, and has the token of one that is."""

    def __init__(self, hall: Hall, vouch: Callable[[Call], Awaitable[TokenId | None]]) -> None:
        self._hall = hall
        self._vouch = vouch
        self.links: set[Link] = set()

    async def Attach(  # type: ignore[override]  # noqa: N802 - gRPC's name
        self, requests: AsyncIterator[pb.AttachRequest], context: Context
    ) -> None:
        """Serve one worker until its stream ends; then its games are given up."""
        try:
            token = await self._vouch(context)
        except Exception as error:  # noqa: BLE001 - told apart in `refusal`
            await context.abort_with_status(refusal(error))
        link = Link(token)
        self.links.add(link)
        reader = asyncio.create_task(self._read(link, requests))
        writer = asyncio.create_task(_write(link, context))
        cut = asyncio.create_task(link.cut.wait())
        try:
            await asyncio.wait((reader, cut), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.links.discard(link)
            self._hall.detach(link)
            link.outbox.close()
            for task in (reader, writer, cut):
                task.cancel()
            await asyncio.gather(reader, writer, cut, return_exceptions=True)
        if link.cut.is_set():
            await context.abort_with_status(refusal(Forbidden("the token of this worker was revoked")))

    async def _read(self, link: Link, requests: AsyncIterator[pb.AttachRequest]) -> None:
        async for request in requests:
            for down in request.downs:
                self._hall.down(link, down)


async def _write(link: Link, context: Context) -> None:
    while (response := await link.outbox.next()) is not None:
        await context.write(response)
