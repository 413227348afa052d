"""A process that takes batches from a queue, one after the other, and accepts nothing else from Redis."""

import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Event

import redis
import structlog
from rq import Queue, SimpleWorker
from rq.connections import get_connection_kwargs
from rq.exceptions import NoSuchJobError, StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from arena.errors import BadInput
from arena.jobs.queue import FAILURE_TTL, JOB, JOB_TIMEOUT, QueueName, refuse_unknown

WORKER_TTL = 30  # an idle worker waits half of it for a job, then says that it lives
MAINTENANCE = 30
PAUSE = 2.0  # seconds before a worker that lost its Redis starts again
FIELDS = frozenset(
    (b"data", b"origin", b"status", b"created_at", b"enqueued_at", b"started_at", b"ended_at", b"worker_name")
)

log: structlog.stdlib.BoundLogger = structlog.get_logger()


def run_worker(connection: redis.Redis, queues: Sequence[QueueName], *, name: str, burst: bool = False) -> None:
    """Play batches in this process until SIGTERM or SIGINT, or with `burst` until the queues are empty.

    A signal lets the running batch end; a lost Redis is waited for. Call it from the main thread, with one queue:
    a worker of several loses the batch it just took when it is killed, and the sweeper has to issue it again.
    """
    asked = Event()
    with _signals_restored(), _own_client(connection) as client, suppress(StopRequested):
        while not asked.is_set():
            _serve(client, queues, name=name, burst=burst, asked=asked)
            if burst or asked.is_set():
                return
            time.sleep(PAUSE)


def _serve(client: redis.Redis, queues: Sequence[QueueName], *, name: str, burst: bool, asked: Event) -> None:
    """One life of an RQ worker; its name is new each time, as a dead one's name stays taken for a while."""
    try:
        worker = _Worker(
            sorted(queues, key=list(QueueName).index),
            name=f"{name}-{token_hex(4)}",
            connection=client,
            job_class=_Batch,
            serializer=JSONSerializer,
            worker_ttl=WORKER_TTL,
            maintenance_interval=MAINTENANCE,
            log_job_description=False,
        )
        worker.asked = asked
        worker.work(burst=burst, logging_level="WARNING")
    except redis.RedisError as lost:
        log.warning("worker lost its Redis", worker=name, reason=str(lost))


class _Batch(Job):
    """A job as we accept it: one known function, checked arguments, and none of RQ's callbacks or webhooks."""

    @classmethod
    def fetch(cls, id: str, connection: redis.Redis | None = None, serializer: object = None) -> Job:  # noqa: A002
        """The stored job; one that cannot even be read counts as gone, so that it ends no worker."""
        try:
            return super().fetch(id, connection=connection, serializer=serializer)
        except (ValueError, TypeError, KeyError, redis.ResponseError) as damage:
            log.warning("damaged job dropped", job=id, reason=str(damage))
            raise NoSuchJobError(id) from damage

    def restore(self, raw_data: Mapping[bytes, bytes]) -> None:
        """Read what `enqueue` wrote and leave out what only a stranger would write."""
        super().restore({key: value for key, value in raw_data.items() if key in FIELDS})
        self.timeout, self.result_ttl, self.failure_ttl = JOB_TIMEOUT, 0, FAILURE_TTL

    def perform(self) -> object:
        """Play the batch; a refusal here puts the job into RQ's failed jobs."""
        if (self.func_name, self.instance, self.args) != (JOB, None, []):
            raise BadInput(f"a job that calls {self.func_name!r}, but this worker only plays batches")
        refuse_unknown(self.kwargs)
        return super().perform()


class _Worker(SimpleWorker):
    """RQ's worker without remote commands, and with signals that leave Redis alone."""

    log_result_lifespan = False
    max_connection_wait_time = 5.0
    asked: Event

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run the job; if Redis is lost meanwhile, end this worker without RQ's long report."""
        try:
            super().execute_job(job, queue)
        except redis.RedisError as lost:
            log.warning("batch ended, Redis was not told", job=job.id, reason=str(lost))
            raise StopRequested from lost

    def check_for_suspension(self, burst: bool) -> None:  # noqa: FBT001 (RQ's signature)
        """RQ asks this before each job: the place for a signal that came between two workers' lives."""
        if self.asked.is_set():
            raise StopRequested
        super().check_for_suspension(burst)

    def subscribe(self) -> None:
        """No channel: it would cost a thread and a connection and let a writer of our Redis stop workers."""

    def set_shutdown_requested_date(self) -> None:
        """Not written: in a signal handler a lost Redis would tear the running batch apart."""

    def handle_warm_shutdown_request(self) -> None:
        self.asked.set()


@contextmanager
def _own_client(connection: redis.Redis) -> Iterator[redis.Redis]:
    """A client to the same server with a pool of its own, as RQ changes the time-outs of the one it gets."""
    kind = connection.connection_pool.connection_class
    pool = redis.ConnectionPool(connection_class=kind, **get_connection_kwargs(connection))
    try:
        yield redis.Redis(connection_pool=pool)
    finally:
        pool.disconnect()


@contextmanager
def _signals_restored() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
