"""One match: its games in turn, each put on record before the next; handed back when the platform fails."""

import asyncio
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog

from arena.contest.record import Head, Record, recorded, rules_tag
from arena.desk import work
from arena.desk.work import Assignment, Player
from arena.errors import ArenaError, Unavailable
from arena.game.deal import commitment
from arena.lobby.presence import Present
from arena.remote.relay import PlatformFault, Relay
from arena.remote.table import Chair, Played, Sitting, dropped, played, revealed
from arena.store.attempts import Attempt
from arena.store.ids import BotId, VersionId
from arena.store.kinds import AttemptEnd
from workers.tools import Tools

RETRIES = (0.5, 2.0, 5.0)  # seconds between tries to put a result on record

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
    except Exception:  # noqa: BLE001 - a bug must not tear the other matches of the batch
        trace = traceback.format_exc()  # without the values of variables: those may be secrets
        log.error("match failed", match=attempt.match_id, attempt=attempt.number, trace=trace)
        await asyncio.to_thread(_give_back, tools, attempt)
    except BaseException:
        _give_back(tools, attempt)  # cancelled: the match must not stay ours
        raise


def _give_back(tools: Tools, attempt: Attempt) -> None:
    try:
        work.give_back(tools.store, attempt.match_id, attempt.number, AttemptEnd.VOID, at=time.time())
    except ArenaError as error:  # the sweeper takes it back once this worker has signed off
        log.error("match not handed back", match=attempt.match_id, attempt=attempt.number, reason=str(error))


async def _play_game(tools: Tools, seating: Seating, assignment: Assignment, index: int) -> None:
    """One game, put on record before its secret is revealed."""
    began = time.monotonic()
    sitting = _sitting(seating, assignment, index)
    try:
        end = await played(sitting)
        record = _record(assignment, sitting, end)
        await _report(tools, assignment, record, time.monotonic() - began)
    except BaseException:
        dropped(sitting)
        raise
    revealed(sitting, end.game)
    log.info("game finished", game=sitting.id, forfeits=len(record.forfeits))


async def _report(tools: Tools, assignment: Assignment, record: Record, seconds: float) -> None:
    """Put a result on record, trying again while the database is away; raises PlatformFault if it is refused."""
    for patience in RETRIES:
        with suppress(Unavailable):
            return await _recorded(tools, assignment, record, seconds)
        await asyncio.sleep(patience)
    return await _recorded(tools, assignment, record, seconds)


async def _recorded(tools: Tools, assignment: Assignment, record: Record, seconds: float) -> None:
    outcome = await asyncio.to_thread(work.report, tools.store, assignment, record, seconds=seconds, at=time.time())
    if outcome in ("late", "different"):
        raise PlatformFault(f"the result of game {record.head.game} was refused as {outcome}")


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
    return Chair(player.bot, player.name, seating.relays[present.gateway], player.version)


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
