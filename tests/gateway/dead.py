"""`make dead`: how long it takes until a dead peer is noticed: a cable pulled, a process frozen, on either side."""

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.cli.directory import listed
from arena.cli.remote import calling
from tests.end_to_end.houses import House, house, until
from tests.gateway.proxy import Wire, wire

BAR = 10.0  # seconds
PATIENCE = 60.0


def connected(home: House) -> bool:
    """Whether the arena shows the bot as connected."""
    with calling(home.address, "", None) as line:
        return any(bot.connected for bot in listed(line).bots)


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    """A process that stands still for the length of the block."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextmanager
def pulled(cable: Wire, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """A cable that is pulled for the length of the block."""
    loop.call_soon_threadsafe(cable.pull)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(cable.plug)


def seconds(claim: Callable[[], bool]) -> float:
    """How long it takes until the claim is true."""
    began = time.monotonic()
    assert until(claim, PATIENCE)
    return time.monotonic() - began


def measured(home: House, cable: Wire, loop: asyncio.AbstractEventLoop) -> Iterator[tuple[str, float]]:
    """What happened, and how many seconds later it was noticed."""
    with home.bot("ada", ARENA_SERVER=cable.address) as bot:
        assert until(lambda: connected(home))
        with pulled(cable, loop):
            yield "the arena, that the cable of a bot was pulled", seconds(lambda: not connected(home))
        assert until(lambda: connected(home))
        with frozen(bot.pid):
            yield "the arena, that a bot was frozen", seconds(lambda: not connected(home))
        assert until(lambda: connected(home))
        dials = cable.dials
        with pulled(cable, loop):
            yield "a bot, that its cable was pulled", seconds(lambda: cable.dials > dials)
        assert until(lambda: connected(home))
        dials = cable.dials
        with frozen(home.part("arena.gateway")):
            yield "a bot, that the arena was frozen", seconds(lambda: cable.dials > dials)


def run(home: House, cable: Wire, loop: asyncio.AbstractEventLoop) -> bool:
    """Print each; whether all of them were soon enough."""
    found = []
    for what, took in measured(home, cable, loop):
        found.append(took)
        print(f"noticed by {what}: {took:.1f} s", flush=True)
    print(f"at most {BAR:g} s are promised; load {os.getloadavg()[0]:.1f}")
    return max(found) <= BAR


async def _main() -> int:
    with tempfile.TemporaryDirectory(prefix="dead-") as folder, house(Path(folder), "--workers", "1") as home:
        async with wire(home.address) as cable:
            return 0 if await asyncio.to_thread(run, home, cable, asyncio.get_running_loop()) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(_main()))
