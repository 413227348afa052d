"""A value that is costly to compute, shared by all who ask for it."""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

PATIENCE = 0.5  # seconds to wait for a fresh value while an older one is at hand
REST = 4.0  # a value is kept at least so many times as long as it took, hence a fifth of a core at most


class Cached(Generic[T]):
    """A value computed off the event loop, once at a time; fresh for `keep` seconds, a failure as well."""

    def __init__(self, compute: Callable[[], T], keep: float) -> None:
        self._compute = compute
        self._keep = keep
        self._due = 0.0
        self._task: asyncio.Task[T] | None = None
        self._known: tuple[T] | None = None

    async def value(self, patience: float = PATIENCE) -> T:
        """The fresh value, or the one before it if the fresh one takes longer than `patience` seconds."""
        task = self._running()
        if self._known is not None:
            await asyncio.wait((task,), timeout=patience)
            if not task.done():
                return self._known[0]
        return await asyncio.shield(task)

    def _running(self) -> asyncio.Task[T]:
        if self._task is None or (self._task.done() and time.monotonic() >= self._due):
            self._task = asyncio.create_task(self._computed())
            self._task.add_done_callback(_seen)
        return self._task

    async def _computed(self) -> T:
        begun = time.monotonic()
        self._due = begun + self._keep
        value = await asyncio.to_thread(self._compute)
        ended = time.monotonic()
        self._due = ended + max(self._keep, REST * (ended - begun))
        self._known = (value,)
        return value


def _seen(task: asyncio.Task[T]) -> None:
    """A failure that nobody waited for is no news: the next who asks meets it."""
    if not task.cancelled():
        task.exception()
