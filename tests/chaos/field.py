"""An arena under fire: a real one on this machine, honest bots fast and slow, and tournaments for them to play."""

import random
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path

from sqlalchemy import func, select

from arena.desk import access, staff
from arena.store import schema
from arena.store.engine import Store
from arena.store.kinds import Role, TournamentState
from arena.store.migration import migrate
from tests.end_to_end.houses import House, house, until

THINK: Mapping[str, float] = {"ada": 0.0, "bob": 0.0, "cyd": 0.05, "dee": 0.2}  # seconds a turn
SEATS = "2,3,4"
PER_ROUND = 6 * 2 + 4 * 3 + 4  # games of four bots at tables of these sizes
CLOCK = "60+1/10"  # nobody loses on this one by his own fault
DISK = "256m"
PATIENCE = 120.0  # seconds for anything to come back
_MATCH, _ATTEMPT, _WORKER = schema.match.c, schema.attempt.c, schema.worker.c


class Stuck(Exception):
    """Something did not come back; the text says what."""


@dataclass(slots=True)
class Field:
    """The arena, its database as anybody may read it, and the dice for when and whom to hurt."""

    home: House
    store: Store
    dice: random.Random
    token: str = dataclass_field(default="", repr=False)  # of an organiser, who may also bring bots
    games: int = PER_ROUND  # of a tournament, at least
    cups: list[str] = dataclass_field(default_factory=list)

    def play(self) -> None:
        """See that something is played: start another tournament if the last one is over."""
        if not self.cups or self.is_over(self.cups[-1]):
            self._start()

    def _start(self) -> None:
        name = f"cup{len(self.cups)}"
        rounds = -(-self.games // PER_ROUND)
        options = ("--seats", SEATS, "--rounds", str(rounds), "--clock", CLOCK, "--no-show", "300", "--detach")

        def starts() -> bool:
            return self.home.cli("tournament", "run", name, *THINK, *options).returncode == 0

        self.require(starts, f"{name} started")
        self.cups.append(name)

    def is_over(self, name: str) -> bool:
        """Whether a tournament has ended."""
        state = select(schema.tournament.c.state).where(schema.tournament.c.id == name)
        with self.store.reading() as tx:
            return tx.scalar(state) is TournamentState.FINISHED

    def stage(self) -> tuple[int, int]:
        """Changes with every answer that is heard: games on record, and the sum over the logs of those under way."""
        with self.store.reading() as tx:
            games = tx.scalar(select(func.count()).select_from(schema.game))
            entries = tx.scalar(select(func.coalesce(func.sum(schema.log_entry.c.number), 0)))
        return games or 0, entries or 0

    def goes_on(self, what: str) -> None:
        """Wait until answers are heard again."""
        before = self.stage()
        self.require(lambda: self.stage() != before or self.is_over(self.cups[-1]), f"games went on after {what}")

    def held(self) -> Mapping[int, tuple[tuple[str, int], ...]]:
        """Process id of each worker with open attempts, and those by match and number."""
        rows = select(_WORKER.name, _ATTEMPT.match_id, _ATTEMPT.number).join(
            schema.worker, _WORKER.id == _ATTEMPT.worker_id
        )
        with self.store.reading() as tx:
            found = tx.execute(rows.where(_ATTEMPT.ended_at.is_(None))).all()
        held: dict[int, tuple[tuple[str, int], ...]] = {}
        for name, match, number in found:
            pid = int((staff.parent_name(name) or name).rpartition("-")[2])
            held[pid] = (*held.get(pid, ()), (match, number))
        return held

    def are_taken_over(self, attempts: Collection[tuple[str, int]]) -> bool:
        """Whether each of these attempts has a successor, or had finished its match."""
        current = select(_MATCH.id, _MATCH.attempt, _MATCH.state)
        with self.store.reading() as tx:
            rows = tx.execute(current.where(_MATCH.id.in_([match for match, _ in attempts]))).all()
        now = {row[0]: (row[1], row[2].value) for row in rows}
        return all(now[match][0] > number or now[match][1] == "finished" for match, number in attempts)

    def workers(self) -> tuple[int, ...]:
        """The worker processes."""
        return self.pids(b"workers")

    def pids(self, word: bytes) -> tuple[int, ...]:
        """The processes of this arena that have this word, or a path that ends with it, among their arguments."""
        return tuple(pid for pid in self.home.left() if _has(pid, word))

    def pid(self, word: bytes) -> int:
        """The process with this word; raises Stuck if there is none for long."""
        self.require(lambda: bool(self.pids(word)), f"a process {word.decode()} ran")
        return self.pids(word)[0]

    def require(self, claim: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
        """Wait for a claim; raises Stuck."""
        if not until(claim, patience):
            raise Stuck(f"not true after {patience:g} s: {what}")

    def rest(self, longest: float = 2.0) -> None:
        """Let a random while pass."""
        time.sleep(self.dice.uniform(0.0, longest))


def _has(pid: int, word: bytes) -> bool:
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    first = [one.split(b" ")[0] for one in arguments]  # a server may put its port behind its name
    return any(one == word or one.endswith(b"/" + word) for one in first)


@contextmanager
def field_of(folder: Path, seed: int, workers: int = 3) -> Iterator[Field]:
    """A field with its bots, behind tokens; nothing of it is left after the block."""
    with ExitStack() as stack:
        stack.enter_context(_small_disk(folder / "data"))
        store = stack.enter_context(closing(Store.open(f"sqlite:///{folder / 'data' / 'arena.db'}")))
        migrate(store)
        access.add_owner(store, "chaos", at=time.time())
        token = access.new_token(store, "chaos", Role.ORGANISER, at=time.time()).secret
        home = stack.enter_context(
            house(folder, "--workers", str(workers), "--tokens", ARENA_TOKEN=token, ARENA_PER_TOKEN="1000")
        )
        for name, think in THINK.items():
            stack.enter_context(home.bot(name, "--games", "6", "--processes", "2", think=think))
        field = Field(home, store, random.Random(seed), token)
        field.require(lambda: home.met(*THINK), "all bots connected")
        yield field


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    """A disk of its own that one can fill, where we may mount one; else the folder is on the disk of all others."""
    folder.mkdir(parents=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "chaos", str(folder)], check=False, capture_output=True
    )
    try:
        yield
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", "-l", str(folder)], check=True)
