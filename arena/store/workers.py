"""Referee workers and the counters by which one sees that they live."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, select, update

from arena.store import schema
from arena.store.ids import WorkerId


@dataclass(frozen=True, slots=True)
class Worker:
    """A referee process; its counter rises while its loop serves every open ask."""

    id: WorkerId
    name: str
    counter: int
    started_at: float
    stopped_at: float | None = None


def add_worker(tx: Connection, worker: Worker) -> None:
    """A worker that starts."""
    tx.execute(schema.worker.insert().values(asdict(worker)))


def beat(tx: Connection, worker_id: WorkerId) -> bool:
    """Raises the counter; False if the worker was declared stopped and must not go on."""
    row = schema.worker
    alive = (row.c.id == worker_id) & row.c.stopped_at.is_(None)
    return tx.execute(update(row).where(alive).values(counter=row.c.counter + 1)).rowcount == 1


def stop(tx: Connection, worker_id: WorkerId, *, at: float) -> bool:
    """True if the worker ran until now; it cannot claim or beat any more."""
    alive = (schema.worker.c.id == worker_id) & schema.worker.c.stopped_at.is_(None)
    return tx.execute(update(schema.worker).where(alive).values(stopped_at=at)).rowcount == 1


def workers_seen(tx: Connection) -> tuple[Worker, ...]:
    """The workers that have not stopped, with their counters; the sweeper compares them on its own clock."""
    rows = select(schema.worker).where(schema.worker.c.stopped_at.is_(None)).order_by(schema.worker.c.id)
    return tuple(Worker(*row) for row in tx.execute(rows))
