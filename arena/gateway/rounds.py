"""What a gateway does in rounds: tell the lobby who is here, hand out work, take it back from the dead."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass

import redis
import structlog

from arena.desk import dispatch, tournaments
from arena.desk.access import unwelcome
from arena.errors import ArenaError
from arena.gateway.answers import Answers
from arena.gateway.hall import Hall
from arena.gateway.parties import Link, dismiss
from arena.jobs.queue import QueueName, depth, enqueue
from arena.lobby.presence import Door, Lobby, Present
from arena.store.engine import Store
from arena.store.ids import BotId
from arena.v1 import play_pb2 as pb

PRESENCE = 0.5  # seconds between two rounds of the lobby
TTL = 6.0  # seconds after which a gateway that fell silent counts as gone
DISPATCH = 0.3
SWEEP = 2.0
EXPEL = 1.0

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Post:
    """A gateway's own name and its ways to store, Redis and bots."""

    gateway: str
    address: str
    store: Store
    redis: redis.Redis
    hall: Hall
    links: Collection[Link]
    answers: Answers


async def presence(post: Post) -> None:
    """Keep the lobby up to date, and the answer-time counters with it."""
    lobby = Lobby(post.redis)
    door = Door(post.gateway, post.address)

    def tell(presents: tuple[Present, ...], counts: dict[str, float]) -> None:
        lobby.show(post.gateway, presents, TTL)
        lobby.announce(door, TTL)  # last: an open door says that those who are not there are away
        if counts:
            lobby.tally(counts)

    while True:
        counts = post.answers.taken()
        try:
            await asyncio.to_thread(tell, _presents(post), counts)
        except ArenaError as error:
            post.answers.put_back(counts)
            log.warning("lobby not told", reason=str(error))
        await asyncio.sleep(PRESENCE)


def _presents(post: Post) -> tuple[Present, ...]:
    return tuple(
        Present(line.bot, line.version, post.gateway, line.games, line.sizes, line.since)
        for line in post.hall.lines
        if not line.leaving
    )


async def expelling(post: Post) -> None:
    """Send those away whose bot was banned or whose token was revoked since they came in."""
    while True:
        await asyncio.sleep(EXPEL)
        lines, links = post.hall.lines, tuple(post.links)
        shown = (*(line.token for line in lines), *(link.token for link in links))
        tokens = {token for token in shown if token is not None}
        try:
            out = await asyncio.to_thread(unwelcome, post.store, {BotId(line.bot) for line in lines}, tokens)
        except ArenaError as error:
            log.warning("nobody sent away", reason=str(error))
            continue
        for line in lines:
            if line.bot in out.bots or line.token in out.tokens:
                why = (
                    "this bot is banned here; ask the operator" if line.bot in out.bots else "your token was revoked"
                )
                log.info("bot sent away", bot=line.name, reason=why)
                dismiss(line, pb.GOODBYE_REASON_REFUSED, why)
                post.hall.leave(line)
        for link in links:
            if link.token in out.tokens:
                log.info("worker sent away", reason="its token was revoked")
                link.cut.set()


async def dispatching(post: Post) -> None:
    """Hand out what can be played, take back what was lost, end what is finished."""
    watch = dispatch.Watch()
    swept = 0.0
    while True:
        try:
            watch = await asyncio.to_thread(_issue, post, watch)
            if time.monotonic() - swept >= SWEEP:
                swept = time.monotonic()
                watch = await asyncio.to_thread(_sweep, post, watch)
        except ArenaError as error:
            log.warning("no work handed out", reason=str(error))
        await asyncio.sleep(DISPATCH)


def _issue(post: Post, watch: dispatch.Watch) -> dispatch.Watch:
    waiting = depth(post.redis)
    if waiting > 0:
        return watch  # enough is on its way
    done = dispatch.issue(
        post.store, Lobby(post.redis).roll(), _enqueue(post.redis), watch=watch, now=time.monotonic(), at=time.time()
    )
    if done.issued:
        log.info("matches handed out", matches=done.issued, absent=len(done.gone))
    return done.watch


def _enqueue(connection: redis.Redis) -> dispatch.Enqueue:
    def send(job: dispatch.Job) -> bool:
        return enqueue(connection, job.batch, job.matches, QueueName.TOURNAMENT, absent=job.absent, alone=job.alone)

    return send


def _sweep(post: Post, watch: dispatch.Watch) -> dispatch.Watch:
    after, taken = dispatch.sweep(post.store, watch=watch, now=time.monotonic(), at=time.time())
    if taken:
        log.warning("matches taken back from a silent worker", matches=len(taken))
    if depth(post.redis) == 0 and (again := dispatch.reissue_lost(post.store, at=time.time())):
        log.info("matches that waited long for a worker are pending again", matches=again)
    for name in tournaments.close_finished(post.store, at=time.time()):
        log.info("tournament finished", tournament=name)
    return after
