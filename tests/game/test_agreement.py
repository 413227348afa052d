"""Engine and oracle, two statements of docs/rules.md that share no code, agree on thousands of whole games."""

from functools import cache

import pytest

from tests.game.agreement import RULE_SETS, Disagreement, Summary, agreed, main, same

GAMES = 2000  # at each table size; `python -m tests.game.agreement` plays as many as you like
SIZES = (2, 3, 4, 5)


@cache
def compared(players: int) -> Summary:
    return agreed(GAMES, players, seed=1)


def compared_at_all_tables() -> Summary:
    summary = Summary()
    for players in SIZES:
        summary.add(compared(players))
    return summary


@pytest.mark.parametrize("players", SIZES)
def test_engine_and_oracle_agree_on_every_state_and_legal_set(players: int) -> None:
    assert compared(players).games == GAMES


def test_the_games_compared_go_through_every_corner_of_the_rules() -> None:
    assert compared_at_all_tables().missing == []


def test_the_games_compared_are_played_under_every_rule_set() -> None:
    assert set(compared_at_all_tables().rules) == set(RULE_SETS)


def test_a_difference_is_raised_and_named() -> None:
    with pytest.raises(Disagreement, match=r"ply 3, position.*'lake': \(1, 2\)"):
        same(3, "position", {"ply": 3, "lake": 1}, {"ply": 3, "lake": 2})


def test_the_command_prints_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2", "--players", "2,5"]) == 0
    assert '"games": 4' in capsys.readouterr().out


def test_the_command_names_the_game_and_ply_that_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.oracle.rules.check_trigger", bool)
    assert main(["--games", "1", "--players", "2"]) == 1
    assert "game 1/2/0 (" in capsys.readouterr().err
