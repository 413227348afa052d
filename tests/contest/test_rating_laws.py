"""Laws of the leaderboard over many games: order, repetition and honest intervals."""

from collections.abc import Iterator
from itertools import combinations
from math import isfinite
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.contest.elo import PER_LOGIT
from arena.contest.ledger import every_pair
from arena.contest.rating import OVERALL, Row, Settings, Table, boards

NAMES = tuple("abcdefgh")
ALL = Settings(anchor="a", sizes=(2, 3, 4, 5))


@st.composite
def games(draw: st.DrawFn) -> list[Table]:
    """Up to 40 games of 2-5 of six players, some on shared deals, some with pairs left unrated."""
    return [_game(draw, f"g{at}") for at in range(draw(st.integers(0, 40)))]


def _game(draw: st.DrawFn, key: str) -> Table:
    size = draw(st.integers(2, 5))
    seats = st.tuples(*[st.sampled_from(NAMES[:6])] * size)
    places = st.tuples(*[st.integers(1, size)] * size)
    pairs = draw(st.sets(st.sampled_from(every_pair(size)))) if draw(st.booleans()) else every_pair(size)
    deal, lost = draw(st.sampled_from(["x", "y", key])), draw(st.tuples(*[st.booleans()] * size))
    return Table(key, deal, draw(seats), draw(places), tuple(sorted(pairs)), lost)


def played(dice: np.random.Generator, strengths: tuple[float, ...], *, size: int, deals: int) -> Iterator[Table]:
    """Each deal played once in every rotation by random players whose scores share the deal's luck by seat."""
    for deal in range(deals):
        chosen = dice.choice(len(strengths), size, replace=False).tolist()
        luck = dice.normal(size=size) * 0.7
        for turn in range(size):
            seats = chosen[turn:] + chosen[:turn]
            scores = np.array([strengths[at] for at in seats]) + luck + dice.normal(size=size) * 0.7
            places = tuple((1 + np.argsort(np.argsort(-scores))).tolist())
            names = tuple(NAMES[at] for at in seats)
            yield Table(f"{deal}.{turn}", f"{deal}", names, places, every_pair(size), (False,) * size)


def duels(dice: np.random.Generator, logits: tuple[float, ...], *, each: int) -> Iterator[Table]:
    """Independent duels, won with the probability that the difference promises."""
    for left, right in combinations(range(len(logits)), 2):
        won = dice.random(each) < 1 / (1 + np.exp(logits[right] - logits[left]))
        for at, first in enumerate(won.tolist()):
            key = f"{left}-{right}-{at}"
            yield Table(key, key, (NAMES[left], NAMES[right]), (1, 2) if first else (2, 1), ((0, 1),), (False,) * 2)


def covered(rows: tuple[Row, ...], truth: dict[str, float]) -> list[bool]:
    return [row.low <= truth[row.player] <= row.high for row in rows]


@settings(max_examples=40, deadline=None)
@given(games(), st.randoms(use_true_random=False))
def test_order_and_repetition_change_nothing(entered: list[Table], dice: Random) -> None:
    delivered = entered + [table for table in entered if dice.random() < 0.3]
    dice.shuffle(delivered)
    assert repr(boards(delivered, ALL)) == repr(boards(entered, ALL))


def test_t23_redelivered_shuffles_share_one_digest() -> None:
    entered = list(played(np.random.default_rng(23), (0.0, 0.1, 0.2, 0.3, 0.4, 0.5), size=4, deals=300))
    found = set()
    for seed in range(5):
        delivered = entered + Random(seed).sample(entered, 100)
        Random(seed).shuffle(delivered)
        ratings = boards(delivered, ALL)
        found.add((ratings.digest, ratings.ledger, repr(ratings.effects), ratings.estimates["4"].elo.tobytes()))
    assert len(found) == 1


@settings(max_examples=40, deadline=None)
@given(games())
def test_every_rating_is_finite_with_a_prior(entered: list[Table]) -> None:
    for table in boards(entered, ALL).rows.values():
        assert all(isfinite(row.elo) and row.low <= row.elo <= row.high and isfinite(row.high) for row in table)


@settings(max_examples=40, deadline=None)
@given(games())
def test_rank_ranges_hold_the_rank(entered: list[Table]) -> None:
    for table in boards(entered, ALL).rows.values():
        for part in {row.component for row in table}:
            inside = [row for row in table if row.component == part]
            assert all(row.rank_low <= at <= row.rank_high for at, row in enumerate(inside, 1))


@settings(max_examples=40, deadline=None)
@given(games(), st.permutations(NAMES[1:6]))
def test_names_do_not_matter_except_the_anchors(entered: list[Table], others: list[str]) -> None:
    alias = dict(zip(NAMES[:6], ["a", *others], strict=True))
    renamed = [
        Table(
            table.key, table.deal, tuple(alias[p] for p in table.players), table.places, table.pairs, table.forfeits
        )
        for table in entered
    ]
    before = {alias[row.player]: row.elo for row in boards(entered, ALL).rows[OVERALL]}
    after = {row.player: row.elo for row in boards(renamed, ALL).rows[OVERALL]}
    assert after == pytest.approx(before, abs=1e-5)


def test_fisher_intervals_cover_independent_duels() -> None:
    logits = (-0.9, -0.5, -0.2, 0.0, 0.2, 0.5, 0.9)
    truth = {name: 1500 + PER_LOGIT * logit for name, logit in zip(NAMES, logits, strict=False)}
    dice = np.random.default_rng(5)
    bare = Settings(anchor=None, prior=0, sizes=())
    hits = [hit for _ in range(150) for hit in covered(boards(duels(dice, logits, each=20), bare).rows["2"], truth)]
    assert 0.93 <= np.mean(hits) <= 0.97


def test_clustered_intervals_cover_shared_deals_at_four_seats() -> None:
    truth = dict.fromkeys(NAMES, 1500.0)
    dice = np.random.default_rng(7)
    found = [boards(played(dice, (0.0,) * 8, size=4, deals=80), Settings(anchor=None, sizes=())) for _ in range(120)]
    assert 0.93 <= np.mean([hit for each in found for hit in covered(each.rows["4"], truth)]) <= 0.97


def test_rotated_deals_save_games() -> None:
    rotated = boards(played(np.random.default_rng(3), (0.0,) * 8, size=4, deals=300), ALL)
    assert rotated.effects["4"] < 0.65
