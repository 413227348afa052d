"""An arena without tokens: tournaments from the command line, what they leave, and what a mistake reads like."""

import json
import random
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlalchemy import select

from arena.cli.__main__ import main
from arena.contest.rating import Settings, boards
from arena.contest.verify import verified
from arena.desk.boards import rated
from arena.store import bots, games, schema
from arena.store.engine import Store
from arena.store.ids import TournamentId
from arena.store.kinds import AttemptEnd
from tests.end_to_end.houses import House, house, until
from tests.gateway.hosts import free_port

BOTS = ("ada", "bob", "cyd")
RUN = ("tournament", "run", "cup", *BOTS, "--seats", "2,3", "--rounds", "2", "--clock", "20+1/5")
GAMES = 2 * (3 * 2 + 3)  # per round three pairs with two games each, and a table of three with three


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An arena with three bots, one of which keeps the commitments it sees."""
    with house(tmp_path_factory.mktemp("open")) as found, ExitStack() as stack:
        for name in BOTS:
            seen = ("--seen", str(found.folder / "seen.txt")) if name == "ada" else ()
            stack.enter_context(found.bot(name, "--games", "4", *seen))
        assert until(lambda: found.met(*BOTS)), found.log
        yield found


@pytest.fixture(scope="module")
def played(home: House) -> House:
    """The arena after a tournament."""
    done = home.cli(*RUN)
    assert done.returncode == 0, done.stderr
    return home


@pytest.fixture(scope="module")
def exported(played: House) -> list[str]:
    """The records of that tournament."""
    out = played.folder / "games"
    assert played.cli("tournament", "export", "cup", "--out", str(out)).returncode == 0
    return [file.read_text() for file in sorted(out.iterdir())]


def test_every_game_of_the_schedule_was_played(played: House) -> None:
    shown = played.shown("cup")
    assert (shown["state"], shown["games"], shown["games_finished"]) == ("finished", GAMES, GAMES)


def test_the_same_command_again_plays_nothing_again(played: House) -> None:
    done = played.cli(*RUN, "--json")
    assert done.returncode == 0
    assert "goes on" in done.stderr
    assert json.loads(done.stdout) == played.shown("cup")


def test_every_exported_game_verifies_and_was_nobodys_choice(exported: list[str]) -> None:
    verdicts = [verified(text) for text in exported]
    assert len(verdicts) == GAMES
    assert all(verdict.fair and not verdict.edited for verdict in verdicts)


def test_the_commitments_a_bot_kept_are_those_in_the_records(played: House, exported: list[str]) -> None:
    kept = {tuple(line.split()) for line in (played.folder / "seen.txt").read_text().splitlines()}
    heads = [verified(text).record.head for text in exported]
    mine = {(head.match, str(head.game), head.commitment) for head in heads if "ada@1" in head.seats}
    assert kept == mine


def test_the_time_of_every_question_of_a_game_can_be_looked_up(played: House) -> None:
    done = played.cli("game", "time", "cup-0001/1", "--json")
    found = json.loads(done.stdout)
    assert len(found["questions"]) > 10
    for one in found["questions"]:
        assert one["charged"] == pytest.approx(max(0.0, one["wire"] - one["platform"] - one["network"]), abs=3e-6)
    last = {one["seat"]: one["left"] for one in found["questions"]}
    spent = {seat: sum(one["charged"] for one in found["questions"] if one["seat"] == seat) for seat in last}
    asked = {seat: sum(one["seat"] == seat for one in found["questions"]) for seat in last}
    assert last == pytest.approx({seat: 20 + asked[seat] - spent[seat] for seat in last}, abs=1e-3)


def test_the_time_of_a_game_is_shown_as_a_table(played: House) -> None:
    done = played.cli("game", "time", "cup-0001-1.rvg", "--seat", "0")
    assert done.returncode == 0, done.stderr
    assert "cup-0001/1, clock 20+1/5" in done.stdout
    assert "charged" in done.stdout


@pytest.mark.parametrize(
    ("game", "complaint"),
    [("cup-0001/4", "no game cup-0001/4"), ("dinner-0001/0", "no game dinner"), ("cup", "write MATCH/GAME")],
)
def test_a_game_that_is_not_there_has_no_time(played: House, game: str, complaint: str) -> None:
    done = played.cli("game", "time", game)
    assert done.returncode != 0
    assert complaint in done.stderr


def test_the_leaderboard_is_a_function_of_the_results_in_any_order(played: House) -> None:
    found = json.loads(played.cli("leaderboard", "--tournament", "cup", "--json").stdout)
    store = Store.open(f"sqlite:///{played.folder / 'data' / 'arena.db'}")
    with store.reading() as tx:
        tables = [rated(result) for result in games.results(tx, TournamentId("cup"))]
        names = {one.version.id: one.bot_name for one in bots.every_version(tx)}
    store.close()
    shuffled = random.Random(7).sample(tables * 2, len(tables) * 2)
    rebuilt = boards(shuffled, Settings(None, sizes=(2, 3)))
    assert found["ledger"] == rebuilt.ledger
    for board, rows in found["boards"].items():
        mine = [(names[row.player], row.elo, row.low, row.high) for row in rebuilt.rows[board]]  # type: ignore[index]
        assert [(row["bot"], row["elo"], row["low"], row["high"]) for row in rows] == mine


def test_ctrl_c_pauses_a_tournament_and_the_same_command_ends_it(home: House) -> None:
    run = ("tournament", "run", "long", *BOTS, "--rounds", "12", "--clock", "20+1/5")
    first = home.starts(*run)
    assert until(lambda: "game=long-0001/" in home.log), home.log
    first.send_signal(signal.SIGINT)
    out, said = first.communicate(timeout=30)
    assert first.returncode == 0
    assert "paused; the same command goes on" in said
    assert "long: paused" in out
    second = home.cli(*run, "--json")
    assert second.returncode == 0
    assert json.loads(second.stdout)["games_finished"] == 72


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        pytest.param(("run", "new", "ada", "kodama"), 2, "no bot .kodama.; .*arena connect", id="unknown bot"),
        pytest.param(("run", "new", "ada"), 2, "2 or more|two|at least", id="one bot"),
        pytest.param(("run", "new", "ada", "ada"), 2, "named twice", id="same bot"),
        pytest.param(("run", "No Name", "ada", "bob"), 2, "tournament name", id="name"),
        pytest.param(("run", "new", "ada", "bob", "--seats", "six"), 2, "write 2, or several", id="seats text"),
        pytest.param(("run", "new", "ada", "bob", "--seats", "6"), 2, "2 to 5|2-5", id="seats"),
        pytest.param(("run", "new", "ada", "bob", "--seats", "4"), 2, "4", id="too few bots"),
        pytest.param(("run", "new", "ada", "bob", "--clock", "fast"), 2, r"bank\+increment/cap", id="clock"),
        pytest.param(("run", "new", "ada", "bob", "--rounds", "0"), 2, "rounds", id="rounds"),
        pytest.param(("run", "new", "ada", "bob", "--no-show", "-1"), 2, "no-show", id="no-show"),
        pytest.param(("run", "new", "ada", "bob", "--rules", "house"), 2, "house", id="rules"),
        pytest.param(("run", "cup", "ada", "bob"), 2, "other settings", id="other settings"),
        pytest.param(("show", "nothing"), 2, "no tournament 'nothing'; there is: ", id="unknown tournament"),
        pytest.param(("export", "nothing"), 2, "no tournament 'nothing'", id="unknown export"),
        pytest.param(("pause", "cup"), 2, "finished", id="pause finished"),
    ],
)
def test_a_mistake_is_one_line_with_a_code(
    played: House,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("sys.argv", ["arena", "tournament", *arguments, "--server", played.address])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    errors = [line for line in said.splitlines() if not line.startswith("tables of")]
    assert ended.value.code == code
    assert re.search(words, said)
    assert len(errors) == 1 or "Usage:" in said


def test_no_arena_at_the_address_says_how_to_start_one(tmp_path: Path) -> None:
    found = House(tmp_path).cli("tournament", "list")
    assert (found.returncode, found.stdout) == (3, "")
    assert "no arena at 127.0.0.1:" in found.stderr
    assert "arena up" in found.stderr


def test_a_port_in_use_is_named(home: House, tmp_path: Path) -> None:
    port, web = str(home.port), str(free_port())
    found = home.cli("up", "--data", str(tmp_path / "second"), "--port", port, "--web-port", web)
    assert found.returncode == 3
    assert f"cannot listen on 127.0.0.1:{port}: the port is in use" in found.stderr
    assert "Traceback" not in found.stderr


def test_ctrl_c_finishes_open_games_and_leaves_no_process(home: House) -> None:
    with home.bot("dee", "--games", "2", think=0.03), home.bot("eve", "--games", "2", think=0.03):
        assert until(lambda: home.met("dee", "eve")), home.log
        assert home.cli("tournament", "run", "last", "dee", "eve", "--rounds", "9", "--detach").returncode == 0
        assert until(lambda: "game=last-" in home.log), home.log
        home.signal(signal.SIGINT)
        assert home.wait() == 0, home.log
    assert home.log.rstrip().endswith("arena is down")
    assert home.left() == ()
    store = Store.open(f"sqlite:///{home.folder / 'data' / 'arena.db'}")
    with store.reading() as tx:
        assert set(tx.scalars(select(schema.attempt.c.outcome))) == {AttemptEnd.DONE}
    store.close()
