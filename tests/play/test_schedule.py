"""Who plays whom: every bot at every seat equally often, every group in turn."""

from collections import Counter
from itertools import combinations

import pytest

from arena.errors import BadInput
from arena.play.local import schedule

FIELD = ("ash", "elm", "fir", "oak", "yew")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_in_one_match_each_bot_sits_at_each_seat_once(seats: int) -> None:
    games = schedule(FIELD[:seats], seats, seats)
    assert {(bot, at) for game in games for at, bot in enumerate(game.seats)} == {
        (bot, at) for bot in FIELD[:seats] for at in range(seats)
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_with_fewer_seats_than_bots_all_groups_take_turns(seats: int) -> None:
    groups = list(combinations(FIELD, seats))
    games = schedule(FIELD, seats, len(groups) * seats)
    assert Counter(tuple(sorted(game.seats)) for game in games) == dict.fromkeys(groups, seats)


def test_more_games_go_on_with_new_matches() -> None:
    games = schedule(FIELD[:2], 2, 7)
    assert [(game.match, game.index) for game in games][-3:] == [
        ("local-00002", 0),
        ("local-00002", 1),
        ("local-00003", 0),
    ]


def test_a_game_is_never_planned_twice() -> None:
    games = schedule(FIELD, 3, 200)
    assert len({(game.match, game.index) for game in games}) == 200


def test_a_bot_may_play_against_its_own_copy() -> None:
    assert [game.seats for game in schedule(("oak", "oak"), 2, 2)] == [("oak", "oak")] * 2


@pytest.mark.parametrize(("bots", "seats"), [(1, 1), (1, 2), (3, 4), (5, 6), (2, 1)])
def test_a_table_that_cannot_be_filled_is_refused(bots: int, seats: int) -> None:
    with pytest.raises(BadInput, match="--seats"):
        schedule(FIELD[:bots], seats, 1)
