"""An arena that is stopped, or falls: what was played stays, what was not is played, nothing is left running."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import pytest
from sqlalchemy import select

from arena.store import games, schema
from arena.store.engine import Store
from arena.store.games import Result
from arena.store.ids import TournamentId
from arena.store.kinds import AttemptEnd
from tests.end_to_end.houses import House, house, until

RUN = ("tournament", "run", "cup", "ada", "bob", "--rounds", "4", "--clock", "60+1/10")
GAMES = {(f"cup-{number:04d}", index) for number in range(4) for index in range(2)}


def results(home: House, name: str = "cup") -> Sequence[Result]:
    """The games on record."""
    store = Store.open(f"sqlite:///{home.folder / 'data' / 'arena.db'}")
    with store.reading() as tx:
        found = tuple(games.results(tx, TournamentId(name)))
    store.close()
    return found


def outcomes(home: House) -> set[AttemptEnd | None]:
    """How attempts have ended."""
    store = Store.open(f"sqlite:///{home.folder / 'data' / 'arena.db'}")
    with store.reading() as tx:
        found = set(tx.scalars(select(schema.attempt.c.outcome)))
    store.close()
    return found


def with_bots(home: House, stack: ExitStack, think: float, *names: str) -> None:
    """Bots in the arena that take their time."""
    for name in names:
        stack.enter_context(home.bot(name, "--games", "4", "--processes", "2", think=think))
    assert until(lambda: home.met(*names)), home.log


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An arena to be hurt."""
    with house(tmp_path_factory.mktemp("falling"), "--workers", "1") as found:
        yield found


def test_an_arena_killed_whole_goes_on_from_its_data_and_plays_no_game_twice(home: House) -> None:
    with ExitStack() as stack:
        with_bots(home, stack, 0.03, "ada", "bob")
        assert home.cli(*RUN, "--detach").returncode == 0
        assert until(lambda: len(results(home)) >= 1), home.log
        before = set(results(home))
        home.fall()
        home.up()
        done = home.cli(*RUN)
        assert done.returncode == 0, done.stderr
        after = results(home)
    assert before <= set(after)
    assert {(one.match_id, one.game_index) for one in after} == GAMES
    assert len(after) == len(GAMES)
    assert {seat.forfeit for one in after for seat in one.seats} == {None}


def test_a_killed_gateway_comes_back_and_costs_nobody_a_game(home: House) -> None:
    run = ("tournament", "run", "gate", "eve", "fay", "--rounds", "3", "--clock", "60+1/10")
    with ExitStack() as stack:
        with_bots(home, stack, 0.03, "eve", "fay")
        assert home.cli(*run, "--detach").returncode == 0
        assert until(lambda: "game=gate-" in home.log), home.log
        os.kill(home.part("arena.gateway"), signal.SIGKILL)
        assert until(lambda: "gateway ended with code -9; starting again" in home.log)
        assert until(lambda: home.cli(*run).returncode == 0, patience=30.0), home.log
        after = results(home, "gate")
    assert len(after) == 6
    assert {seat.forfeit for one in after for seat in one.seats} == {None}


def test_a_second_ctrl_c_stops_now(home: House) -> None:
    with ExitStack() as stack:
        with_bots(home, stack, 5.0, "cyd", "dee")
        assert home.cli("tournament", "run", "slow", "cyd", "dee", "--detach").returncode == 0
        assert until(lambda: None in outcomes(home)), home.log
        home.signal(signal.SIGINT)
        assert until(lambda: "Ctrl-C again stops now" in home.log)
        home.signal(signal.SIGINT)
        home.wait(10.0)
        assert home.left() == ()
