"""The oracle keeps the invariants of RULES §9 over games of every kind, and those games reach every corner."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from . import (
    Action,
    Game,
    Numbers,
    Policy,
    apply,
    canonical,
    compact_legal,
    dump,
    is_legal,
    legal_actions,
    legal_count,
    numbered_pieces,
    play,
    policies,
    random_action,
)
from .corners import CORNERS, Step, corners, shuffled_game, watched
from .facts import Piece
from .rules import Player

RULE_SETS = {
    "default": Numbers(),
    "no refill": Numbers(refill_in_last_stage=False),
    "three rows": Numbers(rows=3),
}
TABLES = [(players, name) for players in (2, 3, 4, 5) for name in [*policies(), "mixed"]]
LISTED_WHOLE = 3000  # larger legal sets are left out where all of it is listed


def seated(name: str, players: int, rng: Random) -> list[Policy]:
    """One policy for the whole table, or a random one for every seat."""
    known = policies()
    if name == "mixed":
        return rng.choices(list(known.values()), k=players)
    return [known[name]] * players


def games(players: int, name: str, *, rules: str = "default", seeds: int = 8) -> Iterator[Iterator[Step]]:
    """The steps of so many random games."""
    for seed in range(seeds):
        rng = Random(f"{rules} {players} {name} {seed}")
        choosers = seated(name, players, rng)
        yield watched(shuffled_game(players, rng, RULE_SETS[rules]), choosers, rng)


def in_place(game: Game) -> Counter[Piece]:
    """All pieces of the game, wherever they are."""
    found = Counter(game.bag) + Counter(game.lake)
    for tile in game.river:
        found += Counter(tile.pieces)
    for player in game.players:
        found += Counter(player.satchel) + Counter(player.overflow)
        found += Counter(piece for column in player.glassworks for piece in column.cells)
    return found


def check_table(game: Game) -> None:
    assert sorted(tile.shape for tile in game.river) == [0, 1, 2, 3, 4, 5]
    assert len(game.lake) == 5 or not game.bag
    for tile in game.river:
        assert tile.pieces or not game.bag or not game.numbers.refill_in_last_stage
    for player in game.players:
        check_player(game, player)


def check_player(game: Game, player: Player) -> None:
    owners = [column.owner for column in player.glassworks]
    owned = [owner for owner in owners if owner is not None]
    assert len(player.satchel) <= 5
    assert owners[: len(owned)] == owned
    assert len(set(owned)) == len(owned)
    for column in player.glassworks:
        assert len(column.cells) <= game.numbers.rows
        assert {colour for colour, _ in column.cells} == {column.owner} - {None}


def check_nothing_falls(before: Player, after: Player) -> None:
    assert Counter(before.overflow) <= Counter(after.overflow)
    for old, new in zip(before.glassworks, after.glassworks, strict=True):
        assert new.cells[: len(old.cells)] == old.cells


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize(("players", "name"), TABLES)
def test_the_invariants_hold_after_every_action(players: int, name: str, rules: str) -> None:
    kinds = Counter(numbered_pieces(players))
    for steps in games(players, name, rules=rules, seeds=3):
        for before, action, after in steps:
            assert is_legal(before, action)
            assert in_place(after) == kinds
            check_table(after)
            for old, new in zip(before.players, after.players, strict=True):
                check_nothing_falls(old, new)


@pytest.mark.parametrize(("players", "name"), TABLES)
def test_every_game_ends_with_equally_many_turns(players: int, name: str) -> None:
    for steps in games(players, name):
        *_, (_, _, end) = steps
        assert end.over
        assert end.ply % players == 0
        assert list(legal_actions(end)) == []


def bent(action: Action, rng: Random) -> Action:
    """The action with one thing about it changed, which may make it illegal or another legal one."""
    match action:
        case ("river", pieces, tile, side, order):
            return rng.choice(bent_river(pieces, tile, side, order, rng))
        case ("lake", taken, discarded):
            shorter: Action = ("lake", taken[1:], discarded)
            return rng.choice([shorter, ("lake", taken, taken[: len(discarded)]), ("pass",)])
        case _:
            return "lake", (), ()


def bent_river(pieces: tuple[Piece, ...], tile: int, side: int, order: tuple[int, ...], rng: Random) -> list[Action]:
    return [
        ("river", pieces[::-1], tile, side, order),
        ("river", pieces[:1], tile, side, order),
        ("river", pieces, rng.randrange(-1, 7), side, order),
        ("river", pieces, tile, rng.choice([-2, -1, 0, 1]), order),
        ("river", pieces, tile, side, order[::-1]),
        ("river", pieces, tile, side, order[1:]),
        ("river", pieces, tile, side, (*order, rng.randrange(9))),
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_listing_counting_and_judging_agree_on_what_is_legal(players: int) -> None:
    rng = Random(players)
    for steps in games(players, "mixed", seeds=5):
        for game, _, _ in steps:
            count = legal_count(game)
            if count <= LISTED_WHOLE:
                listed = set(legal_actions(game))
                assert len(listed) == len(list(legal_actions(game))) == count
                assert all(is_legal(game, action) for action in listed)
                others = [bent(action, rng) for action in listed]
                assert [is_legal(game, other) for other in others] == [other in listed for other in others]


@pytest.mark.parametrize("players", [2, 5])
def test_the_canonical_spelling_of_a_canonical_action_is_itself(players: int) -> None:
    for steps in games(players, "mixed"):
        for game, action, _ in steps:
            assert canonical(game, action) == action


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_compact_legal_set_sums_up_the_listed_one(players: int) -> None:
    for steps in games(players, "mixed", seeds=4):
        for game, _, _ in steps:
            listed = list(legal_actions(game)) if legal_count(game) <= LISTED_WHOLE else []
            compact = compact_legal(game)
            if listed:
                assert {action[1:4] for action in listed if action[0] == "river"} == {
                    placement[:3] for placement in compact["placements"]
                }
                assert {action[1] for action in listed if action[0] == "lake"} == set(compact["lake"])
                assert (listed == [("pass",)]) is compact["pass"]


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_repeats_itself_from_its_orders_and_actions(players: int) -> None:
    first, second = shuffled_game(players, Random(7)), shuffled_game(players, Random(7))
    for action in play(first, [random_action] * players, Random(8)):
        assert dump(first) == dump(second)
        apply(second, action)
    assert dump(first) == dump(second)
    assert json.loads(json.dumps(dump(first))) == dump(first)


def test_the_policies_reach_every_corner() -> None:
    missing = set(CORNERS)
    for seed in range(300):
        for players, name in [(2, "brinkman"), (3, "brinkman"), (4, "mixed"), (5, "mixed")]:
            rng = Random(f"corners {players} {name} {seed}")
            rules = RULE_SETS["no refill" if seed % 4 == 0 else "default"]
            missing -= corners(watched(shuffled_game(players, rng, rules), seated(name, players, rng), rng))
        if not missing:
            return
    pytest.fail(f"no game went through {sorted(missing)}")
