"""The last words of a process: all it prints is read, little of it is kept."""

import os
from threading import Thread

KEPT = 64 * 1024  # bytes
PIECE = 16 * 1024  # bytes read at once


class Tail:
    """Reads a pipe in a thread of its own until all its writers are gone; closes it then."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._end = b""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def text(self, patience: float) -> str:
        """The last 64 KiB printed; waits so many seconds for the writers to be gone."""
        self._reader.join(patience)
        return self._end.decode(errors="replace")

    def _read(self) -> None:
        while piece := os.read(self._source, PIECE):
            self._end = (self._end + piece)[-KEPT:]
        os.close(self._source)
