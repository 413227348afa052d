"""The admin calls while something behind the gateway is out of order."""

import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from arena.desk import tournaments
from arena.desk.access import ANYBODY
from arena.desk.entry import Arrival, admit
from arena.desk.tournaments import Spec
from arena.errors import ArenaError, NotFound, Unavailable
from arena.jobs.server import start_server
from arena.v1 import leaderboard_pb2 as lb
from arena.v1 import tournaments_pb2 as tn
from arena.v1.leaderboard_pb2_grpc import DirectoryServiceStub
from arena.v1.tournaments_pb2_grpc import TournamentServiceStub
from arena.wire.channel import open_channel
from arena.wire.status import status_to_error
from tests.gateway.hosts import Host, free_port, hosting


@pytest.fixture
async def bereft(tmp_path: Path) -> AsyncIterator[Host]:
    """A gateway with a tournament, whose Redis has just died."""
    with start_server(tmp_path / "redis") as server:
        async with hosting(tmp_path, server.url) as host:
            for name in ("ada", "bob"):
                admit(host.store, ANYBODY, Arrival(name, "1", 1, ()), at=time.time())
            tournaments.start(host.store, Spec("cup", ("ada", "bob")), at=time.time())
            server.stop()
            yield host


async def test_a_tournament_is_shown_without_the_lobby(bereft: Host) -> None:
    async with open_channel(bereft.address, None) as channel:
        found = await TournamentServiceStub(channel).GetTournament(tn.GetTournamentRequest(name="cup"))
    assert found.tournament.games == 2


async def test_what_the_arena_lacks_is_not_taken_for_its_absence(bereft: Host) -> None:
    error = await failure(bereft.address)
    assert isinstance(error, Unavailable)
    assert "the lobby in Redis is out of order" in str(error)


async def test_an_arena_that_is_not_there_is_named_as_such() -> None:
    error = await failure(f"127.0.0.1:{free_port()}")
    assert isinstance(error, Unavailable)
    assert "no arena at 127.0.0.1:" in str(error)


async def test_an_unknown_tournament_is_not_found(host: Host) -> None:
    async with open_channel(host.address, None) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await TournamentServiceStub(channel).GetTournament(tn.GetTournamentRequest(name="cup"))
    error = status_to_error(failed.value, host.address)
    assert isinstance(error, NotFound)
    assert str(error) == "no tournament 'cup'; there is: none yet"


async def failure(address: str) -> ArenaError:
    """The error of listing the bots."""
    async with open_channel(address, None) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await DirectoryServiceStub(channel).ListBots(lb.ListBotsRequest())
    return status_to_error(failed.value, address)
