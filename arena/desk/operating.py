"""What operators do: each deed in one transaction with its line in the audit, and what they look at first."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.desk.access import Caller, required
from arena.errors import BadInput, Conflict, NotFound
from arena.store import attempts, bots, log, matches, oversight, results, totals, tournaments
from arena.store.attempts import Parked
from arena.store.bots import Bot
from arena.store.engine import Store
from arena.store.ids import MatchId
from arena.store.kinds import AttemptEnd, Deed, MatchState, Role, TournamentState, VoidReason
from arena.store.matches import Match, Planned
from arena.store.oversight import ARENA, Alarm, Brake, Done

ANYBODY = "anybody"  # the actor where no tokens are used
LONGEST_NOTE = 500
ROWS = 200  # of each list
RERUN = re.compile(r"(?P<match>.*)-r(?P<number>[0-9]+)")


@dataclass(frozen=True, slots=True)
class Order:
    """What an operator wants done: to which match, game of it, or bot; and why."""

    deed: Deed
    subject: str = ""
    game: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sight:
    """The brake, how many matches are being played, what needs an operator, and what operators did lately."""

    brake: Brake | None
    running: int
    parked: tuple[Parked, ...]
    alarms: tuple[Alarm, ...]
    audit: tuple[Done, ...]


@dataclass(frozen=True, slots=True)
class _Desk:
    """An open transaction, who acts in it and when."""

    tx: Connection
    actor: str
    at: float


class _Undone(Exception):
    """Ends the transaction of a rehearsal."""


def act(store: Store, caller: Caller, order: Order, *, at: float, rehearse: bool = False) -> tuple[str, ...]:
    """Do what is ordered and put it on record; what has changed, or would if only rehearsed.

    Raises Forbidden, BadInput, NotFound, or Conflict where there is nothing to do; then nothing has changed.
    """
    actor = required(caller, Role.OPERATOR).name or ANYBODY
    if len(order.note) > LONGEST_NOTE or not order.note.isprintable():
        raise BadInput(f"a note is one line of at most {LONGEST_NOTE} characters")
    effects: tuple[str, ...] = ()
    with suppress(_Undone), store.writing() as tx:
        effects = _DEEDS[order.deed](_Desk(tx, actor, at), order)
        subject = order.subject if order.game is None else f"{order.subject}/{order.game}"
        oversight.note(tx, Done(at, actor, order.deed, subject or ARENA, order.note))
        if rehearse:
            raise _Undone
    return effects


def seen(store: Store, caller: Caller) -> Sight:
    """What an operator looks at; raises Forbidden."""
    required(caller, Role.OPERATOR)
    with store.reading() as tx:
        return Sight(
            brake=oversight.brake(tx),
            running=totals.matches(tx)[MatchState.RUNNING],
            parked=attempts.parked(tx)[:ROWS],
            alarms=oversight.alarms(tx, ROWS),
            audit=tuple(oversight.audit(tx, ROWS)),
        )


def _void(desk: _Desk, order: Order) -> tuple[str, ...]:
    match = _match(desk.tx, order.subject)
    return _voided(desk, match, _chosen(match, order.game))


def _rerun(desk: _Desk, order: Order) -> tuple[str, ...]:
    """The old match void, and a new one of the same bots at the end of its tournament."""
    tx, match = desk.tx, _match(desk.tx, order.subject)
    if order.game is not None:
        raise BadInput("a match is played again as a whole, so that seats stay even; leave the game out")
    tournament = tournaments.tournament(tx, match.tournament_id)
    if tournament is None or tournament.state is TournamentState.CANCELLED:
        raise Conflict(f"the tournament of match {match.id!r} was cancelled; nothing of it is played again")
    effects = _voided(desk, match, range(match.players), or_nothing=True)
    again = _next_id(tx, match.id)
    number = matches.last_number(tx, match.tournament_id) + 1
    matches.add_matches(tx, [Planned(again, match.tournament_id, number, match.bots)], at=desk.at)
    if tournaments.reopen(tx, match.tournament_id):
        effects += (f"tournament {tournament.name} runs again",)
    return (*effects, f"match {again} is to be played")


def _release(desk: _Desk, order: Order) -> tuple[str, ...]:
    match = _match(desk.tx, order.subject)
    if not attempts.release(desk.tx, match.id):
        raise Conflict(f"match {match.id!r} is not parked; see those that are with: arena operate show")
    return (f"match {match.id} is handed out again",)


def _resolve(desk: _Desk, order: Order) -> tuple[str, ...]:
    match = _match(desk.tx, order.subject)
    (game,) = _chosen(match, _named_game(order))
    settled = results.resolve(desk.tx, match.id, game_index=game, at=desk.at)
    if not settled:
        raise Conflict(f"no open alarm about game {match.id}/{game}; see those there are with: arena operate show")
    return (f"game {match.id}/{game} counts again as it is on record",)


def _ban(desk: _Desk, order: Order) -> tuple[str, ...]:
    bot = _bot(desk.tx, order.subject)
    if not bots.ban(desk.tx, bot.id, at=desk.at):
        raise Conflict(f"bot {bot.name!r} is banned already")
    return (f"bot {bot.name} is banned; its results stay until they are voided",)


def _pardon(desk: _Desk, order: Order) -> tuple[str, ...]:
    bot = _bot(desk.tx, order.subject)
    if not bots.pardon(desk.tx, bot.id):
        raise Conflict(f"bot {bot.name!r} is not banned")
    return (f"bot {bot.name} may come in again",)


def _pause(desk: _Desk, order: Order) -> tuple[str, ...]:
    _about_everything(order)
    if not oversight.put_on(desk.tx, Brake(ARENA, desk.actor, order.note, desk.at)) and order.deed is Deed.PAUSE:
        raise Conflict("the arena is paused already; go on with: arena operate resume")
    running = totals.matches(desk.tx)[MatchState.RUNNING]
    return (f"no match begins from now on; those in play go on: {running}",)


def _resume(desk: _Desk, order: Order) -> tuple[str, ...]:
    _about_everything(order)
    if not oversight.take_off(desk.tx):
        raise Conflict("the arena is not paused")
    return ("matches begin again",)


_DEEDS: Mapping[Deed, Callable[[_Desk, Order], tuple[str, ...]]] = {
    Deed.VOID: _void,
    Deed.RERUN: _rerun,
    Deed.RELEASE: _release,
    Deed.RESOLVE: _resolve,
    Deed.BAN: _ban,
    Deed.PARDON: _pardon,
    Deed.PAUSE: _pause,
    Deed.DRAIN: _pause,
    Deed.RESUME: _resume,
}


def _voided(desk: _Desk, match: Match, games: range, *, or_nothing: bool = False) -> tuple[str, ...]:
    """Games that count no more and are not played again; a worker that has them before it hands the match back."""
    tx, open_before = desk.tx, results.missing(desk.tx, match.id)
    gone = [
        game for game in games if results.void(tx, match.id, game_index=game, reason=VoidReason.ADMIN, at=desk.at)
    ]
    if not gone and not or_nothing:
        raise Conflict(f"void already: {' '.join(f'{match.id}/{game}' for game in games)}")
    if set(gone) & set(open_before) and match.state is MatchState.RUNNING:
        attempts.give_back(tx, match.id, attempt=match.attempt, at=desk.at, outcome=AttemptEnd.RETURNED)
    if open_before[:1] and open_before[0] in gone:  # games are played in turn: this one may be under way
        log.forget(tx, match.id, open_before[0])
    if not results.missing(tx, match.id):
        matches.close(tx, match.id, at=desk.at)
    return tuple(f"game {match.id}/{game} is void" for game in gone)


def _chosen(match: Match, game: int | None) -> range:
    """One game of a match, or all; raises NotFound."""
    if game is None:
        return range(match.players)
    if not 0 <= game < match.players:
        raise NotFound(f"match {match.id!r} has the games 0 to {match.players - 1}, not {game}")
    return range(game, game + 1)


def _named_game(order: Order) -> int:
    if order.game is None:
        raise BadInput("say which game of the match, as MATCH/GAME; see open alarms with: arena operate show")
    return order.game


def _about_everything(order: Order) -> None:
    if order.subject not in ("", ARENA) or order.game is not None:
        raise BadInput("the whole arena is paused and resumed; for one tournament use: arena tournament pause NAME")


def _next_id(tx: Connection, match: MatchId) -> MatchId:
    """`cup-0007-r1` after `cup-0007`, `-r2` after that; raises Conflict for one that was played again already."""
    known = RERUN.fullmatch(match)
    first, number = (known["match"], int(known["number"])) if known else (match, 0)
    again = MatchId(f"{first}-r{number + 1}")
    if matches.match(tx, again) is not None:
        raise Conflict(f"match {match!r} is played again as {again!r} already; name that one")
    return again


def _match(tx: Connection, name: str) -> Match:
    found = matches.match(tx, MatchId(name))
    if found is None:
        raise NotFound(f"no match {name[:60]!r}; games are named MATCH/GAME in the files of: arena tournament export")
    return found


def _bot(tx: Connection, name: str) -> Bot:
    found = bots.bot_named(tx, name)
    if found is None:
        raise NotFound(f"no bot {name[:40]!r}; see who is known with: arena bots")
    return found
