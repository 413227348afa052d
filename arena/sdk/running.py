"""From `run(choose)` in an author's file to a connected bot: arguments, environment, exit code.

What only a connected bot needs is imported when it connects, so that programs that search or learn start at once.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.contest.asking import Choose
from arena.errors import ArenaError, Forbidden, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

SERVER = "127.0.0.1:7460"


@dataclass(frozen=True, slots=True)
class Entry:
    """How a bot presents itself: `games` at once, thought about in `processes` (1: in this one)."""

    name: str
    version: str = "1"
    games: int = 1
    processes: int = 1
    sizes: tuple[int, ...] = ()
    server: str = SERVER
    token: str = ""
    ca: "Path | None" = None
    seen: "Path | None" = None
    quiet: bool = False


def run(choose: Choose, name: str | None = None, *, version: str = "1", games: int = 1, processes: int = 1) -> None:
    """Connect `choose` to an arena and play until told to stop; the command line may override everything.

    Ctrl-C finishes the open games first, a second Ctrl-C leaves at once.
    """
    own = name or os.path.splitext(os.path.basename(sys.argv[0]))[0]
    entry = _entry(Entry(own, version, games, processes), sys.argv[1:])
    raise SystemExit(serve(choose, entry))


def serve(choose: Choose, entry: Entry) -> int:
    """Play as `entry` until told to stop; returns the exit code."""
    import asyncio

    from arena.sdk.client import Client

    try:
        asyncio.run(Client(choose, entry).serve())
    except KeyboardInterrupt:
        os._exit(130)  # a thread of the author's code may never end
    except ArenaError as error:
        sys.stderr.write(f"error: {error}\n")
        return exit_code(error)
    return 0


def exit_code(error: ArenaError) -> int:
    """Whose fault an error is: 2 usage, 3 server, 4 refused."""
    match error:
        case Unavailable():
            return 3
        case Forbidden():
            return 4
        case _:
            return 2


def _entry(default: Entry, arguments: Sequence[str]) -> Entry:
    import argparse
    from pathlib import Path

    parser = argparse.ArgumentParser(description=f"Connect the bot {default.name} to an arena.")
    parser.add_argument("--server", default=os.environ.get("ARENA_SERVER", SERVER), help="host:port of the arena")
    parser.add_argument("--token", default=os.environ.get("ARENA_TOKEN", ""), help="your token (or ARENA_TOKEN)")
    trusted = os.environ.get("ARENA_CA") or None
    parser.add_argument("--ca", type=Path, default=trusted, help="PEM file of the arena's authority, for TLS")
    parser.add_argument("--name", default=default.name, help="name of the bot")
    parser.add_argument("--version", default=default.version, help="label of this build")
    parser.add_argument("--games", type=int, default=default.games, help="games at once")
    parser.add_argument("--processes", type=int, default=default.processes, help="processes that think")
    parser.add_argument("--seen", type=Path, default=None, help="append the commitments seen to this file")
    parser.add_argument("--quiet", action="store_true", help="say nothing but errors")
    found = parser.parse_args(arguments)
    return Entry(
        name=found.name,
        version=found.version,
        games=found.games,
        processes=found.processes,
        server=found.server,
        token=found.token,
        ca=found.ca,
        seen=found.seen,
        quiet=found.quiet,
    )
