"""The tables; times are unix seconds, ids are text, closed sets and keys are held by the database."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from arena.contest.referee import Reason
from arena.store.columns import (
    closed,
    counter,
    key,
    key_number,
    moment,
    moment_or_none,
    number,
    partial_index,
    words,
)
from arena.store.kinds import AttemptEnd, Deed, MatchState, Role, TournamentState, VoidReason

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)


owner = Table("owner", metadata, key("id"), words("name"), moment("created_at"), UniqueConstraint("name"))

token = Table(
    "token",
    metadata,
    key("id"),
    words("owner_id", "owner.id"),
    Column("role", closed(Role, "role"), nullable=False),
    Column("digest", LargeBinary, nullable=False),
    moment("created_at"),
    moment_or_none("revoked_at"),
    Index(None, "owner_id"),
)

bot = Table(
    "bot",
    metadata,
    key("id"),
    words("name"),
    Column("owner_id", Text, ForeignKey("owner.id")),
    moment("created_at"),
    moment_or_none("banned_at"),
    UniqueConstraint("name"),
    Index(None, "owner_id"),
)

version = Table(
    "version",
    metadata,
    key("id"),
    words("bot_id", "bot.id"),
    words("label"),
    Column("declared", Boolean, nullable=False),
    moment("created_at"),
    UniqueConstraint("bot_id", "label"),
)

tournament = Table(
    "tournament",
    metadata,
    key("id"),
    words("name"),
    words("spec"),
    Column("state", closed(TournamentState, "state"), nullable=False),
    moment("created_at"),
    moment_or_none("finished_at"),
    UniqueConstraint("name"),
    CheckConstraint("(finished_at IS NULL) = (state IN ('running', 'paused'))", name="ends_once"),
    Index(None, "state"),
)

entrant = Table(
    "entrant",
    metadata,
    key("tournament_id", "tournament.id"),
    key_number("position"),
    words("bot_id", "bot.id"),
    UniqueConstraint("tournament_id", "bot_id"),
    Index(None, "bot_id"),
)

match = Table(
    "match",
    metadata,
    key("id"),
    words("tournament_id", "tournament.id"),
    number("number"),
    number("players"),
    Column("state", closed(MatchState, "state"), nullable=False),
    counter("attempt"),
    Column("batch", Text),
    moment("state_at"),
    counter("starts"),
    counter("kills"),
    Column("begun", Boolean, nullable=False, server_default=text("false")),
    UniqueConstraint("tournament_id", "number"),
    CheckConstraint("players BETWEEN 2 AND 5", name="table_size"),
    CheckConstraint("attempt >= 0 AND starts >= 0", name="counts"),
    CheckConstraint("state <> 'queued' OR batch IS NOT NULL", name="queued_in_a_batch"),
    Index(None, "state", "number"),
    Index(None, "tournament_id", "state"),
    partial_index("ix_match_begun", "id", where=text("begun")),
)

match_seat = Table(
    "match_seat",
    metadata,
    key("match_id", "match.id"),
    key_number("position"),
    words("bot_id", "bot.id"),
    CheckConstraint("position BETWEEN 0 AND 4", name="position"),
)

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
    Column("secret", LargeBinary, nullable=False),
    words("commitment"),
    moment("started_at"),
    moment_or_none("ended_at"),
    Column("outcome", closed(AttemptEnd, "outcome")),
    counter("origin"),
    Column("alone", Boolean, nullable=False, server_default=text("false")),
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
    Column("body", LargeBinary, nullable=False),
    ForeignKeyConstraint(["match_id", "attempt"], ["attempt.match_id", "attempt.number"]),
    CheckConstraint("game_index >= 0 AND number >= 0", name="numbers"),
)

parked = Table("parked", metadata, key("match_id", "match.id"), words("cause"), moment("at"))

game = Table(
    "game",
    metadata,
    key("match_id"),
    key_number("game_index"),
    number("attempt"),
    number("players"),
    words("rules"),
    words("deal"),
    Column("notation", LargeBinary, nullable=False),
    words("digest"),
    number("plies"),
    Column("seconds", Double, nullable=False),
    moment("finished_at"),
    Column("ledger", LargeBinary),
    ForeignKeyConstraint(["match_id", "attempt"], ["attempt.match_id", "attempt.number"]),
    CheckConstraint("players BETWEEN 2 AND 5", name="table_size"),
    CheckConstraint("game_index >= 0 AND game_index < players", name="one_per_rotation"),
    CheckConstraint("plies >= 0 AND seconds >= 0", name="lengths"),
    Index(None, "finished_at", "match_id", "game_index"),
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
    Column("early", Boolean, nullable=False, server_default=text("false")),
    ForeignKeyConstraint(["match_id", "game_index"], ["game.match_id", "game.game_index"]),
    CheckConstraint("seat BETWEEN 0 AND 4 AND place BETWEEN 1 AND 5", name="seat_and_place"),
    CheckConstraint("forfeit IS NOT NULL OR (forfeit_ply IS NULL AND NOT early)", name="forfeit_details"),
    Index(None, "bot_id"),
    Index(None, "version_id"),
    partial_index("ix_game_seat_forfeit", "match_id", "game_index", "forfeit", where=text("forfeit IS NOT NULL")),
)

void = Table(
    "void",
    metadata,
    key("match_id", "match.id"),
    key_number("game_index"),
    Column("reason", closed(VoidReason, "reason"), nullable=False),
    moment("at"),
    CheckConstraint("game_index >= 0", name="game_index"),
)

alarm = Table(
    "alarm",
    metadata,
    Column("id", Integer, primary_key=True),
    words("match_id"),
    number("game_index"),
    words("kept"),
    words("refused"),
    moment("at"),
    moment_or_none("resolved_at"),
    Column("detail", Text),
    ForeignKeyConstraint(["match_id", "game_index"], ["game.match_id", "game.game_index"]),
    UniqueConstraint("match_id", "game_index", "refused"),
    CheckConstraint("kept <> refused", name="differs"),
)

recheck = Table(
    "recheck",
    metadata,
    key("match_id"),
    key_number("game_index"),
    words("worker"),
    moment("at"),
    Column("fault", Text),
    ForeignKeyConstraint(["match_id", "game_index"], ["game.match_id", "game.game_index"]),
)

brake = Table("brake", metadata, key("name"), words("actor"), words("note"), moment("at"))

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    moment("at"),
    words("actor"),
    Column("deed", closed(Deed, "deed"), nullable=False),
    words("subject"),
    words("note"),
)
