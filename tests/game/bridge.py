"""Positions and turns of the engine in the words of the oracle, and the other way round."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from arena.game import position, rules
from arena.game.actions import Action, Lake, Pass, River
from arena.game.legal import Legal, Placement
from arena.game.rules import State
from arena.game.ruleset import RuleSet, checked
from tests import oracle
from tests.oracle import CompactLegal, Dump, Numbers, Piece
from tests.oracle.scoring import Labelled, Plain

PIECE: tuple[Piece, ...] = tuple((kind // 6, kind % 6) for kind in range(54))
PLAIN: tuple[Plain, ...] = tuple(list(piece) for piece in PIECE)


def rule_set(numbers: Numbers, name: str = "variant") -> RuleSet:
    """The engine's rule set with the oracle's numbers."""
    by_height = tuple(zip(*numbers.column_points, strict=True))[1:]
    return checked(
        RuleSet(
            name,
            tuple(numbers.stones),
            numbers.rows,
            tuple(numbers.row_points),
            by_height,
            numbers.refill_in_last_stage,
            tuple(map(tuple, numbers.kinds)),
        )
    )


def dealt(numbers: Numbers, players: int, bag: Sequence[int], tiles: Sequence[int]) -> State:
    """The engine's position before the first turn; `bag` is piece numbers, as the oracle has it."""
    pieces = oracle.numbered_pieces(players, numbers)
    return rules.dealt(position.tables(rule_set(numbers)), players, kinds(pieces[number] for number in bag), tiles)


def kinds(pieces: Iterable[Piece]) -> tuple[int, ...]:
    """Pieces as the engine numbers them."""
    return tuple(colour * 6 + shape for colour, shape in pieces)


@lru_cache(1 << 16)
def pieces(kinds: tuple[int, ...]) -> tuple[Piece, ...]:
    """Kinds as the oracle writes them."""
    return tuple(PIECE[kind] for kind in kinds)


def to_engine(action: oracle.Action) -> Action:
    """A turn of the oracle in the engine's words."""
    match action:
        case ("river", placed, tile, side, order):
            return River(kinds(placed), tile, side, order)
        case ("lake", taken, discarded):
            return Lake(kinds(taken), kinds(discarded))
        case ("pass",):
            return Pass()


def to_oracle(action: Action) -> oracle.Action:
    """A turn of the engine in the oracle's words."""
    match action:
        case River(placed, tile, side, order):
            return "river", pieces(placed), tile, side, order
        case Lake(take, discards):
            return "lake", pieces(take), pieces(discards)
        case Pass():
            return ("pass",)


def compact(options: Legal) -> CompactLegal:
    """The engine's compact legal set in the oracle's words."""
    return {
        "placements": sorted(map(_placement, options.placements)),
        "lake": sorted(map(pieces, options.lakes)),
        "discards": options.discards,
        "pass": options.must_pass,
    }


def _placement(placement: Placement) -> tuple[tuple[Piece, ...], int, int, tuple[int, ...], int]:
    return pieces(placement.pieces), placement.tile, placement.side, placement.new, placement.room


def dumped(state: State) -> Dump:
    """Every fact of the engine's position, as the oracle dumps it."""
    seats = range(state.players)
    triggered = state.trigger != rules.NOBODY
    scores = [_scores(state, seat) for seat in seats]
    best = max(total for total, *_ in scores)
    return {
        "players": state.players,
        "ply": state.ply,
        "seat": None if state.over else rules.mover(state),
        "river": [_tile(state, shape) for shape in state.array("river")],
        "lake": _run(state.array("lake"), 0, state.lake_count),
        "satchels": [
            _run(state.array("satchel"), seat * rules.GRASP, state.array("satchel_count")[seat]) for seat in seats
        ],
        "glassworks": _glassworks(state),
        "overflow": [_overflow(state, seat) for seat in seats],
        "bag_left": _run(state.array("bag"), state.front, state.back - state.front),
        "trigger": state.trigger if triggered else None,
        "last_stage": triggered,
        "over": state.over,
        "scores": scores,
        "winners": [seat for seat in seats if scores[seat][0] == best] if state.over else None,
    }


def _run(shelf: Sequence[int], base: int, count: int) -> list[Plain]:
    return [*map(PLAIN.__getitem__, shelf[base : base + count])]


def _tile(state: State, shape: int) -> Labelled:
    return [shape, [*map(PLAIN.__getitem__, rules.on_tile(state, state.array("river").index(shape)))]]


def _glassworks(state: State) -> list[list[Labelled]]:
    """The columns of all seats; arrays are read once, since reading copies them."""
    owner, height, cell, rows = state.array("owner"), state.array("height"), state.array("cell"), state.rows
    columns: list[Labelled] = [
        [None if colour == rules.NOBODY else colour, _run(cell, place * rows, height[place])]
        for place, colour in enumerate(owner[: state.players * rules.COLUMNS])
    ]
    return [columns[at : at + rules.COLUMNS] for at in range(0, len(columns), rules.COLUMNS)]


def _overflow(state: State, seat: int) -> list[Plain]:
    if not state.array("overflow_count")[seat]:
        return []
    counts = state.array("overflow")[seat * rules.KINDS : (seat + 1) * rules.KINDS]
    return [PLAIN[kind] for kind, count in enumerate(counts) if count for _ in range(count)]


def _scores(state: State, seat: int) -> list[int]:
    rows, columns, lost = rules.parts(state, seat)
    return [rules.score(state, seat), rows, columns, lost]
