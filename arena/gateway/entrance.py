"""Where streams come in: so many of an address, bots one after the other, so many live ones of a token."""

import asyncio
import time
from contextlib import AbstractContextManager

import structlog

from arena.desk.access import required
from arena.desk.entry import Arrival, admit
from arena.gateway.limits import Places, Turnstile, address_of
from arena.gateway.parties import Line
from arena.gateway.reception import Call, Reception, token_of
from arena.store.engine import Store
from arena.store.ids import TokenId
from arena.store.kinds import Role
from arena.v1 import play_pb2 as pb

AT_ONCE = 4  # bots that are put on record at the same time; the other threads are for the rounds
WAITING = 1000  # bots that may wait for that; later ones are asked to come back

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Entrance:
    """The way in for bots and workers."""

    def __init__(self, reception: Reception, store: Store, *, per_address: int, per_token: int) -> None:
        self._reception = reception
        self._store = store
        self._streams = Places(per_address, "your address")
        self._bots = Places(per_token, "your token")
        self._turns = Turnstile(AT_ONCE, WAITING)

    def stream(self, call: Call) -> AbstractContextManager[None]:
        """A place for a stream, whatever comes over it; raises Busy."""
        return self._streams.one(address_of(call.peer()))

    def place(self, line: Line) -> AbstractContextManager[None]:
        """A place for a live bot of its token; raises Busy."""
        return self._bots.one(line.token or line.bot)

    async def welcome(self, hello: pb.Hello, call: Call) -> Line:
        """A bot on record; raises Busy, Forbidden or BadInput."""
        async with self._turns.turn():
            caller = await self._reception.caller(hello.token, call.peer())
            arrival = Arrival(hello.bot, hello.version or "1", hello.games or 1, tuple(hello.sizes))
            found = await asyncio.to_thread(admit, self._store, caller, arrival, at=time.time())
        log.info("bot connected", bot=found.name, version=found.label, games=found.games, client=hello.client[:60])
        return Line(found.bot, found.name, found.version, found.games, found.sizes, time.time(), caller.token)

    async def vouch(self, call: Call) -> TokenId | None:
        """The token of a worker, None where none are used; raises Busy or Forbidden."""
        return required(await self._reception.caller(token_of(call), call.peer()), Role.WORKER).token
