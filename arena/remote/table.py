"""One game at a table of remote seats: set up, asked and heard by the referee, over the relay."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace

from arena.contest import referee
from arena.contest.clock import TimeControl
from arena.contest.record import nonces_in_order, rules_tag
from arena.contest.referee import Ask, Forfeit, Game, Reason, Reply, Silent
from arena.game.deal import NONCE, commitment, deal
from arena.game.packing import view_to_bytes
from arena.game.ruleset import RuleSet
from arena.remote.relay import PlatformFault, Relay
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from arena.wire.actions import reply_from_pb

PATIENCE = 20.0  # seconds past a seat's own limit (grace included) before the platform is to blame
ABSENT = "ABSENT"


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a seat: the bot's id, its name as `bot@version`, and the relay to it, None if it never came.

    `version` is the id of the version that the game counts for.
    """

    bot: str
    name: str
    relay: Relay | None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a game needs to know before it begins; `id` names it on the wire."""

    id: str
    match: str
    index: int
    rules: RuleSet
    control: TimeControl
    secret: bytes = field(repr=False)
    chairs: tuple[Chair, ...]
    no_show: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over, and the nonces that entered its deal."""

    game: Game
    nonces: tuple[bytes | None, ...]


async def played(sitting: Sitting) -> Played:
    """The game of a sitting, played to its end; raises PlatformFault when that was not possible."""
    readies = await asyncio.gather(*(_ready(sitting, seat) for seat in range(len(sitting.chairs))))
    nonces = tuple(answer if isinstance(answer, bytes) else None for answer in readies)
    names = tuple(chair.name for chair in sitting.chairs)
    bag = deal(sitting.secret, sitting.match, sitting.index, nonces_in_order(names, nonces))
    game = referee.opened(sitting.rules, sitting.control, len(sitting.chairs), bag)
    for seat, answer in enumerate(readies):
        if isinstance(answer, Silent):
            game = _without(game, seat, answer)
    return Played(await _to_the_end(sitting, game), nonces)


def _without(game: Game, seat: int, why: Silent) -> Game:
    """The game without a seat that never got ready; nobody wins by being the last one who is missed."""
    if not referee.is_over(game):
        return referee.forfeit(game, seat, why.reason, why.detail)
    fault = Forfeit(game.state.ply, seat, why.reason, early=True, detail=why.detail)
    return replace(game, forfeits=(*game.forfeits, fault))


async def _to_the_end(sitting: Sitting, game: Game) -> Game:
    last = [0] * len(sitting.chairs)
    number = 0
    while isinstance(question := referee.ask(game), Ask):
        number += 1
        up = await _asked(sitting, question, number, last[question.seat])
        last[question.seat] = up.took_us // 1000
        game = referee.hear(game, _reply(up))
        accepted = question.seat not in referee.out(game)
        _acknowledge(sitting, question.seat, number, accepted=accepted)
    return game


async def _ready(sitting: Sitting, seat: int) -> bytes | Silent | None:
    """A seat's nonce, None for none, or why it is not ready."""
    chair = sitting.chairs[seat]
    if chair.relay is None:
        return Silent(Reason.DISCONNECT, 0.0, sitting.no_show)
    down = seats.Down(bot=chair.bot, version=chair.version, start=_start(sitting, seat))
    try:
        async with asyncio.timeout(sitting.control.setup):
            up = await chair.relay.ask(down, sitting.id, sitting.control.setup + PATIENCE)
    except TimeoutError:
        return Silent(Reason.TIME, sitting.control.setup, f"not ready within {sitting.control.setup:g} s")
    if up.HasField("fault"):
        return _silent(up)
    if len(up.ready.nonce) not in (0, NONCE):
        return Silent(Reason.MALFORMED, 0.0, f"a nonce has {NONCE} bytes or none, not {len(up.ready.nonce)}")
    return up.ready.nonce or None


def _start(sitting: Sitting, seat: int) -> pb.GameStart:
    control = sitting.control
    return pb.GameStart(
        game=sitting.id,
        rules=rules_tag(sitting.rules),
        players=len(sitting.chairs),
        seat=seat,
        clock=pb.Clock(
            setup_ms=_ms(control.setup),
            bank_ms=_ms(control.bank),
            increment_ms=_ms(control.increment),
            cap_ms=_ms(control.cap),
        ),
        commitment=commitment(sitting.secret, sitting.match),
        match=sitting.match,
        index=sitting.index,
    )


async def _asked(sitting: Sitting, question: Ask, number: int, last_ms: int) -> seats.Up:
    chair = sitting.chairs[question.seat]
    if chair.relay is None:
        raise PlatformFault(f"nobody sits at seat {question.seat} of {sitting.id}")
    ask = pb.Ask(
        game=sitting.id,
        ask=number,
        view=view_to_bytes(question.view),
        limit_ms=_ms(question.clock.limit),
        left_ms=_ms(question.clock.left),
        last_ms=last_ms,
    )
    down = seats.Down(bot=chair.bot, ask=ask)
    return await chair.relay.ask(down, sitting.id, question.clock.limit + PATIENCE)


def _reply(up: seats.Up) -> Reply:
    return _silent(up) if up.HasField("fault") else reply_from_pb(up.reply, up.took_us / 1e6)


def _silent(up: seats.Up) -> Silent:
    """A fault that the gateway saw; raises PlatformFault for one that is not the bot's own."""
    if up.fault.reason == ABSENT:
        raise PlatformFault(f"bot {up.bot} was gone before {up.game} began")
    try:
        return Silent(Reason(up.fault.reason), up.took_us / 1e6, up.fault.detail)
    except ValueError:
        raise PlatformFault(f"gateway named an unknown reason {up.fault.reason!r}") from None


def _acknowledge(sitting: Sitting, seat: int, number: int, *, accepted: bool) -> None:
    ack = pb.Ack(game=sitting.id, ask=number, accepted=accepted, message="" if accepted else "forfeited")
    _tell(sitting.chairs[seat], seats.Down(bot=sitting.chairs[seat].bot, ack=ack))


def revealed(sitting: Sitting, game: Game) -> None:
    """Tell the bots of a game that is over, and on record, how it ended and what its secret was."""
    end = referee.result(game)
    faults = {fault.seat: fault for fault in game.forfeits}
    for seat, chair in enumerate(sitting.chairs):
        fault = faults.get(seat)
        over = pb.GameOver(
            game=sitting.id,
            scores=end.scores,
            places=end.places,
            forfeit=fault.reason if fault else "",
            detail=fault.detail if fault else "",
            secret=sitting.secret,
        )
        _tell(chair, seats.Down(bot=chair.bot, over=over))


def dropped(sitting: Sitting) -> None:
    """Tell the bots of a sitting that the arena gave it up."""
    for chair in sitting.chairs:
        _tell(chair, seats.Down(bot=chair.bot, drop=sitting.id))


def _tell(chair: Chair, down: seats.Down) -> None:
    """Say what changes nothing: a bot that cannot be reached does not miss a question by it."""
    if chair.relay is not None:
        with suppress(PlatformFault):
            chair.relay.tell(down)


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
