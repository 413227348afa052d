"""An operator at a running arena: what happens to games in play, and what the bots and the audit see of it."""

import json
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from sqlalchemy import select

from arena.store import schema
from arena.store.engine import Store
from arena.store.kinds import MatchState
from tests.end_to_end.houses import House, house, until

RUN = ("tournament", "run", "cup", "ada", "bob", "--rounds", "4", "--clock", "60+1/10", "--detach")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An arena with a tournament of two slow bots under way."""
    with house(tmp_path_factory.mktemp("operated"), "--workers", "2") as found, ExitStack() as stack:
        for name in ("ada", "bob"):
            stack.enter_context(found.bot(name, think=0.1))
        assert until(lambda: found.met("ada", "bob")), found.log
        started = found.cli(*RUN)
        assert started.returncode == 0, started.stderr
        yield found


def running(home: House) -> list[str]:
    match = schema.match.c
    with Store.open(f"sqlite:///{home.folder / 'data' / 'arena.db'}") as store, store.reading() as tx:
        return list(tx.scalars(select(match.id).where(match.state == MatchState.RUNNING, match.begun)))


def operate(home: House, *arguments: str) -> str:
    done = home.cli("operate", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_match_voided_in_play_ends_for_its_bots_and_the_next_one_begins(home: House) -> None:
    assert until(lambda: bool(running(home)))
    (match,) = running(home)
    assert f"game {match}/0 is void" in operate(home, "void", match, "--note", "wrong clock")
    assert until(lambda: bool(running(home)) and running(home) != [match]), home.log


def test_a_drained_arena_is_quiet_and_goes_on_when_it_is_told(home: House) -> None:
    assert "nothing is in play" in operate(home, "drain", "--note", "lunch")
    seen = json.loads(operate(home, "show", "--json"))
    assert (seen["paused"]["note"], seen["matches_running"]) == ("lunch", 0)
    operate(home, "resume")
    assert until(lambda: bool(running(home)))


def test_a_match_played_again_brings_its_tournament_to_an_end_without_a_forfeit(home: House) -> None:
    assert until(lambda: home.shown("cup")["games_finished"] != 0)
    operate(home, "rerun", "cup-0003")
    assert until(lambda: home.shown("cup")["state"] == "finished", 120.0), home.log
    shown = home.shown("cup")
    assert shown["games"] == shown["games_finished"] == 6  # four matches of two, one of them void
    assert [row["forfeits"] for row in shown["standings"]] == [0, 0]  # type: ignore[attr-defined]


def test_the_audit_tells_who_did_what_and_why(home: House) -> None:
    said = operate(home, "show")
    assert all(word in said for word in ("anybody", "void", "wrong clock", "drain", "lunch", "rerun", "cup-0003"))


def test_a_mistake_names_what_to_type(home: House) -> None:
    for words, said in (
        (("void", "cup-0000/x"), "write it as cup-0007/1"),
        (("void", "cup-0099"), "no match 'cup-0099'"),
        (("release", "cup-0003"), "arena operate show"),
        (("resume",), "the arena is not paused"),
    ):
        done = home.cli("operate", *words)
        assert done.returncode != 0
        assert said in done.stderr
