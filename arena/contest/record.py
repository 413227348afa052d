"""What is kept of a finished game, as a value."""

from dataclasses import dataclass

from arena.contest.referee import Forfeit, Game, Move, result
from arena.game.deal import NO_NONCE
from arena.game.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a game beside its actions; `seats` are bot@version, an absent nonce is None."""

    event: str
    date: str
    rules: str
    match: str
    game: int
    clock: str
    seats: tuple[str, ...]
    commitment: str
    nonces: tuple[bytes | None, ...]
    secret: bytes
    deals: str = "fresh"


@dataclass(frozen=True, slots=True)
class Score:
    """Points and place of a seat."""

    points: int
    place: int


@dataclass(frozen=True, slots=True)
class Record:
    """One finished game as it is written down."""

    head: Head
    moves: tuple[Move, ...]
    forfeits: tuple[Forfeit, ...]
    scores: tuple[Score, ...]


def recorded(head: Head, game: Game) -> Record:
    """The record of a game that is over."""
    end = result(game)
    scores = tuple(Score(points, place) for points, place in zip(end.scores, end.places, strict=True))
    return Record(head, game.moves, game.forfeits, scores)


def rules_tag(rules: RuleSet) -> str:
    """Name and fingerprint of a rule set, as a record carries it."""
    return f"{rules.name} {rules.digest}"


def nonces_in_order(seats: tuple[str, ...], nonces: tuple[bytes | None, ...]) -> tuple[bytes, ...]:
    """The nonces that enter the deal: in the order of the seats' names, absent ones as zeros."""
    order = sorted(range(len(seats)), key=lambda seat: (seats[seat], seat))
    return tuple(nonces[seat] or NO_NONCE for seat in order)
