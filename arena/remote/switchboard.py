"""A worker's ways to all connected bots: each seat is served at the gateway where its bot is, wherever it goes."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

import structlog

from arena.contest.referee import Reason
from arena.lobby.presence import Roll
from arena.remote.relay import Pass, Relay
from arena.remote.sitting import Chair, Sitting
from arena.remote.telling import game_start
from arena.v1 import play_pb2 as play
from arena.v1 import seats_pb2 as pb

NUDGE = 10.0  # seconds without an answer after which a question is put again, should it have been lost on the way

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Place:
    """A connected bot's seat in one game; what is due from it survives gateways that go and come.

    Asking again is safe: a gateway that has the question open leaves it so, one that has the answer gives it.
    """

    def __init__(self, board: "Switchboard", start: pb.Down) -> None:
        self._board = board
        self._start = start
        self._number = -1
        self._question: play.Ask | None = None
        self._answer: asyncio.Future[pb.Up] | None = None
        self._begun = False
        self._put_at = 0.0
        self.relay: Relay | None = None

    @property
    def bot(self) -> str:
        """Whose seat it is."""
        return self._start.bot

    @property
    def game(self) -> str:
        """The game's name on the wire."""
        return self._start.start.game

    async def ready(self) -> pb.Up:
        """The answer to the GameStart: readiness, or a fault."""
        up = await self._due(0, None)
        self._start.ready = True
        return up

    async def ask(self, question: play.Ask) -> pb.Up:
        """The answer to a question: a reply, or a fault."""
        return await self._due(question.ask, question)

    def resume(self) -> None:
        """Go on with a game that another worker began."""
        self._start.ready = self._begun = True
        self.put()

    def tell(self, down: pb.Down) -> None:
        """Say what needs no answer, if there is a way to say it."""
        if self.relay is not None:
            self.relay.tell(down)

    def close(self) -> None:
        """The seat is not ours any more."""
        self._board.forget(self)

    def hear(self, up: pb.Up) -> None:
        """Take an answer, if it is the one that is due."""
        if self._answer is not None and not self._answer.done() and up.ask == self._number:
            self._answer.set_result(up)

    def move(self, relay: Relay | None) -> None:
        """Be served by this relay from now on, or wait for one."""
        if self.relay is not None and self.relay is not relay:
            self.relay.tell(pb.Down(bot=self.bot, leave=self.game))
        self.relay = relay
        if self._begun:
            self.put()

    def put(self) -> None:
        """Say what the gateway has to know, and put what is due."""
        self.tell(self._start)
        self._put()

    def nudge(self) -> None:
        """Put what is due again, if that was long ago."""
        if self._answer is not None and asyncio.get_running_loop().time() - self._put_at > NUDGE:
            self.put()

    async def _due(self, number: int, question: play.Ask | None) -> pb.Up:
        self._number, self._question = number, question
        self._answer = asyncio.get_running_loop().create_future()
        first, self._begun = not self._begun, True
        try:
            if first:
                self.put()
            else:
                self._put()
            return await self._answer
        finally:
            self._question = self._answer = None

    def _put(self) -> None:
        self._put_at = asyncio.get_running_loop().time()
        if self._question is not None:
            self.tell(pb.Down(bot=self.bot, ask=self._question))


def seated(board: "Switchboard", sitting: Sitting, fence: int, here: Collection[str]) -> Sitting:
    """The sitting with a place for every bot that is here, or that is in the game already."""

    def chair(seat: int, one: Chair) -> Chair:
        if one.bot not in here and not sitting.log:
            return one
        start = pb.Down(bot=one.bot, version=one.version, fence=fence, start=game_start(sitting, seat))
        return replace(one, player=board.seat(start))

    return replace(sitting, chairs=tuple(chair(seat, one) for seat, one in enumerate(sitting.chairs)))


class Switchboard:
    """Relays to all gateways that are open, and the places that are served over them."""

    def __init__(self, shown: Pass) -> None:
        self._pass = shown
        self._relays: dict[str, Relay] = {}
        self._where: Mapping[str, str] = {}
        self._places: dict[tuple[str, str], Place] = {}
        self._lost: set[str] = set()

    def seat(self, start: pb.Down) -> Place:
        """A place for a bot in a game that `start` describes."""
        place = Place(self, start)
        self._places[place.bot, place.game] = place
        place.relay = self._best(place)
        return place

    def forget(self, place: Place) -> None:
        """Serve a place no more."""
        if self._places.get((place.bot, place.game)) is place:
            del self._places[place.bot, place.game]

    def reaches(self, gateway: str) -> bool:
        """Whether there is a stream to this gateway."""
        relay = self._relays.get(gateway)
        return relay is not None and not relay.broken

    async def attend(self, roll: Roll) -> None:
        """Follow what the lobby says: open what is missing, let go what is gone, move seats to where their bots are.

        A gateway that fell out of the lobby is kept as long as its stream holds: the lobby may have been emptied.
        """
        doors = {door.gateway: door.address for door in roll.doors}
        for gateway in [one for one, relay in self._relays.items() if relay.broken]:
            await self._relays.pop(gateway).close()
        self._lost &= doors.keys()
        for gateway in doors.keys() - self._relays.keys():
            self._relays[gateway] = Relay(
                doors[gateway], self._pass, heard=self._hear, lost=partial(self._lose, gateway)
            )
        if doors:
            self._where = {present.bot: present.gateway for present in roll.presents}
        for place in tuple(self._places.values()):
            self._serve(place)
            place.nudge()

    async def close(self) -> None:
        """End all streams; seats stay with their gateways, for the next worker."""
        relays, self._relays = self._relays, {}
        await asyncio.gather(*(relay.close() for relay in relays.values()))

    def _best(self, place: Place) -> Relay | None:
        """The relay to the gateway where the bot is, else the one it has, else any: it may come there."""
        there = self._relays.get(self._where.get(place.bot, ""))
        known = (there, place.relay, *self._relays.values())
        return next((relay for relay in known if relay is not None and not relay.broken), None)

    def _serve(self, place: Place) -> None:
        best = self._best(place)
        if best is not place.relay:
            place.move(best)

    def _hear(self, up: pb.Up) -> None:
        place = self._places.get((up.bot, up.game))
        if place is None:
            return
        best = self._best(place)
        if up.fault.reason == Reason.DISCONNECT and best is not place.relay:
            place.move(best)  # it is away there because it came here
        else:
            place.hear(up)

    def _lose(self, gateway: str, relay: Relay) -> None:
        """A stream has broken; it is opened again as long as the lobby has the gateway, and told of once."""
        if gateway not in self._lost:
            self._lost.add(gateway)
            log.warning("gateway lost", gateway=gateway, reason=relay.broken)
        for place in tuple(self._places.values()):
            if place.relay is relay:
                place.relay = None
                self._serve(place)
