"""The golden games under every rule set never change and stay true, compiled, interpreted and in the oracle."""

import hashlib
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType

import pytest

from arena.bench.interpreted import pure
from arena.game import rules
from arena.game.decisions import action_of
from tests import golden, oracle
from tests.game import bridge
from tests.game.agreement import RULE_SETS
from tests.golden.rule_sets import Golden, parsed, replayed, start

FILE = Path(golden.__file__).with_name("rule_sets.txt")
GAMES = [parsed(line) for line in FILE.read_text("utf-8").splitlines()]
golden_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.seed)


def test_the_file_never_changes() -> None:
    digest = hashlib.sha256(FILE.read_bytes()).hexdigest()
    assert digest == "08f2b3019fce182c8520c6f3308ffacc5367e5e47b144f16b986e50c1ae0ab11"


def test_there_are_games_of_every_rule_set_and_size() -> None:
    assert Counter((game.rule_set, game.players) for game in GAMES) == {
        (rule_set, players): 2 for rule_set in RULE_SETS for players in (2, 3, 4, 5)
    }


@golden_game
@pytest.mark.parametrize("engine", [rules, pure()], ids=["installed", "interpreted"])
def test_a_golden_game_is_played_to_the_same_positions(game: Golden, engine: ModuleType) -> None:
    assert replayed(game, engine) == game


@golden_game
def test_the_oracle_plays_a_golden_game_to_the_same_points(game: Golden) -> None:
    state = start(game.rule_set, game.seed, game.players)
    numbers = RULE_SETS[game.rule_set]
    places = defaultdict(list)
    for number, piece in enumerate(oracle.numbered_pieces(game.players, numbers)):
        places[piece].append(number)
    bag = [places[piece].pop() for piece in bridge.pieces(tuple(state.array("bag")[: state.back]))]
    theirs = oracle.new_game(game.players, bag, list(state.array("river")), numbers)
    turn: list[int] = []
    before = state.clone()
    for decision in game.decisions:
        turn.append(decision)
        state.step(decision)
        if state.ply != before.ply:
            oracle.apply(theirs, bridge.to_oracle(action_of(before, turn)))
            before, turn = state.clone(), []
    assert bridge.dumped(state) == oracle.dump(theirs)
    assert tuple(total for total, *_ in oracle.dump(theirs)["scores"]) == game.points
