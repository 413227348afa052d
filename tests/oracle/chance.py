"""The order of the bag and of the tiles that a deal gives (RULES §2.7, DESIGN §3 "Chance")."""

from hashlib import sha256

from .facts import BLACK, DEFAULT, SHAPES, Numbers, Piece


def numbered_pieces(players: int, numbers: Numbers = DEFAULT) -> list[Piece]:
    """The piece behind every piece number: colour by colour, then shape, then copy (§2.7)."""
    pieces = []
    for colour, row in enumerate(numbers.kinds):
        if colour == BLACK and players != numbers.black_players:  # §2.1
            continue
        for shape, copies in enumerate(row):
            pieces += [(colour, shape)] * copies
    return pieces


def bag_order(deal: bytes, players: int, numbers: Numbers = DEFAULT) -> list[int]:
    """The piece numbers from the front of the bag to its back."""
    count = len(numbered_pieces(players, numbers))
    return sorted(range(count), key=lambda piece: sha256(deal + b"bag" + bytes([piece])).digest())


def tile_order(deal: bytes) -> list[int]:
    """The shapes of the tiles from the start of the river to the lake."""
    return sorted(range(SHAPES), key=lambda shape: sha256(deal + b"tile" + bytes([shape])).digest())
