"""Worker processes for a gateway, tournaments for them to play, and bots to play in those."""

import asyncio
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from itertools import count

import grpc

from arena.contest.referee import Reason
from arena.desk import tournaments
from arena.desk.access import ANYBODY
from arena.desk.entry import Arrival, admit
from arena.desk.tournaments import Spec
from arena.store import bots, games
from arena.store.games import Result
from arena.store.ids import TournamentId
from arena.store.kinds import TournamentState
from arena.v1 import play_pb2 as pb
from tests.gateway.hosts import Host, eventually
from tests.gateway.raw import Raw
from tests.remote.tables import answer

CLOCK = "20+1/5"
NAMES = ("ada", "bob", "cyd", "dee")
LOST = (grpc.aio.AioRpcError, asyncio.InvalidStateError, TimeoutError)  # what speaking raises when nobody listens
HANG_UP = b"hang up"  # a habit's wish to lose the connection
_numbers = count()
Habit = Callable[[Raw, pb.Ask], pb.PlayRequest | bytes | None]


@asynccontextmanager
async def staffed(host: Host, workers: int) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    """So many worker processes, ready; their logs end up in the data folder."""
    chosen = {"DATA": host.chosen.data, "REDIS_URL": host.chosen.redis_url.get_secret_value()}  # type: ignore[union-attr]
    environment = {**os.environ, **{f"ARENA_{name}": str(value) for name, value in chosen.items()}}
    staff = []
    with (host.chosen.data / "workers.log").open("ab") as log:
        for _ in range(workers):
            command = (sys.executable, "-m", "workers")
            staff.append(await asyncio.create_subprocess_exec(*command, env=environment, stderr=log))
    try:
        await eventually(lambda: words(host).count("worker ready") >= workers)
        yield staff
    finally:
        for one in staff:
            if one.returncode is None:
                one.kill()
            await one.wait()


async def freeze(host: Host, process: asyncio.subprocess.Process) -> None:
    """Stop a process while it holds no lock: stopped inside a write to SQLite it would hold everybody up."""
    while True:
        process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(0.1)
        path = host.chosen.data / "arena.db"
        with closing(sqlite3.connect(path, timeout=1)) as database, suppress(sqlite3.OperationalError):
            database.execute("BEGIN IMMEDIATE")
            return
        process.send_signal(signal.SIGCONT)
        await asyncio.sleep(0.1)


def words(host: Host) -> str:
    """What the workers have logged."""
    return (host.chosen.data / "workers.log").read_text()


def start(host: Host, *names: str, **changed: object) -> Spec:
    """A tournament between bots that are put on record if they are new."""
    for name in names:
        admit(host.store, ANYBODY, Arrival(name, "1", 1, ()), at=time.time())
    chosen: dict[str, object] = {"name": f"cup-{next(_numbers)}", "bots": names, "clock": CLOCK, "no_show": 60.0}
    spec = Spec(**chosen | changed)  # type: ignore[arg-type]
    tournaments.start(host.store, spec, at=time.time())
    return spec


async def finished(host: Host, spec: Spec, patience: float = 200.0) -> tuple[Result, ...]:
    """The results of a tournament, once it has ended."""

    def is_over() -> bool:
        return tournaments.progress(host.store, spec.name).state is TournamentState.FINISHED

    await eventually(is_over, patience, every=0.1)
    return results(host, spec)


def results(host: Host, spec: Spec) -> tuple[Result, ...]:
    """The results of a tournament so far."""
    with host.store.reading() as tx:
        return tuple(games.results(tx, TournamentId(spec.name)))


async def some_played(host: Host, spec: Spec, least: int = 2) -> None:
    """Wait for the first results."""
    await eventually(lambda: len(results(host, spec)) >= least)


def is_complete(found: Sequence[Result], spec: Spec) -> bool:
    """Whether every game of the schedule has exactly one result, and nothing else has."""
    keys = [(one.match_id, one.game_index) for one in found]
    plan = tournaments.planned(spec)
    wanted = {(f"{spec.name}-{one.number:04d}", game) for one in plan for game in range(len(one.seats))}
    return len(keys) == len(wanted) and set(keys) == wanted


def forfeits(host: Host, found: Sequence[Result]) -> Mapping[str, Counter[Reason | None]]:
    """How often each bot forfeited for each reason; None counts the games it played to the end."""
    with host.store.reading() as tx:
        names = {one.id: one.name for one in bots.bots(tx)}
    counts: dict[str, Counter[Reason | None]] = {}
    for result in found:
        for seat in result.seats:
            counts.setdefault(names[seat.bot_id], Counter())[seat.forfeit] += 1
    return counts


@dataclass(slots=True)
class Guest:
    """A bot that stays connected, whatever happens, and answers by its habit."""

    host: Host
    name: str
    habit: Habit | None = None
    games: int = 1
    think: float = 0.0
    sizes: tuple[int, ...] = ()
    tables: set[int] = field(default_factory=set)  # sizes it was seated at
    busy: set[str] = field(default_factory=set)
    most: int = 0  # games with an open question at once
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)  # how often it heard each question

    async def stay(self) -> None:
        """Connect again and again, until cancelled."""
        while True:
            async with Raw(self.host.address) as bot:
                with suppress(*LOST):
                    await bot.hello(self.name, games=self.games, sizes=self.sizes)
                    await self._serve(bot)

    async def _serve(self, bot: Raw) -> None:
        async with asyncio.TaskGroup() as thoughts:
            while not bot.ended:
                await bot.stirring()
                self.tables.update(start.players for start in bot.starts)
                readies = [pb.Ready(game=bot.starts.popleft().game) for _ in range(len(bot.starts))]
                if readies:
                    await bot.say(pb.PlayRequest(readies=readies))
                self.asked.update((ask.game, ask.ask) for ask in bot.asks)
                for _ in range(len(bot.asks)):
                    thoughts.create_task(self._answer(bot, bot.asks.popleft()))

    async def _answer(self, bot: Raw, ask: pb.Ask) -> None:
        self.busy.add(ask.game)
        self.most = max(self.most, len(self.busy))
        await asyncio.sleep(self.think)
        said = self.habit(bot, ask) if self.habit else pb.PlayRequest(replies=[answer(ask)])
        self.busy.discard(ask.game)
        if said == HANG_UP:
            bot.hang_up()
        elif said is not None:
            with suppress(*LOST):
                await bot.say(said)


def slow(host: Host) -> tuple[Guest, ...]:
    """Four bots that think long enough for something to happen meanwhile."""
    return tuple(Guest(host, name, games=2, think=0.01) for name in NAMES)


@asynccontextmanager
async def guests(*there: Guest) -> AsyncIterator[None]:
    """These bots, connected and seen during the block."""
    tasks = [asyncio.create_task(guest.stay()) for guest in there]
    try:
        for guest in there:
            await eventually(lambda guest=guest: guest.host.shows(guest.name))  # type: ignore[misc]
        yield
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
