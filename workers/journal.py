"""The action log of all games of this process: one thread commits whatever is waiting, then the next group."""

import asyncio
import threading
import time
from contextlib import suppress

import structlog

from arena.desk import work
from arena.errors import Unavailable
from arena.store.engine import Store
from arena.store.log import Entry

PAUSES = (0.05, 0.2, 0.5, 1.0)  # seconds between tries while the database is away; the last one again and again

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Late(Exception):
    """Another worker has taken the match over: what this one does counts no more."""


Waiting = tuple[Entry, asyncio.Future[None]]


class Journal:
    """Entries in, durable when `keep` returns; bots wait meanwhile, and their clocks stand still."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Waiting] = []
        self._stir = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    async def keep(self, entry: Entry) -> None:
        """Put an entry on record; raises Late if its attempt is not the current one any more."""
        kept: asyncio.Future[None] = self._loop.create_future()
        with self._stir:
            self._waiting.append((entry, kept))
            self._stir.notify()
        await kept

    async def close(self) -> None:
        """End the thread, once what is waiting is written or cannot be."""
        with self._stir:
            self._closed = True
            self._stir.notify()
        await asyncio.to_thread(self._thread.join)

    def _write(self) -> None:
        while group := self._next():
            late = self._committed([entry for entry, _ in group])
            with suppress(RuntimeError):  # the loop is gone, and with it everybody who waits
                self._loop.call_soon_threadsafe(_settle, group, late)

    def _next(self) -> list[Waiting]:
        """All that is waiting, as soon as there is something; empty at the end."""
        with self._stir:
            while not self._waiting and not self._closed:
                self._stir.wait()
            group, self._waiting = self._waiting, []
            return group

    def _committed(self, entries: list[Entry]) -> frozenset[tuple[str, int]] | None:
        """The attempts that are late; None if the process ends before the database is back."""
        tries = 0
        while True:
            try:
                return work.keep(self._store, entries)
            except Unavailable as error:
                log.warning("log not written", entries=len(entries), reason=str(error))
            if self._closed:
                return None
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1


def _settle(group: list[Waiting], late: frozenset[tuple[str, int]] | None) -> None:
    for entry, kept in group:
        if kept.done():
            continue
        if late is None or (entry.match_id, entry.attempt) in late:
            kept.set_exception(Late(entry.match_id))
        else:
            kept.set_result(None)
