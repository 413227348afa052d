"""Bots and their versions; a rating belongs to a version."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from uuid import uuid4

from sqlalchemy import Connection, select, update

from arena.errors import Conflict
from arena.store import schema
from arena.store.ids import BotId, OwnerId, VersionId
from arena.store.sql import insert_once


@dataclass(frozen=True, slots=True)
class Bot:
    """A named entrant; without an owner where anybody may bring a bot."""

    id: BotId
    name: str
    owner_id: OwnerId | None
    created_at: float
    banned_at: float | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """An upload of a bot, or a build that a remote bot announced (`declared`)."""

    id: VersionId
    bot_id: BotId
    label: str
    declared: bool
    created_at: float


@dataclass(frozen=True, slots=True)
class Listed:
    """A version with what a page says about it."""

    version: Version
    bot_name: str
    owner_id: OwnerId | None


def add_bot(tx: Connection, bot: Bot) -> None:
    """A new bot; raises Conflict if the name is taken."""
    if not insert_once(tx, schema.bot, [asdict(bot)]):
        raise Conflict(f"bot {bot.name!r} exists already; choose another name")


def bot(tx: Connection, bot_id: BotId) -> Bot | None:
    """The bot with this id."""
    row = tx.execute(select(schema.bot).where(schema.bot.c.id == bot_id)).one_or_none()
    return None if row is None else Bot(*row)


def bot_named(tx: Connection, name: str) -> Bot | None:
    """The bot with this name."""
    row = tx.execute(select(schema.bot).where(schema.bot.c.name == name)).one_or_none()
    return None if row is None else Bot(*row)


def bots(tx: Connection, owner_id: OwnerId | None = None) -> tuple[Bot, ...]:
    """The bots by name, all of them or one owner's."""
    rows = select(schema.bot).order_by(schema.bot.c.name)
    if owner_id is not None:
        rows = rows.where(schema.bot.c.owner_id == owner_id)
    return tuple(Bot(*row) for row in tx.execute(rows))


def ban(tx: Connection, bot_id: BotId, *, at: float) -> bool:
    """True if the bot was allowed to play until now."""
    allowed = (schema.bot.c.id == bot_id) & schema.bot.c.banned_at.is_(None)
    return tx.execute(update(schema.bot).where(allowed).values(banned_at=at)).rowcount == 1


def pardon(tx: Connection, bot_id: BotId) -> bool:
    """True if the bot was banned until now."""
    banned = (schema.bot.c.id == bot_id) & schema.bot.c.banned_at.is_not(None)
    return tx.execute(update(schema.bot).where(banned).values(banned_at=None)).rowcount == 1


def banned(tx: Connection, bot_ids: Collection[BotId]) -> frozenset[BotId]:
    """Those of the bots that are banned."""
    out = select(schema.bot.c.id).where(schema.bot.c.id.in_(bot_ids), schema.bot.c.banned_at.is_not(None))
    return frozenset(tx.scalars(out))


def version(tx: Connection, bot_id: BotId, *, label: str, declared: bool, at: float) -> Version:
    """The bot's version with this label, as it was first brought, or a new one."""
    new = Version(VersionId(uuid4().hex), bot_id, label, declared, at)
    insert_once(tx, schema.version, [asdict(new)], key=("bot_id", "label"))
    key = (schema.version.c.bot_id == bot_id) & (schema.version.c.label == label)
    return Version(*tx.execute(select(schema.version).where(key)).one())


def versions(tx: Connection, bot_id: BotId) -> tuple[Version, ...]:
    """The bot's versions, oldest first."""
    rows = select(schema.version).where(schema.version.c.bot_id == bot_id)
    return tuple(Version(*row) for row in tx.execute(rows.order_by(schema.version.c.created_at, schema.version.c.id)))


def every_version(tx: Connection) -> tuple[Listed, ...]:
    """All versions with their bots' names, by name and label."""
    rows = (
        select(schema.version, schema.bot.c.name, schema.bot.c.owner_id)
        .join(schema.bot, schema.bot.c.id == schema.version.c.bot_id)
        .order_by(schema.bot.c.name, schema.version.c.label)
    )
    return tuple(Listed(Version(*row[:-2]), row[-2], row[-1]) for row in tx.execute(rows))
