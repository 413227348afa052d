"""`python -m tests.chaos.crowd ADDRESS COUNT`: so many bots of the SDK in a process, which come back on their own."""

import asyncio
import os
import sys

from arena.sdk.client import Client
from arena.sdk.running import Entry
from bots import dice


async def main(address: str, count: int) -> None:
    """Bring them, until killed."""
    token = os.environ.get("ARENA_TOKEN", "")
    entries = (Entry(f"crowd{number}", server=address, token=token, quiet=True) for number in range(count))
    await asyncio.gather(*(Client(dice.choose, entry).serve() for entry in entries))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
