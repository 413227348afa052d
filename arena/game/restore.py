"""Positions from snapshots: every field is checked before it reaches a state, compiled or not."""

import copyreg
from dataclasses import fields, replace

from arena.errors import BadInput
from arena.game import rules
from arena.game.rules import (
    COLOURS,
    COLUMNS,
    GIVING,
    GRASP,
    KINDS,
    LAKE,
    LONGEST,
    NOBODY,
    PIECES,
    SATCHEL,
    SEATS,
    SHAPES,
    State,
    Tables,
)
from arena.game.snapshot import Snapshot


def restored(tables: Tables, given: Snapshot) -> State:
    """The position that was written down; raises BadInput if it is none."""
    state = State(tables, given.players)
    _check(state, given)
    rules.assign(state, given)
    return state


def overwrite(state: State, **changes: int | bytes) -> None:
    """Change some fields; raises BadInput if the outcome is no position, and changes nothing then."""
    given = replace(rules.snapshot(state), **changes)  # type: ignore[arg-type]
    _check(state, given)
    rules.assign(state, given)


def _check(state: State, given: Snapshot) -> None:
    """Raise BadInput unless a snapshot is a position with the same tables and seats as a state."""
    pattern = rules.snapshot(state)
    for one in fields(Snapshot):
        value, like = getattr(given, one.name), getattr(pattern, one.name)
        if isinstance(like, bytes) and (not isinstance(value, bytes) or len(value) != len(like)):
            raise BadInput(f"a position needs {len(like)} bytes of {one.name}")
        most = LONGEST if one.name in ("ply", "end") else NOBODY
        if isinstance(like, int) and (not isinstance(value, int) or not 0 <= value <= most):
            raise BadInput(f"{one.name} of a position cannot be {value!r}")
    wrong = _counts(given, state) or _turn(given) or _kinds(given) or _books(given) or _cells(given, state.rows)
    if wrong:
        raise BadInput(f"this is no position: {wrong}")


def _counts(given: Snapshot, state: State) -> str:
    """What is wrong with how many pieces lie where, if anything is."""
    if given.players != state.players or not given.front <= given.back <= PIECES:
        return "the number of players or the ends of the bag"
    if given.lake_count > LAKE or max(given.height) > state.rows:
        return "more pieces than the lake or a column holds"
    if given.edge[0] != 0 or list(given.edge) != sorted(given.edge):
        return "the edges of the tiles"
    lying = given.edge[-1] + sum((*given.satchel_count, *given.height, *given.overflow))
    if lying + given.lake_count + given.back - given.front > PIECES:
        return f"more than {PIECES} pieces"
    return ""


def _turn(given: Snapshot) -> str:
    """What is wrong with the turn under way, if anything is."""
    if given.trigger != NOBODY and given.trigger >= given.players:
        return "the seat that triggered the end"
    if given.trigger != NOBODY and not given.over and given.ply >= given.end:
        return "the last turn has passed"
    if given.phase > GIVING or given.target >= SHAPES or given.passes > given.players:
        return "phase, target or passes"
    if (given.phase == GIVING) != (0 < given.owed <= GRASP - SATCHEL) or given.least > SATCHEL:
        return "the pieces still to give up"
    full = [SATCHEL] * SEATS
    if given.phase == GIVING:
        full[given.ply % given.players] += given.owed
        if given.satchel_count[given.ply % given.players] != SATCHEL + given.owed:
            return "the satchel of the mover"
    return "the satchels" if any(a > b for a, b in zip(given.satchel_count, full, strict=True)) else ""


def _kinds(given: Snapshot) -> str:
    """What is wrong with kinds and shapes, if anything is."""
    if sorted(given.river) != list(range(SHAPES)):
        return "the river is no order of the six shapes"
    kinds = max((*given.bag, *given.stock, *given.lake, *given.satchel, *given.cell))
    return f"there is no kind {kinds}" if kinds >= KINDS else ""


def _books(given: Snapshot) -> str:
    """What is wrong with the books of the seats, if anything is."""
    for seat in range(SEATS):
        columns = slice(seat * COLUMNS, (seat + 1) * COLUMNS)
        owned = given.owner[columns].rstrip(bytes((NOBODY,)))
        places = [owned.find(colour) for colour in range(COLOURS)]
        if len(set(owned)) != len(owned) or max(owned, default=0) >= COLOURS:
            return f"the owners of the columns of seat {seat}"
        if list(given.column[seat * COLOURS : (seat + 1) * COLOURS]) != [place % 256 for place in places]:
            return f"the columns of the colours of seat {seat}"
        if given.placed[seat] != sum(given.height[columns]):
            return f"the number of pieces of seat {seat}"
        if given.overflow_count[seat] != sum(given.overflow[seat * KINDS : (seat + 1) * KINDS]):
            return f"the overflow of seat {seat}"
    return ""


def _cells(given: Snapshot, rows: int) -> str:
    """Which column holds pieces of another colour than its own, if any does."""
    for place, (owner, height) in enumerate(zip(given.owner, given.height, strict=True)):
        if any(kind // SHAPES != owner for kind in given.cell[place * rows : place * rows + height]):
            return f"the pieces in column {place % COLUMNS} of seat {place // COLUMNS}"
    return ""


def _taken_apart(state: State) -> tuple[object, tuple[Tables, Snapshot]]:
    """How a state travels to other processes."""
    return restored, (state.tables, rules.snapshot(state))


def _numbers(tables: Tables) -> tuple[object, tuple[object, ...]]:
    """How tables travel."""
    return Tables, (tables.rows, tables.refills, tables.stones, tables.row_score, tables.column_score)


copyreg.pickle(State, _taken_apart)  # type: ignore[arg-type]
copyreg.pickle(Tables, _numbers)  # type: ignore[arg-type]
