"""A Redis we accept: it answers, is 6.2 or newer, and never drops what it was given."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from arena.errors import BadInput, Unavailable
from arena.jobs.server import OLDEST

PATIENCE = 5.0  # seconds for one answer, before it is asked again


def connect(url: str) -> redis.Redis:
    """A client of the Redis at `url`, whose server was asked and found fit."""
    client = _client(url)
    try:
        with answering(client):
            refuse_unfit(client.info(), where=place(client))
    except Unavailable:
        client.close()
        raise
    return client


def aof_advice(connection: redis.Redis) -> str | None:
    """What to tell the operator of a server that forgets its queues in a crash, or nothing."""
    with answering(connection):
        if connection.info("persistence").get("aof_enabled"):
            return None
    return (
        f"Redis at {place(connection)} keeps no append-only file: after a crash its queues are refilled from the "
        "database, which takes a while; run: CONFIG SET appendonly yes"
    )


def refuse_unfit(info: Mapping[str, object], *, where: str) -> None:
    """Raise Unavailable if the server's INFO shows a version or a policy that we cannot work with."""
    version = str(info.get("redis_version", "unknown"))
    if tuple(int(part) for part in version.split(".")[:2] if part.isdecimal()) < OLDEST:
        raise Unavailable(
            f"Redis at {where} is version {version}, we need 6.2 or newer; upgrade it or set another redis_url"
        )
    policy = str(info.get("maxmemory_policy", "unknown"))
    if policy != "noeviction":
        raise Unavailable(
            f"Redis at {where} has maxmemory-policy {policy} and may silently drop queued matches; "
            "run: CONFIG SET maxmemory-policy noeviction, and set it in the server's configuration too"
        )


@contextmanager
def answering(connection: redis.Redis) -> Iterator[None]:
    """Inside, what Redis refuses or leaves unanswered is Unavailable, with its own words."""
    try:
        yield
    except redis.AuthenticationError as refusal:
        raise Unavailable(
            f"Redis at {place(connection)} refuses our password ({refusal}); correct redis_url"
        ) from refusal
    except (redis.ConnectionError, redis.TimeoutError) as silence:
        raise Unavailable(
            f"Redis at {place(connection)} does not answer ({silence}); start it, or correct redis_url"
        ) from silence
    except redis.ResponseError as refusal:
        raise Unavailable(
            f"Redis at {place(connection)} refuses: {refusal}; try again once that is put right"
        ) from refusal


def place(connection: redis.Redis) -> str:
    """Where the server is, as host:port or socket path: what may be shown of its address."""
    known = connection.connection_pool.connection_kwargs
    return str(known["path"]) if "path" in known else f"{known.get('host', 'localhost')}:{known.get('port', 6379)}"


def _client(url: str) -> redis.Redis:
    again = Retry(ExponentialBackoff(cap=0.5, base=0.05), retries=3)
    try:
        return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=again)
    except ValueError:  # its text may quote a piece of the password
        raise BadInput("redis_url is no Redis address; write it as redis://:PASSWORD@HOST:PORT/0") from None
