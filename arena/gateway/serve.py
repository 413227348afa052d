"""The gateway process: one asyncio server for bots, workers and admin calls, and the rounds beside it."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version

import grpc
import redis
import structlog
from grpc_health.v1 import health, health_pb2_grpc

from arena.config.settings import Settings, refuse_unsafe
from arena.errors import Unavailable
from arena.gateway import bots_door, rounds
from arena.gateway.answers import Answers
from arena.gateway.entrance import Entrance
from arena.gateway.garbage import Refusing
from arena.gateway.hall import Hall
from arena.gateway.operator_door import Operators
from arena.gateway.pulse import Pulse
from arena.gateway.reception import Reception
from arena.gateway.services import Directory, Games, Leaderboards, Tournaments
from arena.gateway.stopwatch import Keeper
from arena.gateway.workers_door import WorkersDoor
from arena.lobby.presence import Lobby
from arena.store.engine import Store
from arena.v1 import leaderboard_pb2_grpc, operator_pb2_grpc, play_pb2, seats_pb2_grpc, tournaments_pb2_grpc
from arena.wire.channel import SERVER, certificate

RETRY_MS = 1000
ARENA = f"glassworks arena {version('glassworks-arena')}"

log: structlog.stdlib.BoundLogger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Means:
    """What a gateway works with."""

    store: Store
    redis: redis.Redis


async def serve(chosen: Settings, means: Means, stop: asyncio.Event) -> None:
    """Run a gateway until `stop` is set; then bots are told to come back, and open streams end."""
    refuse_unsafe(chosen)
    answers = Answers()
    pulse = Pulse()
    keeper = Keeper(asyncio.get_running_loop(), pulse.late, chosen.allowance)
    hall = Hall(keeper, chosen.grace, answers.note)
    reception = Reception(means.store, tokens=chosen.tokens)
    entrance = Entrance(reception, means.store, per_address=chosen.per_address, per_token=chosen.per_token)
    workers = WorkersDoor(hall, entrance.vouch)
    server = grpc.aio.server(interceptors=(Refusing(),), options=SERVER)
    server.add_generic_rpc_handlers((bots_door.handlers(hall, entrance, ARENA),))
    seats_pb2_grpc.add_SeatsServiceServicer_to_server(workers, server)
    checks = _add_services(server, reception, Lobby(means.redis))
    port = _bind(server, chosen)
    await server.start()
    gateway = f"g_{secrets.token_hex(4)}"
    address = chosen.relay or f"{chosen.near}:{port}"
    post = rounds.Post(gateway, address, means.store, means.redis, hall, workers.links, answers)
    log.info(
        "gateway listens", address=f"{chosen.host}:{port}", tokens=chosen.tokens, tls=chosen.tls_cert is not None
    )
    async with _beside(post, pulse):
        await stop.wait()
    await checks.enter_graceful_shutdown()
    hall.dismiss_all(play_pb2.GOODBYE_REASON_RESTARTING, "the arena restarts", RETRY_MS)
    with suppress(Exception):  # the lobby forgets us by itself
        await asyncio.to_thread(Lobby(means.redis).leave, gateway)
    await server.stop(1.0)
    log.info("gateway stopped")


def _add_services(server: grpc.aio.Server, reception: Reception, lobby: Lobby) -> health.aio.HealthServicer:
    tournaments_pb2_grpc.add_TournamentServiceServicer_to_server(Tournaments(reception, lobby.roll), server)
    leaderboard_pb2_grpc.add_LeaderboardServiceServicer_to_server(Leaderboards(reception), server)
    leaderboard_pb2_grpc.add_GameServiceServicer_to_server(Games(reception), server)
    leaderboard_pb2_grpc.add_DirectoryServiceServicer_to_server(Directory(reception, lobby.roll), server)
    operator_pb2_grpc.add_OperatorServiceServicer_to_server(Operators(reception), server)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    return checks


def _bind(server: grpc.aio.Server, chosen: Settings) -> int:
    """Listen; raises Unavailable when the port is taken."""
    address = f"{chosen.host}:{chosen.port}"
    try:
        if chosen.tls_cert and chosen.tls_key:
            pair = (certificate(chosen.tls_key), certificate(chosen.tls_cert))
            return server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        return server.add_insecure_port(address)
    except RuntimeError:
        raise Unavailable(f"cannot listen on {address}: the port is in use; choose another with --port") from None


@asynccontextmanager
async def _beside(post: rounds.Post, pulse: Pulse) -> AsyncIterator[None]:
    """The rounds, as long as the block runs; one that fails ends the process with its traceback."""
    async with asyncio.TaskGroup() as group:
        tasks: Sequence[asyncio.Task[None]] = (
            group.create_task(pulse.beat()),
            group.create_task(rounds.presence(post)),
            group.create_task(rounds.dispatching(post)),
            group.create_task(rounds.expelling(post)),
        )
        yield
        for task in tasks:
            task.cancel()
