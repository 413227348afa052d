"""SeatsService.Attach: one stream per referee worker, relaying between its games and connected bots."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import grpc

from arena.gateway.hall import Hall
from arena.gateway.parties import Link
from arena.gateway.reception import refusal
from arena.v1 import seats_pb2 as pb
from arena.v1 import seats_pb2_grpc

Context = grpc.aio.ServicerContext[pb.AttachRequest, pb.AttachResponse]


class WorkersDoor(seats_pb2_grpc.SeatsServiceServicer):
    """The relay; `vouch` raises Forbidden for a caller that is no worker."""

    def __init__(self, hall: Hall, vouch: Callable[[Context], Awaitable[None]]) -> None:
        self._hall = hall
        self._vouch = vouch

    async def Attach(  # type: ignore[override]  # noqa: N802 - gRPC's name
        self, requests: AsyncIterator[pb.AttachRequest], context: Context
    ) -> None:
        """Serve one worker until its stream ends; then its games are given up."""
        try:
            await self._vouch(context)
        except Exception as error:  # noqa: BLE001 - told apart in `refusal`
            await context.abort_with_status(refusal(error))
        link = Link()
        writer = asyncio.create_task(_write(link, context))
        try:
            async for request in requests:
                for down in request.downs:
                    self._hall.down(link, down)
        finally:
            self._hall.detach(link)
            link.outbox.close()
            writer.cancel()


async def _write(link: Link, context: Context) -> None:
    while (response := await link.outbox.next()) is not None:
        await context.write(response)
