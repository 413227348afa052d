"""Owners and the tokens they hold; a token stands in the database only as a digest."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, field

from sqlalchemy import Connection, select, update

from arena.errors import Conflict
from arena.store import schema
from arena.store.ids import OwnerId, TokenId
from arena.store.kinds import Role
from arena.store.sql import insert_once


@dataclass(frozen=True, slots=True)
class Owner:
    """Who answers for a bot."""

    id: OwnerId
    name: str
    created_at: float


@dataclass(frozen=True, slots=True)
class Token:
    """What an owner shows at the door; `id` is its public part."""

    id: TokenId
    owner_id: OwnerId
    role: Role
    digest: bytes = field(repr=False)
    created_at: float
    revoked_at: float | None = None


def add_owner(tx: Connection, owner: Owner) -> None:
    """A new owner; raises Conflict if the name is taken."""
    if not insert_once(tx, schema.owner, [asdict(owner)]):
        raise Conflict(f"owner {owner.name!r} exists already; choose another name")


def owner(tx: Connection, owner_id: OwnerId) -> Owner | None:
    """The owner with this id."""
    row = tx.execute(select(schema.owner).where(schema.owner.c.id == owner_id)).one_or_none()
    return None if row is None else Owner(*row)


def owner_named(tx: Connection, name: str) -> Owner | None:
    """The owner with this name."""
    row = tx.execute(select(schema.owner).where(schema.owner.c.name == name)).one_or_none()
    return None if row is None else Owner(*row)


def owners(tx: Connection) -> tuple[Owner, ...]:
    """All owners by name."""
    return tuple(Owner(*row) for row in tx.execute(select(schema.owner).order_by(schema.owner.c.name)))


def add_token(tx: Connection, token: Token) -> None:
    """A new token of an owner."""
    tx.execute(schema.token.insert().values(asdict(token)))


def token(tx: Connection, token_id: TokenId) -> Token | None:
    """The token with this public id, revoked or not."""
    row = tx.execute(select(schema.token).where(schema.token.c.id == token_id)).one_or_none()
    return None if row is None else Token(*row)


def tokens(tx: Connection, owner_id: OwnerId) -> tuple[Token, ...]:
    """The owner's tokens, oldest first."""
    rows = select(schema.token).where(schema.token.c.owner_id == owner_id)
    return tuple(Token(*row) for row in tx.execute(rows.order_by(schema.token.c.created_at, schema.token.c.id)))


def revoke(tx: Connection, token_id: TokenId, *, at: float) -> bool:
    """True if the token was good until now."""
    live = (schema.token.c.id == token_id) & schema.token.c.revoked_at.is_(None)
    return tx.execute(update(schema.token).where(live).values(revoked_at=at)).rowcount == 1


def revoked(tx: Connection, token_ids: Collection[TokenId]) -> frozenset[TokenId]:
    """Those of the tokens that are revoked."""
    gone = select(schema.token.c.id).where(schema.token.c.id.in_(token_ids), schema.token.c.revoked_at.is_not(None))
    return frozenset(tx.scalars(gone))
