"""Positions of a recorded game, for whoever wants to look at it."""

from arena.contest.record import Record, nonces_in_order
from arena.game import position, ruleset
from arena.game.deal import deal
from arena.game.rules import State


def position_after(record: Record, plies: int | None = None) -> State:
    """The position after so many actions of a true record, all of them by default."""
    head = record.head
    rules = ruleset.named(head.rules.split(" ")[0])
    bag = deal(head.secret, head.match, head.game, nonces_in_order(head.seats, head.nonces))
    state = position.opened(rules, len(head.seats), bag)
    for move in record.moves[:plies]:
        position.apply(state, move.action)
    return state
