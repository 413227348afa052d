"""The closed sets that the database enforces; why a seat forfeits is the referee's `Reason`."""

from enum import StrEnum


class Role(StrEnum):
    """What a token allows."""

    OWNER = "owner"
    ORGANISER = "organiser"
    OPERATOR = "operator"
    WORKER = "worker"


class TournamentState(StrEnum):
    """Only a running tournament hands out matches; finished and cancelled are for good."""

    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchState(StrEnum):
    """Pending waits for a batch, queued for a worker; finished and cancelled are for good."""

    PENDING = "pending"
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class AttemptEnd(StrEnum):
    """How an attempt ended: played out, worker gone, handed back in a drain, or cannot go on."""

    DONE = "done"
    LOST = "lost"
    RETURNED = "returned"
    VOID = "void"


class VoidReason(StrEnum):
    """The platform's fault or an operator's decision, never a result."""

    PLATFORM = "PLATFORM"
    ADMIN = "ADMIN"


class Deed(StrEnum):
    """What an operator did, as the audit log has it."""

    VOID = "void"
    RERUN = "rerun"
    RELEASE = "release"
    RESOLVE = "resolve"
    BAN = "ban"
    PARDON = "pardon"
    PAUSE = "pause"
    RESUME = "resume"
    DRAIN = "drain"
