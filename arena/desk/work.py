"""A worker's use cases: claim a match, report its games, finish it or hand it back."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from arena.contest.clock import TimeControl, time_control
from arena.contest.notation import written
from arena.contest.pairing import rotated
from arena.contest.record import Record
from arena.contest.referee import Forfeit
from arena.contest.timing import Timed, ledger_to_text
from arena.desk.tournaments import spec_from_json
from arena.errors import NotFound
from arena.game import deal, ruleset
from arena.game.ruleset import RuleSet
from arena.store import attempts, bots, log, matches, results, tournaments
from arena.store.attempts import Offer
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, VersionId, WorkerId
from arena.store.kinds import AttemptEnd, MatchState
from arena.store.log import Entry
from arena.store.results import Game, Recorded, Seat

ABSENT_VERSION = "absent"


@dataclass(frozen=True, slots=True)
class Player:
    """A bot at a match and the version it plays as."""

    bot: BotId
    version: VersionId
    name: str  # bot@version


@dataclass(frozen=True, slots=True)
class Assignment:
    """A claimed match: what to play, under which fencing number, with which secret."""

    match: MatchId
    event: str
    attempt: int
    secret: bytes = field(repr=False)
    rules: RuleSet = field(repr=False)
    control: TimeControl
    players: tuple[Player, ...]
    games: tuple[int, ...]  # indices without a result
    origin: int = 0  # the attempt that drew the secret


@dataclass(frozen=True, slots=True)
class Report:
    """A finished game: its record, who sat where, the time of each question, and how many seconds it took."""

    record: Record
    players: tuple[Player, ...]
    ledger: tuple[Timed, ...]
    seconds: float


def claim(
    store: Store, match: MatchId, worker: WorkerId, *, capacities: Mapping[BotId, int], at: float, alone: bool = False
) -> attempts.Attempt | None:
    """An attempt at a queued match with all its bots' seats, or None when it cannot start now."""
    secret = secrets.token_bytes(32)
    offer = Offer(worker, secret, deal.commitment(secret, match), at, alone)
    with store.writing() as tx:
        return attempts.claim(tx, match, offer=offer, capacities=capacities)


def take_over(
    store: Store, worker: WorkerId, most: int, *, at: float
) -> Mapping[attempts.Attempt, tuple[BotId, ...]]:
    """Attempts at matches that were interrupted in the middle of a game, with their bots, whose seats they kept."""
    with store.reading() as tx:
        found = matches.interrupted(tx, most)  # seldom any, hence without a lock
    claimed = ((_claimed(store, match.id, worker, at), match.bots) for match in found)
    return {attempt: bots for attempt, bots in claimed if attempt is not None}


def _claimed(store: Store, match: MatchId, worker: WorkerId, at: float) -> attempts.Attempt | None:
    secret = secrets.token_bytes(32)
    offer = Offer(worker, secret, deal.commitment(secret, match), at)
    with store.writing() as tx:
        if not matches.queue(tx, [match], batch=f"over {worker}", at=at):
            return None  # another one was faster
        return attempts.claim(tx, match, offer=offer, capacities={})


def is_waiting(store: Store, match: MatchId, batch: str) -> bool:
    """Whether a match is still queued in this batch; else another worker has it, or it will not be played."""
    with store.reading() as tx:
        found = matches.match(tx, match)
    return found is not None and (found.state, found.batch) == (MatchState.QUEUED, batch)


def bots_of(store: Store, ids: Sequence[str]) -> Mapping[MatchId, tuple[BotId, ...]]:
    """Which bots sit in which match; unknown ids are left out."""
    with store.reading() as tx:
        return {match.id: match.bots for match in matches.some(tx, [MatchId(one) for one in ids])}


def assignment(
    store: Store, attempt: attempts.Attempt, versions: Mapping[BotId, VersionId], *, at: float
) -> Assignment:
    """Everything needed to play a claimed match; raises NotFound if its rows are gone."""
    with store.writing() as tx:
        match = matches.match(tx, attempt.match_id)
        tournament = tournaments.tournament(tx, match.tournament_id) if match else None
        if match is None or tournament is None:
            raise NotFound(f"match {attempt.match_id!r} is not on record")
        spec = spec_from_json(tournament.spec)
        players = tuple(_player(tx, bot, versions.get(bot), at) for bot in match.bots)
        games = results.missing(tx, match.id)
    rules, control = ruleset.named(spec.rules), time_control(spec.clock)
    return Assignment(
        match.id, spec.name, attempt.number, attempt.secret, rules, control, players, games, attempt.origin
    )


def _player(tx: Connection, bot: BotId, version: VersionId | None, at: float) -> Player:
    """A bot that is connected plays as what it announced; an absent one as its latest version."""
    found = bots.bot(tx, bot)
    known = bots.versions(tx, bot)
    played = next((one for one in known if one.id == version), known[-1] if known else None)
    if played is None:
        played = bots.version(tx, bot, label=ABSENT_VERSION, declared=True, at=at)
    return Player(bot, played.id, f"{found.name if found else bot}@{played.label}")


def seated(assignment: Assignment, index: int) -> tuple[Player, ...]:
    """The players by seat in a game of the match."""
    return rotated(assignment.players, index)


def heard(store: Store, match: MatchId, index: int) -> tuple[bytes, ...]:
    """The log of a game under way: what an earlier attempt heard of it."""
    with store.reading() as tx:
        return log.entries(tx, match, index)


def is_settled(store: Store, match: MatchId, index: int) -> bool:
    """Whether a game has its result or is void, so that nobody plays it on."""
    with store.reading() as tx:
        return index not in results.missing(tx, match)


def keep(store: Store, entries: Sequence[Entry]) -> frozenset[tuple[MatchId, int]]:
    """Put entries of logs on record in one transaction; the (match, attempt) pairs that others have taken over."""
    with store.writing() as tx:
        return log.append(tx, entries)


def report(store: Store, assignment: Assignment, report: Report, *, at: float) -> Recorded:
    """Put a finished game on record, once; a late attempt is refused, a different result raises an alarm."""
    record = report.record
    text = written(record)
    game = Game(
        match_id=assignment.match,
        game_index=record.head.game,
        attempt=assignment.attempt,
        players=len(record.scores),
        rules=record.head.rules,
        deal=record.head.commitment,
        notation=text,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        plies=len(record.moves),
        seconds=report.seconds,
        ledger=ledger_to_text(report.ledger),
    )
    faults = {fault.seat: fault for fault in record.forfeits}
    rows = [_seat(record, seat, player, faults.get(seat)) for seat, player in enumerate(report.players)]
    with store.writing() as tx:
        return results.record(tx, game, seats=rows, at=at)


def _seat(record: Record, seat: int, player: Player, fault: Forfeit | None) -> Seat:
    score = record.scores[seat]
    if fault is None:
        return Seat(seat, player.bot, player.version, score.points, score.place)
    return Seat(
        seat, player.bot, player.version, score.points, score.place, fault.reason, fault.ply, early=fault.early
    )


def finish(store: Store, assignment: Assignment, *, at: float) -> bool:
    """End the match if every game has its result."""
    with store.writing() as tx:
        return attempts.finish(tx, assignment.match, attempt=assignment.attempt, at=at)


def give_back(store: Store, match: MatchId, attempt: int, outcome: AttemptEnd, *, at: float, cause: str = "") -> bool:
    """Hand a claimed match back, to be played on by another attempt, or afresh after a void one."""
    with store.writing() as tx:
        return attempts.give_back(tx, match, attempt=attempt, at=at, outcome=outcome, cause=cause)


def put_back(store: Store, batch: str, unclaimed: Sequence[MatchId], *, at: float) -> int:
    """Return the matches of a batch that could not be started."""
    with store.writing() as tx:
        return matches.put_back(tx, unclaimed, batch=batch, at=at)
