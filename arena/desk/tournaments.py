"""Tournaments from start to standings."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from arena.contest import pairing
from arena.contest.clock import DEFAULT as CLOCK
from arena.contest.clock import time_control
from arena.desk.names import FORM, checked_name
from arena.errors import BadInput, Conflict, NotFound
from arena.game import ruleset
from arena.store import bots, matches, totals, tournaments
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, TournamentId
from arena.store.kinds import MatchState, TournamentState
from arena.store.matches import Planned
from arena.store.tournaments import Tournament

MOST_GAMES = 1_000_000


@dataclass(frozen=True, slots=True)
class Spec:
    """What an organiser asks for; `no_show` is in seconds."""

    name: str
    bots: tuple[str, ...]
    sizes: tuple[int, ...] = (2,)
    rounds: int = 1
    clock: str = CLOCK
    no_show: float = 60.0
    rules: str = ruleset.DEFAULT


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament has come."""

    spec: Spec
    state: TournamentState
    games: int
    games_finished: int
    matches: int
    finished: int
    running: int


def start(store: Store, spec: Spec, *, at: float) -> bool:
    """Put a tournament and its schedule on record, or resume it; True if it is new.

    Raises BadInput for a wrong spec, NotFound for an unknown bot, Conflict if the name stands for another spec.
    """
    plan = planned(spec)
    with store.writing() as tx:
        entrants = [_bot(tx, name) for name in spec.bots]
        known = tournaments.tournament_named(tx, spec.name)
        if known is not None:
            return _resumed(tx, known, spec, at)
        tournament = Tournament(TournamentId(spec.name), spec.name, spec_to_json(spec), TournamentState.RUNNING, at)
        tournaments.add_tournament(tx, tournament)
        tournaments.enter(tx, tournament.id, entrants)
        matches.add_matches(tx, [_match(spec, one, entrants) for one in plan], at=at)
    return True


def planned(spec: Spec) -> tuple[pairing.Pairing, ...]:
    """The schedule of a spec; raises BadInput with what to change."""
    checked_name("tournament", spec.name)
    time_control(spec.clock)
    ruleset.named(spec.rules)
    if len(set(spec.bots)) != len(spec.bots):
        raise BadInput("a bot is named twice; each enters once")
    if not 0 <= spec.no_show <= 86400:
        raise BadInput(f"no-show limit {spec.no_show:g} s: use 0 to 86400")
    plan = pairing.round_robin(len(spec.bots), spec.sizes, spec.rounds)
    games = sum(len(one.seats) for one in plan)
    if games > MOST_GAMES:
        raise BadInput(f"{games} games are more than {MOST_GAMES}; use fewer rounds")
    return plan


def progress(store: Store, name: str) -> Progress:
    """How far the named tournament has come; raises NotFound."""
    with store.reading() as tx:
        tournament = named(tx, name)
        states = tournaments.progress(tx, tournament.id)
        finished = totals.games_of(tx, tournament.id)
        asked = totals.asked_of(tx, tournament.id)
    return Progress(
        spec=spec_from_json(tournament.spec),
        state=tournament.state,
        games=asked,
        games_finished=finished,
        matches=sum(states.values()),
        finished=states.get(MatchState.FINISHED, 0),
        running=states.get(MatchState.RUNNING, 0),
    )


def every(store: Store) -> tuple[Progress, ...]:
    """All tournaments, newest first."""
    with store.reading() as tx:
        names = [tournament.name for tournament in tournaments.tournaments(tx)]
    return tuple(progress(store, name) for name in names)


def set_state(store: Store, name: str, state: TournamentState, *, at: float) -> None:
    """Pause, resume or cancel; raises NotFound, or Conflict for one that has ended."""
    with store.writing() as tx:
        tournament = named(tx, name)
        if not tournaments.set_state(tx, tournament.id, state, at=at):
            raise Conflict(f"tournament {name!r} is {tournament.state}; it stays so")
        if state is TournamentState.CANCELLED:
            matches.cancel_waiting(tx, tournament.id, at=at)


def close_finished(store: Store, *, at: float) -> tuple[str, ...]:
    """Names of the tournaments that ended just now, because every match is finished."""
    ended = []
    with store.writing() as tx:
        for tournament in tournaments.tournaments(tx, TournamentState.RUNNING):
            states = tournaments.progress(tx, tournament.id)
            if all(count == 0 or state is MatchState.FINISHED for state, count in states.items()):
                tournaments.set_state(tx, tournament.id, TournamentState.FINISHED, at=at)
                ended.append(tournament.name)
    return tuple(ended)


def named(tx: Connection, name: str) -> Tournament:
    """The tournament of that name; raises NotFound with the names there are."""
    found = tournaments.tournament_named(tx, name) if FORM.fullmatch(name) else None
    if found is None:
        known = ", ".join(one.name for one in tournaments.tournaments(tx)[:5]) or "none yet"
        raise NotFound(f"no tournament {name[:40]!r}; there is: {known}")
    return found


def spec_to_json(spec: Spec) -> str:
    """A spec as it is stored."""
    return json.dumps(asdict(spec), sort_keys=True)


def spec_from_json(text: str) -> Spec:
    """The spec that was stored; raises BadInput for a damaged row."""
    try:
        table = json.loads(text)
        return Spec(**{**table, "bots": tuple(table["bots"]), "sizes": tuple(table["sizes"])})
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"the stored spec of a tournament is damaged: {error}") from None


def _bot(tx: Connection, name: str) -> BotId:
    found = bots.bot_named(tx, checked_name("bot", name))
    if found is None:
        raise NotFound(f"no bot {name!r}; connect it first: arena connect FILE --name {name}")
    return found.id


def _resumed(tx: Connection, known: Tournament, spec: Spec, at: float) -> bool:
    if spec_from_json(known.spec) != spec:
        raise Conflict(f"tournament {spec.name!r} exists with other settings; choose another name")
    if known.state is TournamentState.CANCELLED:
        raise Conflict(f"tournament {spec.name!r} was cancelled; choose another name")
    tournaments.set_state(tx, known.id, TournamentState.RUNNING, at=at)
    return False


def _match(spec: Spec, one: pairing.Pairing, entrants: Sequence[BotId]) -> Planned:
    match = MatchId(f"{spec.name}-{one.number:04d}")
    return Planned(match, TournamentId(spec.name), one.number, tuple(entrants[index] for index in one.seats))
