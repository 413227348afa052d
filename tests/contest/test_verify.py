"""A changed game file fails verification with the line that was changed, sealed again or not."""

import re
from collections.abc import Callable, Container
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from arena.contest.notation import action_text, written
from arena.contest.reading import Flaw
from arena.contest.record import Score, recorded
from arena.contest.referee import Reason
from arena.contest.seal import seal
from arena.contest.verify import verified
from arena.game import legal, position
from arena.game.actions import Action
from tests.contest.played import Faults, at_random, finished, head, opened, record

QUIT: Faults = {4: ((1, Reason.CRASH),)}
SMALL = written(record(2, 3, faults={3: ((1, Reason.TIME),)}, nonces=1))
GAME = record(3, 8, faults=QUIT, nonces=2)
TEXT = written(GAME)
LINES = TEXT.split("\n")[:-2]
FREE = re.compile(r'(?<=^\[Event ").*(?="\]$)|(?<=^\[Date ").*(?="\]$)|(?<= \{)[^{}]*(?=\}$)', re.MULTILINE)


# Every single character


def free_places(text: str) -> set[int]:
    """Places in comments, free tags and their digest in the seal, whose change is reported but no damage."""
    digest = text.index("\nseal ") + 1 + len("seal ") + 64 + 1
    return {at for found in FREE.finditer(text) for at in range(*found.span())} | set(range(digest, digest + 16))


def outcome(text: str) -> int | str:
    """The line that is named, or what else is said."""
    try:
        return "edited" if verified(text).edited else "true"
    except Flaw as flaw:
        return flaw.line


def unnoticed(text: str, at: int, letter: str, *, free: Container[int]) -> bool:
    """Whether changing this one character is not answered with exactly its line."""
    found = outcome(text[:at] + letter + text[at + 1 :])
    line = 1 + text.count("\n", 0, at)
    if at in free:
        return found == "true"
    return found not in ((line, line + 1) if letter == "\n" else (line,))  # a line cut in two: one of the halves


@pytest.mark.parametrize("letter", ["\n", "\0", " ", "0", "a", "}", "é", "next"], ids=repr)
def test_changing_any_character_of_a_file_names_its_line(letter: str) -> None:
    free = free_places(SMALL)
    for at, old in enumerate(SMALL):
        other = chr(ord(old) ^ 1) if letter == "next" else letter
        assert other == old or not unnoticed(SMALL, at, other, free=free), (at, old, other)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_changing_some_character_of_a_longer_file_names_its_line(players: int) -> None:
    text, rng = written(record(players, players, faults=QUIT)), Random(players)
    free = free_places(text)
    for _ in range(1000):
        at, letter = rng.randrange(len(text)), chr(rng.randrange(32, 127))
        assert text[at] == letter or not unnoticed(text, at, letter, free=free), (at, text[at], letter)


@pytest.mark.parametrize("players", [2, 5])
def test_leaving_out_any_line_is_a_flaw(players: int) -> None:
    lines = written(record(players, 5, faults=QUIT)).split("\n")[:-1]
    for at in range(len(lines)):
        assert isinstance(outcome("\n".join([*lines[:at], *lines[at + 1 :], ""])), int)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_file_that_is_cut_off_is_a_flaw(part: float) -> None:
    with pytest.raises(Flaw, match=r"cut off|changed"):
        verified(TEXT[: int(part * len(TEXT))])


# Comments


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('[Event "a test"]', '[Event "b test"]', id="event"),
        pytest.param('[Date "2026', '[Date "2027', id="date"),
        pytest.param(" s left}", " s left?}", id="time"),
        pytest.param("{crash due at ply 4}", "{resigned}", id="cause"),
        pytest.param(" {crash due at ply 4}", "", id="comment left out"),
    ],
)
def test_edited_comments_are_reported_and_nothing_else(old: str, new: str) -> None:
    verdict = verified(TEXT.replace(old, new, 1))
    assert verdict.edited
    assert replace(verdict.record, head=GAME.head, moves=GAME.moves, forfeits=GAME.forfeits) == GAME


def test_an_untouched_file_is_not_edited() -> None:
    assert not verified(TEXT).edited


@pytest.mark.parametrize(("nonces", "fair"), [(0, False), (1, True), (3, True)])
def test_a_game_with_a_nonce_is_fair(nonces: int, fair: bool) -> None:
    assert verified(written(record(3, 1, nonces=nonces))).fair is fair


# Forgeries that are sealed again


def forged(*changes: tuple[str, str]) -> str:
    """The file with the lines that start so replaced (or left out by an empty text), sealed again."""
    lines = LINES
    for start, line in changes:
        assert sum(old.startswith(start) for old in lines) == 1
        lines = [line if old.startswith(start) else old for old in lines if line or not old.startswith(start)]
    return sealed(lines)


def sealed(lines: list[str]) -> str:
    return "\n".join([*lines, seal(lines), ""])


def line_of(start: str) -> str:
    return next(line for line in LINES if line.startswith(start))


def number_of(start: str) -> int:
    return 1 + next(at for at, line in enumerate(LINES) if line.startswith(start))


def changed(start: str, old: str, new: str) -> tuple[str, str]:
    assert old in line_of(start)
    return start, line_of(start).replace(old, new, 1)


def digits(tag: str) -> tuple[str, str]:
    """Another first digit in a hexadecimal tag."""
    line = line_of(f"[{tag}")
    at = line.index('"') + 1
    return f"[{tag}", line[:at] + ("0" if line[at] != "0" else "1") + line[at + 1 :]


DIGEST = GAME.head.rules.split(" ")[1]
AUTO = next(f"{move.ply} s1" for move in GAME.moves if move.auto)
LAST = GAME.moves[-1]


def test_sealing_again_what_was_not_changed_is_true() -> None:
    assert sealed(LINES) == TEXT


@pytest.mark.parametrize(
    ("changes", "named", "reason"),
    [
        pytest.param([digits("Commitment")], "[Commitment", "not the SHA-256", id="commitment"),
        pytest.param([digits("Secret")], "[Commitment", "not the SHA-256", id="secret"),
        pytest.param([changed("[Match", "m-8", "m-9")], "[Commitment", "not the SHA-256", id="match"),
        pytest.param([changed("[Rules", "rvg-1", "rvg-2")], "[Rules", "no rule set 'rvg-2'", id="rule set"),
        pytest.param([changed("[Rules", DIGEST, "0" * 16)], "[Rules", "other tables", id="tables"),
        pytest.param([changed("[Rules", f" {DIGEST}", "")], "[Rules", "other tables", id="no tables"),
        pytest.param([changed("[Clock", "60", "sixty")], "[Clock", "no time control", id="clock"),
        pytest.param([changed("0 s0", "s0", "s1")], "0 s0", "s0 is to move, not s1", id="seat"),
        pytest.param([changed(AUTO, " auto", "")], AUTO, "marked auto exactly where", id="auto left out"),
        pytest.param([("0 s0", f"{line_of('0 s0').split(' {')[0]} auto")], "0 s0", "marked auto", id="auto added"),
        pytest.param([("0 s0", "0 s0 pass")], "0 s0", "illegal: there is no voluntary pass", id="illegal"),
        pytest.param([("result s0", "result s0 999 1")], "result s0", "s0 has", id="points"),
        pytest.param([("result s2", "result s2 1 3")], "result s2", "s2 has", id="place"),
        pytest.param([changed("forfeit", "s1", "s2")], "4 s1", "marked auto exactly where", id="other loser"),
        pytest.param([changed("forfeit", "late", "early")], "forfeit", "early exactly if", id="early"),
        pytest.param([changed("forfeit", "forfeit 4", "forfeit 7")], "4 s1", "marked auto", id="later"),
        pytest.param([changed("forfeit", "s1", "s4")], "forfeit", "never was", id="unknown seat"),
        pytest.param([("[Game ", '[Game "01"]')], "[Game", "not written as", id="leading zero"),
    ],
)
def test_a_forgery_is_caught_at_its_line(changes: list[tuple[str, str]], named: str, reason: str) -> None:
    with pytest.raises(Flaw, match=reason) as caught:
        verified(forged(*changes))
    assert caught.value.line == number_of(named)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(digits("Nonce0"), id="nonce"),
        pytest.param(("[Nonce1", ""), id="nonce left out"),
        pytest.param(("[Game ", '[Game "5"]'), id="game index"),
        pytest.param(("[Seat0", '[Seat0 "zed@1"]'), id="name that moves a nonce"),
        pytest.param(("[Seat2", ""), id="one seat less"),
    ],
)
def test_a_forgery_of_what_the_deal_follows_from_is_caught(change: tuple[str, str]) -> None:
    with pytest.raises(Flaw):
        verified(forged(change))


def test_a_game_that_was_not_played_to_its_end_is_caught() -> None:
    with pytest.raises(Flaw, match=f"the game is not over after ply {LAST.ply - 1}"):
        verified(forged((f"{LAST.ply} s", "")))


def test_actions_in_another_order_are_caught() -> None:
    at = number_of("1 s1")
    with pytest.raises(Flaw, match="ply 1 must come here, not 2") as caught:
        verified(sealed([*LINES[: at - 1], LINES[at], LINES[at - 1], *LINES[at + 1 :]]))
    assert caught.value.line == at


def test_a_forfeit_left_out_is_caught_at_the_first_action_of_the_neutral_player() -> None:
    with pytest.raises(Flaw, match="marked auto exactly where") as caught:
        verified(forged(("forfeit", "")))
    assert caught.value.line == number_of(AUTO) - 1


def with_line(line: str, before: str) -> str:
    """The file with one line more, sealed again."""
    at = number_of(before) - 1
    return sealed([*LINES[:at], line, *LINES[at:]])


@pytest.mark.parametrize(
    ("line", "before", "reason"),
    [
        pytest.param('[Winner "oak"]', "[Secret", "not written as the notation has it", id="unknown tag"),
        pytest.param("seal of quality", "0 s0", "not written as the notation has it", id="second seal"),
        pytest.param("", "0 s0", "not written as the notation has it", id="blank line"),
        pytest.param('[Nonce4 "00"]', "[Secret", "not written as the notation has it", id="nonce of nobody"),
        pytest.param("forfeit 4 s1 TIME late", "4 s1", "not in the game any more", id="forfeits twice"),
        pytest.param("forfeit 2 s0 TIME late", "4 s1", "no forfeit can come before ply 2", id="forfeits too late"),
        pytest.param("forfeit 900 s0 TIME late", "result s0", "before ply 900", id="forfeits after the end"),
        pytest.param(f"{LAST.ply + 1} s0 pass", "result s0", "was over before this action", id="goes on"),
    ],
)
def test_a_line_that_does_not_belong_there_is_caught(line: str, before: str, reason: str) -> None:
    with pytest.raises(Flaw, match=reason):
        verified(with_line(line, before))


def test_a_forfeit_in_another_place_than_its_ply_is_caught() -> None:
    lines = [line for line in LINES if not line.startswith("forfeit")]
    at = number_of("2 s2") - 1
    with pytest.raises(Flaw, match="not written as the notation has it"):
        verified(sealed([*lines[:at], line_of("forfeit"), *lines[at:]]))


def capitals(line: str) -> str:
    name, value = line.split(" ")
    return f"{name} {value.upper()}"


def other_spelling(change: Callable[[str], str]) -> str:
    return sealed([change(line) for line in LINES])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(lambda line: line.replace("0 s0 ", "00 s0 "), "not written as", id="leading zero"),
        pytest.param(lambda line: line.replace("0 s0 ", "٠ s0 "), "not written as", id="other digits"),
        pytest.param(lambda line: capitals(line) if "[Nonce0" in line else line, "not written as", id="capitals"),
        pytest.param(lambda line: line.replace('[Secret "', '[Secret " '), "not written as", id="space in hex"),
    ],
)
def test_there_is_one_spelling_of_a_record(change: Callable[[str], str], reason: str) -> None:
    with pytest.raises(Flaw, match=reason):
        verified(other_spelling(change))


def test_pieces_in_another_order_are_no_canonical_spelling() -> None:
    move = next(move for move in GAME.moves if len(set(getattr(move.action, "take", ()))) > 1)
    words = line_of(f"{move.ply} s").split(" ")
    line = " ".join([*words[:3], words[4], words[3], *words[5:]])
    with pytest.raises(Flaw, match="canonical spelling"):
        verified(forged((f"{move.ply} s", line)))


def others(ply: int) -> list[Action]:
    """Some other legal actions at a ply."""
    state = opened(GAME.head).state
    for move in GAME.moves[:ply]:
        state = position.advance(state, move.action)
    found = [action for action in islice(legal.actions(state), 40) if action != GAME.moves[ply].action]
    return Random(ply).sample(found, min(3, len(found)))


@pytest.mark.parametrize("ply", [move.ply for move in GAME.moves if not move.auto])
def test_another_legal_action_is_caught_then_or_later_or_is_a_game_of_the_same_result(ply: int) -> None:
    for action in others(ply):
        found = outcome(forged((f"{ply} s", f"{ply} s{ply % 3} {action_text(action)}")))
        assert found == "true" or (isinstance(found, int) and found >= number_of(f"{ply} s"))


def test_another_first_action_is_caught() -> None:
    for action in others(0):
        with pytest.raises(Flaw):
            verified(forged(("0 s0", f"0 s0 {action_text(action)}")))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_other_score_is_caught(seat: int) -> None:
    for points, place in ((1, 0), (-1, 0), (0, 1)):
        scores = list(GAME.scores)
        scores[seat] = Score(scores[seat].points + points, scores[seat].place + place)
        with pytest.raises(Flaw, match=f"s{seat} has"):
            verified(written(replace(GAME, scores=tuple(scores))))


def test_an_action_of_the_neutral_player_is_its_own() -> None:
    move = next(move for move in GAME.moves if move.auto)
    line = f"{move.ply} s1 {action_text(others(move.ply)[0])} auto"
    with pytest.raises(Flaw, match="what the neutral player does"):
        verified(forged((AUTO, line)))


def test_a_game_that_ends_by_forfeit_is_true_and_must_not_go_on() -> None:
    top, rng = head(2, 1), Random(1)
    text = written(recorded(top, finished(opened(top), at_random(rng), rng, faults={3: ((1, Reason.RESIGN),)})))
    lines = text.split("\n")[:-2]
    at = next(number for number, line in enumerate(lines) if line.startswith("forfeit"))
    assert outcome(text) == "true"
    assert outcome(sealed([*lines[: at + 1], "3 s1 pass", *lines[at + 1 :]])) == at + 2
