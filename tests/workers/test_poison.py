"""A match that ends every worker that plays it is found out and parked; those that shared one with it are not."""

from pathlib import Path

import pytest

from arena.store import attempts
from arena.store.ids import MatchId
from tests.gateway.hosts import Host, eventually
from tests.workers.staff import Guest, forfeits, guests, results, staffed, start

# Python imports this by itself when it starts: the worker then dies of the match as it would of a fault in C code
POISON = """
import os, signal
from arena.desk import work

assignment = work.assignment

def poisoned(store, attempt, versions, *, at):
    if attempt.match_id == "cup-0001":
        os.kill(os.getpid(), signal.SIGSEGV)
    return assignment(store, attempt, versions, at=at)

work.assignment = poisoned
"""


async def test_a_match_that_kills_its_workers_is_parked_with_its_cause_and_the_others_are_played(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "poison").mkdir()
    (tmp_path / "poison" / "sitecustomize.py").write_text(POISON)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "poison"))
    names = ("ada", "bob", "cyd")
    spec = start(host, *names, name="cup")

    def parked() -> list[tuple[MatchId, str]]:
        with host.store.reading() as tx:
            return [(one.match_id, one.cause) for one in attempts.parked(tx)]

    async with staffed(host, 1) as staff, guests(*(Guest(host, name, games=3, think=0.01) for name in names)):
        await eventually(lambda: staff[0].returncode is not None, 30.0)
        async with staffed(host, 1):
            await eventually(lambda: len(results(host, spec)) == 4 and bool(parked()), 120.0)
    assert parked() == [(MatchId("cup-0001"), "its worker was ended by signal SIGSEGV")]
    assert {reason for counts in forfeits(host, results(host, spec)).values() for reason in counts} == {None}
