"""The parties a gateway knows: a bot's line, a worker's link, and the seats between them."""

import asyncio
from dataclasses import dataclass, field

from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from arena.wire.outbox import Outbox


@dataclass(eq=False, slots=True)
class Line:
    """One live connection of a bot."""

    bot: str
    name: str
    version: str
    games: int
    sizes: tuple[int, ...]
    since: float
    leaving: bool = False  # takes no new games, and its stream ends with its last open one
    outbox: Outbox[pb.PlayResponse] = field(default_factory=lambda: Outbox(pb.PlayResponse))


@dataclass(eq=False, slots=True)
class Link:
    """One live stream of a referee worker."""

    outbox: Outbox[seats.AttachResponse] = field(default_factory=lambda: Outbox(seats.AttachResponse, most=4096))


@dataclass(eq=False, slots=True)
class Seat:
    """A bot's seat in one game: what it was told and what it still owes."""

    bot: str
    link: Link
    start: pb.GameStart
    version: str = ""  # that the game counts for; of the first connection told, if the worker named none
    told: bool = False
    ready: bool = False
    question: pb.Ask | None = None
    asked_at: float | None = None
    answered: int = -1  # number of the last question that needs no answer any more
    ack: pb.Ack | None = None
    timer: asyncio.TimerHandle | None = None


def due(seat: Seat, now: float, *, again: bool) -> pb.PlayResponse:
    """What to tell the bot of a seat: the news, or everything `again` with the time that is left."""
    response = pb.PlayResponse()
    if again or not seat.ready:
        response.starts.append(seat.start)
    if seat.question is not None:
        ask = response.asks.add()
        ask.CopyFrom(seat.question)
        spent = 0 if seat.asked_at is None else round((now - seat.asked_at) * 1000)
        ask.limit_ms = max(0, ask.limit_ms - spent)
        ask.left_ms = max(0, ask.left_ms - spent)
    return response


def stale(seat: Seat | None, reply: pb.Reply) -> pb.Ack | None:
    """The answer to a reply that answers no open question: a repeat gets its Ack again, at the latest when the first
    one is judged; the rest is refused."""
    if seat is not None and seat.ack is not None and seat.ack.ask == reply.ask:
        return seat.ack
    if seat is not None and seat.answered == reply.ask:
        return None
    current = f"ask {seat.question.ask}" if seat and seat.question else "none"
    return pb.Ack(game=reply.game, ask=reply.ask, accepted=False, message=f"not open; open here: {current}")


def tell_worker(seat: Seat, up: seats.Up) -> None:
    """Pass what a seat said on to its worker."""
    seat.link.outbox.put(seats.AttachResponse(ups=[up]))


def dismiss(line: Line, reason: pb.GoodbyeReason.ValueType, message: str, retry_after_ms: int = 0) -> None:
    """Say goodbye to a bot and let its stream end."""
    goodbye = pb.Goodbye(reason=reason, message=message, retry_after_ms=retry_after_ms)
    line.outbox.put(pb.PlayResponse(goodbye=goodbye))
    line.outbox.close()
