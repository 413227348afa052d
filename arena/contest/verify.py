"""A finished game played again from its record: commitment, deal, every action and the score."""

from dataclasses import dataclass

from arena.contest import referee
from arena.contest.clock import TimeControl, time_control
from arena.contest.reading import Flaw, Reading, read
from arena.contest.record import Record, nonces_in_order, rules_tag
from arena.contest.referee import Game, Move
from arena.contest.seal import damaged, edited
from arena.errors import BadInput
from arena.game import legal, position, rules, ruleset
from arena.game.actions import Action
from arena.game.deal import commitment, deal


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a true record shows; `edited` if comments or free tags were changed since it was sealed."""

    record: Record
    edited: bool
    fair: bool  # at least one seat gave a nonce: nobody could have chosen the deal


def verified(text: str) -> Verdict:
    """The verdict on an .rvg text; raises Flaw naming the first line that is damaged or untrue."""
    lines = text.rstrip("\n").split("\n")
    body, sealed = lines[:-1], lines[-1]
    if not sealed.startswith("seal "):
        raise Flaw(len(lines), "the last line must be the seal; the file is cut off or was never finished")
    if number := damaged(body, sealed):
        raise Flaw(number, "was changed after the game was sealed")
    record, reading = read("\n".join(body))
    _check_chance(record, reading)
    _check_game(record, reading)
    return Verdict(record, edited(body, sealed), any(record.head.nonces))


def _check_chance(record: Record, reading: Reading) -> None:
    head = record.head
    if commitment(head.secret, head.match) != head.commitment:
        raise Flaw(reading.line("Commitment"), "is not the SHA-256 of the secret and the match id")


def _check_game(record: Record, reading: Reading) -> None:
    head = record.head
    try:
        rule_set = ruleset.named(head.rules.split(" ")[0])
    except BadInput as error:
        raise Flaw(reading.line("Rules"), str(error)) from None
    if rules_tag(rule_set) != head.rules:
        raise Flaw(reading.line("Rules"), f"other tables than {rules_tag(rule_set)!r} of this version")
    bag = deal(head.secret, head.match, head.game, nonces_in_order(head.seats, head.nonces))
    game = referee.opened(rule_set, _control(record, reading), len(head.seats), bag)
    for move in record.moves:
        game = _replayed(_faulted(game, record, move.ply), move, reading)
    game = _faulted(game, record, len(record.moves))
    _check_result(game, record, reading)


def _control(record: Record, reading: Reading) -> TimeControl:
    try:
        return time_control(record.head.clock)
    except BadInput as error:
        raise Flaw(reading.line("Clock"), str(error)) from None


def _faulted(game: Game, record: Record, ply: int) -> Game:
    """The game with the forfeits before the action of `ply` taken over; their cause cannot be replayed."""
    faults = tuple(fault for fault in record.forfeits if fault.ply <= ply and fault not in game.forfeits)
    return Game(game.rules, game.control, game.state, game.banks, game.moves, (*game.forfeits, *faults))


def _replayed(game: Game, move: Move, reading: Reading) -> Game:
    line = reading.line(f"ply {move.ply}")
    if referee.is_over(game):
        raise Flaw(line, "the game was over before this action")
    if rules.mover(game.state) != move.seat:
        raise Flaw(line, f"s{rules.mover(game.state)} is to move, not s{move.seat}")
    if move.auto != (move.seat in referee.out(game)):
        raise Flaw(line, "an action is marked auto exactly where its seat has forfeited")
    if move.auto and move.action != legal.neutral(game.state):
        raise Flaw(line, "is not what the neutral player does here")
    if _spelled(game, move, line) != move.action:
        raise Flaw(line, "is not the canonical spelling of its action (§5.6)")
    state = position.advance(game.state, move.action)
    return Game(game.rules, game.control, state, game.banks, (*game.moves, move), game.forfeits)


def _spelled(game: Game, move: Move, line: int) -> Action:
    try:
        return position.canonical(game.state, move.action)
    except BadInput as error:
        raise Flaw(line, f"illegal: {error}") from None


def _check_result(game: Game, record: Record, reading: Reading) -> None:
    if not referee.is_over(game):
        raise Flaw(reading.last, f"the game is not over after ply {len(record.moves) - 1}")
    end = referee.result(game)
    for seat, score in enumerate(record.scores):
        if (end.scores[seat], end.places[seat]) != (score.points, score.place):
            raise Flaw(
                reading.line(f"result {seat}"),
                f"s{seat} has {end.scores[seat]} points and place {end.places[seat]}",
            )


__all__ = ["Flaw", "Verdict", "verified"]
