"""What does not count, what is doubted, and what operators did about it."""

from sqlalchemy import CheckConstraint, Column, ForeignKeyConstraint, Integer, Table, Text, UniqueConstraint

from arena.store.columns import closed, key, key_number, metadata, moment, moment_or_none, number, words
from arena.store.kinds import Deed, VoidReason

parked = Table("parked", metadata, key("match_id", "match.id"), words("cause"), moment("at"))

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
