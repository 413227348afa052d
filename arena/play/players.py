"""Who answers the referee in a local game: a function in this process, or a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from arena.contest.asking import Choose, asked
from arena.contest.reading import action_of
from arena.contest.referee import Ask, Moved, Reason, Reply, Silent
from arena.errors import BadInput
from arena.game.packing import view_to_bytes
from arena.play import child
from arena.play.frames import Closed, Garbled, receive, send
from arena.play.tail import Tail

PARTING = 2.0  # seconds that a process whose pipe is closed has to end


class Player(Protocol):
    """A seat's bot."""

    def begin(self, seed: bytes) -> Silent | None:
        """Get ready for a game; why not, if it cannot."""

    def answer(self, ask: Ask) -> Reply:
        """The reply to a question, within its limit."""

    def close(self) -> None:
        """Leave nothing behind."""


class HousePlayer:
    """A trusted bot in this process; it is asked and waited for."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def begin(self, seed: bytes) -> Silent | None:  # noqa: ARG002 - house bots throw their dice by the view
        """Always ready."""
        return None

    def answer(self, ask: Ask) -> Reply:
        """Its action and the time it took."""
        began = time.monotonic()
        action = asked(self._choose, ask.view, ask.clock)
        return Moved(action, time.monotonic() - began)

    def close(self) -> None:
        """Nothing to leave behind."""


class OwnPlayer:
    """Somebody's own file in a process of its own, killed when it overruns or breaks."""

    def __init__(self, spec: str, setup: float) -> None:
        self._spec = spec
        self._setup = setup
        self._process: subprocess.Popen[bytes] | None = None
        self._printed: Tail | None = None

    def begin(self, seed: bytes) -> Silent | None:
        """Start the process unless it runs, and hand it its own dice."""
        fault = self._start() if self._process is None else None
        if fault is None:
            fault = self._tried(lambda: send(self._to, child.SEED + seed))
        return fault

    def answer(self, ask: Ask) -> Reply:
        """Its action, or why there is none; the process is gone then."""
        if self._process is None:
            return Silent(Reason.CRASH, 0.0, "the process ended earlier")
        began = time.monotonic()
        clock = f"{ask.clock.limit} {ask.clock.left} {ask.clock.increment}"
        head = f"{ask.view.rules.name}\0{clock}\0"
        question = child.VIEW + head.encode() + view_to_bytes(ask.view)
        answer: list[bytes] = []

        def exchange() -> None:
            send(self._to, question)
            answer.append(receive(self._from, began + ask.clock.limit))

        fault = self._tried(exchange)
        took = time.monotonic() - began
        return fault if fault is not None else self._reply(answer[0], took)

    def close(self) -> None:
        """End the process and those it started, whatever they do."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            os.close(self._to)
            os.close(self._from)
            self._process = None

    def _start(self) -> Silent | None:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        heard, words = os.pipe()
        self._printed = Tail(heard)
        command = [
            sys.executable,
            "-m",
            "arena.play.child",
            self._spec,
            str(theirs_in),
            str(theirs_out),
            str(os.getpid()),
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=words,
            pass_fds=(theirs_in, theirs_out),
            process_group=0,
        )
        for end in (theirs_in, theirs_out, words):
            os.close(end)
        said: list[bytes] = []
        fault = self._tried(lambda: said.append(receive(self._from, time.monotonic() + self._setup)))
        if fault is None and said[0] != child.READY:
            self.close()
            return Silent(Reason.CRASH, 0.0, said[0][1:].decode(errors="replace"))
        return fault

    def _tried(self, exchange: Callable[[], None]) -> Silent | None:
        """Talk to the process; if that fails it is killed, and why is told."""
        began = time.monotonic()
        try:
            exchange()
        except TimeoutError:
            fault = Silent(Reason.TIME, time.monotonic() - began, "no answer in time")
        except Closed:
            fault = Silent(Reason.CRASH, time.monotonic() - began, self._last_words())
        except Garbled:
            fault = Silent(Reason.MALFORMED, time.monotonic() - began, "the answer is no frame")
        else:
            return None
        self.close()
        return fault

    def _last_words(self) -> str:
        if self._printed is None or self._process is None:
            return "the process ended"
        try:
            code = self._process.wait(PARTING)
        except subprocess.TimeoutExpired:
            return "the process closed its pipe"
        lines = self._printed.text(PARTING).strip().splitlines()
        return f"the process ended with code {code}" + (f": {lines[-1]}" if lines else "")

    def _reply(self, frame: bytes, took: float) -> Reply:
        kind, text = frame[:1], frame[1:].decode(errors="replace")
        if kind == child.FAILED:
            return Silent(Reason.CRASH, took, text)
        try:
            return Moved(action_of(text), took)
        except BadInput as error:
            return Silent(Reason.MALFORMED, took, str(error))
