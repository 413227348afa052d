"""A store with bots and a running tournament, and a roll of who is there."""

from collections.abc import Iterable

from arena.desk import tournaments
from arena.desk.access import ANYBODY
from arena.desk.entry import Arrival, admit
from arena.desk.tournaments import Spec
from arena.lobby.presence import Door, Present, Roll
from arena.store import bots
from arena.store.engine import Store
from arena.store.ids import BotId

NAMES = ("ada", "bob", "cyd", "dee")
SIZES = (2, 3, 4, 5)
DOOR = Door("g", "127.0.0.1:7460")


def opened(store: Store, **changed: object) -> Spec:
    """A running tournament of four bots."""
    for name in NAMES:
        admit(store, ANYBODY, Arrival(name, "1", 1, ()), at=1.0)
    spec = Spec(**{"name": "cup", "bots": NAMES, "clock": "2+0.1/1", "no_show": 60.0} | changed)  # type: ignore[arg-type]
    tournaments.start(store, spec, at=2.0)
    return spec


def bot_id(store: Store, name: str) -> BotId:
    with store.reading() as tx:
        found = bots.bot_named(tx, name)
    assert found is not None
    return found.id


def roll(store: Store, names: Iterable[str] = NAMES, sizes: tuple[int, ...] = SIZES) -> Roll:
    """These bots, connected at one gateway."""
    presents = tuple(Present(bot_id(store, name), "v", DOOR.gateway, 1, sizes, 1.0) for name in names)
    return Roll((DOOR,), presents)
