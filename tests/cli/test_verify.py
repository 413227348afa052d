"""`arena verify`: what is true says what it shows, what is not names its line."""

import io
import json
import sys
from pathlib import Path

import pytest

from arena.contest.notation import written
from tests.cli.conftest import Arena
from tests.contest.played import record

GAME = record(3, 4)
FAIR = record(2, 5, nonces=1)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.rvg"
    file.write_text(written(GAME))
    return file


def damaged(file: Path) -> int:
    """Change an action in a file; its line."""
    lines = file.read_text().split("\n")
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("0 s0"))
    lines[number - 1] = lines[number - 1].replace("s0", "s1", 1)
    file.write_text("\n".join(lines))
    return number


def test_a_true_game_says_what_was_checked(game: Path, arena: Arena) -> None:
    said = arena("verify", game)
    points = " ".join(str(score.points) for score in GAME.scores)
    assert said.code == 0
    assert f"{game}: ok, {len(GAME.moves)} actions, points {points}, deal committed before the game" in said.out


def test_a_share_of_a_bot_in_the_deal_is_told(tmp_path: Path, arena: Arena) -> None:
    (tmp_path / "fair.rvg").write_text(written(FAIR))
    assert "nobody chose the deal" in arena("verify", tmp_path / "fair.rvg").out


def test_a_changed_action_is_named_with_its_line_on_stderr(game: Path, arena: Arena) -> None:
    line = damaged(game)
    said = arena("verify", game)
    assert (said.code, said.out) == (1, "")
    assert f"{game}: line {line}: was changed after the game was sealed" in said.err


def test_a_changed_comment_is_reported_and_no_damage(game: Path, arena: Arena) -> None:
    game.write_text(game.read_text().replace('[Event "a test"]', '[Event "the final"]'))
    said = arena("verify", game)
    assert (said.code, "comments were edited since" in said.out) == (0, True)


def test_a_folder_is_checked_file_by_file(game: Path, arena: Arena) -> None:
    damaged(game)
    game.with_name("other.rvg").write_text(written(FAIR))
    said = arena("verify", game.parent)
    assert said.code == 1
    assert "1 of 2 games verified" in said.out


def test_a_game_may_come_from_standard_input(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(written(GAME)))
    said = arena("verify", "-")
    assert (said.code, said.out.startswith("-: ok")) == (0, True)


def test_json_tells_good_from_bad(game: Path, arena: Arena) -> None:
    line = damaged(game)
    game.with_name("other.rvg").write_text(written(FAIR))
    bad, good = json.loads(arena("verify", game.parent, "--json").out)
    assert (bad["ok"], bad["line"]) == (False, line)
    assert (good["ok"], good["fair"], good["actions"]) == (True, True, len(FAIR.moves))


def test_the_commitment_must_be_one_the_bot_saw(game: Path, arena: Arena) -> None:
    seen = game.with_name("seen.txt")
    seen.write_text(f"{GAME.head.match} {GAME.head.game} {GAME.head.commitment}\n")
    assert arena("verify", game, "--seen", seen).code == 0
    seen.write_text(f"{GAME.head.match} {GAME.head.game} {'0' * 64}\n")
    assert "not the one your bot saw" in arena("verify", game, "--seen", seen).err


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"nonsense\n", b"[Glassworks"])
def test_what_is_no_game_is_refused_with_a_line(content: bytes, game: Path, arena: Arena) -> None:
    game.write_bytes(content)
    said = arena("verify", game)
    assert (said.code, f"{game}: line 1: " in said.err) == (1, True)


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path, arena: Arena) -> None:
    said = arena("verify", tmp_path / "none.rvg")
    assert (said.code, "write games with: arena play" in said.err) == (2, True)


def test_a_folder_without_games_is_a_usage_error(tmp_path: Path, arena: Arena) -> None:
    said = arena("verify", tmp_path)
    assert (said.code, "no .rvg files in" in said.err) == (2, True)
