"""The ledger of a game: what is stored reads back the same, and damage is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contest.timing import Timed, ledger_from_text, ledger_to_text
from arena.errors import BadInput

micro = st.integers(0, 10**13).map(lambda count: count / 1e6)
lines = st.builds(Timed, st.integers(0, 400), st.integers(0, 4), micro, micro, micro, micro, micro, micro)


@given(st.lists(lines, max_size=5))
def test_a_ledger_reads_back_to_the_microsecond(ledger: list[Timed]) -> None:
    text = ledger_to_text(ledger)
    assert ledger_to_text(ledger_from_text(text)) == text
    assert ledger_from_text(text) == tuple(ledger)


@pytest.mark.parametrize("damage", ["0 1 2 3", "0 1 2 3 4 5 6 x", "", "0 1 2 3 4 5 6 7 8"])
def test_a_damaged_line_is_named(damage: str) -> None:
    good = ledger_to_text([Timed(0, 1, 2.0, 3.0, 0.0, 0.0, 3.0, 57.0)])
    with pytest.raises(BadInput, match="line 2"):
        ledger_from_text(good + damage + "\n")
