"""One whole arena on this machine, as a block: embedded Redis, database, gateway, workers and web page."""

import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from arena.cli.folders import made
from arena.cli.tree import Part, Tree
from arena.config.settings import Settings, refuse_unsafe
from arena.desk import access, staff
from arena.errors import ArenaError, Conflict, Unavailable
from arena.jobs.connection import connect
from arena.jobs.server import Server, start_server
from arena.store.engine import Store
from arena.store.kinds import Role
from arena.store.migration import migrate
from arena.wire.channel import open_plain_channel

HOUSE = "arena"  # the owner of our own workers
START = 30.0  # seconds for the gateway to answer
WORKERS = "workers"  # the module of a worker process
DRAIN = 40.0  # seconds for open matches of a worker


@dataclass(slots=True)
class House:
    """A running arena; `mend` brings back what has fallen."""

    chosen: Settings
    tree: Tree
    store: Store
    redis_url: str = field(repr=False)
    embedded: Server | None = None

    @property
    def gateway(self) -> str:
        """host:port of the gateway, as this machine reaches it."""
        return f"{self.chosen.near}:{self.chosen.port}"

    @property
    def page(self) -> str:
        """Address of the web page."""
        return f"http://{self.chosen.web_host}:{self.chosen.web_port}/"

    def mend(self, say: Callable[[str], None]) -> None:
        """Bring back parts that have fallen, Redis included."""
        if self.embedded is not None and self.embedded.process.poll() is not None:
            say("Redis ended; starting it again on its data")
            lost = self.embedded
            self.embedded = start_server(self.chosen.data / "redis", port=lost.port, password=lost.password)
        self.tree.mend(say, self._fell)

    def _fell(self, part: Part) -> None:
        """A worker has ended: others take its matches now, not only when it has been silent for long."""
        if part.module == WORKERS and part.process is not None:
            with suppress(ArenaError):  # then the sweeper finds them
                staff.lose_named(self.store, staff.process_name(part.process.pid), at=time.time())


@contextmanager
def running(chosen: Settings, say: Callable[[str], None], log: Path | None = None) -> Iterator[House]:
    """An arena that serves while the block runs; its parts log to `log`, or to stderr.

    Raises a named error if it cannot start.
    """
    refuse_unsafe(chosen)
    made(chosen.data)
    with ExitStack() as stack:
        store = stack.enter_context(Store.open(chosen.database))
        migrate(store)
        server = None if chosen.redis_url else stack.enter_context(start_server(chosen.data / "redis"))
        url = server.url if server else str(chosen.redis_url and chosen.redis_url.get_secret_value())
        connect(url).close()
        token = stack.enter_context(_worker_token(store)) if chosen.tokens else ""
        house = House(chosen, Tree(_parts(chosen, url, token), log), store, url, server)
        stack.callback(_stop_redis, house)
        stack.callback(house.tree.kill)
        house.tree.start()
        _await_gateway(house, say)
        yield house
        house.tree.drain()


def _stop_redis(house: House) -> None:
    if house.embedded is not None:
        house.embedded.stop()


@contextmanager
def _worker_token(store: Store) -> Iterator[str]:
    """A token for our own workers, valid while they run."""
    with suppress(Conflict):
        access.add_owner(store, HOUSE, at=time.time())
    issued = access.new_token(store, HOUSE, Role.WORKER, at=time.time())
    try:
        yield issued.secret
    finally:
        access.revoke(store, issued.id, at=time.time())


def _parts(chosen: Settings, redis_url: str, token: str) -> list[Part]:
    common = _environment(chosen, redis_url)
    parts = [Part("gateway", "arena.gateway", common, patience=10.0)]
    parts += [Part("web page", "arena.web", common, patience=5.0)]
    for number in range(chosen.workers):
        environment = {**common, "ARENA_TOKEN": token}
        parts.append(Part(f"worker {number + 1}", WORKERS, environment, patience=DRAIN))
    return parts


def _environment(chosen: Settings, redis_url: str) -> Mapping[str, str]:
    """The settings as the parts read them; secrets travel here and nowhere else."""
    given: dict[str, object] = {
        "DATA": chosen.data.absolute(),
        "DATABASE_URL": chosen.database,
        "REDIS_URL": redis_url,
        "HOST": chosen.host,
        "PORT": chosen.port,
        "RELAY": chosen.relay,
        "WEB_HOST": chosen.web_host,
        "WEB_PORT": chosen.web_port,
        "TOKENS": "1" if chosen.tokens else "0",
        "TLS_CERT": chosen.tls_cert,
        "TLS_KEY": chosen.tls_key,
        "CA": chosen.ca,
        "GRACE": chosen.grace,
        "ALLOWANCE": chosen.allowance,
    }
    return {f"ARENA_{name}": str(value) for name, value in given.items() if value not in (None, "")}


def _await_gateway(house: House, say: Callable[[str], None]) -> None:
    deadline = time.monotonic() + START
    with open_plain_channel(house.gateway, house.chosen.ca) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        while True:
            house.mend(say)
            try:
                check(health_pb2.HealthCheckRequest(), timeout=0.5)
            except grpc.RpcError as error:
                if time.monotonic() > deadline:
                    raise Unavailable(
                        f"the gateway at {house.gateway} did not come up: {error.code().name}"
                    ) from None
                time.sleep(0.1)
            else:
                return


def until_told(house: House, say: Callable[[str], None]) -> None:
    """Keep the arena whole until Ctrl-C or SIGTERM; a second signal ends everything at once."""
    told: list[int] = []

    def note(number: int, _: object) -> None:
        told.append(number)
        if len(told) == 1:
            say("stopping: open games are finished first; Ctrl-C again stops now")
        else:
            house.tree.kill()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, note)
    while not told:
        house.mend(say)
        time.sleep(0.2)
