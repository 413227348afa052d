"""The admin services: decode, call one use case, encode."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial

from arena.desk import boards, exports, games, tournaments
from arena.desk.access import Caller, required
from arena.desk.directory import listed
from arena.errors import Unavailable
from arena.gateway.messages import (
    game_time_to_pb,
    leaderboard_to_pb,
    spec_from_pb,
    standing_to_pb,
    state_from_pb,
    tournament_to_pb,
)
from arena.gateway.reception import Call, Reception
from arena.lobby.presence import Roll
from arena.store.engine import Store
from arena.store.kinds import Role
from arena.v1 import leaderboard_pb2 as lb
from arena.v1 import tournaments_pb2 as pb
from arena.v1.leaderboard_pb2_grpc import DirectoryServiceServicer, GameServiceServicer, LeaderboardServiceServicer
from arena.v1.tournaments_pb2_grpc import TournamentServiceServicer

# ruff: noqa: N802 - gRPC names the methods
# mypy: disable-error-code="override"


class Tournaments(TournamentServiceServicer):
    """Start, show and steer tournaments."""

    def __init__(self, reception: Reception, roll: Callable[[], Roll]) -> None:
        self._reception = reception
        self._roll = roll

    async def StartTournament(self, request: pb.StartTournamentRequest, context: Call) -> pb.StartTournamentResponse:
        """Start or resume."""

        def start(store: Store, caller: Caller) -> pb.StartTournamentResponse:
            required(caller, Role.ORGANISER, Role.OPERATOR)
            created = tournaments.start(store, spec_from_pb(request.spec), at=time.time())
            return pb.StartTournamentResponse(tournament=self._shown(store, request.spec.name), created=created)

        return await self._reception.serve(context, start)

    async def GetTournament(self, request: pb.GetTournamentRequest, context: Call) -> pb.GetTournamentResponse:
        """Progress and standings."""

        def show(store: Store) -> pb.GetTournamentResponse:
            shown = self._shown(store, request.name)
            rows = map(standing_to_pb, boards.standings(store, request.name))
            return pb.GetTournamentResponse(tournament=shown, standings=rows)

        return await self._reception.answer(context, show)

    async def ListTournaments(self, _: pb.ListTournamentsRequest, context: Call) -> pb.ListTournamentsResponse:
        """All, newest first."""

        def show(store: Store) -> pb.ListTournamentsResponse:
            return pb.ListTournamentsResponse(tournaments=map(tournament_to_pb, tournaments.every(store)))

        return await self._reception.answer(context, show)

    async def SetTournamentState(
        self, request: pb.SetTournamentStateRequest, context: Call
    ) -> pb.SetTournamentStateResponse:
        """Pause, resume, cancel."""

        def change(store: Store, caller: Caller) -> pb.SetTournamentStateResponse:
            required(caller, Role.ORGANISER, Role.OPERATOR)
            tournaments.set_state(store, request.name, state_from_pb(request.state), at=time.time())
            return pb.SetTournamentStateResponse(tournament=self._shown(store, request.name))

        return await self._reception.serve(context, change)

    def _shown(self, store: Store, name: str) -> pb.Tournament:
        progress = tournaments.progress(store, name)
        with suppress(Unavailable):  # without the lobby: nobody can say who is away
            present = {one.name for one in listed(store, self._roll()) if one.connected}
            return tournament_to_pb(progress, tuple(bot for bot in progress.spec.bots if bot not in present))
        return tournament_to_pb(progress)


class Leaderboards(LeaderboardServiceServicer):
    """Ratings."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    async def GetLeaderboard(self, request: lb.GetLeaderboardRequest, context: Call) -> lb.GetLeaderboardResponse:
        """All boards."""
        return await self._reception.answer(
            context, lambda store: leaderboard_to_pb(boards.leaderboard(store, request.tournament))
        )


class Games(GameServiceServicer):
    """Finished games."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    async def ExportGames(
        self, request: lb.ExportGamesRequest, context: Call
    ) -> AsyncIterator[lb.ExportGamesResponse]:
        """Each game as a file."""
        files = await self._reception.answer(context, lambda store: exports.keys(store, request.tournament))
        for start in range(0, len(files), exports.PAGE):
            page = partial(exports.records, chosen=files[start : start + exports.PAGE])
            for name, text in await self._reception.answer(context, page):
                yield lb.ExportGamesResponse(name=name, notation=text)

    async def GetGameTime(self, request: lb.GetGameTimeRequest, context: Call) -> lb.GetGameTimeResponse:
        """The ledger of one game."""
        return await self._reception.answer(
            context, lambda store: game_time_to_pb(games.time_spent(store, request.match, request.index))
        )


class Directory(DirectoryServiceServicer):
    """Bots."""

    def __init__(self, reception: Reception, roll: Callable[[], Roll]) -> None:
        self._reception = reception
        self._roll = roll

    async def ListBots(self, _: lb.ListBotsRequest, context: Call) -> lb.ListBotsResponse:
        """All bots on record, and who is connected."""

        def show(store: Store) -> lb.ListBotsResponse:
            response = lb.ListBotsResponse()
            for one in listed(store, self._roll()):
                response.bots.add(
                    name=one.name,
                    owner=one.owner,
                    version=one.version,
                    connected=one.connected,
                    games_at_once=one.games,
                )
            return response

        return await self._reception.answer(context, show)
