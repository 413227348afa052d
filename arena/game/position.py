"""Positions as values: set up from a deal, moved on by an action."""

from collections.abc import Sequence

from arena.errors import BadInput
from arena.game import rules
from arena.game.actions import Action, Lake, Pass, River
from arena.game.deal import bag_order, tile_order
from arena.game.rules import State, Tables
from arena.game.ruleset import RuleSet


def opened(rule_set: RuleSet, players: int, deal: bytes) -> State:
    """The position before the first turn of a deal; raises BadInput for a wrong number of players (§1)."""
    if not 2 <= players <= rules.SEATS:
        raise BadInput(f"a table has 2 to {rules.SEATS} seats, not {players}")
    return rules.dealt(tables(rule_set), players, bag_order(deal, rule_set, players), tile_order(deal))


def tables(rule_set: RuleSet) -> Tables:
    """The flat tables the rules work on."""
    return Tables(
        rule_set.rows,
        rule_set.refill_in_last_stage,
        bytes(rule_set.stones),
        bytes(rule_set.row_scores),
        bytes(value for line in rule_set.column_scores for value in line),
    )


def advance(state: State, action: Action) -> State:
    """The position after an action; raises IllegalAction and leaves `state` as it was."""
    after = rules.clone(state)
    apply(after, action)
    return after


def apply(state: State, action: Action) -> None:
    """Play an action in place; raises IllegalAction before anything has changed."""
    match action:
        case River(pieces, tile, side, order):
            rules.river(state, pieces, tile, side, order)
        case Lake(take, discards):
            rules.draw_lake(state, take, discards)
        case Pass():
            rules.forced_pass(state)


def canonical(state: State, action: Action) -> Action:
    """The one spelling of a legal action (§5.6); raises IllegalAction for an illegal one."""
    match action:
        case River(pieces, tile, side, order):
            rules.check_river(state, pieces, tile, side)
            return River(_sorted(pieces), tile, side, tuple(rules.colour_order(state, tile + side, order)))
        case Lake(take, discards):
            rules.check_lake(state, take, discards)
            return Lake(_sorted(take), _sorted(discards))
        case Pass():
            apply(rules.clone(state), action)
            return action


def scores(state: State) -> tuple[int, ...]:
    """Points by seat as if the game ended now (§7)."""
    return tuple(rules.score(state, seat) for seat in range(state.players))


def _sorted(kinds: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(kinds))
