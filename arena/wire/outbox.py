"""What one stream has still to say: many puts become few messages, written by the one task that owns the stream."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from google.protobuf.message import Message

M = TypeVar("M", bound=Message)
SPLIT = 48 * 1024  # bytes of one message, below the limit of a message


class Outbox(Generic[M]):
    """A bounded queue that merges what is put into it while the writer is busy."""

    def __init__(self, empty: Callable[[], M], most: int = 64) -> None:
        self._empty = empty
        self._most = most
        self._pending: deque[M] = deque()
        self._size = 0  # bytes of the last pending message
        self._wake = asyncio.Event()
        self._closed = False

    def put(self, part: M) -> bool:
        """Queue a part; False, and nothing queued, when the peer reads too slowly or the stream is closed."""
        if self._closed or len(self._pending) >= self._most:
            return False
        size = part.ByteSize()
        if not self._pending or self._size + size > SPLIT:
            self._pending.append(self._empty())
            self._size = 0
        self._pending[-1].MergeFrom(part)
        self._size += size
        self._wake.set()
        return True

    def close(self) -> None:
        """Let the writer end once everything pending is written."""
        self._closed = True
        self._wake.set()

    async def next(self) -> M | None:
        """The next message to write; None when closed and empty."""
        while not self._pending:
            if self._closed:
                return None
            self._wake.clear()
            await self._wake.wait()
        return self._pending.popleft()
