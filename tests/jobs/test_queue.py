"""A batch is queued once, played once, and nothing else in the queue is ever run."""

import json
import pickle
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import redis
from rq import Queue

from arena.errors import BadInput, Unavailable
from arena.jobs.connection import connect
from arena.jobs.queue import FAILURE_TTL, JOB, QueueName, depth, enqueue, payload, refuse_unknown
from arena.jobs.worker import run_worker

Played = list[dict[str, object]]
LADDER = QueueName.LADDER


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """What the job function was called with; it stands in for the batch of the workers package."""
    calls: Played = []
    module = ModuleType("workers.batch")
    module.__dict__["play"] = lambda **call: calls.append(call)
    monkeypatch.setitem(sys.modules, "workers.batch", module)
    return calls


@pytest.fixture
def connection(redis_url: str) -> Iterator[redis.Redis]:
    with connect(redis_url) as connection:
        yield connection


@pytest.fixture
def witness(tmp_path: Path) -> Path:
    """A file that exists once foreign code has run."""
    return tmp_path / "ran"


def drain(connection: redis.Redis, *queues: QueueName) -> None:
    """Let one worker play all that waits."""
    run_worker(connection, queues or (LADDER,), name="test", burst=True)


def dead(connection: redis.Redis) -> list[str]:
    """The ids on the ladder's dead list."""
    return list(Queue(LADDER, connection=connection).failed_job_registry.get_job_ids())


def smuggle(connection: redis.Redis, message: bytes, **fields: str) -> None:
    """Put a job into the queue the way a foreign writer of our Redis would."""
    stored = {"origin": LADDER, "status": "queued", "created_at": "2026-01-01T00:00:00Z"} | fields
    connection.hset("rq:job:smuggled", "data", message, items=[part for pair in stored.items() for part in pair])
    connection.rpush(Queue(LADDER, connection=connection).key, "smuggled")


def call(function: str, *args: object, **kwargs: object) -> bytes:
    """A job's message in RQ's own form."""
    return zlib.compress(json.dumps([function, None, args, kwargs]).encode())


class Bomb:
    """Its pickle creates a file when it is loaded."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.file,)


def test_a_batch_is_played_exactly_once(connection: redis.Redis, played: Played) -> None:
    enqueue(connection, "b1", ["m1", "m2"], LADDER)
    drain(connection)
    drain(connection)
    assert played == [{"v": 2, "batch": "b1", "matches": ["m1", "m2"], "absent": [], "alone": False}]


def test_queueing_again_is_a_no_op(connection: redis.Redis, played: Played) -> None:
    assert [enqueue(connection, "b1", ["m1"], LADDER) for _ in range(2)] == [True, False]


def test_a_batch_queued_twice_is_played_once(connection: redis.Redis, played: Played) -> None:
    enqueue(connection, "b1", ["m1"], LADDER)
    enqueue(connection, "b1", ["m1"], LADDER)
    drain(connection)
    assert len(played) == 1


def test_depth_counts_what_waits_in_all_queues(connection: redis.Redis) -> None:
    for number, queue in enumerate(QueueName):
        enqueue(connection, f"b{number}", ["m"], queue)
    assert (depth(connection), depth(connection, [LADDER])) == (3, 1)


def test_a_worker_of_several_queues_takes_the_urgent_first(connection: redis.Redis, played: Played) -> None:
    for queue in reversed(QueueName):
        enqueue(connection, queue, ["m"], queue)
    drain(connection, *reversed(QueueName))
    assert [one["batch"] for one in played] == list(QueueName)


def test_a_worker_of_one_queue_leaves_the_others(connection: redis.Redis, played: Played) -> None:
    enqueue(connection, "b1", ["m1"], QueueName.ADMISSION)
    drain(connection)
    assert depth(connection) == 1


def test_a_played_batch_leaves_nothing_behind(connection: redis.Redis, played: Played) -> None:
    enqueue(connection, "b1", ["m1"], LADDER)
    drain(connection)
    assert not connection.exists("rq:job:batch-b1")


def test_a_batch_that_raises_is_on_the_dead_list_and_not_tried_again(connection: redis.Redis, played: Played) -> None:
    sys.modules["workers.batch"].__dict__["play"] = None
    enqueue(connection, "b1", ["m1"], LADDER)
    drain(connection)
    assert (dead(connection), depth(connection)) == (["batch-b1"], 0)


def test_the_dead_list_forgets_after_a_day(connection: redis.Redis, played: Played) -> None:
    smuggle(connection, call(JOB, v=2))
    drain(connection)
    assert 0 < connection.ttl("rq:job:smuggled") <= FAILURE_TTL


def test_our_payload_is_the_one_we_accept() -> None:
    refuse_unknown(payload("b1", ["m1", "m2"]))


@pytest.mark.parametrize(
    "message",
    [
        {"v": 2, "batch": "b", "matches": ["m"]},
        {"v": 1, "batch": "b", "matches": ["m"], "more": 1},
        {"v": 1, "batch": "b", "matches": [1]},
        {"v": 1, "batch": "b", "matches": "m"},
        {"v": 1, "batch": None, "matches": []},
        {},
        [],
        None,
    ],
    ids=repr,
)
def test_any_other_payload_is_refused(message: object) -> None:
    with pytest.raises(BadInput):
        refuse_unknown(message)


def test_a_payload_of_another_version_is_not_played_but_kept(connection: redis.Redis, played: Played) -> None:
    smuggle(connection, call(JOB, v=2, batch="b", matches=["m"]))
    drain(connection)
    assert (played, dead(connection)) == ([], ["smuggled"])


def test_no_pickle_is_ever_loaded(connection: redis.Redis, played: Played, witness: Path) -> None:
    bomb = pickle.dumps(Bomb(witness))
    connection.hset("rq:job:smuggled", mapping={"meta": bomb, "result": bomb})
    smuggle(connection, zlib.compress(bomb))
    drain(connection)
    assert (witness.exists(), dead(connection)) == (False, ["smuggled"])


@pytest.mark.parametrize("function", ["os.mkdir", "pathlib.Path.touch"])
def test_no_function_but_ours_is_ever_called(
    function: str, connection: redis.Redis, played: Played, witness: Path
) -> None:
    smuggle(connection, call(function, str(witness)))
    drain(connection)
    assert (witness.exists(), dead(connection)) == (False, ["smuggled"])


@pytest.mark.parametrize("moment", ["success", "failure"])
def test_no_callback_is_ever_called(
    moment: str, connection: redis.Redis, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[object] = []
    foreign = ModuleType("foreign")
    foreign.__dict__["code"] = lambda *args: called.append(args)
    monkeypatch.setitem(sys.modules, "foreign", foreign)
    version = 1 if moment == "success" else 2
    smuggle(connection, call(JOB, v=version, batch="b", matches=[]), **{f"{moment}_callback_name": "foreign.code"})
    drain(connection)
    assert called == []


@pytest.mark.parametrize("field", ["status", "created_at", "data"])
def test_a_damaged_job_ends_no_worker(field: str, connection: redis.Redis, played: Played) -> None:
    smuggle(connection, call(JOB))
    connection.hset("rq:job:smuggled", field, b"\xff\xfe")
    enqueue(connection, "b1", ["m1"], LADDER)
    drain(connection)
    assert len(played) == 1


@pytest.mark.parametrize("job_id", ["no such job", "unknown"])
def test_an_id_without_a_job_ends_no_worker(job_id: str, connection: redis.Redis, played: Played) -> None:
    connection.rpush(Queue(LADDER, connection=connection).key, job_id)
    enqueue(connection, "b1", ["m1"], LADDER)
    drain(connection)
    assert len(played) == 1


def test_a_full_redis_refuses_a_batch_in_its_own_words(connection: redis.Redis) -> None:
    connection.config_set("maxmemory", 1)
    try:
        with pytest.raises(Unavailable, match=r"127\.0\.0\.1:\d+ refuses: .*maxmemory"):
            enqueue(connection, "b1", ["m1"], LADDER)
    finally:
        connection.config_set("maxmemory", 0)
