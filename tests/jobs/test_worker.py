"""A worker process ends its batch before it goes, and outlives its Redis."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from arena.jobs.connection import connect
from arena.jobs.queue import QueueName, depth, enqueue
from arena.jobs.server import Server, start_server
from tests.redis_service import until

LADDER = QueueName.LADDER
# A worker whose batches write when they start, and end when the test allows it.
PROGRAM = """
import pathlib, sys, time, types
from arena.jobs.connection import connect
from arena.jobs.queue import QueueName
from arena.jobs.worker import run_worker

place = pathlib.Path(sys.argv[2])

def play(v, batch, matches, absent, alone):
    (place / f"{batch}.started").touch()
    while not (place / "go").exists():
        time.sleep(0.01)
    (place / f"{batch}.ended").touch()

sys.modules["workers.batch"] = types.ModuleType("workers.batch")
sys.modules["workers.batch"].play = play
run_worker(connect(sys.argv[1]), [QueueName.LADDER], name="w")
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with start_server(tmp_path / "redis") as server:
        yield server


@contextmanager
def worker(url: str, place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process; it is gone when the block ends."""
    command = [sys.executable, "-u", "-c", PROGRAM, url, str(place)]
    with (place / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            yield process
        finally:
            process.kill()


def says(place: Path, words: str) -> bool:
    """Whether the worker's log has come to that."""
    return words in (place / "log").read_text()


def queue(url: str, *batches: str) -> None:
    with connect(url) as connection:
        for batch in batches:
            enqueue(connection, batch, ["m"], LADDER)


def waiting(url: str) -> int:
    with connect(url) as connection:
        return depth(connection)


def test_a_signal_lets_the_running_batch_end(redis_url: str, tmp_path: Path) -> None:
    queue(redis_url, "b1", "b2")
    with worker(redis_url, tmp_path) as process:
        assert until((tmp_path / "b1.started").exists)
        process.send_signal(signal.SIGTERM)
        (tmp_path / "go").touch()
        assert process.wait(30) == 0
    assert ((tmp_path / "b1.ended").exists(), waiting(redis_url)) == (True, 1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_idle_worker_goes_at_once(
    number: signal.Signals, redis_url: str, redis_client: redis.Redis, tmp_path: Path
) -> None:
    with worker(redis_url, tmp_path) as process:
        assert until(lambda: is_idle(redis_client))
        process.send_signal(number)
        assert process.wait(30) == 0


def is_idle(client: redis.Redis) -> bool:
    """Whether the worker waits for a job."""
    return any(client.hget(name, "state") in (b"idle", "idle") for name in client.smembers("rq:workers:ladder"))


def test_a_killed_redis_costs_no_worker(server: Server, tmp_path: Path) -> None:
    queue(server.url, "b1")
    with worker(server.url, tmp_path) as process:
        assert until((tmp_path / "b1.started").exists)
        server.process.kill()
        server.process.wait()
        (tmp_path / "go").touch()
        assert until(lambda: says(tmp_path, "lost its Redis"))
        with start_server(tmp_path / "redis", port=server.port, password=server.password):
            queue(server.url, "b2")
            assert until((tmp_path / "b2.ended").exists)
        assert process.poll() is None


def test_a_lost_redis_is_told_in_lines_not_in_tracebacks(server: Server, tmp_path: Path) -> None:
    queue(server.url, "b1")
    with worker(server.url, tmp_path):
        assert until((tmp_path / "b1.started").exists)
        server.stop()
        (tmp_path / "go").touch()
        assert until(lambda: says(tmp_path, "Redis was not told"))
    assert not says(tmp_path, "Traceback")


def test_a_worker_without_redis_still_obeys_a_signal(server: Server, tmp_path: Path) -> None:
    queue(server.url, "b1")
    with worker(server.url, tmp_path) as process:
        assert until((tmp_path / "b1.started").exists)
        server.stop()
        process.send_signal(signal.SIGTERM)
        (tmp_path / "go").touch()
        assert process.wait(60) == 0
    assert (tmp_path / "b1.ended").exists()
