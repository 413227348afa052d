"""Who works here: workers by their names, their beats and their ends."""

import secrets
import socket

from arena.store import attempts, workers
from arena.store.engine import Store
from arena.store.ids import WorkerId
from arena.store.kinds import AttemptEnd
from arena.store.workers import Worker

ALONE = " alone"  # ends the name of a worker that plays one match under suspicion


def sign_on(store: Store, name: str, *, at: float) -> WorkerId:
    """Put a worker on record."""
    worker = WorkerId(f"w_{secrets.token_hex(6)}")
    with store.writing() as tx:
        workers.add_worker(tx, Worker(worker, name, 0, at))
    return worker


def sign_off(store: Store, worker: WorkerId, *, at: float) -> None:
    """Note that a worker has ended in good order."""
    with store.writing() as tx:
        workers.stop(tx, worker, at=at)


def beat(store: Store, worker: WorkerId) -> bool:
    """Raise the worker's counter; False if it was declared dead and must stop."""
    with store.writing() as tx:
        return workers.beat(tx, worker)


def is_running(store: Store, worker: WorkerId) -> bool:
    """Whether a worker is on record and was not declared stopped."""
    with store.reading() as tx:
        return any(one.id == worker for one in workers.workers_seen(tx))


def process_name(pid: int) -> str:
    """How the worker process with this id on this machine is called on record."""
    return f"{socket.gethostname()}-{pid}"


def alone_name(parent: str) -> str:
    """How a worker that plays one match under suspicion for the process `parent` is called on record."""
    return f"{parent}{ALONE}"


def parent_name(name: str) -> str | None:
    """The process for which a worker plays one match alone; None for an ordinary one."""
    return name.removesuffix(ALONE) if name.endswith(ALONE) else None


def lose_named(store: Store, name: str, *, at: float) -> int:
    """A worker process is gone, with those that played for it: how many matches they left behind."""
    with store.reading() as tx:
        gone = [one.id for one in workers.workers_seen(tx) if name in (one.name, parent_name(one.name))]
    return sum(lose(store, one, at=at) for one in gone)


def lose(store: Store, worker: WorkerId, *, at: float, cause: str = "") -> int:
    """A worker has ended without a word: how many matches it left behind, which others may take now.

    `cause` is said where somebody saw how the match that it played alone ended it.
    """
    with store.writing() as tx:
        workers.stop(tx, worker, at=at)
        lost = [one for one in attempts.orphaned(tx, (worker,)) if one.worker_id == worker]
        return sum(
            attempts.give_back(tx, one.match_id, attempt=one.number, at=at, outcome=AttemptEnd.LOST, cause=cause)
            for one in lost
        )
