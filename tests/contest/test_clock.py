"""Time per seat is counted as docs/architecture.md says: a bank, an increment, a cap for one action."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contest.clock import DEFAULT, Bank, TimeControl, charged, limit, time_control
from arena.errors import BadInput

WRONG_FORM = ["", "60", "60+1", "60/10", "60+0.5/10 ", " 60+0.5/10", "60+0.5/10\n", "60+0.5/10/3"]
WRONG_NUMBER = ["-60+0/1", "60+-1/10", "60,5+0/1", "6e1+0/1", "inf+0/1", "nan+0/1", ".5+0/1", "60.+0/1"]
WRONG_NUMBER += ["60+0.0001/10", "٦+0/1", "99999999999999999999+0/1"]
CONTROL = TimeControl(bank=60, increment=0.5, cap=10)


def seconds(least: int = 0) -> st.SearchStrategy[float]:
    """Whole milliseconds up to an hour."""
    return st.integers(least, 3_600_000).map(lambda millis: millis / 1000)


def test_a_time_control_is_read_as_bank_increment_cap() -> None:
    assert time_control("60+0.5/10") == CONTROL


def test_the_default_is_a_time_control() -> None:
    assert str(time_control(DEFAULT)) == DEFAULT


@given(seconds(1), seconds(), seconds(1))
def test_a_time_control_reads_back_from_its_text(bank: float, increment: float, cap: float) -> None:
    control = TimeControl(bank, increment, cap)
    assert time_control(str(control)) == control


@pytest.mark.parametrize(
    ("control", "text"),
    [
        (TimeControl(100, 0, 10), "100+0/10"),
        (TimeControl(86400, 0.001, 1.5), "86400+0.001/1.5"),
        (TimeControl(12345.678, 0, 1), "12345.678+0/1"),
    ],
    ids=str,
)
def test_a_time_control_is_written_plainly(control: TimeControl, text: str) -> None:
    assert str(control) == text


@pytest.mark.parametrize(
    "text",
    [*WRONG_FORM, *WRONG_NUMBER],
    ids=repr,
)
def test_anything_else_is_refused_with_the_form_to_write(text: str) -> None:
    with pytest.raises(BadInput, match=r"write bank\+increment/cap in seconds, as 60\+0.5/10"):
        time_control(text)


@pytest.mark.parametrize("text", ["0+1/10", "60+1/0", "86401+0/1", "60+0/86401", "60+3601/1", "0.000+0/1"])
def test_a_time_control_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="above 0 s and within a day"):
        time_control(text)


@given(st.text(max_size=30))
def test_any_text_is_a_time_control_or_bad_input(text: str) -> None:
    with suppress(BadInput):
        assert time_control(text).bank > 0


# Arithmetic


@pytest.mark.parametrize(("left", "allowed"), [(60, 10), (10, 10), (9.5, 9.5), (0.0, 0.0)])
def test_a_seat_may_take_the_cap_or_what_is_left(left: float, allowed: float) -> None:
    assert limit(CONTROL, Bank(left)) == allowed


def test_an_action_costs_its_time_and_earns_the_increment() -> None:
    assert charged(CONTROL, Bank(20.0), took=2.0) == Bank(18.5)


def test_an_instant_action_earns_the_increment() -> None:
    assert charged(CONTROL, Bank(60.0), took=0.0) == Bank(60.5)


def test_the_last_second_may_be_used_up() -> None:
    bank = charged(TimeControl(bank=5, increment=0, cap=10), Bank(5.0), took=5.0)
    assert (bank, limit(CONTROL, bank)) == (Bank(0.0), 0.0)


@given(seconds(), seconds(), st.floats(0, 1))
def test_an_action_in_time_leaves_at_least_the_increment(left: float, increment: float, part: float) -> None:
    control = TimeControl(bank=60, increment=increment, cap=10)
    took = part * limit(control, Bank(left))
    assert charged(control, Bank(left), took).left >= increment


@given(st.lists(st.floats(0, 10), max_size=50))
def test_a_bank_is_what_was_given_less_what_was_taken(times: list[float]) -> None:
    bank = Bank(1000.0)
    for took in times:
        bank = charged(CONTROL, bank, took)
    assert bank.left == pytest.approx(1000 + 0.5 * len(times) - sum(times))
