"""A small hall to test in: bots with versions, one running tournament, its matches, and workers."""

from collections.abc import Mapping

from sqlalchemy import Connection

from arena.store import attempts, bots, matches, results, tournaments, workers
from arena.store.ids import BotId, MatchId, TournamentId, VersionId, WorkerId
from arena.store.kinds import TournamentState

EVENT = TournamentId("event")
WORKER = WorkerId("worker-0")


def bot_id(number: int) -> BotId:
    return BotId(f"bot-{number}")


def match_id(number: int) -> MatchId:
    return MatchId(f"match-{number}")


def version_id(bot: BotId) -> VersionId:
    return VersionId(f"{bot}@1")


def set_up(tx: Connection, *, games: int = 1, seats: int = 2, players: int = 4) -> None:
    """`games` matches at tables of `seats`, seated in turn from `players` bots."""
    for number in range(players):
        bot = bots.Bot(bot_id(number), f"bot {number}", None, 1.0)
        bots.add_bot(tx, bot)
        tx.exec_driver_sql(
            f"INSERT INTO version (id, bot_id, label, declared, created_at) "
            f"VALUES ('{version_id(bot.id)}', '{bot.id}', '1', true, 1.0)"
        )
    tournaments.add_tournament(tx, tournaments.Tournament(EVENT, "event", "{}", TournamentState.RUNNING, 1.0))
    tournaments.enter(tx, EVENT, [bot_id(number) for number in range(players)])
    workers.add_worker(tx, workers.Worker(WORKER, "worker", 0, 1.0))
    matches.add_matches(tx, planned(games, seats, players), at=1.0)


def planned(games: int, seats: int, players: int) -> list[matches.Planned]:
    return [
        matches.Planned(match_id(n), EVENT, n, tuple(bot_id((n + s) % players) for s in range(seats)))
        for n in range(games)
    ]


def queue_all(tx: Connection, games: int) -> None:
    matches.queue(tx, [match_id(number) for number in range(games)], batch="batch", at=2.0)


def claimed(
    tx: Connection,
    number: int = 0,
    *,
    worker: WorkerId = WORKER,
    capacities: Mapping[BotId, int] | None = None,
) -> attempts.Attempt | None:
    """An attempt at a match, queued first if it was pending."""
    matches.queue(tx, [match_id(number)], batch="batch", at=2.0)
    offer = attempts.Offer(worker, b"s" * 32, "commitment", 3.0)
    return attempts.claim(tx, match_id(number), offer=offer, capacities=capacities or {})


def game(number: int = 0, index: int = 0, *, attempt: int = 1, digest: str = "digest") -> results.Game:
    return results.Game(
        match_id=match_id(number),
        game_index=index,
        attempt=attempt,
        players=2,
        rules="standard",
        deal="deal",
        notation="a 1\nb 2\n",
        digest=digest,
        plies=2,
        seconds=0.5,
    )


def seats(number: int = 0) -> tuple[results.Seat, ...]:
    first, second = bot_id(number % 4), bot_id((number + 1) % 4)
    return (results.Seat(0, first, version_id(first), 9, 1), results.Seat(1, second, version_id(second), 5, 2))


def recorded(tx: Connection, number: int = 0, index: int = 0, **changed: object) -> results.Recorded:
    return results.record(tx, game(number, index, **changed), seats=seats(number), at=4.0)  # type: ignore[arg-type]
