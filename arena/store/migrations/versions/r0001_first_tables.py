"""The first schema; frozen, so it repeats what arena.store.schema says today instead of importing it."""

import sqlalchemy as sa
from alembic import op

from arena.store.migrations.columns import (
    closed,
    holds,
    index,
    key_number,
    moment,
    number,
    octets,
    partial_index,
    primary,
    refers,
    unique,
    words,
)

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Creates every table."""
    _owners()
    _bots()
    _tournaments()
    _matches()
    _attempts()
    _games()
    _exceptions()


def _owners() -> None:
    op.create_table(
        "owner", words("id"), words("name"), moment("created_at"), primary("owner", "id"), unique("owner", "name")
    )
    op.create_table(
        "token",
        words("id"),
        words("owner_id"),
        closed("role", "token", "owner", "organiser", "operator", "worker"),
        octets("digest"),
        moment("created_at"),
        moment("revoked_at", nullable=True),
        primary("token", "id"),
        refers("token", "owner_id", to="owner.id"),
    )
    index("token", "owner_id")


def _bots() -> None:
    op.create_table(
        "bot",
        words("id"),
        words("name"),
        words("owner_id", nullable=True),
        moment("created_at"),
        moment("banned_at", nullable=True),
        primary("bot", "id"),
        unique("bot", "name"),
        refers("bot", "owner_id", to="owner.id"),
    )
    index("bot", "owner_id")
    op.create_table(
        "version",
        words("id"),
        words("bot_id"),
        words("label"),
        sa.Column("declared", sa.Boolean, nullable=False),
        moment("created_at"),
        primary("version", "id"),
        unique("version", "bot_id", "label"),
        refers("version", "bot_id", to="bot.id"),
    )


def _tournaments() -> None:
    op.create_table(
        "tournament",
        words("id"),
        words("name"),
        words("spec"),
        closed("state", "tournament", "running", "paused", "finished", "cancelled"),
        moment("created_at"),
        moment("finished_at", nullable=True),
        primary("tournament", "id"),
        unique("tournament", "name"),
        holds("tournament", "ends_once", "(finished_at IS NULL) = (state IN ('running', 'paused'))"),
    )
    index("tournament", "state")
    op.create_table(
        "entrant",
        words("tournament_id"),
        key_number("position"),
        words("bot_id"),
        primary("entrant", "tournament_id", "position"),
        unique("entrant", "tournament_id", "bot_id"),
        refers("entrant", "tournament_id", to="tournament.id"),
        refers("entrant", "bot_id", to="bot.id"),
    )
    index("entrant", "bot_id")


def _matches() -> None:
    op.create_table(
        "match",
        words("id"),
        words("tournament_id"),
        number("number"),
        number("players"),
        closed("state", "match", "pending", "queued", "running", "finished", "cancelled"),
        number("attempt", default="0"),
        words("batch", nullable=True),
        moment("state_at"),
        number("starts", default="0"),
        primary("match", "id"),
        unique("match", "tournament_id", "number"),
        refers("match", "tournament_id", to="tournament.id"),
        holds("match", "table_size", "players BETWEEN 2 AND 5"),
        holds("match", "counts", "attempt >= 0 AND starts >= 0"),
        holds("match", "queued_in_a_batch", "state <> 'queued' OR batch IS NOT NULL"),
    )
    index("match", "state", "number")
    index("match", "tournament_id", "state")
    op.create_table(
        "match_seat",
        words("match_id"),
        key_number("position"),
        words("bot_id"),
        primary("match_seat", "match_id", "position"),
        refers("match_seat", "match_id", to="match.id"),
        refers("match_seat", "bot_id", to="bot.id"),
        holds("match_seat", "position", "position BETWEEN 0 AND 4"),
    )


def _attempts() -> None:
    op.create_table(
        "worker",
        words("id"),
        words("name"),
        number("counter", default="0"),
        moment("started_at"),
        moment("stopped_at", nullable=True),
        primary("worker", "id"),
    )
    op.create_table(
        "attempt",
        words("match_id"),
        key_number("number"),
        words("worker_id"),
        octets("secret"),
        words("commitment"),
        moment("started_at"),
        moment("ended_at", nullable=True),
        closed("outcome", "attempt", "done", "lost", "returned", "void", nullable=True),
        primary("attempt", "match_id", "number"),
        refers("attempt", "match_id", to="match.id"),
        refers("attempt", "worker_id", to="worker.id"),
        holds("attempt", "ends_with_an_outcome", "(ended_at IS NULL) = (outcome IS NULL)"),
    )
    index("attempt", "outcome")
    partial_index("uq_attempt_open", "attempt", "match_id", where="ended_at IS NULL", unique=True)
    partial_index("ix_attempt_open", "attempt", "worker_id", where="ended_at IS NULL")


def _games() -> None:
    op.create_table(
        "game",
        words("match_id"),
        key_number("game_index"),
        number("attempt"),
        number("players"),
        words("rules"),
        words("deal"),
        octets("notation"),
        words("digest"),
        number("plies"),
        moment("seconds"),
        moment("finished_at"),
        primary("game", "match_id", "game_index"),
        refers("game", "match_id", "attempt", to="attempt.match_id attempt.number"),
        holds("game", "table_size", "players BETWEEN 2 AND 5"),
        holds("game", "one_per_rotation", "game_index >= 0 AND game_index < players"),
        holds("game", "lengths", "plies >= 0 AND seconds >= 0"),
    )
    index("game", "finished_at", "match_id", "game_index")
    reasons = ("TIME", "CRASH", "ILLEGAL", "MALFORMED", "DISCONNECT", "RESIGN", "MEMORY", "LIMIT")
    op.create_table(
        "game_seat",
        words("match_id"),
        key_number("game_index"),
        key_number("seat"),
        words("bot_id"),
        words("version_id"),
        number("score"),
        number("place"),
        closed("forfeit", "game_seat", *reasons, nullable=True),
        sa.Column("forfeit_ply", sa.Integer),
        sa.Column("early", sa.Boolean, nullable=False, server_default=sa.text("false")),
        primary("game_seat", "match_id", "game_index", "seat"),
        refers("game_seat", "match_id", "game_index", to="game.match_id game.game_index"),
        refers("game_seat", "bot_id", to="bot.id"),
        refers("game_seat", "version_id", to="version.id"),
        holds("game_seat", "seat_and_place", "seat BETWEEN 0 AND 4 AND place BETWEEN 1 AND 5"),
        holds("game_seat", "forfeit_details", "forfeit IS NOT NULL OR (forfeit_ply IS NULL AND NOT early)"),
    )
    index("game_seat", "bot_id")
    index("game_seat", "version_id")
    columns = ("match_id", "game_index", "forfeit")
    partial_index("ix_game_seat_forfeit", "game_seat", *columns, where="forfeit IS NOT NULL")


def _exceptions() -> None:
    op.create_table(
        "void",
        words("match_id"),
        key_number("game_index"),
        closed("reason", "void", "PLATFORM", "ADMIN"),
        moment("at"),
        primary("void", "match_id", "game_index"),
        refers("void", "match_id", to="match.id"),
        holds("void", "game_index", "game_index >= 0"),
    )
    op.create_table(
        "alarm",
        sa.Column("id", sa.Integer, nullable=False),
        words("match_id"),
        number("game_index"),
        words("kept"),
        words("refused"),
        moment("at"),
        moment("resolved_at", nullable=True),
        primary("alarm", "id"),
        unique("alarm", "match_id", "game_index", "refused"),
        refers("alarm", "match_id", "game_index", to="game.match_id game.game_index"),
        holds("alarm", "differs", "kept <> refused"),
    )
