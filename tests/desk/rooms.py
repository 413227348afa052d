"""A store with bots and a running tournament, a roll of who is there, and a match as its worker sees it."""

from collections.abc import Iterable
from datetime import UTC, datetime

from arena.contest import referee
from arena.contest.record import Head, Record, recorded, rules_tag
from arena.contest.referee import Reason
from arena.desk import dispatch, staff, tournaments, work
from arena.desk.access import ANYBODY
from arena.desk.entry import Arrival, admit
from arena.desk.tournaments import Spec
from arena.desk.work import Assignment, Report
from arena.game.deal import commitment, deal, game_secret
from arena.lobby.presence import Door, Present, Roll
from arena.store import bots
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, VersionId

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


def assigned(store: Store, versions: dict[BotId, VersionId] | None = None) -> Assignment:
    """The first match of a tournament, claimed."""
    opened(store)
    watch = dispatch.Watch()
    dispatch.issue(store, roll(store), lambda *_: True, watch=watch, now=0.0, at=1.0)
    worker = staff.sign_on(store, "w", at=1.0)
    attempt = work.claim(store, MatchId("cup-0000"), worker, capacities={}, at=1.0)
    assert attempt is not None
    return work.assignment(store, attempt, versions or {}, at=1.0)


def finished(to_do: Assignment, index: int = 0) -> Record:
    """A game of the match in which seat 0 resigned."""
    secret = game_secret(to_do.secret, index)
    game = referee.opened(to_do.rules, to_do.control, 2, deal(secret, to_do.match, index, (bytes(32),) * 2))
    game = referee.forfeit(game, 0, Reason.RESIGN)
    names = tuple(player.name for player in work.seated(to_do, index))
    head = Head(
        event=to_do.event,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        rules=rules_tag(to_do.rules),
        match=to_do.match,
        game=index,
        clock=str(to_do.control),
        seats=names,
        commitment=commitment(secret, to_do.match),
        nonces=(None, None),
        secret=secret,
    )
    return recorded(head, game)


def reported(to_do: Assignment, record: Record) -> Report:
    """The record of a game as a worker reports it."""
    return Report(record, work.seated(to_do, record.head.game), (), 1.0)
