"""The shipped rule set is the one of docs/rules.md, and a wrong one is refused with its reason."""

from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.game import ruleset
from tests.game import bridge
from tests.game.agreement import RULE_SETS
from tests.oracle.facts import COLUMN_POINTS, DEFAULT, KINDS

TEXT = (resources.files("arena.game") / "rulesets" / "rvg-1.toml").read_text("utf-8")
LINE_1, LINE_5 = "[1, 2, 3, 4, 5, 6, 7]", "[5, 10, 15, 20, 25, 30, 35]"


def changed(old: str, new: str) -> str:
    """The shipped file with one thing about it changed."""
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


# What is shipped


def test_the_default_has_the_numbers_of_the_rules() -> None:
    assert ruleset.named() == bridge.rule_set(DEFAULT, "rvg-1")


def test_the_default_has_the_pieces_of_the_rules() -> None:
    pieces = ruleset.named().pieces
    assert pieces == KINDS
    assert [sum(shape) for shape in zip(*pieces, strict=True)] == [22] * 6


def test_the_default_scores_columns_by_the_table_of_the_rules() -> None:
    table = ruleset.named().column_scores
    assert [[0, *column] for column in zip(*table, strict=True)] == [list(column) for column in COLUMN_POINTS]


def test_the_fingerprint_of_the_default_never_changes() -> None:
    assert (ruleset.named().name, ruleset.named().digest) == ("rvg-1", "342789ed22c8f907")


def test_every_shipped_rule_set_has_the_name_of_its_file() -> None:
    assert [ruleset.named(name).name for name in ruleset.shipped()] == list(ruleset.shipped())


def test_the_default_is_shipped() -> None:
    assert ruleset.DEFAULT in ruleset.shipped()


@pytest.mark.parametrize(
    "name",
    ["rvg-9", "", "../rvg-1", "rvg-1.toml", "rvg/1", "a" * 999, "rvg\0", "RVG-1", "-"],
    ids=lambda name: name[:9],
)
def test_an_unknown_name_is_refused_with_what_there_is(name: str) -> None:
    with pytest.raises(BadInput, match=r"no rule set .*ships: rvg-1"):
        ruleset.named(name)


@given(st.text())
def test_no_name_reaches_beyond_the_shipped_ones(name: str) -> None:
    if name not in ruleset.shipped():
        with pytest.raises(BadInput):
            ruleset.named(name)


# Fingerprints


def test_any_other_number_is_another_fingerprint() -> None:
    sets = [bridge.rule_set(numbers, "one name") for numbers in RULE_SETS.values()]
    assert len({rules.digest for rules in sets}) == len(RULE_SETS)


def test_another_name_is_another_fingerprint() -> None:
    assert bridge.rule_set(DEFAULT, "one").digest != bridge.rule_set(DEFAULT, "two").digest


def test_comments_do_not_change_the_fingerprint() -> None:
    assert ruleset.parsed(TEXT + "\n# a remark\n").digest == ruleset.named().digest


# Wrong tables


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(changed("stones = [1, 2, 1", "stones = [1, 3, 1"), "1 or 2 stones", id="three stones"),
        pytest.param(changed("stones = [1, 2, 1", "stones = [0, 2, 1"), "1 or 2 stones", id="no stone"),
        pytest.param(changed("stones = [1, 2, 1", "stones = [2, 1"), "stones must be 6 whole", id="five tiles"),
        pytest.param(changed("rows = 5", "rows = 2"), "rows must be 3 to 9", id="two rows"),
        pytest.param(changed("rows = 5", "rows = 10"), "rows must be 3 to 9", id="ten rows"),
        pytest.param(changed("rows = 5", "rows = 4"), "one line per height, 4 in all", id="a line too many"),
        pytest.param(changed(f"    {LINE_5},\n", ""), "one line per height, 5 in all", id="a line too few"),
        pytest.param(changed("rows = 5", "rows = 5.0"), "rows must be a whole number", id="rows no integer"),
        pytest.param(changed("rows = 5", "rows = true"), "rows must be a whole number", id="rows a boolean"),
        pytest.param(changed("11, 16, 22]", "11, 16, 23]"), "0, 7 and 22", id="full row not 22"),
        pytest.param(changed("4, 7, 11, 16", "4, 8, 11, 16"), "0, 7 and 22", id="four cells not 7"),
        pytest.param(changed("[0, 1, 2, 4", "[1, 2, 3, 4"), "0, 7 and 22", id="empty row not 0"),
        pytest.param(changed("7, 11, 16, 22", "7, 16, 16, 22"), "row_scores must rise", id="rows flat"),
        pytest.param(changed("7, 11, 16, 22", "7, 16, 11, 22"), "row_scores must rise", id="rows falling"),
        pytest.param(changed("7, 11, 16, 22", "7, 16, 22"), "8 whole numbers", id="row table short"),
        pytest.param(changed(LINE_1, "[1, 2, 3, 3, 5, 6, 7]"), "rise from left to right", id="columns flat"),
        pytest.param(changed(LINE_1, "[1, 2, 4, 3, 5, 6, 7]"), "rise from left to right", id="columns falling"),
        pytest.param(changed(LINE_5, "[4, 10, 15, 20, 25, 30, 35]"), "rise with height", id="height flat"),
        pytest.param(changed(LINE_5, "[3, 10, 15, 20, 25, 30, 35]"), "rise with height", id="height falling"),
        pytest.param(changed(LINE_1, "[1, 2, 3, 4, 5, 6]"), "line 1 must be 7 whole", id="six columns"),
        pytest.param(changed(LINE_1, "[1, 2, 3, 4, 5, 6, 256]"), "line 1 must be 7 whole", id="over a byte"),
        pytest.param(changed(LINE_1, "[-1, 2, 3, 4, 5, 6, 7]"), "line 1 must be 7 whole", id="negative"),
        pytest.param(changed(LINE_1, "[1, 2.5, 3, 4, 5, 6, 7]"), "line 1 must be 7 whole", id="a fraction"),
        pytest.param(changed(LINE_1, '"1234567"'), "line 1 must be 7 whole", id="a text for numbers"),
        pytest.param(changed("refill_in_last_stage = true", "refill_in_last_stage = 1"), "or false", id="switch"),
        pytest.param(changed('name = "rvg-1"', "name = 1"), "name a text", id="name no text"),
        pytest.param(changed("white = [4,", "white = [5,"), "pieces per colour", id="a white piece more"),
        pytest.param(changed("black = [2,", "black = [1,"), "pieces per colour", id="a black piece less"),
        pytest.param(changed("orange = [1, 2, 1,", "orange = [4,"), "pieces.orange must be 6", id="four shapes"),
        pytest.param(changed("black = [2, 2, 2, 2, 2, 2]", ""), "must list the colours", id="no black"),
        pytest.param(changed("black = [", "red = ["), "must list the colours", id="another colour"),
        pytest.param(TEXT + "red = [2, 2, 2, 2, 2, 2]\n", "must list the colours", id="a tenth colour"),
        pytest.param(changed("rows = 5\n", ""), "exactly the fields", id="field missing"),
        pytest.param("depth = 3\n" + TEXT, "exactly the fields", id="field unknown"),
        pytest.param("rows = = 5", "not TOML", id="not TOML"),
        pytest.param("", "exactly the fields", id="empty"),
    ],
)
def test_a_wrong_table_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        ruleset.parsed(text)


@pytest.mark.parametrize(
    ("field", "value"),
    [("column_scores", "3"), ("column_scores", "[3]"), ("stones", "{}"), ("pieces", "[]"), ("rows", '"5"')],
)
def test_a_field_of_another_kind_is_bad_input(field: str, value: str) -> None:
    fields = {"name": '"x"', "stones": "[1,1,1,1,1,1]", "rows": "3", "row_scores": "[0,1,2,3,7,8,9,22]"}
    fields |= {"column_scores": "[]", "refill_in_last_stage": "true", "pieces": "{}", field: value}
    with pytest.raises(BadInput):
        ruleset.parsed("\n".join(f"{name} = {text}" for name, text in fields.items()))


@given(st.text())
def test_any_text_is_a_rule_set_or_bad_input(text: str) -> None:
    with pytest.raises(BadInput):
        ruleset.parsed(text)
