"""The leaderboard: what counts, what is compared with what, and what is refused."""

from dataclasses import replace
from itertools import permutations
from math import isfinite, isinf, sqrt
from statistics import NormalDist, mean

import pytest

from arena.contest.ledger import every_pair
from arena.contest.rating import OVERALL, Boards, Row, Settings, Table, boards, superiority
from arena.errors import BadInput, Conflict, NotFound

FREE = Settings(anchor=None, sizes=(2,))
BARE = replace(FREE, prior=0)
ANCHORED = Settings(anchor="greedy", sizes=(2,))


def game(key: str, *players: str, places: tuple[int, ...] = (), deal: str = "one") -> Table:
    """A game on one deal won in the order of seats, unless places say otherwise."""
    size = len(players)
    ranks = places or tuple(range(1, size + 1))
    return Table(key, deal, players, ranks, every_pair(size), (False,) * size)


def duels(better: str, worse: str, *, won: int, lost: int = 0, tied: int = 0) -> list[Table]:
    name = f"{better}-{worse}-{won}-{lost}-{tied}"
    results = [(1, 2)] * won + [(2, 1)] * lost + [(1, 1)] * tied
    return [game(f"{name}-{at}", better, worse, places=places) for at, places in enumerate(results)]


def split(deals: int) -> list[Table]:
    """Deals that each player wins once: luck alone, which rotation takes out."""
    order = [("a", "b"), ("b", "a")]
    return [game(f"{at}", *order[at % 2], deal=f"{at // 2}") for at in range(2 * deals)]


def row(found: Boards, player: str, board: str = "2") -> Row:
    return next(row for row in found.rows[board] if row.player == player)


def error(found: Row) -> float:
    return (found.high - found.low) / 2 / NormalDist().inv_cdf(0.975)


def test_t3_three_quarters_of_the_points_are_191_elo() -> None:
    found = boards(duels("a", "greedy", won=75, lost=25), replace(ANCHORED, prior=0))
    assert row(found, "a").elo == pytest.approx(1690.8485, abs=5e-5)
    assert error(row(found, "a")) == pytest.approx(40.1184, abs=5e-5)


def test_ties_are_half_a_win_each() -> None:
    found = boards(duels("a", "b", won=50, tied=50), BARE)
    assert row(found, "a").elo - row(found, "b").elo == pytest.approx(190.8485, abs=5e-5)


@pytest.mark.parametrize("wins", [1, 4, 20])
def test_t4_unbeaten_player_is_finite_and_marked(wins: int) -> None:
    found = row(boards(duels("a", "greedy", won=wins), ANCHORED), "a")
    assert found.elo == pytest.approx(1500 + {1: 190.85, 4: 381.70, 20: 645.11}[wins], abs=0.005)
    assert not found.bounded
    assert isfinite(found.high)


def test_unbeaten_player_has_no_rating_without_a_prior() -> None:
    with pytest.raises(BadInput, match=r"no finite rating at 2 seats for a.*prior above 0"):
        boards(duels("a", "b", won=3) + duels("b", "c", won=1, lost=1), BARE)


def test_anchor_stays_at_its_level_with_no_width() -> None:
    anchor = row(boards(duels("a", "greedy", won=9, lost=1), replace(ANCHORED, level=1200)), "greedy")
    assert (anchor.low, anchor.elo, anchor.high, anchor.provisional) == (1200, 1200, 1200, False)


def test_ghost_fixes_the_level_where_the_anchor_did_not_play() -> None:
    found = boards(duels("a", "b", won=9, lost=1), ANCHORED)
    assert mean(row.elo for row in found.rows["2"]) == pytest.approx(1500)


def test_without_an_anchor_intervals_are_about_the_mean() -> None:
    found = boards(duels("a", "b", won=75, lost=25), BARE)
    assert error(row(found, "a")) == pytest.approx(40.1184 / 2, abs=5e-5)


def test_rows_run_from_the_top_and_equals_by_name() -> None:
    played = duels("b", "c", won=1, lost=1) + duels("b", "a", won=1, lost=1) + duels("a", "c", won=1, lost=1)
    found = boards(duels("d", "a", won=3) + duels("d", "b", won=3) + duels("d", "c", won=3) + played, FREE)
    assert [row.player for row in found.rows["2"]] == ["d", "a", "b", "c"]


def test_same_game_twice_counts_once() -> None:
    played = duels("a", "b", won=3, lost=1)
    assert boards(played + played[:2], FREE) == boards(played, FREE)


def test_two_results_under_one_key_are_refused() -> None:
    with pytest.raises(Conflict, match="two different results for game 'g'"):
        boards([game("g", "a", "b"), game("g", "b", "a")], FREE)


def test_player_against_itself_says_nothing() -> None:
    alone = boards([game("1", "a", "b")], replace(FREE, sizes=(3,)))
    found = boards([game("1", "a", "b"), game("2", "a", "a")], replace(FREE, sizes=(3,)))
    assert [each.elo for each in found.rows["2"]] == [each.elo for each in alone.rows["2"]]
    assert row(found, "a").games == 2


def test_unrated_pairs_do_not_move_ratings() -> None:
    gone = replace(game("1", "a", "b", "c"), pairs=((0, 2), (1, 2)), forfeits=(False, False, True))
    swapped = replace(gone, places=(2, 1, 3))
    assert boards([gone], FREE).ledger == boards([swapped], FREE).ledger
    assert boards([gone], FREE).rows["3"] == boards([swapped], FREE).rows["3"]


def test_game_without_rated_pairs_is_counted_but_rates_nobody() -> None:
    gone = replace(game("1", "a", "b"), pairs=(), forfeits=(False, True))
    found = boards([gone], FREE)
    assert [(each.elo, each.games, each.forfeits) for each in found.rows["2"]] == [(1500, 1, 0), (1500, 1, 1)]


def test_lone_player_is_unknown_without_a_prior() -> None:
    gone = replace(game("1", "a", "b"), pairs=())
    assert all(isinf(each.high) for each in boards([gone], BARE).rows["2"])


def test_lone_player_is_as_unsure_as_its_prior_whatever_the_design_effect() -> None:
    gone = replace(game("x", "c", "c"), pairs=())
    found = boards([*split(30), gone], FREE)
    assert error(row(found, "c")) == pytest.approx(2 * 173.7178, abs=1e-3)


def test_each_size_has_a_board_of_its_own_games() -> None:
    played = duels("a", "b", won=3, lost=1)
    found = boards([*played, game("x", "b", "a", "c")], FREE)
    assert found.rows["2"] == boards(played, FREE).rows["2"]
    assert [row.player for row in found.rows["3"]] == ["b", "a", "c"]


def test_overall_is_the_mean_over_the_declared_sizes() -> None:
    played = [*duels("a", "b", won=3, lost=1), game("x", "b", "a", "c"), game("y", "a", "b", "c", "d")]
    found = boards(played, Settings(anchor=None, sizes=(2, 3)))
    for player in ("a", "b"):
        two, three, both = (row(found, player, board) for board in ("2", "3", OVERALL))
        assert both.elo == pytest.approx((two.elo + three.elo) / 2, abs=2e-6)
        assert error(both) == pytest.approx(sqrt(error(two) ** 2 + error(three) ** 2) / 2, abs=2e-6)


def test_player_lacking_a_size_has_no_overall_row() -> None:
    found = boards([game("1", "a", "b"), game("2", "a", "b", "c")], Settings(anchor=None, sizes=(2, 3)))
    assert {row.player for row in found.rows[OVERALL]} == {"a", "b"}


def test_size_nobody_played_leaves_overall_empty() -> None:
    assert boards([game("1", "a", "b")], Settings(anchor=None)).rows[OVERALL] == ()


def test_no_games_make_empty_boards() -> None:
    assert boards([], FREE).rows == {"2": (), OVERALL: ()}


def test_pools_that_never_met_are_apart_and_the_anchors_comes_first() -> None:
    pool = [game("1", "a", "b"), game("2", "b", "c"), game("3", "c", "a")]
    found = boards([*pool, *duels("d", "greedy", won=3, lost=1)], ANCHORED).rows["2"]
    assert {each.player: each.component for each in found} == {"a": 1, "b": 1, "c": 1, "d": 0, "greedy": 0}


def test_ranks_are_counted_within_a_pool() -> None:
    found = boards(duels("a", "greedy", won=300, lost=100) + duels("b", "c", won=300, lost=100), ANCHORED)
    assert {each.player: each.rank_low for each in found.rows["2"]} == {"a": 1, "greedy": 2, "b": 1, "c": 2}


def test_overall_compares_only_who_is_linked_at_every_size() -> None:
    three = [game("1", "a", "greedy", "x"), game("2", "b", "c", "y")]
    two = [game("3", "a", "b"), game("4", "b", "greedy"), game("5", "greedy", "c")]
    found = boards(two + three, replace(ANCHORED, sizes=(2, 3))).rows[OVERALL]
    assert {each.player: each.component for each in found} == {"a": 0, "greedy": 0, "b": 1, "c": 1}


def test_overall_without_the_anchors_pool_has_no_first_component() -> None:
    three, two = game("1", "a", "greedy", "x"), [game("2", "b", "c"), game("3", "b", "d"), game("4", "a", "e")]
    found = boards([three, *two], Settings(anchor=None, sizes=(2, 3))).rows[OVERALL]
    assert [(each.player, each.component) for each in found] == [("a", 1)]


def test_overall_is_as_doubtful_as_its_worst_size() -> None:
    sure = duels("a", "greedy", won=20, lost=20)
    found = boards([*sure, game("1", "a", "greedy", "b")], replace(ANCHORED, sizes=(2, 3)))
    two, both = row(found, "a"), row(found, "a", OVERALL)
    assert (two.bounded, two.provisional) == (True, False)
    assert (both.bounded, both.provisional) == (False, True)


def test_pools_that_never_met_do_not_move_each_other() -> None:
    one, other = duels("a", "greedy", won=3, lost=1), duels("b", "c", won=7, lost=1)
    both = boards(one + other, ANCHORED)
    assert row(both, "a") == row(boards(one, ANCHORED), "a")
    assert row(both, "b").elo == row(boards(other, ANCHORED), "b").elo


def test_superiority_across_pools_is_refused() -> None:
    found = boards(duels("a", "b", won=3, lost=1) + duels("c", "d", won=3, lost=1), FREE)
    with pytest.raises(BadInput, match="'a' and 'c' cannot be compared on board 'overall'"):
        superiority(found, OVERALL, better="a", than="c")


def test_superiority_uses_the_covariance() -> None:
    found = boards(duels("a", "b", won=75, lost=25), replace(BARE, sizes=(2,)))
    assert superiority(found, "2", better="a", than="b") == pytest.approx(NormalDist().cdf(190.8485 / 40.1184))


def test_superiority_of_one_is_inferiority_of_the_other() -> None:
    found = boards(duels("a", "b", won=3, lost=2) + duels("b", "c", won=1, lost=1), FREE)
    both = [superiority(found, "2", better=one, than=other) for one, other in permutations("ab", 2)]
    assert sum(both) == pytest.approx(1)


def test_player_is_no_better_than_itself() -> None:
    found = boards(duels("a", "b", won=3, lost=2), FREE)
    assert superiority(found, "2", better="a", than="a") == 0.5


def test_superiority_names_what_is_missing() -> None:
    found = boards([game("1", "a", "b")], FREE)
    with pytest.raises(NotFound, match="no player 'z' on board '2'"):
        superiority(found, "2", better="a", than="z")
    with pytest.raises(NotFound, match="no board '4'; there are 2, overall"):
        superiority(found, "4", better="a", than="b")


def test_only_those_who_beat_and_lose_to_the_anchor_are_bounded() -> None:
    chain = duels("top", "greedy", won=5) + duels("greedy", "mid", won=3, lost=1) + duels("mid", "low", won=5)
    found = boards(chain, ANCHORED)
    assert {each.player for each in found.rows["2"] if each.bounded} == {"greedy", "mid"}


def test_newcomer_is_provisional_until_thirty_duels() -> None:
    assert row(boards(duels("a", "greedy", won=20, lost=9), ANCHORED), "a").provisional
    assert not row(boards(duels("a", "greedy", won=20, lost=10), ANCHORED), "a").provisional


def test_ranks_stay_open_until_the_order_is_proved() -> None:
    early = boards(duels("a", "b", won=3, lost=2), FREE).rows["2"]
    late = boards(duels("a", "b", won=300, lost=200), FREE).rows["2"]
    assert [(each.rank_low, each.rank_high) for each in early] == [(1, 2), (1, 2)]
    assert [(each.rank_low, each.rank_high) for each in late] == [(1, 1), (2, 2)]


def test_independent_duels_have_no_design_effect() -> None:
    played = [replace(each, deal=each.key) for each in duels("a", "b", won=75, lost=25)]
    assert boards(played, BARE).effects["2"] == pytest.approx(100 / 99)


def test_repeated_results_on_one_deal_widen_the_interval() -> None:
    played = [replace(each, deal=f"{at // 2}") for at, each in enumerate(duels("a", "b", won=60, lost=60))]
    assert boards(played, BARE).effects["2"] == pytest.approx(2 * 60 / 59)


def test_fewer_than_thirty_deals_never_narrow_the_interval() -> None:
    assert boards(split(29), BARE).effects["2"] == 1
    assert boards(split(30), BARE).effects["2"] < 1e-9


def test_ledger_moves_with_every_result() -> None:
    assert boards([game("1", "a", "b")], FREE).ledger != boards([game("1", "b", "a")], FREE).ledger


@pytest.mark.parametrize(
    "flaw",
    [
        {"players": ("a",)},
        {"places": (1,)},
        {"places": (0, 1)},
        {"forfeits": (False,)},
        {"pairs": ((1, 0),)},
        {"pairs": ((0, 1), (0, 1))},
        {"pairs": ((0, 2),)},
    ],
    ids=str,
)
def test_malformed_game_is_refused_by_key(flaw: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(BadInput, match="game 'g1' cannot be rated"):
        replace(game("g1", "a", "b"), **flaw)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [{"prior": -1.0}, {"level": float("nan")}, {"sizes": (1,)}, {"sizes": (2, 2)}], ids=str
)
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        replace(FREE, **wrong)  # type: ignore[arg-type]
