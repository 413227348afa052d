"""`arena up` on free ports in a folder of its own, and everything that may be left of it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from tests.gateway.hosts import free_port

ROOT = Path(__file__).parents[2]
MARK = "ARENA_TEST_MARK"
BOT = """
import os, time
from arena.sdk import run
from bots import dice

def choose(view):
    time.sleep(float(os.environ.get("THINK", "0")))
    return dice.choose(view)

if __name__ == "__main__":
    run(choose)
"""


@dataclass(slots=True)
class House:
    """An arena in a folder: may be started, asked, hurt and stopped."""

    folder: Path
    options: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    web_port: int = field(default_factory=free_port)
    mark: str = field(default_factory=lambda: uuid4().hex)
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """Everything that the arena and its parts have said."""
        return (self.folder / "arena.log").read_text()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def _variables(self) -> dict[str, str]:
        return {**os.environ, "ARENA_SERVER": self.address, MARK: self.mark, **self.environment}

    def up(self) -> None:
        """Start the arena and wait until it is up."""
        ports = ("--port", str(self.port), "--web-port", str(self.web_port))
        command = [sys.executable, "-m", "arena.cli", "up", "--data", str(self.folder / "data"), *ports]
        before = self.log.count("arena is up") if (self.folder / "arena.log").exists() else 0
        with (self.folder / "arena.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *self.options], env=self._variables, cwd=ROOT, stdout=log, stderr=log
            )
        assert until(lambda: self.log.count("arena is up") > before or self.process_ended), self.log
        assert not self.process_ended, self.log

    @property
    def process_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self, patience: float = 60.0) -> int:
        """The exit code of the arena, once it has ended."""
        assert self.process is not None
        return self.process.wait(patience)

    def left(self) -> tuple[int, ...]:
        """Processes of this arena that are alive, those of its Redis included, the bots left out."""
        return tuple(pid for pid in _pids() if self._is_ours(pid))

    def _is_ours(self, pid: int) -> bool:
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            where = Path(f"/proc/{pid}/cwd").readlink()
        except OSError:
            return False
        return f"{MARK}={self.mark}".encode() in environment or where.is_relative_to(self.folder)

    def part(self, module: str) -> int:
        """The process that runs this module."""
        found = [
            pid for pid in self.left() if module.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        ]
        return found[0]

    def fall(self) -> None:
        """End the whole arena now, as a power cut would; the bots are elsewhere."""
        for pid in self.left():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    @contextmanager
    def bot(
        self, name: str, *options: str, think: float = 0.0, **environment: str
    ) -> Iterator[subprocess.Popen[bytes]]:
        """An author's bot as a process, gone after the block."""
        file = self.folder / f"{name}.py"
        file.write_text(BOT)
        variables = {**self._variables, MARK: "", "PYTHONPATH": str(ROOT), "THINK": str(think), **environment}
        command = [sys.executable, str(file), "--quiet", *options]
        with subprocess.Popen(command, env=variables) as process:
            try:
                yield process
            finally:
                process.kill()

    def cli(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """`arena ARGUMENTS`, to its end."""
        return subprocess.run(
            [sys.executable, "-m", "arena.cli", *arguments],
            env={**self._variables, "COLUMNS": "200", **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    def starts(self, *arguments: str) -> subprocess.Popen[str]:
        """`arena ARGUMENTS`, not waited for."""
        command = [sys.executable, "-m", "arena.cli", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=self._variables, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)

    def shown(self, name: str) -> Mapping[str, object]:
        """A tournament as the command line shows it."""
        found = self.cli("tournament", "show", name, "--json")
        assert found.returncode == 0, found.stderr
        shown: dict[str, object] = json.loads(found.stdout)
        return shown

    def met(self, *names: str) -> bool:
        """Whether these bots have connected at some time."""
        return all(f"bot={name} " in self.log for name in names)


@contextmanager
def house(folder: Path, *options: str, **environment: str) -> Iterator[House]:
    """An arena that is up; nothing of it is left after the block."""
    folder.mkdir(parents=True, exist_ok=True)
    found = House(folder, options, environment)
    try:
        found.up()
        yield found
    finally:
        found.fall()


def until(claim: Callable[[], bool], patience: float = 60.0) -> bool:
    """Whether the claim comes true before patience ends."""
    deadline = time.monotonic() + patience
    while not claim():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _pids() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
