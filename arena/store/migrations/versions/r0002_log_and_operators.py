"""What fail-over, re-verification and operators need; frozen, like every migration."""

import sqlalchemy as sa
from alembic import op

from arena.store.migrations.columns import (
    closed,
    holds,
    key_number,
    moment,
    number,
    octets,
    primary,
    refers,
    words,
)

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds columns to what is there, and the new tables."""
    op.add_column("match", number("kills", default="0"))
    op.add_column("match", sa.Column("begun", sa.Boolean, nullable=False, server_default=sa.text("false")))
    begun = sa.text("begun")
    op.create_index("ix_match_begun", "match", ["id"], sqlite_where=begun, postgresql_where=begun)
    op.add_column("attempt", number("origin", default="0"))
    op.add_column("attempt", sa.Column("alone", sa.Boolean, nullable=False, server_default=sa.text("false")))
    op.add_column("game", sa.Column("ledger", sa.LargeBinary))
    op.add_column("game", sa.Column("unchecked", sa.Boolean, nullable=False, server_default=sa.text("false")))
    unchecked = sa.text("unchecked")
    op.create_index("ix_game_unchecked", "game", ["digest"], sqlite_where=unchecked, postgresql_where=unchecked)
    op.add_column("alarm", words("detail", nullable=True))
    _log()
    _operators()


def _log() -> None:
    op.create_table(
        "log_entry",
        words("match_id"),
        key_number("game_index"),
        key_number("number"),
        number("attempt"),
        octets("body"),
        primary("log_entry", "match_id", "game_index", "number"),
        refers("log_entry", "match_id", "attempt", to="attempt.match_id attempt.number"),
        holds("log_entry", "numbers", "game_index >= 0 AND number >= 0"),
    )
    op.create_table(
        "parked",
        words("match_id"),
        words("cause"),
        moment("at"),
        primary("parked", "match_id"),
        refers("parked", "match_id", to="match.id"),
    )
    op.create_table(
        "recheck",
        words("match_id"),
        key_number("game_index"),
        words("worker"),
        moment("at"),
        words("fault", nullable=True),
        primary("recheck", "match_id", "game_index"),
        refers("recheck", "match_id", "game_index", to="game.match_id game.game_index"),
    )


def _operators() -> None:
    op.create_table("brake", words("name"), words("actor"), words("note"), moment("at"), primary("brake", "name"))
    deeds = ("void", "rerun", "release", "resolve", "ban", "pardon", "pause", "resume", "drain")
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        moment("at"),
        words("actor"),
        closed("deed", "audit", *deeds),
        words("subject"),
        words("note"),
        primary("audit", "id"),
    )
