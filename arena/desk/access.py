"""Owners and their tokens: 256 random bits, kept as a digest, shown once."""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field

from arena.desk.names import checked_name
from arena.errors import Conflict, Forbidden, NotFound
from arena.store import bots, owners
from arena.store.engine import Store
from arena.store.ids import BotId, OwnerId, TokenId
from arena.store.kinds import Role
from arena.store.owners import Owner, Token

PREFIX = "gwa"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling: an owner in a role, or anybody on loopback (`owner` None) where no tokens are used."""

    owner: OwnerId | None
    roles: frozenset[Role]
    name: str = ""
    token: TokenId | None = None


ANYBODY = Caller(None, frozenset(Role))


@dataclass(frozen=True, slots=True)
class Issued:
    """A token as it is handed over, once."""

    id: TokenId
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Unwelcome:
    """Bots that are banned and tokens that are revoked."""

    bots: frozenset[BotId] = frozenset()
    tokens: frozenset[TokenId] = frozenset()


def add_owner(store: Store, name: str, *, at: float) -> Owner:
    """A new owner; raises BadInput or Conflict."""
    owner = Owner(OwnerId(f"o_{secrets.token_hex(6)}"), checked_name("owner", name), at)
    with store.writing() as tx:
        if owners.owner_named(tx, name) is not None:
            raise Conflict(f"owner {name!r} exists; give it a token with: arena token new {name}")
        owners.add_owner(tx, owner)
    return owner


def new_token(store: Store, owner: str, role: Role, *, at: float) -> Issued:
    """A new token for an owner; raises NotFound."""
    issued = Issued(TokenId(secrets.token_hex(6)), secrets.token_urlsafe(32))
    with store.writing() as tx:
        found = owners.owner_named(tx, owner)
        if found is None:
            raise NotFound(f"no owner {owner!r}; add it with: arena owner add {owner}")
        owners.add_token(tx, Token(issued.id, found.id, role, _digest(issued.secret), at))
    return Issued(issued.id, f"{PREFIX}_{issued.id}_{issued.secret}")


def tokens_of(store: Store, owner: str) -> tuple[Token, ...]:
    """All tokens of an owner, revoked ones included; raises NotFound."""
    with store.reading() as tx:
        found = owners.owner_named(tx, owner)
        if found is None:
            raise NotFound(f"no owner {owner!r}; list them with: arena owner list")
        return owners.tokens(tx, found.id)


def revoke(store: Store, token: str, *, at: float) -> None:
    """End a token, named by its public id or in full; raises NotFound."""
    public = token.split("_")[1] if token.startswith(f"{PREFIX}_") and token.count("_") >= 2 else token
    with store.writing() as tx:
        if not owners.revoke(tx, TokenId(public), at=at):
            raise NotFound(f"no live token {public!r}; list them with: arena token list OWNER")


def identified(store: Store, secret: str) -> Caller:
    """Whom a token belongs to; raises Forbidden, with one text for every wrong token."""
    prefix, _, rest = secret.partition("_")
    public, _, key = rest.partition("_")
    with store.reading() as tx:
        token = owners.token(tx, TokenId(public)) if public.isalnum() else None
        known = token is not None and token.revoked_at is None
        match = hmac.compare_digest(token.digest if token else _digest(""), _digest(key))
        owner = owners.owner(tx, token.owner_id) if token else None
    if not (known and match and prefix == PREFIX and token and owner):
        raise Forbidden("this token is not valid; get one with: arena token new OWNER")
    return Caller(owner.id, frozenset({token.role}), owner.name, token.id)


def unwelcome(store: Store, bots_here: Collection[BotId], tokens_here: Collection[TokenId]) -> Unwelcome:
    """Who of those that came in may not stay: banned bots, and tokens that were revoked."""
    if not bots_here and not tokens_here:
        return Unwelcome()
    with store.reading() as tx:
        return Unwelcome(bots.banned(tx, bots_here), owners.revoked(tx, tokens_here))


def required(caller: Caller, *roles: Role) -> Caller:
    """The caller, if it has one of the roles; else Forbidden."""
    if not caller.roles & set(roles):
        raise Forbidden(
            f"this needs a token with the role {' or '.join(roles)}: arena token new OWNER --role {roles[0]}"
        )
    return caller


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
