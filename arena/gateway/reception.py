"""Who is calling, and one use case run for them off the loop; a named error becomes a status."""

import asyncio
import hashlib
import traceback
from asyncio import to_thread
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import NoReturn, Protocol, TypeVar

import grpc
import structlog

from arena.desk.access import ANYBODY, Caller, identified
from arena.errors import ArenaError, Forbidden, Unavailable
from arena.gateway.limits import Guesses, Turnstile, address_of
from arena.store.engine import Store
from arena.wire.status import error_to_status

T = TypeVar("T")
AT_ONCE = 4  # admin calls in work at the same time
WAITING = 100  # behind them; later ones are asked to come back

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Call(Protocol):
    """The part of a gRPC call's context that we use."""

    def peer(self) -> str:
        """Where the call comes from, as `ipv4:HOST:PORT`."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """What the caller sent beside the message."""

    async def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """End the call with an error."""


class Reception:
    """The front desk of a gateway: with `tokens` every caller must show one."""

    def __init__(self, store: Store, *, tokens: bool) -> None:
        self._store = store
        self._tokens = tokens
        self._guesses = Guesses()
        self._turns = Turnstile(AT_ONCE, WAITING)
        self._threads = ThreadPoolExecutor(AT_ONCE, "desk")  # so that bots and rounds wait for no leaderboard

    async def caller(self, secret: str, peer: str) -> Caller:
        """Whose token this is; anybody where no tokens are used. Raises Forbidden, or Busy after many wrong ones."""
        if not self._tokens:
            return ANYBODY
        if not secret:
            raise Forbidden("this arena wants a token: --token or ARENA_TOKEN; get one with: arena token new OWNER")
        with self._guesses.one(address_of(peer), hashlib.sha256(secret.encode()).digest()):
            return await to_thread(identified, self._store, secret)

    async def answer(self, call: Call, use_case: Callable[[Store], T]) -> T:
        """The outcome of a use case that everybody may see."""
        try:
            return await self._done(use_case, self._store)
        except Exception as error:  # noqa: BLE001 - told apart in `refusal`
            await call.abort_with_status(refusal(error))

    async def serve(self, call: Call, use_case: Callable[[Store, Caller], T]) -> T:
        """The outcome of a use case that depends on who calls."""
        try:
            caller = await self.caller(token_of(call), call.peer())
            return await self._done(use_case, self._store, caller)
        except Exception as error:  # noqa: BLE001 - told apart in `refusal`
            await call.abort_with_status(refusal(error))

    async def _done(self, use_case: Callable[..., T], *arguments: object) -> T:
        """The outcome of a use case in a thread of the desk, one after the other; raises Busy."""
        async with self._turns.turn():
            return await asyncio.get_running_loop().run_in_executor(self._threads, use_case, *arguments)


def refusal(error: Exception) -> grpc.Status:
    """How a call that raised ends: a named error says what it is; the traceback of a bug goes into our log."""
    if isinstance(error, ArenaError):
        return error_to_status(error)
    log.error("a call failed", trace="".join(traceback.format_exception(error)))
    return error_to_status(Unavailable("the arena failed at this; its log says why"))


def token_of(call: Call) -> str:
    """The bearer token of a call, or an empty text."""
    for key, value in call.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            return value.removeprefix("Bearer ").strip()
    return ""
