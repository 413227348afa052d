"""`arena play`: results on stdout, the rest on stderr, exit code 1 for a bot that forfeits."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena
from tests.play.sessions import RUDE


def test_results_go_to_stdout_and_the_rest_to_stderr(arena: Arena) -> None:
    said = arena("play", "greedy", "random", "--games", 4, "--jobs", 1)
    assert said.code == 0
    assert "greedy" in said.out
    assert "next:" in said.err
    assert "next:" not in said.out


def test_without_a_number_each_bot_sits_at_each_seat_once(arena: Arena) -> None:
    said = arena("play", "greedy", "random", "student", "--json")
    assert json.loads(said.out)["games"] == 3


def test_json_counts_every_game_and_every_win(arena: Arena) -> None:
    found = json.loads(arena("play", "greedy", "random", "--games", 6, "--jobs", 1, "--json").out)
    assert [bot["games"] for bot in found["bots"].values()] == [6, 6]
    assert sum(bot["wins"] for bot in found["bots"].values()) == 6


def test_shared_wins_are_shared(arena: Arena) -> None:
    found = json.loads(arena("play", "random", "random", "--games", 10, "--jobs", 1, "--json").out)
    assert sum(bot["beaten"] for bot in found["bots"].values()) == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_result(arena: Arena) -> None:
    command = ("play", "greedy", "random", "--seed", "x", "--json")
    assert arena(*command).out == arena(*command).out


def test_without_a_seed_the_deals_are_new(arena: Arena) -> None:
    command = ("play", "greedy", "random", "--json")
    assert arena(*command).out != arena(*command).out


def test_fewer_seats_than_bots_make_several_tables(arena: Arena) -> None:
    command = ("play", "greedy", "random", "student", "--seats", 2, "--games", 6, "--jobs", 1, "--json")
    assert [bot["games"] for bot in json.loads(arena(*command).out)["bots"].values()] == [4, 4, 4]


def test_games_that_are_kept_verify(arena: Arena, tmp_path: Path) -> None:
    said = arena("play", "greedy", "random", "--games", 5, "--jobs", 1, "--out", tmp_path / "games")
    assert f"arena verify {tmp_path / 'games'}" in said.err
    verified = arena("verify", tmp_path / "games")
    assert (verified.code, "5 of 5 games verified" in verified.out) == (0, True)


def test_one_game_shows_the_final_boards(arena: Arena) -> None:
    said = arena("play", "greedy", "random", "--games", 1)
    assert "s0 greedy:" in said.out
    assert "overflow -" in said.out


def test_a_forfeit_is_explained_and_costs_the_exit_code(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUDE", "raises")
    said = arena("play", RUDE, "random", "--games", 1)
    assert said.code == 1
    assert "rude forfeited 1 times, first: CRASH: " in said.out
    assert "RuntimeError: no more of this" in said.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gredy", "random"), "no bot 'gredy'; the house has greedy"),
        (("nowhere.py", "random"), "no file nowhere.py"),
        (("greedy", "random", "--clock", "fast"), "no time control 'fast'"),
        (("greedy", "random", "--rules", "rvg-9"), "no rule set 'rvg-9'"),
        (("greedy",), "name 2 to 5 bots"),
        (("greedy", "random", "--seats", "3"), "2 bots at tables of 3"),
        (("greedy", "random", "--games", "0"), "--games"),
    ],
    ids=["bot", "file", "clock", "rules", "alone", "seats", "games"],
)
def test_a_wrong_argument_is_named_on_stderr(arguments: tuple[str, ...], words: str, arena: Arena) -> None:
    said = arena("play", *arguments)
    assert (said.code, said.out) == (2, "")
    assert words in said.err


@pytest.mark.parametrize("command", ["play", "verify", "strength"])
def test_help_gives_two_examples(command: str, arena: Arena) -> None:
    said = arena(command, "--help")
    assert said.out.count(f"arena {command} ") >= 2 + 1  # and the usage line
