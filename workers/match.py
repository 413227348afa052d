"""One match: its games in turn, each put on record before the next; handed back when the platform fails."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog

from arena.contest.record import Head, Record, recorded, rules_tag
from arena.desk import work
from arena.desk.work import Assignment, Player
from arena.errors import ArenaError
from arena.game.deal import commitment
from arena.lobby.presence import Present
from arena.remote.relay import PlatformFault, Relay
from arena.remote.table import Chair, Played, Sitting, dropped, played
from arena.store.attempts import Attempt
from arena.store.ids import BotId, VersionId
from arena.store.kinds import AttemptEnd
from workers.tools import Tools

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Seating:
    """A claimed match, who of its bots is present, and the relays to the gateways they are connected to."""

    attempt: Attempt
    present: Mapping[BotId, Present]
    relays: Mapping[str, Relay]


async def play_match(tools: Tools, seating: Seating) -> None:
    """Play the games that have no result yet; nothing of it may raise into the batch."""
    attempt = seating.attempt
    try:
        versions = {bot: VersionId(one.version) for bot, one in seating.present.items()}
        assignment = await asyncio.to_thread(work.assignment, tools.store, attempt, versions, at=time.time())
        for index in assignment.games:
            await _play_game(tools, seating, assignment, index)
        await asyncio.to_thread(work.finish, tools.store, assignment, at=time.time())
    except (PlatformFault, ArenaError) as error:
        log.warning("match handed back", match=attempt.match_id, attempt=attempt.number, reason=str(error))
        await asyncio.to_thread(_give_back, tools, attempt)
    except BaseException:
        _give_back(tools, attempt)  # cancelled, or a bug: the match must not stay ours
        raise


def _give_back(tools: Tools, attempt: Attempt) -> None:
    work.give_back(tools.store, attempt.match_id, attempt.number, AttemptEnd.VOID, at=time.time())


async def _play_game(tools: Tools, seating: Seating, assignment: Assignment, index: int) -> None:
    began = time.monotonic()
    sitting = _sitting(seating, assignment, index)
    try:
        end = await played(sitting)
    except PlatformFault:
        _drop(sitting)
        raise
    record = _record(assignment, sitting, end)
    seconds = time.monotonic() - began
    outcome = await asyncio.to_thread(work.report, tools.store, assignment, record, seconds=seconds, at=time.time())
    if outcome in ("late", "different"):
        raise PlatformFault(f"the result of game {index} was refused as {outcome}")
    log.info("game finished", game=sitting.id, seconds=round(seconds, 3), forfeits=len(record.forfeits))


def _drop(sitting: Sitting) -> None:
    try:
        dropped(sitting)
    except PlatformFault as error:
        log.warning("bots could not be told", game=sitting.id, reason=str(error))


def _sitting(seating: Seating, assignment: Assignment, index: int) -> Sitting:
    return Sitting(
        id=f"{assignment.match}/{index}/{assignment.attempt}",
        match=assignment.match,
        index=index,
        rules=assignment.rules,
        control=assignment.control,
        secret=work.game_secret(assignment, index),
        chairs=tuple(_chair(seating, player) for player in work.seated(assignment, index)),
        no_show="did not show up within the no-show limit",
    )


def _chair(seating: Seating, player: Player) -> Chair:
    """A seat with the relay to its bot; raises PlatformFault if that bot's gateway is not attached."""
    present = seating.present.get(player.bot)
    if present is None:
        return Chair(player.bot, player.name, None)
    if present.gateway not in seating.relays:
        raise PlatformFault(f"gateway {present.gateway} of bot {player.name} is not attached")
    return Chair(player.bot, player.name, seating.relays[present.gateway])


def _record(assignment: Assignment, sitting: Sitting, end: Played) -> Record:
    head = Head(
        event=assignment.event,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        rules=rules_tag(sitting.rules),
        match=sitting.match,
        game=sitting.index,
        clock=str(sitting.control),
        seats=tuple(chair.name for chair in sitting.chairs),
        commitment=commitment(sitting.secret, sitting.match),
        nonces=end.nonces,
        secret=sitting.secret,
    )
    return recorded(head, end.game)
