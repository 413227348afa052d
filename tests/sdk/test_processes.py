"""A bot as its author starts it: a file, a process, Ctrl-C, exit codes."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.contest.referee import Reason
from bots import dice
from tests.gateway.hosts import Host, eventually, hosting
from tests.gateway.raw import Raw
from tests.remote.tables import party

BOT = """
import os, sys, time
from arena.sdk import run
from bots import dice

def choose(view):
    time.sleep(float(os.environ.get("THINK", "0")))
    if os.environ.get("DIE") and view.ply > 3:
        os._exit(9)
    return dice.choose(view)

if __name__ == "__main__":
    run(choose, name="ada")
"""


@asynccontextmanager
async def started(
    folder: Path, host: Host, *options: str, **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The author's bot as a process, gone after the block."""
    file = folder / "mybot.py"
    file.write_text(BOT)
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, str(file), "--server", host.address, *options),
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(dice.__file__).parents[1]), **environment},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.communicate()


async def ended(bot: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """Exit code and words on stderr."""
    async with asyncio.timeout(20):
        _, said = await bot.communicate()
    return bot.returncode, said.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_ctrl_c_once_finishes_the_open_game(host: Host, tmp_path: Path, number: signal.Signals) -> None:
    async with started(tmp_path, host, THINK="0.03") as bot, party(host, "bob") as found:
        await eventually(lambda: host.knows("ada"))
        at = found.open("ada", "bob")
        await at.ready(1)
        theirs = await at.ask(1)
        bot.send_signal(number)
        found.bots["bob"].asks.append(theirs)
        found.play()
        assert await at.faults() == []
        assert (await ended(bot))[0] == 0


async def test_ctrl_c_twice_leaves_at_once(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host, THINK="60") as bot, party(host, "bob") as found:
        await eventually(lambda: host.knows("ada"))
        at = found.open("ada", "bob")
        await at.ready(1)
        assert bot.stderr is not None
        while b"seat 0" not in await bot.stderr.readline():
            pass
        bot.send_signal(signal.SIGINT)
        await bot.stderr.readline()
        bot.send_signal(signal.SIGINT)
        assert (await ended(bot))[0] == 130
        assert await at.faults() == [(0, Reason.DISCONNECT)]


async def test_a_killed_bot_forfeits_by_disconnect(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host, THINK="60") as bot, party(host, "bob") as found:
        await eventually(lambda: host.knows("ada"))
        at = found.open("ada", "bob")
        await at.ready(1)
        bot.kill()
        assert await at.faults() == [(0, Reason.DISCONNECT)]


async def test_a_thinking_process_that_dies_is_a_crash_and_is_replaced(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host, "--processes", "2", DIE="1"), party(host, "bob") as found:
        found.play()
        await eventually(lambda: host.knows("ada"))
        for _ in range(2):
            (fault,) = (await found.open("ada", "bob").end()).game.forfeits
            assert (fault.seat, fault.reason, fault.detail) == (0, Reason.CRASH, "a process that thinks has died")


async def test_commitments_seen_are_those_of_the_games(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host, "--seen", str(tmp_path / "seen.txt")), party(host, "bob") as found:
        await eventually(lambda: host.knows("ada"))
        at = found.open("ada", "bob")
        start = await found.bots["bob"].of(found.bots["bob"].starts, at.id)
        await eventually(lambda: (tmp_path / "seen.txt").exists() and bool((tmp_path / "seen.txt").read_text()))
    assert (tmp_path / "seen.txt").read_text().split() == [start.match, "0", start.commitment]


@pytest.mark.parametrize(
    ("options", "code", "word"),
    [
        pytest.param(("--name", "No Name"), 2, "error: bot name", id="bad name"),
        pytest.param(("--games", "1000"), 2, "error: games at once", id="bad games"),
        pytest.param(("--token", "gwa_x_y"), 4, "error: this token is not valid", id="bad token"),
    ],
)
async def test_a_refused_bot_ends_with_a_reason_and_a_code(
    tmp_path: Path, redis_url: str, options: tuple[str, ...], code: int, word: str
) -> None:
    async with hosting(tmp_path, redis_url, tokens=code == 4) as host, started(tmp_path, host, *options) as bot:
        found, said = await ended(bot)
    assert (found, said.count("\n")) == (code, 1)
    assert said.startswith(word)


async def test_a_replaced_bot_ends_and_says_why(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host) as bot, Raw(host.address) as newer:
        await eventually(lambda: host.knows("ada"))
        await newer.hello("ada")
        code, said = await ended(bot)
    assert code == 2
    assert "only one connection per bot is live" in said


async def test_a_bot_waits_for_an_arena_that_is_not_there_yet(tmp_path: Path, redis_url: str) -> None:
    async with hosting(tmp_path, redis_url) as gone:
        pass
    async with started(tmp_path, gone) as bot:
        assert bot.stderr is not None
        assert b"no arena at" in await bot.stderr.readline()
        async with hosting(tmp_path, redis_url, port=gone.chosen.port) as host:
            await eventually(lambda: host.shows("ada"))


async def test_a_bot_comes_back_to_a_restarted_arena(tmp_path: Path, redis_url: str) -> None:
    async with hosting(tmp_path, redis_url) as first, started(tmp_path, first):
        await eventually(lambda: first.shows("ada"))
        first.stop.set()
        await eventually(lambda: not first.shows("ada"))
        async with hosting(tmp_path, redis_url, port=first.chosen.port) as second:
            await eventually(lambda: second.shows("ada"))


async def test_thinking_processes_end_with_a_killed_bot(host: Host, tmp_path: Path) -> None:
    async with started(tmp_path, host, "--processes", "2") as bot:
        await eventually(lambda: len(children(bot.pid)) >= 3)  # two that think, one that Python keeps for them
        thinkers = children(bot.pid)
        bot.kill()
        await eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in thinkers))


def children(parent: int) -> list[int]:
    """Processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
