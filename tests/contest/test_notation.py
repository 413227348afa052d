"""A record is written as docs/notation.md says and reads back the same; any other text is a flaw with its line."""

import time
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.contest.notation import action_text, written
from arena.contest.reading import LONGEST, Flaw, action_of, read
from arena.contest.record import Record
from arena.contest.referee import Reason
from arena.contest.verify import verified
from arena.errors import BadInput
from arena.game.actions import Action, Lake, Pass, River
from arena.game.pieces import CODES, KINDS, code, codes, colour_of, kind_of, name
from tests.contest import fuzz
from tests.contest.played import Faults, record
from tests.game.random_games import Plan, plans

laws = settings(max_examples=50, deadline=None)
QUITS: Faults = {5: ((1, Reason.TIME),)}
KIND = st.integers(0, KINDS - 1)


def body(text: str) -> list[str]:
    """The lines of a record without its seal."""
    return text.rstrip("\n").split("\n")[:-1]


def reread(text: str) -> Record:
    return read("\n".join(body(text)))[0]


def records() -> st.SearchStrategy[Record]:
    """Records of random games at every table, with and without forfeits and nonces."""
    return st.integers(2, 5).flatmap(
        lambda players: st.builds(
            record,
            players=st.just(players),
            seed=st.integers(0, 10_000),
            nonces=st.integers(0, players),
            faults=faults(players),
        )
    )


def faults(players: int) -> st.SearchStrategy[Faults]:
    fault = st.tuples(st.integers(0, players - 1), st.sampled_from(Reason))
    return st.dictionaries(st.integers(0, 30), st.tuples(fault), max_size=2)


# Round trips


@laws
@given(records())
def test_a_record_reads_back_the_same(kept: Record) -> None:
    assert reread(written(kept)) == kept


@laws
@given(records())
def test_a_record_written_again_is_the_same_text(kept: Record) -> None:
    text = written(kept)
    assert written(reread(text)) == text


@laws
@given(records())
def test_a_record_of_a_game_is_true(kept: Record) -> None:
    verdict = verified(written(kept))
    assert (verdict.record, verdict.edited, verdict.fair) == (kept, False, any(kept.head.nonces))


@laws
@given(plans())
def test_an_action_reads_back_from_its_text(plan: Plan) -> None:
    for action in plan.actions():
        assert action_of(action_text(action)) == action


@given(
    st.builds(
        River,
        st.lists(KIND, min_size=1, max_size=2).map(tuple),
        st.integers(0, 5),
        st.sampled_from((-1, 1)),
        st.lists(st.integers(0, 8), max_size=7).map(tuple),
    )
    | st.builds(Lake, st.lists(KIND, min_size=1, max_size=4).map(tuple), st.lists(KIND, max_size=4).map(tuple))
    | st.just(Pass())
)
def test_any_action_reads_back_even_if_no_position_allows_it(action: Action) -> None:
    assert action_of(action_text(action)) == action


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (River((0,), 2, -1), "river wh1 @2 left"),
        (River((12, 18), 5, -1, (6, 3)), "river lb1 db1 @5 left order ye db"),
        (Lake((4, 8, 14, 53)), "lake wh5 pu3 lb3 bk6"),
        (Lake((4,), (0, 1)), "lake wh5 give wh1 wh2"),
        (Pass(), "pass"),
    ],
    ids=["river", "order", "lake", "give", "pass"],
)
def test_actions_are_written_in_the_words_of_the_game(action: Action, text: str) -> None:
    assert action_text(action) == text


# What a file looks like


def test_a_forfeit_stands_before_the_action_of_its_ply() -> None:
    lines = body(written(record(3, 1, faults=QUITS)))
    at = next(number for number, line in enumerate(lines) if line.startswith("forfeit"))
    assert lines[at] == "forfeit 5 s1 TIME late {time due at ply 5}"
    assert lines[at - 1].startswith("4 s1 ")
    assert lines[at + 1].startswith("5 s2 ")


def test_actions_of_the_neutral_player_are_marked_auto() -> None:
    lines = body(written(record(3, 1, faults=QUITS)))
    assert [line.split(" ")[0] for line in lines if line.endswith(" auto")] == [
        str(move.ply) for move in record(3, 1, faults=QUITS).moves if move.ply >= 5 and move.seat == 1
    ]


def test_a_forfeit_after_the_last_action_is_written_last() -> None:
    lines = body(written(record(2, 1, faults=QUITS)))
    assert [line for line in lines if line][-3].startswith("forfeit 5 s1")


def test_what_a_bot_says_cannot_break_its_line() -> None:
    kept = record(2, 1, faults=QUITS)
    fault = replace(kept.forfeits[0], detail="a } b { c\n5 s1 pass\0\u202e" + "x" * 500)
    text = written(replace(kept, forfeits=(fault,)))
    assert len(text.split("\n")) == len(written(kept).split("\n"))
    assert verified(text).record.moves == kept.moves


def test_lines_are_known_by_what_they_say() -> None:
    lines = body(written(record(3, 1, faults=QUITS)))
    reading = read("\n".join(lines))[1]
    for thing, start in {"Seat1": "[Seat1", "ply 7": "7 s1", "forfeit 1": "forfeit", "result 2": "result s2"}.items():
        assert lines[reading.line(thing) - 1].startswith(start)


# Pieces


@given(KIND)
def test_a_piece_reads_back_from_its_code(kind: int) -> None:
    assert kind_of(code(kind)) == kind


def test_pieces_have_codes_and_names() -> None:
    assert (codes((0, 14, 53)), name(14)) == ("wh1 lb3 bk6", "light blue circle")
    assert [colour_of(text) for text in CODES] == list(range(9))


@pytest.mark.parametrize("text", ["", "wh", "wh0", "wh7", "xx1", "WH1", "wh11", " wh1", "wh²", "wh१"])
def test_another_piece_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput, match="as in lb3"):
        kind_of(text)


@pytest.mark.parametrize("text", ["", "w", "xx", "WH", "whi"])
def test_another_colour_is_bad_input(text: str) -> None:
    with pytest.raises(BadInput, match="use one of wh pu"):
        colour_of(text)


# Damaged and hostile texts

GOOD = written(record(2, 3, nonces=1))
LINES = GOOD.split("\n")


def without(start: str) -> str:
    return "\n".join(line for line in LINES if not line.startswith(start))


def instead(start: str, line: str) -> str:
    return "\n".join(line if old.startswith(start) else old for old in LINES)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "tag Glassworks is missing", id="empty"),
        pytest.param(without("[Seat1"), "tag Seat1 is missing", id="one seat"),
        pytest.param(without("[Secret"), "tag Secret is missing", id="no secret"),
        pytest.param(without("0 s0"), "ply 0 must come here, not 1", id="action missing"),
        pytest.param(without("result s0"), "the result of s0 must come here", id="result missing"),
        pytest.param(without("result"), "2 seats but 0 results", id="no results"),
        pytest.param(GOOD + LINES[1] + "\n", "second tag Event", id="tag twice"),
        pytest.param(instead("[Glassworks", '[Glassworks "2"]'), "format '2'; this version reads 1", id="format 2"),
        pytest.param(instead("[Game", '[Game "-1"]'), "no game index '-1'", id="game -1"),
        pytest.param(instead("[Game", '[Game "99999"]'), "no game index", id="game too large"),
        pytest.param(instead("[Secret", '[Secret "xyz"]'), "Secret is not hexadecimal", id="secret no hex"),
        pytest.param(instead("[Nonce0", '[Nonce0 "ab"]'), "Nonce0 must be 32 bytes", id="nonce short"),
        pytest.param(instead("0 s0", "0 s0 river"), "no action 'river'", id="half an action"),
        pytest.param(instead("0 s0", "0 s0 river zz1 @1 left"), "no piece 'zz1'", id="no piece"),
        pytest.param(instead("0 s0", "0 s0 river wh1 @1 left order xx"), "no colour 'xx'", id="no colour"),
        pytest.param(instead("0 s0", "forfeit 0 s0 BORED late"), "no reason BORED; the reasons are", id="reason"),
        pytest.param(instead("0 s0", "zero s0 pass"), "cannot be read: 'zero s0 pass'", id="no line"),
        pytest.param(GOOD.replace("\n", "\r\n"), "cannot be read", id="CRLF"),
        pytest.param("\ufeff" + GOOD, "cannot be read", id="byte order mark"),
        pytest.param(GOOD.replace("river", "ri\0ver", 1), "no action", id="NUL"),
        pytest.param(GOOD + "\ud800", "not UTF-8", id="surrogate"),
        pytest.param("x" * (LONGEST + 1), f"longer than {LONGEST}", id="too long"),
    ],
)
def test_a_damaged_text_is_a_flaw_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(Flaw, match=reason):
        read(text)


def hostile(size: int) -> list[str]:
    """Texts that make a careless reader slow or break it."""
    return [
        "9" * size,
        f"{'9' * size} s0 pass",
        "0 s0 pass {" + "9" * size + " s, 1.000 s left}",
        "0 s0 " + "a" * size,
        "0 s0 " + " auto" * (size // 5) + "x",
        "0 s0 river " + "x" * size + " @0 left",
        "0 s0 river wh1 @0 left order " + "wh " * (size // 3) + "wh",
        "0 s0 lake " + "wh1 " * (size // 4) + "wh1",
        "0 s0 lake" + " give" * (size // 5),
        "0 s0 pass " + "{" * size,
        "0 s0 pass" + " " * size + "}",
        "0 s0 pass " + "{}" * (size // 2),
        '[Event "' + '"' * size,
        "[" + "A" * size,
        '[Game "' + "9" * size + '"]',
        '[Rules "' + "a" * size + '"]',
        '[Clock "' + "9" * size + '+0/1"]',
        "forfeit 0 s0 " + "A" * size + " late",
        "result s0 " + "9" * size + " 1",
        "\n" * size,
        " " * size,
        "\0" * size,
        "seal " * (size // 5),
        "seal " + "0" * size,
    ]


@pytest.mark.parametrize("size", [100, LONGEST - 100, 10_000_000], ids=["short", "long", "10 MB"])
@pytest.mark.parametrize("number", range(len(hostile(1))))
def test_a_hostile_text_is_a_flaw(number: int, size: int) -> None:
    line = hostile(size)[number]
    for text in (line, "\n".join([*LINES[:-2], line, LINES[-2]])):
        with pytest.raises(Flaw):
            verified(text)
    with pytest.raises(Flaw):
        read(line)


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    short, long = (quickest(LONGEST // part) for part in (16, 2))
    assert long < 24 * short  # eight times the text; a quadratic reader needs sixty-four times as long


def quickest(size: int) -> float:
    return min(sum(spent(line) for line in hostile(size)) for _ in range(3))


def spent(text: str) -> float:
    begun = time.process_time()
    with pytest.raises(Flaw):
        verified(text + "\nseal " + "0" * 64 + " " + "0" * 16 + " 000000")
    return time.process_time() - begun


@settings(max_examples=300, deadline=None)
@given(st.text())
@example("seal ")
@example('[Glassworks "1"]')
def test_any_text_is_a_flaw(text: str) -> None:
    with pytest.raises(Flaw):
        read(text)
    with pytest.raises(Flaw):
        verified(text)


@settings(max_examples=200, deadline=None)
@given(st.randoms(use_true_random=False), st.text(max_size=20))
def test_a_text_with_a_piece_replaced_is_read_or_a_flaw(rng: Random, piece: str) -> None:
    at = rng.randrange(len(GOOD))
    text = GOOD[:at] + piece + GOOD[at + rng.randrange(40) :]
    assert line_named(text) in range(text.count("\n") + 2)


def line_named(text: str) -> int:
    """The line of the flaw, 0 without one."""
    try:
        read(text)
    except Flaw as flaw:
        return flaw.line
    return 0


@given(st.text(max_size=60))
def test_any_text_is_an_action_or_bad_input(text: str) -> None:
    try:
        action = action_of(text)
    except BadInput:
        return
    assert action_of(action_text(action)) == action


def test_damaged_files_actions_and_views_end_in_named_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--minutes", "0.05", "--seed", "2"]) == 0
    assert "game files refused" in capsys.readouterr().out
