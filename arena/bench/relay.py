"""A raw relay, to hold ours against: the same processes and the same bytes, without rules, clock, log and protobuf.

A bot's answer goes over its stream to the relay, over one stream to a worker, and the next question comes back the
same way, each as a message of its own. Relay and worker are processes: `python -m arena.bench.relay`.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import grpc

SERVICE = "arena.bench.Raw"
BOTS = 2
WORKER = b"\xff"
READY = "relay at "
Context = grpc.aio.ServicerContext[bytes, bytes]
Stream = grpc.aio.StreamStreamCall[bytes, bytes]


async def served(port: int = 0) -> None:
    """Run the relay until killed; it says where it listens."""
    streams: dict[bytes, asyncio.Queue[bytes]] = {}

    async def serve(_: object, context: Context) -> None:
        """One stream: its first byte says who it is, and the first byte of each message whom it is for or from."""
        who = await context.read()
        assert isinstance(who, bytes)
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        streams[who] = queue
        writer = asyncio.create_task(_write(context, queue))
        while isinstance(message := await context.read(), bytes):
            to = message[:1] if who == WORKER else WORKER
            streams[to].put_nowait(message)
        writer.cancel()

    server = grpc.aio.server()
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(serve)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": method}),))
    found = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    print(f"{READY}127.0.0.1:{found}", flush=True)  # noqa: T201 - its parent reads this
    await server.wait_for_termination()


async def _write(context: Context, queue: "asyncio.Queue[bytes]") -> None:
    with suppress(Exception):  # whoever listened is gone
        while True:
            await context.write(await queue.get())


async def worked(address: str, question: bytes) -> None:
    """Answer every message with a question for whoever sent it."""
    async with grpc.aio.insecure_channel(address) as channel:
        stream = _opened(channel)
        await stream.write(WORKER)
        async for message in stream:
            await stream.write(message[:1] + question)


async def rate(address: str, answer: bytes, games: int, seconds: float) -> float:
    """Answers a second with so many games under way, half of them at each of two bots."""
    counts = [0] * BOTS
    async with grpc.aio.insecure_channel(address) as channel:
        parts = ((games + 1) // BOTS, games // BOTS)
        tasks = [asyncio.create_task(_play(channel, bot, answer, part, counts)) for bot, part in enumerate(parts)]
        await asyncio.sleep(seconds / 4)
        before, began = sum(counts), time.perf_counter()
        await asyncio.sleep(seconds)
        found = (sum(counts) - before) / (time.perf_counter() - began)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return found


async def _play(channel: grpc.aio.Channel, bot: int, answer: bytes, games: int, counts: list[int]) -> None:
    name = bytes([bot])
    stream = _opened(channel)
    await stream.write(name)
    for _ in range(games):
        await stream.write(name + answer)
    async for _ in stream:
        counts[bot] += 1
        await stream.write(name + answer)


def _opened(channel: grpc.aio.Channel) -> Stream:
    method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(f"/{SERVICE}/Play")
    return method()


@contextmanager
def relaying(question: bytes) -> Iterator[str]:
    """The address of a relay with its worker, both processes of their own, for the length of the block."""
    command = [sys.executable, "-m", "arena.bench.relay"]
    with subprocess.Popen([*command, "relay"], stdout=subprocess.PIPE, text=True) as relay:
        assert relay.stdout is not None
        address = relay.stdout.readline().removeprefix(READY).strip()
        with subprocess.Popen([*command, "worker", address, question.hex()]) as worker:
            try:
                time.sleep(1.0)  # until the worker is there
                yield address
            finally:
                worker.kill()
                relay.kill()


def main(arguments: list[str]) -> None:
    """The relay, or its worker."""
    match arguments:
        case ["relay"]:
            asyncio.run(served())
        case ["worker", address, question]:
            asyncio.run(worked(address, bytes.fromhex(question)))


if __name__ == "__main__":
    main(sys.argv[1:])
