"""One game at a table of seats that answer from elsewhere: set up, asked and heard, each answer logged before it
counts, so that another worker can go on from there."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from google.protobuf.message import DecodeError

from arena.contest import referee
from arena.contest.clock import TimeControl
from arena.contest.record import nonces_in_order, rules_tag
from arena.contest.referee import Ask, Forfeit, Game, Reason, Reply, Silent
from arena.contest.timing import Timed
from arena.game.deal import NONCE, commitment, deal
from arena.game.packing import view_to_bytes
from arena.game.ruleset import RuleSet
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from arena.wire.actions import reply_from_pb

ABSENT = "ABSENT"
Keep = Callable[[int, bytes], Awaitable[None]]  # puts an entry of the log on record: its number and what was heard


class PlatformFault(Exception):
    """Our own machinery failed: nothing that happened since may be charged to a bot."""


class Gone(Exception):
    """A bot had left before it heard of its game: the match waits for it."""


class Answering(Protocol):
    """Whoever answers for a seat, near or far."""

    async def ready(self) -> seats.Up:
        """The answer to the GameStart."""

    async def ask(self, question: pb.Ask) -> seats.Up:
        """The answer to a question."""

    def resume(self) -> None:
        """Go on with a game that another worker began."""

    def tell(self, down: seats.Down) -> None:
        """Hear what needs no answer."""

    def close(self) -> None:
        """Be let go."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a seat: the bot's id, its name as `bot@version`, the id of that version, and who answers for it;
    None if the bot never came."""

    bot: str
    name: str
    version: str = ""
    player: Answering | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a game needs to know before it begins or goes on; `id` names it on the wire, `log` is what was heard."""

    id: str
    match: str
    index: int
    rules: RuleSet
    control: TimeControl
    secret: bytes = field(repr=False)
    chairs: tuple[Chair, ...]
    no_show: str = ""
    log: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """A game as far as it was heard: the nonces in its deal, how many questions were answered, and their times."""

    game: Game
    nonces: tuple[bytes | None, ...]
    answered: int = 0
    ledger: tuple[Timed, ...] = ()


async def played(sitting: Sitting, keep: Keep) -> Standing:
    """The game of a sitting, played to its end; raises Gone or PlatformFault when that was not possible."""
    if sitting.log:
        standing = restored(sitting)
        for chair in sitting.chairs:
            if chair.player is not None:
                chair.player.resume()
    else:
        opening = await _opening(sitting)
        await keep(0, opening.SerializeToString())
        standing = _opened(sitting, opening)
    while isinstance(question := referee.ask(standing.game), Ask):
        up = await _asked(sitting, standing, question)
        await keep(standing.answered + 1, up.SerializeToString())
        standing = _heard(standing, up)
        _acknowledge(sitting, question.seat, standing)
    return standing


def restored(sitting: Sitting) -> Standing:
    """The game of a sitting as its log has it; raises PlatformFault if the log is damaged."""
    first, *rest = sitting.log
    try:
        standing = _opened(sitting, seats.Opening.FromString(first))
        for body in rest:
            up = seats.Up.FromString(body)
            question = referee.ask(standing.game)
            if not isinstance(question, Ask) or up.bot != sitting.chairs[question.seat].bot:
                raise PlatformFault(f"entry {standing.answered + 1} of the log of {sitting.id} answers no question")
            standing = _heard(standing, up)
    except DecodeError:
        raise PlatformFault(f"the log of {sitting.id} cannot be read") from None
    return standing


def logged_names(log: Sequence[bytes]) -> tuple[tuple[str, str], ...]:
    """Version id and `bot@version` by seat, as the game of this log began; raises PlatformFault for a damaged log."""
    try:
        opening = seats.Opening.FromString(log[0])
        return tuple(zip(opening.versions, opening.names, strict=True))
    except (DecodeError, ValueError):
        raise PlatformFault("the log of a game cannot be read") from None


def game_start(sitting: Sitting, seat: int) -> pb.GameStart:
    """What a seat is told before its game."""
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


async def _opening(sitting: Sitting) -> seats.Opening:
    """How all seats answered their GameStart; raises Gone for a bot that never heard of it."""
    ups = await asyncio.gather(*(_ready(sitting, chair) for chair in sitting.chairs))
    for up, chair in zip(ups, sitting.chairs, strict=True):
        if up.fault.reason == ABSENT:
            raise Gone(f"{chair.name} was gone before {sitting.id} began")
    return seats.Opening(
        versions=[chair.version for chair in sitting.chairs], names=[chair.name for chair in sitting.chairs], ups=ups
    )


async def _ready(sitting: Sitting, chair: Chair) -> seats.Up:
    if chair.player is not None:
        return await chair.player.ready()
    fault = seats.Fault(reason=Reason.DISCONNECT, detail=sitting.no_show)
    return seats.Up(bot=chair.bot, game=sitting.id, fault=fault)


def _opened(sitting: Sitting, opening: seats.Opening) -> Standing:
    """The game at its first question, without the seats that never got ready."""
    if len(opening.ups) != len(sitting.chairs):
        raise PlatformFault(f"the log of {sitting.id} is of another table")
    readies = [_nonce(up) for up in opening.ups]
    nonces = tuple(answer if isinstance(answer, bytes) else None for answer in readies)
    names = tuple(chair.name for chair in sitting.chairs)
    bag = deal(sitting.secret, sitting.match, sitting.index, nonces_in_order(names, nonces))
    game = referee.opened(sitting.rules, sitting.control, len(sitting.chairs), bag)
    for seat, answer in enumerate(readies):
        if isinstance(answer, Silent):
            game = _without(game, seat, answer)
    return Standing(game, nonces)


def _nonce(up: seats.Up) -> bytes | Silent | None:
    """A seat's nonce, None for none, or why it is not ready."""
    if up.HasField("fault"):
        return _silent(up)
    if len(up.ready.nonce) not in (0, NONCE):
        return Silent(Reason.MALFORMED, 0.0, f"a nonce has {NONCE} bytes or none, not {len(up.ready.nonce)}")
    return up.ready.nonce or None


def _without(game: Game, seat: int, why: Silent) -> Game:
    """The game without a seat that never got ready; nobody wins by being the last one who is missed."""
    if not referee.is_over(game):
        return referee.forfeit(game, seat, why.reason, why.detail)
    fault = Forfeit(game.state.ply, seat, why.reason, early=True, detail=why.detail)
    return replace(game, forfeits=(*game.forfeits, fault))


async def _asked(sitting: Sitting, standing: Standing, question: Ask) -> seats.Up:
    player = sitting.chairs[question.seat].player
    if player is None:
        raise PlatformFault(f"nobody sits at seat {question.seat} of {sitting.id}")
    ask = pb.Ask(
        game=sitting.id,
        ask=standing.answered + 1,
        view=view_to_bytes(question.view),
        limit_ms=_ms(question.clock.limit),
        left_ms=_ms(question.clock.left),
    )
    if last := next((one for one in reversed(standing.ledger) if one.seat == question.seat), None):
        ask.last_ms = _ms(last.charged)
        ask.spent.CopyFrom(_spent(last))
    return await player.ask(ask)


def _spent(last: Timed) -> pb.Spent:
    return pb.Spent(
        wire_us=_us(last.wire),
        platform_us=_us(last.platform),
        network_us=_us(last.network),
        charged_us=_us(last.charged),
    )


def _heard(standing: Standing, up: seats.Up) -> Standing:
    """The game after an answer; raises PlatformFault for one that no bot can have given."""
    before = standing.game
    seat = referee.mover(before)
    game = referee.hear(before, _reply(up))
    line = Timed(
        before.state.ply,
        seat,
        sent=up.sent_us / 1e6,
        wire=up.wire_us / 1e6,
        platform=up.platform_us / 1e6,
        network=up.network_us / 1e6,
        charged=up.took_us / 1e6,
        left=max(0.0, round(game.banks[seat].left, 6)),
    )
    return replace(standing, game=game, answered=standing.answered + 1, ledger=(*standing.ledger, line))


def _reply(up: seats.Up) -> Reply:
    return _silent(up) if up.HasField("fault") else reply_from_pb(up.reply, up.took_us / 1e6)


def _silent(up: seats.Up) -> Silent:
    try:
        return Silent(Reason(up.fault.reason), up.took_us / 1e6, up.fault.detail)
    except ValueError:
        raise PlatformFault(f"a gateway named an unknown reason {up.fault.reason!r}") from None


def _acknowledge(sitting: Sitting, seat: int, standing: Standing) -> None:
    accepted = seat not in referee.out(standing.game)
    message = "" if accepted else "forfeited"
    ack = pb.Ack(game=sitting.id, ask=standing.answered, accepted=accepted, message=message)
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


def left(sitting: Sitting) -> None:
    """Let all seats go without a word: another worker may go on with them."""
    for chair in sitting.chairs:
        if chair.player is not None:
            chair.player.close()


def _tell(chair: Chair, down: seats.Down) -> None:
    if chair.player is not None:
        chair.player.tell(down)


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))


def _us(seconds: float) -> int:
    return max(0, round(seconds * 1e6))
