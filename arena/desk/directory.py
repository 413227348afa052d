"""All bots on record, and which of them are connected."""

from dataclasses import dataclass

from arena.lobby.presence import Roll
from arena.store import bots, owners
from arena.store.engine import Store


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot as lists show it; version and games at once are those of its connection."""

    name: str
    owner: str
    version: str
    connected: bool
    games: int


def listed(store: Store, roll: Roll) -> tuple[Entry, ...]:
    """Every bot by name."""
    present = {one.bot: one for one in roll.presents}
    with store.reading() as tx:
        known = bots.bots(tx)
        names = {owner.id: owner.name for owner in owners.owners(tx)}
        labels = {one.version.id: one.version.label for one in bots.every_version(tx)}
    rows = []
    for bot in sorted(known, key=lambda bot: bot.name):
        here = present.get(bot.id)
        version = next((label for version, label in labels.items() if here and version == here.version), "")
        owner = names.get(bot.owner_id, "") if bot.owner_id else ""
        rows.append(Entry(bot.name, owner, version, here is not None, here.games if here else 0))
    return tuple(rows)
