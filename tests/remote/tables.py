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
from arena.lobby.presence import Door, Roll
from arena.remote.relay import Pass, Relay
from arena.remote.sitting import Chair, Sitting
from arena.remote.switchboard import Switchboard, seated
from arena.remote.table import Standing, played
from arena.remote.telling import revealed
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
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
    game: asyncio.Task[Standing]

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

    async def end(self) -> Standing:
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
    board: Switchboard
    bots: dict[str, Raw]
    tasks: list[asyncio.Task[Standing] | asyncio.Task[None]] = field(default_factory=list)

    def open(self, *names: str, control: TimeControl = CALM) -> Table:
        """A game between these bots, or all of them."""
        there = names or tuple(self.bots)
        found = sitting(self.host, self.board, there, control)
        game = asyncio.create_task(played(found, forgotten))
        self.tasks.append(game)
        at = {seat: self.bots[name] for seat, name in enumerate(there) if name in self.bots}
        return Table(found, at, game)

    def tell(self, name: str, start: pb.GameStart) -> None:
        """Seat a bot in a game that nobody plays."""
        self.board.seat(seats.Down(bot=self.host.bot_id(name), start=start)).resume()

    def play(self, *names: str, choose: Choose = dice.choose) -> None:
        """From now on these bots, or all of them, play by themselves."""
        self.tasks += [asyncio.create_task(playing(self.bots[name], choose)) for name in names or tuple(self.bots)]


@asynccontextmanager
async def party(host: Host, *names: str, games: int = 1) -> AsyncIterator[Party]:
    """These bots, connected."""
    async with AsyncExitStack() as stack:
        board = await stack.enter_async_context(board_at(host))
        bots = {name: await stack.enter_async_context(Raw(host.address)) for name in names}
        for name, bot in bots.items():
            await bot.hello(name, games=games)
        found = Party(host, board, bots)
        try:
            yield found
        finally:
            for task in found.tasks:
                task.cancel()
            await asyncio.gather(*found.tasks, return_exceptions=True)


@asynccontextmanager
async def board_at(host: Host) -> AsyncIterator[Switchboard]:
    """A worker's switchboard with a stream to this gateway."""
    board = Switchboard(Pass())
    await board.attend(Roll(doors=(Door("g", host.address),)))
    try:
        yield board
    finally:
        await board.close()


@asynccontextmanager
async def relay_to(address: str, shown: Pass | None = None) -> AsyncIterator[Relay]:
    """A worker's stream to a gateway, and nobody who hears what comes over it."""
    relay = Relay(address, shown or Pass(), heard=lambda _: None, lost=lambda _: None)
    try:
        yield relay
    finally:
        await relay.close()


def sitting(host: Host, board: Switchboard, names: Sequence[str], control: TimeControl = CALM) -> Sitting:
    """What a worker would know of a game between these bots."""
    number = next(_numbers)
    chairs = tuple(Chair(host.bot_id(name), f"{name}@1") for name in names)
    found = Sitting(f"m{number}/0/1", f"m{number}", 0, RULES, control, bytes([number % 256]) * 32, chairs)
    return seated(board, found, 1, {chair.bot for chair in chairs})


async def forgotten(_number: int, _body: bytes) -> None:
    """A log that nobody will read."""


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
