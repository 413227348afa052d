"""A table to test at: raw bots connected to a real gateway, and one game of theirs in play over a real relay."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from arena.contest.clock import TimeControl
from arena.contest.referee import Reason
from arena.game import ruleset
from arena.game.actions import Action
from arena.game.packing import view_from_bytes
from arena.game.view import View
from arena.remote.relay import Relay
from arena.remote.table import Chair, Played, Sitting, played, revealed
from arena.v1 import play_pb2 as pb
from arena.wire.actions import action_to_pb
from bots import dice
from tests.gateway.hosts import Host
from tests.gateway.raw import Raw

RULES = ruleset.named(ruleset.DEFAULT)
CALM = TimeControl(60.0, 1.0, 20.0, setup=20.0)  # nobody runs out of time, however slow the machine
_numbers = count()
Choose = Callable[[View], Action]


@dataclass(slots=True)
class Table:
    """One game: its seats by number, and the task that referees it."""

    sitting: Sitting
    bots: dict[int, Raw]  # by seat; a seat played by something else is left out
    game: asyncio.Task[Played]

    @property
    def id(self) -> str:
        return self.sitting.id

    async def ready(self, *seats: int) -> None:
        """These seats answer their GameStart."""
        for seat in seats:
            await self.bots[seat].of(self.bots[seat].starts, self.id)
            await self.bots[seat].say(pb.PlayRequest(readies=[pb.Ready(game=self.id)]))

    async def ask(self, seat: int) -> pb.Ask:
        """The next question to a seat."""
        return await self.bots[seat].of(self.bots[seat].asks, self.id)

    async def asked(self) -> pb.Ask:
        """The question to seat 0 after everybody got ready: the first of the game."""
        await self.ready(*self.bots)
        return await self.ask(0)

    async def say(self, seat: int, reply: pb.Reply) -> None:
        """A seat replies."""
        await self.bots[seat].say(pb.PlayRequest(replies=[reply]))

    async def end(self) -> Played:
        """The game when it is over; the bots are told."""
        async with asyncio.timeout(30):
            found = await self.game
        revealed(self.sitting, found.game)
        return found

    async def faults(self) -> list[tuple[int, Reason]]:
        """Seat and reason of each forfeit, once the game is over."""
        return [(fault.seat, fault.reason) for fault in (await self.end()).game.forfeits]


@dataclass(slots=True)
class Party:
    """Connected bots and the relay by which games reach them."""

    host: Host
    relay: Relay
    bots: dict[str, Raw]
    tasks: list[asyncio.Task[Played] | asyncio.Task[None]] = field(default_factory=list)

    def open(self, *names: str, control: TimeControl = CALM) -> Table:
        """A game between these bots, or all of them."""
        seated = names or tuple(self.bots)
        found = sitting(self.host, self.relay, seated, control)
        game = asyncio.create_task(played(found))
        self.tasks.append(game)
        seats = {seat: self.bots[name] for seat, name in enumerate(seated) if name in self.bots}
        return Table(found, seats, game)

    def play(self, *names: str, choose: Choose = dice.choose) -> None:
        """From now on these bots, or all of them, play by themselves."""
        self.tasks += [asyncio.create_task(playing(self.bots[name], choose)) for name in names or tuple(self.bots)]


@asynccontextmanager
async def party(host: Host, *names: str, games: int = 1) -> AsyncIterator[Party]:
    """These bots, connected."""
    async with AsyncExitStack() as stack:
        relay = await stack.enter_async_context(Relay(host.address, ""))
        bots = {name: await stack.enter_async_context(Raw(host.address)) for name in names}
        for name, bot in bots.items():
            await bot.hello(name, games=games)
        found = Party(host, relay, bots)
        try:
            yield found
        finally:
            for task in found.tasks:
                task.cancel()
            await asyncio.gather(*found.tasks, return_exceptions=True)


def sitting(host: Host, relay: Relay | None, names: Sequence[str], control: TimeControl = CALM) -> Sitting:
    """What a worker would know of a game between these bots."""
    number = next(_numbers)
    chairs = tuple(Chair(host.bot_id(name), f"{name}@1", relay) for name in names)
    return Sitting(f"m{number}/0/1", f"m{number}", 0, RULES, control, bytes([number % 256]) * 32, chairs)


async def playing(bot: Raw, choose: Choose = dice.choose) -> None:
    """Answer whatever this bot is asked, until cancelled."""
    while True:
        await bot.until(lambda: bool(bot.starts or bot.asks))
        readies = [pb.Ready(game=bot.starts.popleft().game) for _ in range(len(bot.starts))]
        replies = [answer(bot.asks.popleft(), choose) for _ in range(len(bot.asks))]
        await bot.say(pb.PlayRequest(readies=readies, replies=replies))


def answer(ask: pb.Ask, choose: Choose = dice.choose) -> pb.Reply:
    """A good reply to a question."""
    return action_to_pb(choose(view_from_bytes(ask.view, RULES)), game=ask.game, ask=ask.ask)
