"""One game at a table of seats that answer from elsewhere: set up, asked and heard, each answer logged before it
counts, so that another worker can go on from there."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from google.protobuf.message import DecodeError

from arena.contest import referee
from arena.contest.record import nonces_in_order
from arena.contest.referee import Ask, Forfeit, Game, Reason, Reply, Silent
from arena.contest.timing import Timed
from arena.game.deal import NONCE, deal
from arena.remote.sitting import Chair, Gone, PlatformFault, Sitting
from arena.remote.telling import judged, question
from arena.v1 import seats_pb2 as seats
from arena.wire.actions import reply_from_pb

ABSENT = "ABSENT"
Keep = Callable[[int, bytes], Awaitable[None]]  # puts an entry of the log on record: its number and what was heard


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
    while isinstance(asked := referee.ask(standing.game), Ask):
        up = await _asked(sitting, standing, asked)
        after = _heard(standing, up)
        await keep(after.answered, up.SerializeToString())
        judged(sitting, asked.seat, after.answered, accepted=asked.seat not in referee.out(after.game))
        standing = after
    return standing


def restored(sitting: Sitting) -> Standing:
    """The game of a sitting as its log has it; raises PlatformFault if the log is damaged."""
    first, *rest = sitting.log
    try:
        standing = _opened(sitting, seats.Opening.FromString(first))
        for body in rest:
            up = seats.Up.FromString(body)
            asked = referee.ask(standing.game)
            if not isinstance(asked, Ask) or up.bot != sitting.chairs[asked.seat].bot:
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


async def _asked(sitting: Sitting, standing: Standing, asked: Ask) -> seats.Up:
    player = sitting.chairs[asked.seat].player
    if player is None:
        raise PlatformFault(f"nobody sits at seat {asked.seat} of {sitting.id}")
    last = next((one for one in reversed(standing.ledger) if one.seat == asked.seat), None)
    return await player.ask(question(sitting, asked, standing.answered + 1, last))


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
    match up.WhichOneof("body"):
        case "fault":
            return _silent(up)
        case "reply":
            return reply_from_pb(up.reply, up.took_us / 1e6)
        case other:
            raise PlatformFault(f"a gateway passed {other} on as the answer to a question")


def _silent(up: seats.Up) -> Silent:
    try:
        return Silent(Reason(up.fault.reason), up.took_us / 1e6, up.fault.detail)
    except ValueError:
        raise PlatformFault(f"a gateway named an unknown reason {up.fault.reason!r}") from None
