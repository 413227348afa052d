"""Chance by commitment: the 32 bytes behind bag and tile order (docs/rules.md §2.7)."""

import hashlib
from collections.abc import Sequence

from arena.game import rules
from arena.game.ruleset import RuleSet

NONCE = 32  # bytes; an absent nonce counts as zeros
NO_NONCE = bytes(NONCE)


def commitment(secret: bytes, match: str) -> str:
    """What is published before a game: SHA-256(secret ‖ match id), in hex."""
    return hashlib.sha256(secret + match.encode()).hexdigest()


def game_secret(match_secret: bytes, game: int) -> bytes:
    """The secret of one game of a match, so that it can be revealed as soon as that game is over (docs/adr/0006)."""
    return hashlib.sha256(match_secret + b"game" + game.to_bytes(4, "big")).digest()


def deal(secret: bytes, match: str, game: int, nonces: Sequence[bytes] = ()) -> bytes:
    """SHA-256(secret ‖ match id ‖ game index as four bytes, high byte first ‖ nonces in bot order)."""
    return hashlib.sha256(secret + match.encode() + game.to_bytes(4, "big") + b"".join(nonces)).digest()


def bag_order(deal: bytes, rule_set: RuleSet, players: int) -> tuple[int, ...]:
    """Kinds in bag order: pieces sorted by SHA-256(deal ‖ "bag" ‖ piece number) (§2.7)."""
    kinds = all_kinds(rule_set, players)
    keys = [hashlib.sha256(deal + b"bag" + bytes([number])).digest() for number in range(len(kinds))]
    return tuple(kinds[number] for number in sorted(range(len(kinds)), key=keys.__getitem__))


def tile_order(deal: bytes) -> tuple[int, ...]:
    """Shapes in river order: sorted by SHA-256(deal ‖ "tile" ‖ shape) (§2.2)."""
    return tuple(
        sorted(range(rules.SHAPES), key=lambda shape: hashlib.sha256(deal + b"tile" + bytes([shape])).digest())
    )


def all_kinds(rule_set: RuleSet, players: int) -> tuple[int, ...]:
    """The kind of each piece by number, colour by colour; black only with five players (§1, §2.1)."""
    colours = rules.COLOURS if players == rules.SEATS else rules.COLOURS - 1
    return tuple(
        colour * rules.SHAPES + shape
        for colour in range(colours)
        for shape in range(rules.SHAPES)
        for _ in range(rule_set.pieces[colour][shape])
    )
