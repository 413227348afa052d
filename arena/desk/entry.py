"""A bot comes in: its name, owner and version are checked and put on record."""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.desk.access import Caller, required
from arena.desk.names import checked_label, checked_name
from arena.errors import BadInput, Forbidden
from arena.store import bots
from arena.store.bots import Bot
from arena.store.engine import Store
from arena.store.ids import BotId, VersionId
from arena.store.kinds import Role

MOST_GAMES = 256
SIZES = (2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a bot says of itself."""

    name: str
    version: str
    games: int
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Admitted:
    """A bot that may play."""

    bot: BotId
    name: str
    version: VersionId
    label: str
    games: int
    sizes: tuple[int, ...]


def admit(store: Store, caller: Caller, arrival: Arrival, *, at: float) -> Admitted:
    """The bot on record, new names and versions included; raises BadInput or Forbidden and changes nothing."""
    required(caller, Role.OWNER, Role.ORGANISER, Role.OPERATOR)
    name, label = checked_name("bot", arrival.name), checked_label(arrival.version)
    if not 1 <= arrival.games <= MOST_GAMES:
        raise BadInput(f"games at once must be 1 to {MOST_GAMES}, not {arrival.games}")
    sizes = tuple(sorted(set(arrival.sizes))) or SIZES
    if not set(sizes) <= set(SIZES):
        raise BadInput(f"table sizes must be among 2 3 4 5, not {' '.join(map(str, sizes[:9]))}")
    with store.writing() as tx:
        bot = _own(tx, caller, name, at)
        version = bots.version(tx, bot.id, label=label, declared=True, at=at)
    return Admitted(bot.id, name, version.id, label, arrival.games, sizes)


def _own(tx: Connection, caller: Caller, name: str, at: float) -> Bot:
    bot = bots.bot_named(tx, name)
    if bot is None:
        bot = Bot(BotId(f"b_{secrets.token_hex(6)}"), name, caller.owner, at)
        bots.add_bot(tx, bot)
    if caller.owner is not None and bot.owner_id != caller.owner:
        raise Forbidden(f"the bot {name!r} belongs to another owner; choose another name")
    if bot.banned_at is not None:
        raise Forbidden(f"the bot {name!r} is banned here; ask the operator")
    return bot
