"""Matches that may end their worker: each in a process that plays nothing else, watched by a thread of this one."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Self

import structlog

from arena.desk import staff
from arena.errors import ArenaError
from arena.store.ids import WorkerId
from workers.tools import Tools

AT_ONCE = 2  # suspects in play
LOOK = 5.0  # seconds between two looks whether one was declared dead

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Suspects:
    """Plays them while the block runs; at its end those in play are handed over."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._free = threading.Semaphore(AT_ONCE)
        self._running: dict[threading.Thread, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in tuple(self._running.values()):
            process.terminate()
        for thread in tuple(self._running):
            thread.join()

    def play(self, batch: str, match: str, absent: Sequence[str]) -> None:
        """Start a match in a process of its own, once there is room for it."""
        self._free.acquire()
        began = threading.Event()
        threading.Thread(target=self._watch, args=(batch, match, absent, began), name=f"suspect {match}").start()
        began.wait()

    def _watch(self, batch: str, match: str, absent: Sequence[str], began: threading.Event) -> None:
        """The process ends with the thread that started it, hence this thread waits for it."""
        try:
            worker = staff.sign_on(self._tools.store, staff.alone_name(self._tools.name), at=time.time())
            job = json.dumps({"worker": worker, "batch": batch, "match": match, "absent": list(absent)})
            log.info("match under suspicion plays alone", match=match)
            process = subprocess.Popen([sys.executable, "-m", "workers.alone"], stdin=subprocess.PIPE)
            self._running[threading.current_thread()] = process
            began.set()
            _tell(process, job)
            while (code := _exit_code(process)) is None:
                if not staff.is_running(self._tools.store, WorkerId(worker)):
                    process.kill()  # it hung, and its match was taken back
            if code:
                cause = ending(code)
                log.error("match ended its worker", match=match, cause=cause)
                staff.lose(self._tools.store, WorkerId(worker), at=time.time(), cause=cause)
        except ArenaError as error:  # the sweeper finds the worker's counter standing still
            log.warning("suspect not watched to its end", match=match, reason=str(error))
        finally:
            self._running.pop(threading.current_thread(), None)
            began.set()
            self._free.release()


def _tell(process: subprocess.Popen[bytes], job: str) -> None:
    """Hand a process its job; one that ended before shows that by its exit code."""
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(job.encode())


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(LOOK)
    except subprocess.TimeoutExpired:
        return None


def ending(code: int) -> str:
    """What an exit code says of how a worker ended."""
    if code >= 0:
        return f"its worker ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"its worker was ended by signal {name}"


SUSPECTS: ContextVar[Suspects] = ContextVar("suspects")
