"""What operators look at and leave behind: the brake, open alarms, and the record of their deeds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import ColumnElement, Connection, delete, exists, select

from arena.store import schema
from arena.store.ids import MatchId
from arena.store.kinds import Deed
from arena.store.sql import insert_once

ARENA = "arena"  # the brake on everything
_AUDIT = schema.audit.c
_ALARM = schema.alarm.c


@dataclass(frozen=True, slots=True)
class Brake:
    """While it is on, no match is begun; those under way go on."""

    name: str
    actor: str
    note: str
    at: float


@dataclass(frozen=True, slots=True)
class Done:
    """A deed as the audit has it: who did what to whom or what, and why."""

    at: float
    actor: str
    deed: Deed
    subject: str
    note: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """A game that does not count until somebody has looked at it."""

    match_id: MatchId
    game_index: int
    kept: str
    refused: str
    at: float
    detail: str | None


def put_on(tx: Connection, brake: Brake) -> bool:
    """True if the brake was off until now."""
    return insert_once(tx, schema.brake, [asdict(brake)], key=("name",)) == 1


def take_off(tx: Connection, name: str = ARENA) -> bool:
    """True if the brake was on until now."""
    return tx.execute(delete(schema.brake).where(schema.brake.c.name == name)).rowcount == 1


def brake(tx: Connection, name: str = ARENA) -> Brake | None:
    """The brake, if it is on."""
    row = tx.execute(select(schema.brake).where(schema.brake.c.name == name)).one_or_none()
    return None if row is None else Brake(*row)


def is_braked() -> ColumnElement[bool]:
    """Whether the arena's brake is on."""
    return exists().where(schema.brake.c.name == ARENA)


def alarms(tx: Connection, limit: int) -> tuple[Alarm, ...]:
    """The alarms that nobody has resolved, oldest first."""
    columns = (_ALARM.match_id, _ALARM.game_index, _ALARM.kept, _ALARM.refused, _ALARM.at, _ALARM.detail)
    rows = select(*columns).where(_ALARM.resolved_at.is_(None)).order_by(_ALARM.at, _ALARM.id).limit(limit)
    return tuple(Alarm(*row) for row in tx.execute(rows))


def note(tx: Connection, done: Done) -> None:
    """Put a deed on record, in the transaction that does it."""
    tx.execute(schema.audit.insert().values(asdict(done)))


def audit(tx: Connection, limit: int) -> Sequence[Done]:
    """The latest deeds, newest first."""
    columns = (_AUDIT.at, _AUDIT.actor, _AUDIT.deed, _AUDIT.subject, _AUDIT.note)
    rows = select(*columns).order_by(_AUDIT.id.desc()).limit(limit)
    return tuple(Done(*row) for row in tx.execute(rows))
