"""A wire between a client and a gateway that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field


@dataclass(slots=True)
class Wire:
    """Passes bytes both ways; `address` is where clients dial."""

    address: str = ""
    dials: int = 0
    open: set[asyncio.Task[None]] = field(default_factory=set)

    def cut(self) -> None:
        """Drop all connections; new ones are taken."""
        for task in self.open:
            task.cancel()


@asynccontextmanager
async def wire(target: str) -> AsyncIterator[Wire]:
    """A wire to `target`."""
    host, port = target.rsplit(":", 1)
    found = Wire()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        found.dials += 1
        found.open.add(task)
        task.add_done_callback(found.open.discard)
        there_reader, there_writer = await asyncio.open_connection(host, int(port))
        try:
            with suppress(asyncio.CancelledError, OSError):
                async with asyncio.TaskGroup() as both:
                    both.create_task(_pump(reader, there_writer))
                    both.create_task(_pump(there_reader, writer))
        finally:
            for end in (writer, there_writer):
                end.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    found.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield found
    finally:
        server.close()
        found.cut()
        await asyncio.gather(*found.open, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(65536):
        writer.write(chunk)
        await writer.drain()
    raise OSError("the other end is gone")
