"""A second, naive statement of docs/rules.md that shares no code with the engine and is compared with it."""

from .chance import bag_order, numbered_pieces, tile_order
from .facts import DEFAULT, Numbers, Piece
from .policies import Policy, play, policies, random_action
from .rules import Action, Game, apply, new_game, seat_to_move
from .scoring import Dump, dump, score
from .turns import CompactLegal, canonical, compact_legal, is_legal, legal_actions, legal_count

__all__ = [
    "DEFAULT",
    "Action",
    "CompactLegal",
    "Dump",
    "Game",
    "Numbers",
    "Piece",
    "Policy",
    "apply",
    "bag_order",
    "canonical",
    "compact_legal",
    "dump",
    "is_legal",
    "legal_actions",
    "legal_count",
    "new_game",
    "numbered_pieces",
    "play",
    "policies",
    "random_action",
    "score",
    "seat_to_move",
    "tile_order",
]
