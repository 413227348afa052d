"""One match: its games in turn, from their logs or from the start, each put on record before the next."""

import asyncio
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import structlog

from arena.contest.record import Head, Record, recorded, rules_tag
from arena.desk import work
from arena.desk.work import Assignment, Player, Report
from arena.errors import ArenaError, Unavailable
from arena.game.deal import commitment, game_secret
from arena.lobby.presence import Present
from arena.remote import table
from arena.remote.sitting import Chair, Gone, PlatformFault, Sitting
from arena.remote.switchboard import Switchboard, seated
from arena.remote.table import Standing
from arena.remote.telling import dropped, left, revealed
from arena.store.attempts import Attempt
from arena.store.ids import BotId, VersionId
from arena.store.kinds import AttemptEnd
from arena.store.log import Entry
from workers.journal import Journal, Late
from workers.tools import Tools

RETRIES = (0.5, 2.0, 5.0)  # seconds between tries to put a result on record

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Hands:
    """What a match is played with: the way to its bots, and the log."""

    board: Switchboard
    journal: Journal


@dataclass(frozen=True, slots=True)
class Seating:
    """A claimed match and who of its bots is present."""

    attempt: Attempt
    present: Mapping[BotId, Present]


async def play_match(tools: Tools, hands: Hands, seating: Seating) -> None:
    """Play the games that have no result yet; nothing of it may raise into the other matches."""
    attempt = seating.attempt
    try:
        versions = {bot: VersionId(one.version) for bot, one in seating.present.items()}
        assignment = await asyncio.to_thread(work.assignment, tools.store, attempt, versions, at=time.time())
        for index in assignment.games:
            await _play_game(tools, hands, seating, assignment, index)
        await asyncio.to_thread(work.finish, tools.store, assignment, at=time.time())
    except Late:
        log.warning("match was taken over", match=attempt.match_id, attempt=attempt.number)
    except (Gone, Unavailable) as error:
        log.warning("match handed back", match=attempt.match_id, attempt=attempt.number, reason=str(error))
        await asyncio.to_thread(_give_back, tools, attempt, AttemptEnd.RETURNED)
    except (PlatformFault, ArenaError) as error:
        log.error("match cannot go on", match=attempt.match_id, attempt=attempt.number, reason=str(error))
        await asyncio.to_thread(_give_back, tools, attempt, AttemptEnd.VOID, str(error))
    except Exception as error:  # noqa: BLE001 - a bug must not tear the other matches of the process
        trace = traceback.format_exc()  # without the values of variables: those may be secrets
        log.error("match failed", match=attempt.match_id, attempt=attempt.number, trace=trace)
        await asyncio.to_thread(_give_back, tools, attempt, AttemptEnd.VOID, f"{type(error).__name__} in the worker")
    except BaseException:
        _give_back(tools, attempt, AttemptEnd.RETURNED)  # cancelled: another worker goes on from the log
        raise


def _give_back(tools: Tools, attempt: Attempt, outcome: AttemptEnd, cause: str = "") -> None:
    try:
        work.give_back(tools.store, attempt.match_id, attempt.number, outcome, at=time.time(), cause=cause)
    except ArenaError as error:  # the sweeper takes it back once this worker has signed off
        log.error("match not handed back", match=attempt.match_id, attempt=attempt.number, reason=str(error))


async def _play_game(tools: Tools, hands: Hands, seating: Seating, assignment: Assignment, index: int) -> None:
    """One game, put on record before its secret is revealed."""
    began = time.monotonic()
    goes_on = assignment.origin != assignment.attempt  # else there is no log yet
    heard = await asyncio.to_thread(work.heard, tools.store, assignment.match, index) if goes_on else ()
    players = _players(assignment, index, heard)
    sitting = seated(hands.board, _sitting(assignment, index, players, heard), assignment.attempt, seating.present)
    try:
        end = await table.played(sitting, _keeping(hands.journal, assignment, index))
        report = Report(_record(assignment, sitting, end), players, end.ledger, time.monotonic() - began)
        await _report(tools, assignment, report)
        revealed(sitting, end.game)
    except (PlatformFault, Gone):
        dropped(sitting)
        raise
    except Late:
        if await asyncio.to_thread(work.is_settled, tools.store, assignment.match, index):
            dropped(sitting)  # voided by an operator: nobody else tells the bots
        raise
    finally:
        left(sitting)
    log.info("game finished", game=sitting.id, forfeits=len(report.record.forfeits))


def _keeping(journal: Journal, assignment: Assignment, index: int) -> table.Keep:
    async def keep(number: int, body: bytes) -> None:
        await journal.keep(Entry(assignment.match, index, number, assignment.attempt, body))

    return keep


async def _report(tools: Tools, assignment: Assignment, report: Report) -> None:
    """Put a result on record, trying again while the database is away; raises Late if it is refused."""
    for patience in RETRIES:
        with suppress(Unavailable):
            return await _recorded(tools, assignment, report)
        await asyncio.sleep(patience)
    return await _recorded(tools, assignment, report)


async def _recorded(tools: Tools, assignment: Assignment, report: Report) -> None:
    outcome = await asyncio.to_thread(work.report, tools.store, assignment, report, at=time.time())
    if outcome in ("late", "different"):
        log.error("result refused", match=assignment.match, game=report.record.head.game, outcome=outcome)
        raise Late(assignment.match)


def _players(assignment: Assignment, index: int, heard: tuple[bytes, ...]) -> tuple[Player, ...]:
    """Who sits where; a game under way goes on with the versions it began with."""
    players = work.seated(assignment, index)
    if not heard:
        return players
    began = table.logged_names(heard)
    return tuple(
        replace(player, version=VersionId(version), name=name)
        for player, (version, name) in zip(players, began, strict=True)
    )


def _sitting(assignment: Assignment, index: int, players: tuple[Player, ...], heard: tuple[bytes, ...]) -> Sitting:
    return Sitting(
        id=f"{assignment.match}/{index}/{assignment.origin}",
        match=assignment.match,
        index=index,
        rules=assignment.rules,
        control=assignment.control,
        secret=game_secret(assignment.secret, index),
        chairs=tuple(Chair(player.bot, player.name, player.version) for player in players),
        no_show="did not show up within the no-show limit",
        log=heard,
    )


def _record(assignment: Assignment, sitting: Sitting, end: Standing) -> Record:
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
