"""The parties a gateway knows: a bot's line, a worker's link, and the seats between them."""

import asyncio
from dataclasses import dataclass, field

from arena.gateway.stopwatch import Stopwatch
from arena.store.ids import TokenId
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from arena.wire.outbox import Outbox

SET_UP = 0  # the number of what comes before the first question


@dataclass(eq=False, slots=True)
class Line:
    """One live connection of a bot."""

    bot: str
    name: str
    version: str
    games: int
    sizes: tuple[int, ...]
    since: float
    token: TokenId | None = None  # that it came in with
    leaving: bool = False  # takes no new games, and its stream ends with its last open one
    outbox: Outbox[pb.PlayResponse] = field(default_factory=lambda: Outbox(pb.PlayResponse))


@dataclass(eq=False, slots=True)
class Link:
    """One live stream of a referee worker; `cut` when it may not stay."""

    token: TokenId | None = None
    cut: asyncio.Event = field(default_factory=asyncio.Event)
    outbox: Outbox[seats.AttachResponse] = field(default_factory=lambda: Outbox(seats.AttachResponse, most=4096))


@dataclass(eq=False, slots=True)
class Seat:
    """A bot's seat in one game: what it was told, what it still owes, and what it answered last.

    `link` is None while the worker is gone; the next one finds the last answer here.
    """

    bot: str
    link: Link | None
    start: pb.GameStart
    fence: int = 0
    version: str = ""  # that the game counts for; of the first connection told, if the worker named none
    told: bool = False
    ready: bool = False
    question: pb.Ask | None = None
    watch: Stopwatch | None = None
    answered: int = -1  # number of the last question that needs no answer any more; SET_UP for the GameStart
    answer: seats.Up | None = None
    ack: pb.Ack | None = None

    @property
    def owes(self) -> bool:
        """Whether an answer is due."""
        return self.question is not None or not self.ready

    @property
    def number(self) -> int:
        """The number of what is due."""
        return self.question.ask if self.question else SET_UP

    def stop(self) -> None:
        """Let no clock run."""
        if self.watch is not None:
            self.watch.stop()
            self.watch = None


def about(down: seats.Down) -> str:
    """Which game a message other than a start is about."""
    body = down.WhichOneof("body")
    what = getattr(down, body) if body else ""
    return what if isinstance(what, str) else str(what.game)


def due(seat: Seat, *, again: bool) -> pb.PlayResponse:
    """What to tell the bot of a seat: the news, or everything `again` with the time that is left."""
    response = pb.PlayResponse()
    if again or not seat.ready:
        response.starts.append(seat.start)
    if seat.question is not None:
        ask = response.asks.add()
        ask.CopyFrom(seat.question)
        if seat.watch is not None:
            spent = max(0, ask.limit_ms - round(seat.watch.left * 1000))
            ask.limit_ms -= spent
            ask.left_ms = max(0, ask.left_ms - spent)
    return response


def stale(seat: Seat | None, reply: pb.Reply) -> pb.Ack | None:
    """The answer to a reply that answers no open question: a repeat gets its Ack again, at the latest when the first
    one is judged; the rest is refused."""
    if seat is not None and seat.ack is not None and seat.ack.ask == reply.ask:
        return seat.ack
    if seat is not None and seat.answered == reply.ask > SET_UP:
        return None
    current = f"ask {seat.question.ask}" if seat and seat.question else "none"
    return pb.Ack(game=reply.game, ask=reply.ask, accepted=False, message=f"not open; open here: {current}")


def answered(seat: Seat, **body: pb.Ready | pb.Reply | seats.Fault) -> seats.Up:
    """What a seat has to say now, with the time it took."""
    up = seats.Up(bot=seat.bot, game=seat.start.game, ask=seat.number, **body)  # type: ignore[arg-type]
    if seat.watch is not None:
        timing = seat.watch.timing()
        up.sent_us, up.wire_us = _micro(timing.sent), _micro(timing.wire)
        up.platform_us, up.network_us = _micro(timing.platform), _micro(timing.network)
        up.took_us = _micro(timing.charged)
    return up


def tell_worker(seat: Seat, up: seats.Up) -> None:
    """Pass what a seat said on to its worker, if it has one."""
    if seat.link is not None:
        seat.link.outbox.put(seats.AttachResponse(ups=[up]))


def dismiss(line: Line, reason: pb.GoodbyeReason.ValueType, message: str, retry_after_ms: int = 0) -> None:
    """Say goodbye to a bot and let its stream end."""
    goodbye = pb.Goodbye(reason=reason, message=message, retry_after_ms=retry_after_ms)
    line.outbox.put(pb.PlayResponse(goodbye=goodbye))
    line.outbox.close()


def _micro(seconds: float) -> int:
    return max(0, round(seconds * 1e6))
