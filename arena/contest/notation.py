"""A game as text, one action a line; what is written reads back the same (docs/notation.md)."""

from collections.abc import Iterator

from arena.contest.record import Head, Record
from arena.contest.referee import Forfeit, Move
from arena.contest.seal import seal
from arena.game.actions import Action, Lake, Pass, River
from arena.game.pieces import CODES, codes

FORMAT = "1"
SUFFIX = ".rvg"
SIDES = {-1: "left", 1: "right"}


def written(record: Record) -> str:
    """A record as the text of an .rvg file."""
    lines = [*_tags(record.head), "", *_turns(record), "", *_results(record)]
    return "\n".join([*lines, seal(lines), ""])


def _tags(head: Head) -> Iterator[str]:
    yield from _tag("Glassworks", FORMAT)
    yield from _tag("Event", head.event)
    yield from _tag("Date", head.date)
    yield from _tag("Rules", head.rules)
    yield from _tag("Match", head.match)
    yield from _tag("Game", str(head.game))
    yield from _tag("Clock", head.clock)
    yield from _tag("Deals", head.deals)
    for seat, name in enumerate(head.seats):
        yield from _tag(f"Seat{seat}", name)
    yield from _tag("Commitment", head.commitment)
    for seat, nonce in enumerate(head.nonces):
        yield from _tag(f"Nonce{seat}", nonce.hex()) if nonce else ()
    yield from _tag("Secret", head.secret.hex())


def _tag(name: str, value: str) -> Iterator[str]:
    yield f'[{name} "{value}"]'


def _turns(record: Record) -> Iterator[str]:
    """Actions in order, each forfeit before the action of its ply."""
    faults = list(record.forfeits)
    for move in record.moves:
        while faults and faults[0].ply <= move.ply:
            yield _fault(faults.pop(0))
        yield _move(move)
    yield from map(_fault, faults)


def _move(move: Move) -> str:
    spent = " auto" if move.auto else f" {{{move.took:.3f} s, {move.left:.3f} s left}}"
    return f"{move.ply} s{move.seat} {action_text(move.action)}{spent}"


def _fault(fault: Forfeit) -> str:
    when = "early" if fault.early else "late"
    comment = f" {{{_plain(fault.detail)}}}" if fault.detail else ""
    return f"forfeit {fault.ply} s{fault.seat} {fault.reason} {when}{comment}"


def _plain(text: str) -> str:
    """Text that is safe inside a comment: printable, without braces."""
    return "".join(letter if letter.isprintable() and letter not in "{}" else " " for letter in text)[:200]


def _results(record: Record) -> Iterator[str]:
    for seat, score in enumerate(record.scores):
        yield f"result s{seat} {score.points} {score.place}"


def action_text(action: Action) -> str:
    """An action in the words of the notation, as `river wh3 pu3 @2 left order ye db`."""
    match action:
        case River(pieces, tile, side, order):
            rest = f" order {' '.join(CODES[colour] for colour in order)}" if order else ""
            return f"river {codes(pieces)} @{tile} {SIDES[side]}{rest}"
        case Lake(take, discards):
            return f"lake {codes(take)}" + (f" give {codes(discards)}" if discards else "")
        case Pass():
            return "pass"
