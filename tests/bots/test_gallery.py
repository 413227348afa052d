"""Every house bot plays by the rules, answers by the view alone, and is a file an author could submit."""

import ast
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest

from arena.game.actions import Action, River
from arena.game.packing import view_from_bytes, view_to_bytes
from arena.game.view import View
from arena.play.roster import found, house_bots
from bots import greedy, planner, search, student
from bots.mcts.turns import turns as tree_turns
from tests.bots.views import some_views
from tests.play.sessions import session

HOUSE = sorted(house_bots())
GALLERY = Path(greedy.__file__).parent
FILES = sorted(GALLERY.rglob("[a-z]*.py"))
PROGRAMS = sorted({GALLERY / file.relative_to(GALLERY).parts[0] for file in FILES})  # a bot is a file or a folder
OURS = {"arena.sdk", "arena.game"}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_all_bots_finish_their_games_without_a_forfeit(seats: int) -> None:
    games = session(*HOUSE, seats=seats, games=3, clock="2+0.05/1")
    assert [one.record.forfeits for one in games] == [()] * 3


@pytest.mark.parametrize("name", HOUSE)
def test_every_choice_is_legal_wherever_the_game_stands(name: str) -> None:
    choose = found(name)
    for seen in some_views(25, seed=1):
        seen.gain(choose(seen))  # raises IllegalAction otherwise


@pytest.mark.parametrize("name", HOUSE)
def test_the_same_view_gets_the_same_answer_wherever_it_comes_from(name: str) -> None:
    choose = found(name)
    for seen in some_views(8, seed=2):
        assert choose(view_from_bytes(view_to_bytes(seen), seen.rules)) == choose(seen)


def test_greedy_leaves_no_point_on_the_table() -> None:
    for seen in some_views(40, seed=3):
        if all(len(placement.new) <= 4 for placement in seen.legal.placements):
            assert seen.gain(greedy.choose(seen)) == max(map(seen.gain, islice(seen.actions(), 2000)))


def test_greedy_spends_no_more_pieces_than_it_must() -> None:
    for seen in some_views(40, seed=4):
        turn = greedy.choose(seen)
        if isinstance(turn, River):
            ways = [way for way in seen.legal.placements if way.tile + way.side == turn.tile + turn.side]
            assert len(turn.pieces) == min(len(way.pieces) for way in ways)


@pytest.mark.parametrize("turns", [planner.turns, search.turns, tree_turns], ids=["planner", "search", "mcts"])
def test_a_thinking_bot_looks_at_a_few_hundred_turns_at_most(turns: Callable[[View], Iterator[Action]]) -> None:
    assert max(len(list(turns(seen))) for seen in some_views(120, seed=5)) < 1000


def test_the_student_is_short() -> None:
    lines = Path(student.__file__).read_text().split('if __name__ == "__main__":')[0].splitlines()
    assert len([line for line in lines if line.strip()]) <= 15


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_bot_imports_only_the_sdk_the_game_and_the_standard_library(file: Path) -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    foreign = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    own = ".".join(("bots", *file.relative_to(GALLERY).parts[:-1]))
    assert {".".join(name.split(".")[:2]) for name in foreign} <= OURS | {own}


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_a_bot_can_be_started_as_a_program(file: Path) -> None:
    done = subprocess.run([sys.executable, file, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, "--server" in done.stdout) == (0, True)


@pytest.mark.parametrize(("name", "file"), sorted(house_bots().items()))
def test_a_bot_connects_under_the_name_by_which_it_is_found(name: str, file: str) -> None:
    source = Path(import_module(file.split(":", maxsplit=1)[0]).__file__ or "")
    program = source.with_name("__main__.py") if source.stem == "__init__" else source
    assert f'name="{name}"' in program.read_text()
