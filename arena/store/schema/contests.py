"""What is to be played: tournaments with their entrants, and matches with their seats."""

from sqlalchemy import CheckConstraint, Column, Index, Table, Text, UniqueConstraint, text

from arena.store.columns import (
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
from arena.store.kinds import MatchState, TournamentState

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
    flag("begun"),
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
