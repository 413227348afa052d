"""A wire between a client and a gateway that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Wire:
    """Passes bytes both ways; `address` is where clients dial."""

    address: str = ""
    dials: int = 0
    open: set[asyncio.Task[None]] = field(default_factory=set)
    passing: asyncio.Event = field(default_factory=asyncio.Event)

    def cut(self) -> None:
        """Drop all connections; new ones are taken."""
        for task in self.open:
            task.cancel()

    def pull(self) -> None:
        """Pass nothing on in either direction from now on, and tell nobody, as a cable that was pulled."""
        self.passing.clear()

    def plug(self) -> None:
        """Pass on again what comes."""
        self.passing.set()


@asynccontextmanager
async def wire(target: str) -> AsyncIterator[Wire]:
    """A wire to `target`."""
    host, port = target.rsplit(":", 1)
    found = Wire()
    found.plug()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        found.dials += 1
        found.open.add(task)
        task.add_done_callback(found.open.discard)
        there_reader, there_writer = await asyncio.open_connection(host, int(port))
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(_pump(found, reader, there_writer))
                both.create_task(_pump(found, there_reader, writer))
        except* (asyncio.CancelledError, OSError):
            pass
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


async def _pump(found: Wire, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while chunk := await reader.read(65536):
        await found.passing.wait()
        writer.write(chunk)
        await writer.drain()
    raise OSError("the other end is gone")
