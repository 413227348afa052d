"""A small arena to look at: bots that enter a tournament, and games that they win in the order of their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from arena.contest.referee import Reason
from arena.desk import tournaments
from arena.desk.tournaments import Spec
from arena.store import attempts, bots, matches, results, workers
from arena.store.engine import Store
from arena.store.ids import BotId, TournamentId, WorkerId
from arena.store.matches import Match

SPEC = Spec("spring", ("ada", "bob", "cid"), rounds=2)


def opened(store: Store, spec: Spec = SPEC) -> None:
    """A tournament whose bots have a version each, and a worker for it."""
    with store.writing() as tx:
        for name in spec.bots:
            bots.add_bot(tx, bots.Bot(BotId(name), name, None, 1.0))
            bots.version(tx, BotId(name), label="1", declared=True, at=1.0)
        workers.add_worker(tx, workers.Worker(worker(spec), "worker", 0, 1.0))
    tournaments.start(store, spec, at=2.0)


@dataclass(frozen=True, slots=True)
class Style:
    """How games go: the last one by a forfeit, and the first game of every so many matches upside down."""

    forfeit: Reason | None = None
    upset: int = 3


def played(store: Store, spec: Spec = SPEC, *, most: int = 1000, style: Style = Style()) -> int:
    """How many waiting matches were played."""
    with store.reading() as tx:
        waiting = matches.waiting(tx, most, tournament_id=TournamentId(spec.name))
    for match in waiting:
        with store.writing() as tx:
            matches.queue(tx, [match.id], batch="batch", at=3.0)
            offer = attempts.Offer(worker(spec), b"s" * 32, "commitment", 3.0)
            attempt = attempts.claim(tx, match.id, offer=offer, capacities={})
            assert attempt is not None
            for index in range(match.players):
                game = _game(match, index, attempt.number)
                results.record(tx, game, seats=_seats(tx, match, index, style), at=4.0)
            attempts.finish(tx, match.id, attempt=attempt.number, at=5.0)
    return len(waiting)


def worker(spec: Spec) -> WorkerId:
    """The worker that plays this tournament."""
    return WorkerId(f"worker of {spec.name}")


def _game(match: Match, index: int, attempt: int) -> results.Game:
    return results.Game(
        match_id=match.id,
        game_index=index,
        attempt=attempt,
        players=match.players,
        rules="standard",
        deal=f"{match.id}/{index}",
        notation="a 1\n",
        digest="digest",
        plies=2,
        seconds=0.5,
    )


def _seats(tx: Connection, match: Match, index: int, style: Style) -> Sequence[results.Seat]:
    turned = (*match.bots[index:], *match.bots[:index])
    upside_down = style.upset > 0 and index == 0 and match.number % style.upset == 0
    order = sorted(turned, reverse=upside_down)
    found = []
    for seat, bot in enumerate(turned):
        version, place = bots.versions(tx, bot)[-1].id, 1 + order.index(bot)
        why = style.forfeit if place == len(turned) else None
        found.append(results.Seat(seat, bot, version, 20 - place, place, why, 0 if why else None))
    return found
