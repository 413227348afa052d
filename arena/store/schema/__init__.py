"""The tables; times are unix seconds, ids are text, closed sets and keys are held by the database."""

from arena.store.columns import metadata
from arena.store.schema.contests import entrant, match, match_seat, tournament
from arena.store.schema.oversight import alarm, audit, brake, parked, recheck, void
from arena.store.schema.people import bot, owner, token, version
from arena.store.schema.play import attempt, game, game_seat, log_entry, worker

__all__ = [
    "metadata",
    "owner",
    "token",
    "bot",
    "version",
    "tournament",
    "entrant",
    "match",
    "match_seat",
    "worker",
    "attempt",
    "log_entry",
    "game",
    "game_seat",
    "parked",
    "void",
    "alarm",
    "recheck",
    "brake",
    "audit",
]
