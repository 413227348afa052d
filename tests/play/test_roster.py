"""Bots by name; what cannot be found or loaded says what to do."""

import os
from dataclasses import replace

import pytest

from arena.contest.clock import time_control
from arena.errors import BadInput, NotFound
from arena.play.local import check
from arena.play.roster import found, house_bots, label
from tests.play.sessions import RUDE, BotFile, session

CONTROL = time_control("60+0.5/10")


HOUSE = ["greedy", "mcts", "planner", "random", "search", "student"]


def test_the_house_has_six_bots() -> None:
    assert list(house_bots()) == HOUSE


@pytest.mark.parametrize("name", HOUSE)
def test_a_house_bot_is_found_by_its_name(name: str) -> None:
    assert found(name).__name__ == "choose"


@pytest.mark.parametrize(("spec", "name"), [("greedy", "greedy"), ("a/my-bot.py", "my-bot"), ("bots.rude:f", "rude")])
def test_a_bot_plays_under_a_short_name(spec: str, name: str) -> None:
    assert label(spec) == name


def test_an_unknown_bot_is_told_whom_there_is() -> None:
    with pytest.raises(NotFound, match=r"no bot 'gredy'; the house has greedy, .*, or name a file: path/to/mybot.py"):
        session("gredy", "random")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFound, match=r"no file nowhere.py; a bot is a Python file with a function choose\(view\)"):
        session("nowhere.py", "random")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import no_such_thing\n", "line 1: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("def choose(view)\n    pass\n", "line 1: expected ':'"),
        ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError: division by zero"),
        ("def chose(view):\n    pass\n", r"has no function choose\(view\); that function is the bot"),
        ("raise SystemExit(3)\n", "line 1: SystemExit: 3"),
    ],
    ids=["import", "syntax", "error", "no choose", "exit"],
)
def test_a_file_that_cannot_be_loaded_names_its_line(source: str, words: str, bot: BotFile) -> None:
    with pytest.raises(BadInput, match=words):
        session(bot(source), "random")


def test_a_module_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match="cannot import 'no_such_module' for the bot 'no_such_module:choose'"):
        session("no_such_module:choose", "random")


def test_somebodys_own_code_is_never_loaded_in_our_process(bot: BotFile) -> None:
    check(bot("import os\nos.environ['INTRUDER'] = '1'\ndef choose(view):\n    pass\n"), CONTROL)
    with pytest.raises(KeyError):
        os.environ["INTRUDER"]


def test_a_bot_that_never_gets_ready_is_refused_in_time(bot: BotFile) -> None:
    with pytest.raises(BadInput, match="in time"):
        check(bot("import time\ntime.sleep(1000)\n"), replace(CONTROL, setup=0.5))


def test_the_rude_bot_behaves_unless_told_otherwise() -> None:
    (game,) = session(RUDE, "random")
    assert game.record.forfeits == ()
