"""A board reads true: ranks as ranges, parts that cannot be compared apart, every bar on its scale."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contest.rating import Row
from arena.desk.boards import Rated
from arena.web import tables

ROW = Row("v", 1500.0, 1400.0, 1600.0, 40, 0, 1, 1, 0, True, False)
ELO = st.floats(-5000, 5000)
ROWS = st.lists(
    st.builds(
        lambda low, up, more, sure: replace(ROW, low=low, elo=low + up, high=low + up + more, provisional=not sure),
        ELO,
        st.floats(0, 800),
        st.floats(0, 800),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


@given(rows=ROWS)
def test_every_rating_is_on_the_scale(rows: list[Row]) -> None:
    scale = tables.scale(rows)
    assert all(scale.holds(row.elo) for row in rows)


@given(rows=ROWS, one=ELO, other=ELO)
def test_more_elo_never_lies_further_left_nor_off_the_bar(rows: list[Row], one: float, other: float) -> None:
    scale = tables.scale(rows)
    left, right = scale.x(min(one, other)), scale.x(max(one, other))
    assert 0 <= left <= right <= tables.WIDTH


@given(rows=ROWS)
def test_the_marks_are_few_and_on_the_scale(rows: list[Row]) -> None:
    marks = tables.scale(rows).marks
    assert len(marks) <= 4
    assert all(tables.scale(rows).holds(mark) for mark in marks)


def test_an_unsure_interval_does_not_squeeze_the_others() -> None:
    wild = replace(ROW, low=0.0, high=3000.0, bounded=False, provisional=True)
    assert tables.scale([ROW, wild]) == tables.scale([ROW])


def test_what_cannot_be_compared_stands_apart() -> None:
    rows = [Rated(name, "1", replace(ROW, component=part)) for name, part in (("a", 0), ("b", 1), ("c", 0))]
    assert [[one.bot for one in group.rows] for group in tables.groups(rows)] == [["a", "c"], ["b"]]


def test_a_board_without_rows_has_no_groups() -> None:
    assert tables.groups([]) == ()


@pytest.mark.parametrize(("low", "high", "text"), [(1, 1, "1"), (2, 5, "2–5")], ids=["sure", "open"])
def test_a_rank_is_a_range_unless_it_is_sure(low: int, high: int, text: str) -> None:
    assert tables.rank(replace(ROW, rank_low=low, rank_high=high)) == text


@pytest.mark.parametrize(("elo", "text"), [(1499.6, "1,500"), (-12.0, "\u221212"), (-0.2, "0")])
def test_elo_is_shown_as_a_whole_number(elo: float, text: str) -> None:
    assert tables.elo(elo) == text


def test_the_anchor_has_no_interval() -> None:
    assert tables.interval(1500.0, 1500.0) == "fixed"


@pytest.mark.parametrize(("seconds", "text"), [(0.0, "0 s"), (59.0, "59 s"), (120.0, "2 min"), (7200.0, "2 h")])
def test_a_length_of_time_is_told_in_its_largest_unit(seconds: float, text: str) -> None:
    assert tables.span(seconds) == text
