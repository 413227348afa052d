"""Batches of matches waiting for a worker: the queues carry ids, the database says what they mean."""

from collections.abc import Collection, Sequence
from enum import StrEnum

import redis
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from arena.errors import BadInput
from arena.jobs.connection import answering

JOB = "workers.batch.play"  # stored with every job, hence a public name
VERSION = 2
JOB_TIMEOUT = 6 * 3600  # far beyond any batch: deadlines are the referee's, an alarm would only tear a batch apart
FAILURE_TTL = 24 * 3600


class QueueName(StrEnum):
    """The queues, most urgent first."""

    ADMISSION = "admission"
    TOURNAMENT = "tournament"
    LADDER = "ladder"


def enqueue(
    connection: redis.Redis,
    batch_id: str,
    match_ids: Sequence[str],
    queue: QueueName,
    *,
    absent: Sequence[str] = (),
    alone: bool = False,
) -> bool:
    """Queue these matches as one batch; False if a batch of that id is still known, which makes a retry safe.

    `absent` names the bots whose no-show limit is over: their seats are forfeited if they still are not there.
    `alone` is for matches under suspicion: they are played in a process of their own.
    """
    line = Queue(queue, connection=connection, serializer=JSONSerializer)
    job_id = f"batch-{batch_id}"
    try:
        with answering(connection):
            line.enqueue_call(
                JOB,
                kwargs=payload(batch_id, match_ids, absent, alone=alone),
                timeout=JOB_TIMEOUT,
                result_ttl=0,
                failure_ttl=FAILURE_TTL,
                description=job_id,
                job_id=job_id,
                unique=True,
            )
    except DuplicateJobError:
        return False
    return True


def depth(connection: redis.Redis, queues: Collection[QueueName] = tuple(QueueName)) -> int:
    """How many batches wait in these queues."""
    with answering(connection), connection.pipeline() as pipeline:
        for queue in queues:
            pipeline.llen(Queue(queue, connection=connection).key)
        return sum(pipeline.execute())


def payload(
    batch_id: str, match_ids: Sequence[str], absent: Sequence[str] = (), *, alone: bool = False
) -> dict[str, object]:
    """The arguments of a job: the whole message from us to a worker."""
    return {"v": VERSION, "batch": batch_id, "matches": list(match_ids), "absent": list(absent), "alone": alone}


def refuse_unknown(message: object) -> None:
    """Raise BadInput unless the message is one that `payload` of this version writes."""
    match message:
        case {
            "v": version,
            "batch": str(),
            "matches": [*ids],
            "absent": [*bots],
            "alone": bool(),
            **rest,
        } if version == VERSION:
            if not rest and all(isinstance(one, str) for one in (*ids, *bots)):
                return
        case {"v": version} if version != VERSION:
            raise BadInput(
                f"a batch in payload version {version!r}, this worker plays {VERSION}; upgrade the older one"
            )
    raise BadInput("a job that is no batch of matches; something else writes into our Redis")
