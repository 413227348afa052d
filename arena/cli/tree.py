"""The processes of one arena on one machine: started together, brought back when they fall, drained in order."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from arena.errors import Unavailable
from arena.jobs import leash

NAMED_ERROR = 3  # exit code of a part that said what is wrong: no use starting it again
PAUSE = 1.0  # seconds before a fallen part is started again


@dataclass(slots=True)
class Part:
    """A process of the tree; `patience` is how many seconds it gets to end after a polite signal."""

    name: str
    module: str
    environment: Mapping[str, str] = field(repr=False)
    patience: float
    arguments: Sequence[str] = ()
    process: subprocess.Popen[bytes] | None = None
    fallen_at: float = 0.0

    @property
    def runs(self) -> bool:
        """Whether the process is alive."""
        return self.process is not None and self.process.poll() is None


class Tree:
    """Parts in the order in which they start; they stop in the reverse order. They log to `log`, or to stderr."""

    def __init__(self, parts: Sequence[Part], log: Path | None = None) -> None:
        self._parts = tuple(parts)
        self._log = log

    def start(self) -> None:
        """Start every part."""
        for part in self._parts:
            self._spawn(part)

    def mend(self, say: Callable[[str], None], fell: Callable[[Part], None]) -> None:
        """Bring back what has fallen, and tell of it; raises Unavailable when a part cannot run at all."""
        for part in self._parts:
            if part.runs:
                part.fallen_at = 0.0
            elif part.process is not None and part.process.returncode == NAMED_ERROR:
                raise Unavailable(f"the {part.name} cannot run; its last log line says why")
            elif not part.fallen_at:
                part.fallen_at = time.monotonic()
                say(f"{part.name} ended with code {part.process.returncode if part.process else '?'}; starting again")
                fell(part)
            elif time.monotonic() - part.fallen_at >= PAUSE:
                self._spawn(part)

    def _spawn(self, part: Part) -> None:
        """On a leash, and out of reach of the terminal's Ctrl-C, which is for us."""
        command = [sys.executable, "-I", "-S", str(Path(leash.__file__)), str(os.getpid())]
        with ExitStack() as stack:
            log = stack.enter_context(self._log.open("ab")) if self._log else None
            part.process = subprocess.Popen(
                [*command, sys.executable, "-m", part.module, *part.arguments],
                env={**os.environ, **part.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
            )

    def drain(self) -> None:
        """End every part in good order, last started first, one kind at a time; who does not end is killed."""
        for _, kind in groupby(reversed(self._parts), key=lambda part: part.module):
            leaving = [part for part in kind if part.runs]
            for part in leaving:
                if part.process is not None:
                    part.process.terminate()
            for part in leaving:
                if part.process is not None:
                    _await_end(part.process, part.patience)

    def kill(self) -> None:
        """End every part now."""
        for part in self._parts:
            if part.process is not None:
                part.process.kill()
                part.process.wait()


def _await_end(process: subprocess.Popen[bytes], patience: float) -> None:
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
