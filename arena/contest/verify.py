"""A finished game played again from its record: commitment, deal, every action and the score."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from arena.contest import referee
from arena.contest.clock import TimeControl, time_control
from arena.contest.notation import written
from arena.contest.reading import Flaw, Reading, lines_of, read
from arena.contest.record import Record, nonces_in_order, rules_tag
from arena.contest.referee import Forfeit, Game, Move
from arena.contest.seal import bare, damaged, edited
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
    lines = lines_of(text.rstrip("\n"))
    body, sealed = lines[:-1], lines[-1]
    if not sealed.startswith("seal "):
        raise Flaw(len(lines), "the last line must be the seal; the file is cut off or was never finished")
    if number := damaged(body, sealed):
        raise Flaw(number, "was changed after the game was sealed")
    record, reading = read("\n".join(body))
    _check_chance(record, reading)
    _check_game(record, reading)
    _check_spelling(record, body)
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
        game = _replayed(_faulted(game, record, reading), move, reading)
    game = _faulted(game, record, reading)
    if left := record.forfeits[len(game.forfeits) :]:
        raise Flaw(reading.line(f"forfeit {left[0].seat}"), f"no forfeit can come before ply {left[0].ply} here")
    _check_result(game, record, reading)


def _control(record: Record, reading: Reading) -> TimeControl:
    try:
        return time_control(record.head.clock)
    except BadInput as error:
        raise Flaw(reading.line("Clock"), str(error)) from None


def _faulted(game: Game, record: Record, reading: Reading) -> Game:
    """The game with the forfeits before its next action taken over; their cause cannot be replayed."""
    for fault in record.forfeits[len(game.forfeits) :]:
        if fault.ply != game.state.ply:
            break
        _check_forfeit(game, fault, reading.line(f"forfeit {fault.seat}"))
        game = replace(game, forfeits=(*game.forfeits, fault))
    return game


def _check_forfeit(game: Game, fault: Forfeit, line: int) -> None:
    if fault.seat >= game.state.players or fault.seat in referee.out(game) or referee.is_over(game):
        raise Flaw(line, f"s{fault.seat} is not in the game any more or never was")
    if fault.early != all(move.seat != fault.seat for move in game.moves):
        raise Flaw(line, "a forfeit is early exactly if its seat has not acted yet")


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
    return replace(game, state=position.advance(game.state, move.action), moves=(*game.moves, move))


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


def _check_spelling(record: Record, body: Sequence[str]) -> None:
    """Comments apart a record is written in one way only, so that nothing can stand in it unread."""
    wanted = written(record).split("\n")[:-2]
    for number, (line, own) in enumerate(zip_longest(bare(body), bare(wanted)), 1):
        if line != own:
            raise Flaw(min(number, len(body)), f"is not written as the notation has it, {own!r}")


__all__ = ["Flaw", "Verdict", "verified"]
