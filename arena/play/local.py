"""Games on this machine: the schedule, one game after the other, and many at once in several processes."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations, islice
from multiprocessing import get_context

from arena.contest import referee
from arena.contest.clock import TimeControl, time_control
from arena.contest.notation import written
from arena.contest.pairing import rotated
from arena.contest.record import Head, Record, nonces_in_order, recorded, rules_tag
from arena.contest.referee import Ask, Game
from arena.errors import BadInput
from arena.game import deal, ruleset
from arena.leash import leash
from arena.play.players import HousePlayer, OwnPlayer, Player
from arena.play.roster import found, is_own, label, present

CHUNK = 4  # games handed to a process at once


@dataclass(frozen=True, slots=True)
class Plan:
    """What all games of a session share; `master` is the secret they are drawn from."""

    event: str
    date: str
    rules: str
    clock: str
    master: bytes


@dataclass(frozen=True, slots=True)
class Planned:
    """One game to play: the specs of the bots by seat."""

    match: str
    index: int
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played: who sat where, its record as value and text."""

    planned: Planned
    record: Record
    text: str


def schedule(bots: Sequence[str], seats: int, games: int) -> tuple[Planned, ...]:
    """So many games: groups of `seats` bots in turn, each match with its seats rotated; raises BadInput."""
    if not 2 <= seats <= 5 or len(bots) < seats:
        raise BadInput(f"{len(bots)} bots at tables of {seats}: name 2 to 5 bots, or more with --seats 2..5")
    return tuple(islice(_endless(bots, seats), games))


def _endless(bots: Sequence[str], seats: int) -> Iterator[Planned]:
    number = 0
    while True:
        for group in combinations(bots, seats):
            for index in range(seats):
                yield Planned(f"local-{number:05d}", index, rotated(group, index))
            number += 1


def played(plan: Plan, games: Sequence[Planned], jobs: int = 1) -> Iterator[Finished]:
    """The games in order; with several jobs in as many processes, with the same results."""
    for spec in sorted({spec for game in games for spec in game.seats}):
        check(spec, time_control(plan.clock))  # a bot that cannot be loaded is an error before the first game
    if jobs <= 1 or len(games) <= CHUNK:
        yield from _in_turn(plan, games)
        return
    chunks = [games[start : start + CHUNK] for start in range(0, len(games), CHUNK)]
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=leash, initargs=(os.getpid(),)
    ) as pool:
        try:
            for done in pool.map(_chunk, [plan] * len(chunks), chunks):
                yield from done
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def check(spec: str, control: TimeControl) -> None:
    """Raise BadInput or NotFound unless the bot can be loaded; own code is never loaded in this process."""
    if not is_own(spec):
        found(spec)
        return
    present(spec)
    player = OwnPlayer(spec, control.setup)
    try:
        if (fault := player.begin(b"")) is not None:
            raise BadInput(fault.detail)
    finally:
        player.close()


def _chunk(plan: Plan, games: Sequence[Planned]) -> list[Finished]:
    return list(_in_turn(plan, games))


def _in_turn(plan: Plan, games: Sequence[Planned]) -> Iterator[Finished]:
    control = time_control(plan.clock)
    with ExitStack() as stack:
        pool: dict[tuple[int, str], Player] = {}
        for game in games:
            players = []
            for seat, spec in enumerate(game.seats):
                key = (game.seats[:seat].count(spec), spec)
                if key not in pool:
                    pool[key] = _player(spec, control)
                    stack.callback(pool[key].close)
                players.append(pool[key])
            yield _finished(plan, game, control, players)


def _player(spec: str, control: TimeControl) -> Player:
    return OwnPlayer(spec, control.setup) if is_own(spec) else HousePlayer(found(spec))


def _finished(plan: Plan, planned: Planned, control: TimeControl, players: Sequence[Player]) -> Finished:
    head = _head(plan, planned)
    bag = deal.deal(head.secret, head.match, head.game, nonces_in_order(head.seats, head.nonces))
    game = referee.opened(ruleset.named(plan.rules), control, len(players), bag)
    record = recorded(head, _to_the_end(_begun(plan, planned, game, players), players))
    return Finished(planned, record, written(record))


def _begun(plan: Plan, planned: Planned, game: Game, players: Sequence[Player]) -> Game:
    for seat, player in enumerate(players):
        seed = _derived(plan.master, f"bot {planned.match} {planned.index} {seat}")
        if (fault := player.begin(seed)) is not None:
            game = referee.forfeit(game, seat, fault.reason, fault.detail)
    return game


def _to_the_end(game: Game, players: Sequence[Player]) -> Game:
    while isinstance(question := referee.ask(game), Ask):
        game = referee.hear(game, players[question.seat].answer(question))
    return game


def _head(plan: Plan, planned: Planned) -> Head:
    secret = _derived(plan.master, f"game {planned.match} {planned.index}")
    return Head(
        event=plan.event,
        date=plan.date,
        rules=rules_tag(ruleset.named(plan.rules)),
        match=planned.match,
        game=planned.index,
        clock=plan.clock,
        seats=_names(planned.seats),
        commitment=deal.commitment(secret, planned.match),
        nonces=(None,) * len(planned.seats),
        secret=secret,
    )


def _names(specs: Sequence[str]) -> tuple[str, ...]:
    """Seats as bot@version; a second copy of a bot is told apart by a number."""
    names = [label(spec) for spec in specs]
    return tuple(
        f"{name}@local" if names[:seat].count(name) == 0 else f"{name}.{names[:seat].count(name) + 1}@local"
        for seat, name in enumerate(names)
    )


def _derived(master: bytes, purpose: str) -> bytes:
    return hashlib.sha256(master + purpose.encode()).digest()
