"""What can go wrong on one machine, done on purpose: each returns when the arena is seen to go on."""

import os
import signal
import sqlite3
import time
from collections.abc import Collection, Mapping
from contextlib import closing

import redis

from arena.jobs.queue import QueueName, enqueue
from tests.chaos.field import Field

Attempts = Collection[tuple[str, int]]
REDIS = b"valkey-server"


def kill_worker(field: Field) -> float:
    """kill -9 of a worker that referees; recovered when others have all its matches."""
    pid, attempts = _busy(field)
    os.kill(pid, signal.SIGKILL)
    return _until_taken_over(field, attempts, time.monotonic())


def freeze_worker(field: Field) -> float:
    """A worker stands still for 20 s and then wakes up as a zombie."""
    pid, attempts = _busy(field)
    _stop(field, pid)
    began = time.monotonic()
    took = _until_taken_over(field, attempts, began)
    time.sleep(max(0.0, began + 20.0 - time.monotonic()))
    os.kill(pid, signal.SIGCONT)
    field.goes_on("a frozen worker woke up")
    return took


def kill_gateway(field: Field) -> float:
    """kill -9 of the gateway with all its streams."""
    pid = field.pid(b"arena.gateway")
    os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    field.require(lambda: pid not in (now := field.pids(b"arena.gateway")) and bool(now), "another gateway ran")
    field.goes_on("the gateway was killed")
    return time.monotonic() - began


def freeze_gateway(field: Field) -> float:
    """The gateway stands still for 20 s: bots and workers notice, clocks do not."""
    return _frozen(field, field.pid(b"arena.gateway"), 20.0)


def kill_redis(field: Field) -> float:
    """kill -9 of Redis."""
    pid = field.pid(REDIS)
    os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    field.require(lambda: pid not in (now := field.pids(REDIS)) and bool(now), "another Redis ran")
    field.goes_on("Redis was killed")
    return time.monotonic() - began


def freeze_redis(field: Field) -> float:
    """Redis stands still for 30 s."""
    return _frozen(field, field.pid(REDIS), 30.0)


def empty_redis(field: Field) -> float:
    """Redis forgets everything: queues, lobby, counters."""
    with redis_of(field) as client:
        client.flushall()
    began = time.monotonic()
    field.goes_on("Redis was emptied")
    return time.monotonic() - began


def fill_redis(field: Field) -> float:
    """Redis refuses every write for 10 s."""
    with redis_of(field) as client:
        client.config_set("maxmemory", 1)
        time.sleep(10.0)
        client.config_set("maxmemory", 0)
    began = time.monotonic()
    field.goes_on("Redis was full")
    return time.monotonic() - began


def repeat_job(field: Field) -> float:
    """The matches in play, and those finished, are delivered once more in another batch."""
    attempts = [match for held in field.held().values() for match, _ in held]
    with redis_of(field) as client:
        enqueue(client, f"again{field.dice.getrandbits(64):x}", [*attempts, "cup0-0000"], QueueName.TOURNAMENT)
    began = time.monotonic()
    field.goes_on("matches were delivered twice")
    return time.monotonic() - began


def lock_database(field: Field) -> float:
    """Somebody else holds the database's write lock for 10 s."""
    path = field.home.folder / "data" / "arena.db"
    with closing(sqlite3.connect(path, timeout=30, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        time.sleep(10.0)
        database.execute("ROLLBACK")
    began = time.monotonic()
    field.goes_on("the database was locked")
    return time.monotonic() - began


def _busy(field: Field) -> tuple[int, Attempts]:
    """A random worker that referees now, and what it holds."""
    held: Mapping[int, Attempts] = {}

    def somebody_is() -> bool:
        nonlocal held
        field.play()  # the last tournament may have ended just now
        alive = field.workers()
        held = {pid: attempts for pid, attempts in field.held().items() if pid in alive}
        return bool(held)

    field.require(somebody_is, "a worker had matches")
    return field.dice.choice(sorted(held.items()))


def _until_taken_over(field: Field, attempts: Attempts, began: float) -> float:
    field.require(lambda: field.are_taken_over(attempts), f"{len(attempts)} matches of a lost worker were taken over")
    return time.monotonic() - began


def _frozen(field: Field, pid: int, seconds: float) -> float:
    _stop(field, pid)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)
    began = time.monotonic()
    field.goes_on("a process was frozen")
    return time.monotonic() - began


def _stop(field: Field, pid: int) -> None:
    """Freeze a process outside a write to SQLite, in which it would hold everybody up (docs/operations.md)."""
    path = field.home.folder / "data" / "arena.db"
    while True:
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.1)
        try:
            with closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as database:
                database.execute("BEGIN IMMEDIATE")
                database.execute("ROLLBACK")
                return
        except sqlite3.OperationalError:
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.1)


def redis_of(field: Field) -> redis.Redis:
    """Redis as the gateway reaches it."""
    environment = open(f"/proc/{field.pid(b'arena.gateway')}/environ", "rb").read().split(b"\0")  # noqa: SIM115
    url = next(one.partition(b"=")[2].decode() for one in environment if one.startswith(b"ARENA_REDIS_URL="))
    return redis.Redis.from_url(url)
