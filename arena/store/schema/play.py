"""What was played: workers and their attempts, the logs of games under way, and games on record."""

from sqlalchemy import CheckConstraint, Column, Double, ForeignKeyConstraint, Index, Integer, LargeBinary, Table, text

from arena.contest.referee import Reason
from arena.store.columns import (
    blob,
    closed,
    counter,
    flag,
    key,
    key_number,
    metadata,
    moment,
    moment_or_none,
    number,
    partial_index,
    words,
)
from arena.store.kinds import AttemptEnd

worker = Table(
    "worker",
    metadata,
    key("id"),
    words("name"),
    counter("counter"),
    moment("started_at"),
    moment_or_none("stopped_at"),
)

attempt = Table(
    "attempt",
    metadata,
    key("match_id", "match.id"),
    key_number("number"),
    words("worker_id", "worker.id"),
    blob("secret"),
    words("commitment"),
    moment("started_at"),
    moment_or_none("ended_at"),
    Column("outcome", closed(AttemptEnd, "outcome")),
    counter("origin"),
    flag("alone"),
    CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ends_with_an_outcome"),
    Index(None, "outcome"),
    partial_index("uq_attempt_open", "match_id", where=text("ended_at IS NULL"), unique=True),
    partial_index("ix_attempt_open", "worker_id", where=text("ended_at IS NULL")),
)

log_entry = Table(
    "log_entry",
    metadata,
    key("match_id"),
    key_number("game_index"),
    key_number("number"),
    number("attempt"),
    blob("body"),
    ForeignKeyConstraint(["match_id", "attempt"], ["attempt.match_id", "attempt.number"]),
    CheckConstraint("game_index >= 0 AND number >= 0", name="numbers"),
)

game = Table(
    "game",
    metadata,
    key("match_id"),
    key_number("game_index"),
    number("attempt"),
    number("players"),
    words("rules"),
    words("deal"),
    blob("notation"),
    words("digest"),
    number("plies"),
    Column("seconds", Double, nullable=False),
    moment("finished_at"),
    Column("ledger", LargeBinary),
    flag("unchecked"),
    ForeignKeyConstraint(["match_id", "attempt"], ["attempt.match_id", "attempt.number"]),
    CheckConstraint("players BETWEEN 2 AND 5", name="table_size"),
    CheckConstraint("game_index >= 0 AND game_index < players", name="one_per_rotation"),
    CheckConstraint("plies >= 0 AND seconds >= 0", name="lengths"),
    Index(None, "finished_at", "match_id", "game_index"),
    partial_index("ix_game_unchecked", "digest", where=text("unchecked")),
)

game_seat = Table(
    "game_seat",
    metadata,
    key("match_id"),
    key_number("game_index"),
    key_number("seat"),
    words("bot_id", "bot.id"),
    words("version_id", "version.id"),
    number("score"),
    number("place"),
    Column("forfeit", closed(Reason, "forfeit")),
    Column("forfeit_ply", Integer),
    flag("early"),
    ForeignKeyConstraint(["match_id", "game_index"], ["game.match_id", "game.game_index"]),
    CheckConstraint("seat BETWEEN 0 AND 4 AND place BETWEEN 1 AND 5", name="seat_and_place"),
    CheckConstraint("forfeit IS NOT NULL OR (forfeit_ply IS NULL AND NOT early)", name="forfeit_details"),
    Index(None, "bot_id"),
    Index(None, "version_id"),
    partial_index("ix_game_seat_forfeit", "match_id", "game_index", "forfeit", where=text("forfeit IS NOT NULL")),
)
