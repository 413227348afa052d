"""`make silent`: what a thousand connections that say nothing do to the moves of others, in interleaved runs."""

import argparse
import asyncio
import os
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from statistics import median

import grpc

from arena.bench.moves import Moves, Place, through
from arena.cli.bench_moves import arena_of_its_own
from arena.wire.channel import CLIENT
from tests.gateway.raw import PLAY

BAR = 1.5  # median p95 beside them by the quiet one
GAMES = 10


@asynccontextmanager
async def silence(server: str, connections: int) -> AsyncIterator[None]:
    """Half of them connect only, half open a stream as well; who is cut comes again at once."""
    host, port = server.rsplit(":", 1)

    async def connect() -> None:
        """A connection, and not even HTTP."""
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port))
                await reader.read()
                writer.close()
            await asyncio.sleep(0.1)

    async def stream(number: int) -> None:
        """A stream without a Hello, on a connection of its own."""
        options = (*CLIENT, ("grpc.use_local_subchannel_pool", 1), ("silent", number))
        async with grpc.aio.insecure_channel(server, options=options) as channel:
            while True:
                with suppress(grpc.aio.AioRpcError):
                    call: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
                    await call().read()
                await asyncio.sleep(0.1)

    tasks = [asyncio.create_task(stream(n) if n % 2 else connect()) for n in range(connections)]
    await asyncio.sleep(3.0)  # until all are there
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def measured(place: Place, connections: int, rounds: int, seconds: float) -> tuple[list[Moves], list[Moves]]:
    """Quiet runs, and runs beside so many silent connections, in turn."""
    quiet, beside = [], []
    for number in range(rounds):
        quiet.append((await through(place, f"quiet-{number}", GAMES, seconds))[0])
        async with silence(place.server, connections):
            beside.append((await through(place, f"beside-{number}", GAMES, seconds))[0])
        print(f"{number + 1}/{rounds}: p95 {quiet[-1].p95:.1f} and {beside[-1].p95:.1f} ms", file=sys.stderr)
    return quiet, beside


def main() -> int:
    """Measure and compare; 0 if the ratio is as promised."""
    parser = argparse.ArgumentParser(prog="python -m tests.gateway.silent", description=__doc__)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    chosen = parser.parse_args()
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    with arena_of_its_own(1, chosen.seconds) as place:
        quiet, beside = asyncio.run(measured(place, chosen.connections, chosen.rounds, chosen.seconds))
    before, after = (median(one.p95 for one in runs) for runs in (quiet, beside))
    print(
        f"{chosen.connections} silent connections, {GAMES} games at once: p95 of a move {before:.2f} ms without, "
        f"{after:.2f} ms beside them, {after / before:.2f} times; load {os.getloadavg()[0]:.1f}"
    )
    return 0 if after <= BAR * before else 1


if __name__ == "__main__":
    sys.exit(main())
