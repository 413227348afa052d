"""The estimator against published numbers (T-numbers of docs/statistics.md) and an independent library."""

from itertools import permutations
from math import log

import choix
import numpy as np
import pytest

from arena.contest.elo import PER_LOGIT, expected, weight
from arena.contest.rating_fit import Floats, Problem, covariance, information, likelihood, strengths

BASEBALL = np.array(  # T5: Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto
    [
        [0, 1, 7, 4, 2, 3, 1],
        [12, 0, 7, 2, 6, 7, 6],
        [6, 6, 0, 4, 4, 6, 5],
        [9, 11, 9, 0, 6, 5, 7],
        [11, 7, 9, 7, 0, 7, 9],
        [10, 6, 7, 8, 6, 0, 6],
        [12, 7, 8, 6, 4, 7, 0],
    ],
    dtype=np.float64,
)
BASEBALL_LOGITS = [0, 1.1076977054, 0.6838527692, 1.4364084318, 1.5813558767, 1.2476178451, 1.2944851239]
BASEBALL_ERRORS = [0, 0.3338779, 0.3318764, 0.3395682, 0.3432557, 0.3358606, 0.3366691]
BASEBALL_ELO = [-182.438867, 9.987934, -63.641473, 67.090836, 92.270786, 34.294552, 42.436232]
BASEBALL_ELO_ERRORS = [40.3828, 34.9032, 35.6198, 35.4656, 36.0325, 35.0222, 35.1017]

CITATIONS = np.array(  # T8: Biometrika, Comm. Statist., JASA, JRSS-B
    [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]], dtype=np.float64
)
PUDDING = {  # T9: wins, losses, ties
    (1, 2): (19, 22, 16),
    (1, 3): (16, 19, 12),
    (2, 3): (19, 19, 10),
    (1, 4): (18, 23, 13),
    (2, 4): (23, 19, 9),
    (3, 4): (19, 20, 15),
    (1, 5): (13, 19, 18),
    (2, 5): (16, 20, 12),
    (3, 5): (16, 15, 17),
    (4, 5): (17, 14, 16),
    (1, 6): (18, 21, 12),
    (2, 6): (22, 20, 12),
    (3, 6): (13, 18, 10),
    (4, 6): (14, 19, 18),
    (5, 6): (11, 21, 12),
}


def errors(problem: Problem) -> Floats:
    return np.asarray(np.sqrt(covariance(problem, strengths(problem)).diagonal()))


PROMISED = {
    0: 0.5,
    50: 0.571463,
    100: 0.640065,
    150: 0.703385,
    200: 0.759747,
    300: 0.84902,
    400: 0.909091,
    800: 0.990099,
}


@pytest.mark.parametrize(("difference", "score"), PROMISED.items())
def test_t1_difference_promises_the_logistic_score(difference: float, score: float) -> None:
    assert expected(difference) == pytest.approx(score, abs=5e-7)
    assert expected(-difference) == pytest.approx(1 - score, abs=5e-7)


def test_expected_score_survives_absurd_differences() -> None:
    assert (expected(1e9), expected(-1e9)) == (1, 0)


@pytest.mark.parametrize("pinned", [None, 1], ids=["by mean", "by anchor"])
def test_t3_two_players_have_the_closed_form(pinned: int | None) -> None:
    problem = Problem(np.array([[0.0, 75.0], [25.0, 0.0]]), 0, pinned)
    theta = strengths(problem)
    spread = covariance(problem, theta)
    assert PER_LOGIT * (theta[0] - theta[1]) == pytest.approx(190.8485, abs=5e-5)
    assert PER_LOGIT * np.sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]) == pytest.approx(40.1184, abs=5e-5)


@pytest.mark.parametrize(
    ("wins", "elo"), [(1, 190.85), (2, 279.59), (4, 381.70), (10, 528.89), (20, 645.11), (100, 921.28)]
)
def test_t4_unbeaten_player_gets_the_closed_form(wins: int, elo: float) -> None:
    theta = strengths(Problem(np.array([[0.0, 0.0], [wins, 0.0]]), prior=1, pinned=0))
    assert PER_LOGIT * theta[1] == pytest.approx(elo, abs=0.005)


def test_t5_baseball_strengths_against_baltimore() -> None:
    theta = strengths(Problem(BASEBALL, prior=0, pinned=0))
    assert theta == pytest.approx(BASEBALL_LOGITS, abs=1e-9)


def test_t5_baseball_errors_against_baltimore() -> None:
    assert errors(Problem(BASEBALL, prior=0, pinned=0)) == pytest.approx(BASEBALL_ERRORS, abs=5e-7)


def test_t5_baseball_elo_around_the_mean() -> None:
    assert PER_LOGIT * strengths(Problem(BASEBALL, prior=0)) == pytest.approx(BASEBALL_ELO, abs=5e-6)


def test_t5_baseball_errors_around_the_mean() -> None:
    assert PER_LOGIT * errors(Problem(BASEBALL, prior=0)) == pytest.approx(BASEBALL_ELO_ERRORS, abs=5e-5)


def test_t5_baseball_likelihood_of_single_games() -> None:
    problem = Problem(BASEBALL, prior=0)
    assert likelihood(problem, strengths(problem)) == pytest.approx(-172.248176, abs=5e-7)


def test_t8_journals_against_biometrika() -> None:
    problem = Problem(CITATIONS, prior=0, pinned=0)
    assert strengths(problem) == pytest.approx([0, -2.9490724968, -0.4795697698, 0.2689540558], abs=1e-9)
    assert errors(problem) == pytest.approx([0, 0.1025453, 0.0605887, 0.0708300], abs=5e-7)


def test_t9_half_a_win_for_a_tie_gives_the_pudding_strengths() -> None:
    points = np.zeros((6, 6))
    for (left, right), (won, lost, tied) in PUDDING.items():
        points[left - 1, right - 1] = won + tied / 2
        points[right - 1, left - 1] = lost + tied / 2
    theta = strengths(Problem(points, prior=0, pinned=0))
    assert theta == pytest.approx([0, 0.16031, 0.11134, 0.12748, 0.09743, 0.27449], abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_t21_weight_makes_the_scores_vary_as_the_information_says(size: int) -> None:
    information_of_one = (size * np.eye(size) - 1) / 4
    scores = [[(size - 1) / 2 - place for place in order] for order in permutations(range(size))]
    outer = np.mean([np.outer(score, score) for score in scores], axis=0)
    assert weight(size) ** 2 * outer == pytest.approx(weight(size) * information_of_one)


def test_t24_newcomer_in_a_huge_pool_keeps_a_wide_error() -> None:
    pool = np.linspace(-1, 1, 19)
    points = np.zeros((20, 20))
    points[:19, :19] = 5848 / (1 + np.exp(np.subtract.outer(pool, pool).T))
    np.fill_diagonal(points, 0)
    points[19, :15] = points[:15, 19] = 1
    problem = Problem(points, prior=1, pinned=9)
    theta = strengths(problem)
    p = 1 / (1 + np.exp(theta[:15] - theta[19]))
    assert errors(problem)[19] == pytest.approx(1 / np.sqrt(2 * np.sum(p * (1 - p))), rel=0.1)


@pytest.mark.parametrize("seed", range(5))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    points = np.random.default_rng(seed).integers(1, 40, (8, 8)) / 2
    np.fill_diagonal(points, 0)
    assert strengths(Problem(points, prior=0)) == pytest.approx(choix.ilsr_pairwise_dense(points), abs=1e-6)


def test_ghost_is_one_more_opponent_to_choix() -> None:
    haunted = np.pad(BASEBALL, (0, 1), constant_values=0.5)
    haunted[7, 7] = 0
    found = choix.ilsr_pairwise_dense(haunted)
    assert strengths(Problem(BASEBALL, prior=1)) == pytest.approx(found[:7] - found[7], abs=1e-6)


def test_pinning_moves_nothing_but_the_level() -> None:
    free, pinned = (strengths(Problem(BASEBALL, prior=0, pinned=at)) for at in (None, 3))
    assert pinned - pinned.mean() == pytest.approx(free, abs=1e-9)


@pytest.mark.parametrize(
    "points",
    [
        np.diag(np.full(19, 1e6), k=1),
        np.array([[0, 0, 1e6, 1e4], [0, 0, 10, 10], [0, 1e6, 0, 100], [0, 0, 0, 0]]),
        np.array([[0, 0, 1e6, 0], [0, 0, 0, 1e5], [10, 1e5, 0, 1], [0, 1e6, 0, 0]]),
        np.array([[0, 1e5, 0, 1e5, 100], [0] * 5, [0, 0, 0, 0, 1e5], [0, 0, 1e6, 0, 0], [0, 100, 0, 100, 0]]),
    ],
    ids=["a chain", "an overshooting step", "rounding in the last steps", "a nearly singular information"],
)
def test_one_sided_millions_settle_where_wins_meet_expectation(points: Floats) -> None:
    theta = strengths(Problem(points, prior=1))
    promised = 1 / (1 + np.exp(np.subtract.outer(theta, theta).T))
    ghost = 1 / (1 + np.exp(-theta)) - 0.5
    assert ((points + points.T) * promised).sum(axis=1) + ghost == pytest.approx(points.sum(axis=1), abs=1e-6)


def test_information_is_that_of_coin_flips_between_equals() -> None:
    assert information(Problem(np.array([[0.0, 6.0], [6.0, 0.0]]), prior=0), np.zeros(2)) == pytest.approx(
        np.array([[3, -3], [-3, 3]])
    )


def test_lone_player_is_as_uncertain_as_its_prior() -> None:
    assert covariance(Problem(np.zeros((1, 1)), prior=1), np.zeros(1)) == pytest.approx(4)
    assert covariance(Problem(np.zeros((1, 1)), prior=0), np.zeros(1)) == np.inf


def test_elo_per_logit_is_the_usual_scale() -> None:
    assert pytest.approx(173.7178, abs=5e-5) == 400 / log(10) == PER_LOGIT
