"""What the bots at a table are told: their game, their questions, what became of an answer, and how it ended."""

from arena.contest import referee
from arena.contest.record import rules_tag
from arena.contest.referee import Ask, Game
from arena.contest.timing import Timed
from arena.game.deal import commitment
from arena.game.packing import view_to_bytes
from arena.remote.sitting import Chair, Sitting
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats


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


def question(sitting: Sitting, asked: Ask, number: int, last: Timed | None) -> pb.Ask:
    """A question to a seat, with the time of the answer that the seat gave last."""
    ask = pb.Ask(
        game=sitting.id,
        ask=number,
        view=view_to_bytes(asked.view),
        limit_ms=_ms(asked.clock.limit),
        left_ms=_ms(asked.clock.left),
    )
    if last is not None:
        ask.last_ms = _ms(last.charged)
        ask.spent.CopyFrom(_spent(last))
    return ask


def judged(sitting: Sitting, seat: int, number: int, *, accepted: bool) -> None:
    """Tell a seat whether its answer to a question was accepted."""
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


def left(sitting: Sitting) -> None:
    """Let all seats go without a word: another worker may go on with them."""
    for chair in sitting.chairs:
        if chair.player is not None:
            chair.player.close()


def _spent(last: Timed) -> pb.Spent:
    return pb.Spent(
        wire_us=_us(last.wire),
        platform_us=_us(last.platform),
        network_us=_us(last.network),
        charged_us=_us(last.charged),
    )


def _tell(chair: Chair, down: seats.Down) -> None:
    if chair.player is not None:
        chair.player.tell(down)


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))


def _us(seconds: float) -> int:
    return max(0, round(seconds * 1e6))
