"""Who has to wait: wrong tokens and streams by address, live bots by token, and how much is done at once."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from arena.errors import Busy

BURST = 50.0  # wrong tokens from one address that are forgiven
REFILL = 5.0  # and how many a second after that
REMEMBERED = 10_000  # addresses and good tokens kept in mind
RETRY = 5.0  # seconds after which a place may be free
K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """The latest entries, so many of them."""

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > REMEMBERED:
            self.popitem(last=False)


class Guesses:
    """Wrong tokens by address. Tokens that were good before pass, so that a neighbour who guesses locks nobody out;
    whether they still are is for the database to say."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._left: Latest[str, tuple[float, float]] = Latest()  # by address: how many guesses, and when
        self._good: Latest[bytes, None] = Latest()

    @contextmanager
    def one(self, address: str, digest: bytes) -> Iterator[None]:
        """A token is looked up inside; it was a guess if that raises. Raises Busy after too many."""
        counts = digest not in self._good
        if counts:  # before it is known to be wrong, as many are looked up at once
            self._spend(address, 1.0)
        yield
        if counts:
            self._spend(address, -1.0)
        self._good[digest] = None

    def _spend(self, address: str, guesses: float) -> None:
        left, at = self._left.get(address, (BURST, 0.0))
        now = self._now()
        left = min(BURST, left + (now - at) * REFILL) - guesses
        if left < 0.0:
            raise Busy("too many wrong tokens from your address", -left / REFILL)
        self._left[address] = (left, now)


class Places:
    """So many of a kind for each who asks, as streams of an address or live bots of a token."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, who: str) -> Iterator[None]:
        """A place for the length of the block; raises Busy when all are taken."""
        if self._taken[who] >= self._most:
            raise Busy(f"{self._what} has {self._most} connections, which is the most", RETRY)
        self._taken[who] += 1
        try:
            yield
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


class Turnstile:
    """At most `at_once` inside; who would be behind `most` others is asked to come back later."""

    def __init__(self, at_once: int, most: int) -> None:
        self._inside = asyncio.Semaphore(at_once)
        self._most = most
        self._waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it for the length of the block; raises Busy."""
        if self._waiting >= self._most:
            raise Busy("the arena has more to do than it can at the moment", RETRY)
        self._waiting += 1
        try:
            await self._inside.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._inside.release()


def address_of(peer: str) -> str:
    """The host of a gRPC peer such as `ipv4:127.0.0.1:4711`; all of it where it has none."""
    kind, _, rest = peer.partition(":")
    return rest.rpartition(":")[0] if kind in ("ipv4", "ipv6") else peer
