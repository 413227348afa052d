"""The rules run compiled and interpreted, and are the same rules.

The suite runs on what is installed, which in CI is the native engine; here the interpreted one is held against it.
`python -m tests.game.engines` is the long proof.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.bench.interpreted import own_tables, pure
from arena.errors import BadInput
from arena.game import engine, position, rules, ruleset
from arena.game.deal import all_kinds
from tests.game.copies import ROOT, copied, environment
from tests.game.engines import compared

RULES_TESTS = ("test_vectors.py", "test_rulings.py", "test_legal.py", "test_laws.py")
TABLES = position.tables(ruleset.named())
TESTED = """
import sys
from arena.game import engine, rules
assert (engine.ENGINE, rules.__file__) == ("pure", sys.argv[1]), rules.__file__
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""

native = pytest.mark.skipif(engine.ENGINE != "native", reason="no native engine is installed; run: make native")


@native
def test_the_native_engine_is_built_from_this_source() -> None:
    assert not engine.is_stale()
    assert not rules.__file__.endswith(".py")


@native
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_engines_agree_on_every_state(players: int) -> None:
    assert compared(players, "suite", 400) > 400 * 10 * players


@native
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_engines_throw_the_same_dice(players: int) -> None:
    bag = all_kinds(ruleset.named(), players)
    plain = pure()
    own = own_tables(TABLES)
    for number in (0, 1, 2**32 - 1):
        assert rules.random_games(TABLES, players, bag, number, 20) == plain.random_games(
            own, players, bag, number, 20
        )


@native
def test_the_interpreted_rules_keep_the_vectors_and_the_laws(tmp_path: Path) -> None:
    package = copied(tmp_path)
    files = [str(Path(__file__).with_name(name)) for name in RULES_TESTS]
    command = [sys.executable, "-P", "-c", TESTED, str(package / "game" / "rules.py"), *files]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_tables_and_bags_that_fit_no_game_are_refused() -> None:
    bag = all_kinds(ruleset.named(), 2)
    for wrong in (bag[:22], bag + bag, (*bag[1:], 54), (*bag[1:], -1)):
        with pytest.raises(BadInput):
            rules.dealt(TABLES, 2, wrong, range(6))
    for tiles in (range(5), range(7), [0, 1, 2, 3, 4, 4], [0, 1, 2, 3, 4, 6]):
        with pytest.raises(BadInput):
            rules.dealt(TABLES, 2, bag, tiles)
    for players in (-1, 0, 1, 6, 255):
        with pytest.raises(BadInput):
            rules.State(TABLES, players)
    for rows, stones, row_score in ((0, 6, 8), (10, 6, 8), (5, 5, 8), (5, 6, 9)):
        with pytest.raises(BadInput):
            rules.Tables(rows, True, bytes(stones), bytes(row_score), bytes(rows * 7))
