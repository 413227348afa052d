"""The referee as a value: asked what comes next, told what a seat replied (docs/architecture.md, Referee)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from arena.contest.clock import Bank, Clock, TimeControl, charged, limit
from arena.errors import IllegalAction
from arena.game import legal, position, rules
from arena.game.actions import Action
from arena.game.rules import State
from arena.game.ruleset import RuleSet
from arena.game.view import View, view


class Reason(StrEnum):
    """Why a seat forfeits: its own fault, told apart everywhere."""

    TIME = "TIME"
    CRASH = "CRASH"
    ILLEGAL = "ILLEGAL"
    MALFORMED = "MALFORMED"
    DISCONNECT = "DISCONNECT"
    RESIGN = "RESIGN"
    MEMORY = "MEMORY"
    LIMIT = "LIMIT"


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat's action and the seconds it is charged for."""

    action: Action
    took: float


@dataclass(frozen=True, slots=True)
class Silent:
    """No usable action came, for a reason that is the seat's own."""

    reason: Reason
    took: float = 0.0
    detail: str = ""


Reply = Moved | Silent


@dataclass(frozen=True, slots=True)
class Move:
    """An accepted action; `auto` marks the neutral player in the seat of one who forfeited. Times in seconds."""

    ply: int
    seat: int
    action: Action
    auto: bool = False
    took: float = 0.0
    left: float = 0.0


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat's own fault before the action of `ply`; `early` if the seat had not acted yet."""

    ply: int
    seat: int
    reason: Reason
    early: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """The question to the seat to act: what it sees and its time."""

    seat: int
    view: View
    clock: Clock


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: points and places by seat, and the pairs of seats that are rated."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """One play of the rules at a table, as far as it has come; `state` is never changed in place."""

    rules: RuleSet
    control: TimeControl
    state: State
    banks: tuple[Bank, ...]
    moves: tuple[Move, ...] = ()
    forfeits: tuple[Forfeit, ...] = ()


def opened(rules: RuleSet, control: TimeControl, players: int, deal: bytes) -> Game:
    """A game before its first action."""
    banks = (Bank(control.bank),) * players
    return Game(rules, control, position.opened(rules, players, deal), banks)


def ask(game: Game) -> Ask | Result:
    """What comes next: a question to a live seat, or the result."""
    if is_over(game):
        return result(game)
    seat = rules.mover(game.state)
    bank = game.banks[seat]
    clock = Clock(limit(game.control, bank), bank.left, game.control.increment)
    return Ask(seat, view(game.state, game.rules), clock)


def hear(game: Game, reply: Reply) -> Game:
    """The game after the reply of the seat to act."""
    seat = rules.mover(game.state)
    match reply:
        case Silent(reason, _, detail):
            return forfeit(game, seat, reason, detail)
        case Moved(_, took) if took > limit(game.control, game.banks[seat]):
            spent = f"{took:.3f} s used, {limit(game.control, game.banks[seat]):.3f} s allowed"
            return forfeit(game, seat, Reason.TIME, spent)
        case Moved(action, took):
            return _moved(game, action, took)


def forfeit(game: Game, seat: int, reason: Reason, detail: str = "") -> Game:
    """The game after a seat's own fault; a neutral player acts for it while two live seats are left."""
    if is_over(game) or seat in out(game):
        return game
    early = all(move.seat != seat for move in game.moves)
    fault = Forfeit(game.state.ply, seat, reason, early, detail)
    return _played_on(replace(game, forfeits=(*game.forfeits, fault)))


def mover(game: Game) -> int:
    """The seat to act."""
    return rules.mover(game.state)


def is_over(game: Game) -> bool:
    """Whether the rules say so, or fewer than two live seats are left."""
    return game.state.over or game.state.players - len(game.forfeits) < 2


def out(game: Game) -> frozenset[int]:
    """Seats that forfeited."""
    return frozenset(fault.seat for fault in game.forfeits)


def result(game: Game) -> Result:
    """Points, places and rated pairs as the game stands."""
    scores = position.scores(game.state)
    spoiled = any(fault.early for fault in game.forfeits)
    return Result(scores, places(scores, out(game)), rated_pairs(len(scores), out(game), spoiled=spoiled))


def places(scores: Iterable[int], gone: frozenset[int]) -> tuple[int, ...]:
    """Place of each seat, 1 is best; equal points share a place (§7.5), all who forfeited share the last."""
    live = [points for seat, points in enumerate(scores) if seat not in gone]
    last = len(live) + 1
    return tuple(
        last if seat in gone else 1 + sum(other > points for other in live) for seat, points in enumerate(scores)
    )


def rated_pairs(players: int, gone: frozenset[int], *, spoiled: bool) -> tuple[tuple[int, int], ...]:
    """Pairs of seats that rate: a live seat beats one that forfeited; live seats among themselves, unless the game
    is spoiled by a forfeit before a seat's first action (else a helper could wipe out a friend's losses)."""
    return tuple(
        pair
        for pair in combinations(range(players), 2)
        if (faults := len(gone.intersection(pair))) == 1 or (faults == 0 and not spoiled)
    )


def _moved(game: Game, action: Action, took: float) -> Game:
    seat = rules.mover(game.state)
    try:
        spelled = position.canonical(game.state, action)
    except IllegalAction as error:
        return forfeit(game, seat, Reason.ILLEGAL, str(error))
    bank = charged(game.control, game.banks[seat], took)
    banks = (*game.banks[:seat], bank, *game.banks[seat + 1 :])
    move = Move(game.state.ply, seat, spelled, took=round(took, 3), left=round(bank.left, 3))
    return _played_on(replace(_stepped(game, move), banks=banks))


def _played_on(game: Game) -> Game:
    """The game after the neutral player has acted for every seat that is out and to move."""
    while not is_over(game) and rules.mover(game.state) in out(game):
        move = Move(game.state.ply, rules.mover(game.state), legal.neutral(game.state), auto=True)
        game = _stepped(game, move)
    return game


def _stepped(game: Game, move: Move) -> Game:
    return replace(game, state=position.advance(game.state, move.action), moves=(*game.moves, move))
