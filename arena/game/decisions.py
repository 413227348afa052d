"""Decisions, the small steps a turn is made of: a fixed space of ids with a mask, and turns in both spellings.

Ids 0 to 133; docs/engine.md has the table. An id names places in sorted shelves, so it means something only together
with the position it was listed for.
"""

from collections.abc import Sequence

from arena.errors import IllegalAction
from arena.game import position
from arena.game.actions import Action, Lake, Pass, River
from arena.game.legal import satchel
from arena.game.rules import (
    COLOUR,
    DECISIONS,
    DOUBLE,
    GIVE,
    LEAVE,
    ORDERING,
    PASS,
    SATCHEL,
    SHAPES,
    TAKE,
    WAYS,
    State,
)

PAIRS = tuple((one, two) for one in range(SATCHEL) for two in range(one + 1, SATCHEL))


def mask(state: State) -> bytes:
    """One byte per id, 1 where the decision may be taken now."""
    legal = set(state.legal())
    return bytes(decision in legal for decision in range(DECISIONS))


def decisions_of(state: State, action: Action) -> tuple[int, ...]:
    """The decisions that make up a turn; raises IllegalAction for an illegal one."""
    after, spelled = state.clone(), position.canonical(state, action)
    first = _first(after, spelled)
    found = [first]
    after.step(first)
    match spelled:
        case River(order=order):
            rest = iter(order)
            while after.ply == state.ply and after.phase == ORDERING:
                found.append(COLOUR + next(rest))
                after.step(found[-1])
        case Lake(discards=discards):
            for kind in discards:
                found.append(GIVE + satchel(after, after.seat).index(kind, after.least))
                after.step(found[-1])
        case Pass():
            pass
    return tuple(found)


def action_of(state: State, decisions: Sequence[int]) -> Action:
    """The turn that decisions make up; raises IllegalAction unless they are legal and make up a whole one."""
    after, given = state.clone(), []
    for decision in decisions:
        if after.ply != state.ply:
            raise IllegalAction("these decisions go on after the end of the turn")
        if decision >= GIVE:
            given.append(_held(after, decision - GIVE))
        after.step(decision)
    if after.ply == state.ply:
        raise IllegalAction("these decisions are no whole turn")
    return position.canonical(state, _turn(state, decisions[0], decisions[1:], given))


def _first(state: State, action: Action) -> int:
    held = satchel(state, state.seat)
    match action:
        case River((kind,), _, side):
            return 2 * held.index(kind) + (side == 1)
        case River((one, two), tile, side):
            first = held.index(one)
            pair = PAIRS.index((first, held.index(two, first + 1)))
            return DOUBLE + WAYS * pair + 2 * tile - (side == -1)
        case Lake(take):
            return LEAVE + _stays(state, take)
        case _:
            return PASS


def _stays(state: State, take: Sequence[int]) -> int:
    """Place in the lake of the piece that is not taken; 0 if all are."""
    lake = list(state.array("lake")[: state.lake_count])
    if len(lake) <= TAKE:
        return 0
    return next(at for at, kind in enumerate(lake) if lake.count(kind) > take.count(kind))


def _turn(state: State, first: int, rest: Sequence[int], given: Sequence[int]) -> Action:
    if first < DOUBLE:
        kind = _held(state, first // 2)
        return River((kind,), state.array("river").index(kind % SHAPES), 2 * (first % 2) - 1, _colours(rest))
    if first < LEAVE:
        pair, way = divmod(first - DOUBLE, WAYS)
        return River(
            tuple(_held(state, place) for place in PAIRS[pair]), (way + 1) // 2, 1 - 2 * (way % 2), _colours(rest)
        )
    if first < PASS:
        lake = list(state.array("lake")[: state.lake_count])
        if len(lake) > TAKE:
            del lake[first - LEAVE]
        return Lake(tuple(lake), tuple(given))
    return Pass()


def _held(state: State, place: int) -> int:
    return satchel(state, state.seat)[place]


def _colours(decisions: Sequence[int]) -> tuple[int, ...]:
    return tuple(decision - COLOUR for decision in decisions)
