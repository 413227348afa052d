"""Who takes part: owners with their tokens, and their bots in their versions."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Table, Text, UniqueConstraint

from arena.store.columns import blob, closed, key, metadata, moment, moment_or_none, words
from arena.store.kinds import Role

owner = Table("owner", metadata, key("id"), words("name"), moment("created_at"), UniqueConstraint("name"))

token = Table(
    "token",
    metadata,
    key("id"),
    words("owner_id", "owner.id"),
    Column("role", closed(Role, "role"), nullable=False),
    blob("digest"),
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
