"""The referee asks, hears and judges as docs/architecture.md says, and never changes what it is given."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.contest import referee
from arena.contest.clock import Bank, Clock
from arena.contest.referee import Ask, Forfeit, Game, Move, Moved, Reason, Reply, Result, Silent
from arena.game import legal, position, ruleset
from arena.game.actions import Lake, Pass, River
from arena.game.view import view
from tests.contest.played import NOBODY, Faults, at_random, finished, head, opened
from tests.game.random_games import contents, turn

laws = settings(max_examples=50, deadline=None)
REASONS = list(Reason)


def game(players: int = 3, clock: str = "60+0.5/10", seed: int = 1) -> Game:
    return opened(head(players, seed, clock=clock))


def asked(game: Game) -> Ask:
    question = referee.ask(game)
    assert isinstance(question, Ask)
    return question


def ended(game: Game) -> Result:
    answer = referee.ask(game)
    assert isinstance(answer, Result)
    return answer


def moved(game: Game, took: float = 0.1) -> Game:
    """The game after the first legal action of the seat to act."""
    return referee.hear(game, Moved(legal.neutral(game.state), took))


def after(game: Game, moves: int) -> Game:
    for _ in range(moves):
        game = moved(game)
    return game


# Asking and hearing


def test_the_first_question_goes_to_seat_zero_with_a_full_bank() -> None:
    start = game()
    assert referee.ask(start) == Ask(0, view(start.state, start.rules), Clock(limit=10, left=60, increment=0.5))


def test_seats_are_asked_in_turn() -> None:
    seats = [asked(after(game(4), moves)).seat for moves in range(6)]
    assert seats == [0, 1, 2, 3, 0, 1]


def test_an_action_is_kept_in_its_canonical_spelling() -> None:
    start = game(2, seed=6)
    loose = next(action for action in legal.actions(start.state) if isinstance(action, Lake))
    heard = referee.hear(start, Moved(Lake(loose.take[::-1], loose.discards[::-1]), 1.25))
    assert heard.moves == (Move(0, 0, loose, auto=False, took=1.25, left=59.25),)


def test_a_finished_game_is_answered_with_its_result() -> None:
    end = finished(game(), at_random(Random(3)), Random(3))
    assert ended(end).scores == position.scores(end.state)


def test_a_finished_game_hears_nothing_more() -> None:
    end = finished(game(), at_random(Random(3)), Random(3))
    assert referee.hear(end, Moved(Pass(), 0.1)) is end
    assert referee.hear(end, Silent(Reason.RESIGN)) is end


@laws
@given(st.integers(2, 5), st.integers(0, 999), st.sampled_from(REASONS), st.integers(0, 20))
def test_hearing_never_changes_the_game_it_is_told(players: int, seed: int, reason: Reason, quits: int) -> None:
    now, rng = game(players, seed=seed), Random(seed)
    while not referee.is_over(now):
        before = replies(now, rng, reason if len(now.moves) == quits else None)
        then = contents(now.state)
        heard = referee.hear(now, before)
        assert contents(now.state) == then
        now = heard


def replies(now: Game, rng: Random, reason: Reason | None) -> Reply:
    return Silent(reason) if reason else Moved(turn(now.state, rng, 0.3), 0.1)


@laws
@given(st.integers(2, 5), st.integers(0, 999))
def test_the_moves_replay_the_game(players: int, seed: int) -> None:
    end = finished(game(players, seed=seed), at_random(Random(seed)), Random(seed), faults={9: ((1, Reason.CRASH),)})
    state = game(players, seed=seed).state
    for ply, move in enumerate(end.moves):
        assert (move.ply, move.seat) == (ply, ply % players)
        state = position.advance(state, move.action)
    assert contents(state) == contents(end.state)


# The clock


def test_a_late_action_loses_even_if_legal() -> None:
    heard = moved(game(2, clock="5+0/10"), took=5.001)
    assert heard.moves == ()
    assert heard.forfeits == (Forfeit(0, 0, Reason.TIME, early=True, detail="5.001 s used, 5.000 s allowed"),)


def test_an_action_beyond_the_cap_loses_even_with_time_in_the_bank() -> None:
    assert moved(game(2), took=10.001).forfeits[0].reason is Reason.TIME


def test_an_action_exactly_in_time_counts() -> None:
    assert moved(game(2), took=10.0).banks == (Bank(50.5), Bank(60))


def test_a_late_action_is_late_before_it_is_illegal() -> None:
    heard = referee.hear(game(2), Moved(River((), 0, 1), took=11))
    assert heard.forfeits[0].reason is Reason.TIME


def test_a_spent_bank_leaves_no_time() -> None:
    spent = moved(game(2, clock="5+0/10"), took=5.0)
    again = asked(moved(spent))
    assert (again.seat, again.clock.limit, again.clock.left) == (0, 0.0, 0.0)
    assert moved(moved(spent), took=0.001).forfeits[0].seat == 0


def test_only_the_seat_that_acts_is_charged() -> None:
    assert after(game(3, clock="60+0/10"), 2).banks == (Bank(59.9), Bank(59.9), Bank(60))


def test_the_increment_lets_a_bank_grow() -> None:
    assert asked(after(game(2), 2)).clock.left == pytest.approx(60.4)


# Forfeits


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_forfeits_and_is_kept_apart(reason: Reason) -> None:
    heard = referee.hear(moved(game(2)), Silent(reason, detail="why"))
    assert heard.forfeits == (Forfeit(1, 1, reason, early=True, detail="why"),)
    assert ended(heard).places == (1, 2)


def test_the_reasons_are_a_closed_set() -> None:
    assert set(REASONS) == {"TIME", "CRASH", "ILLEGAL", "MALFORMED", "DISCONNECT", "RESIGN", "MEMORY", "LIMIT"}


@pytest.mark.parametrize(
    ("action", "paragraph"),
    [(River((), 0, 1), "§3.1"), (River((0,), 0, -1), "§3.2"), (Lake((), ()), "§4.1"), (Pass(), "§3")],
    ids=["placing", "collecting", "drawing", "passing"],
)
def test_an_illegal_action_forfeits_and_the_text_names_the_paragraph(
    action: River | Lake | Pass, paragraph: str
) -> None:
    fault = referee.hear(game(2), Moved(action, 0.1)).forfeits[0]
    assert fault.reason is Reason.ILLEGAL
    assert f"({paragraph})" in fault.detail


def test_a_forfeit_after_an_action_is_not_early() -> None:
    assert not referee.forfeit(after(game(3), 1), 0, Reason.CRASH).forfeits[0].early


def test_a_seat_may_forfeit_while_another_is_asked() -> None:
    gone = referee.forfeit(game(3), 2, Reason.DISCONNECT)
    assert gone.forfeits == (Forfeit(0, 2, Reason.DISCONNECT, early=True),)
    assert asked(gone).seat == 0


def test_a_seat_forfeits_once() -> None:
    gone = referee.forfeit(game(4), 2, Reason.CRASH)
    assert referee.forfeit(gone, 2, Reason.TIME) is gone


def test_the_neutral_player_acts_for_a_seat_that_is_out() -> None:
    gone = referee.forfeit(game(3), 0, Reason.CRASH)
    assert gone.moves == (Move(0, 0, legal.neutral(game(3).state), auto=True),)
    assert asked(gone).seat == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_game_goes_on_while_two_live_seats_are_left(players: int) -> None:
    now = game(players)
    for seat in range(players - 2):
        now = referee.forfeit(now, seat, Reason.CRASH)
        assert isinstance(referee.ask(now), Ask)
    assert isinstance(referee.ask(referee.forfeit(now, players - 2, Reason.CRASH)), Result)


@laws
@given(st.integers(3, 5), st.integers(0, 999), st.integers(0, 12))
def test_only_seats_that_are_out_are_played_for_from_their_forfeit_on(players: int, seed: int, ply: int) -> None:
    crash: Faults = {ply: ((1, Reason.CRASH),)}
    end = finished(game(players, seed=seed), at_random(Random(seed)), Random(seed), faults=crash)
    assert [move.auto for move in end.moves] == [move.seat == 1 and move.ply >= ply for move in end.moves]
    assert end.state.over


def test_the_clock_of_a_seat_that_is_out_stands_still() -> None:
    gone = after(referee.forfeit(game(3), 1, Reason.CRASH), 4)
    assert gone.banks[1] == Bank(60)


# Places and rated pairs


@pytest.mark.parametrize(
    ("scores", "gone", "places"),
    [
        pytest.param((10, 20, 30), (), (3, 2, 1), id="by points"),
        pytest.param((20, 20, 10), (), (1, 1, 3), id="shared win"),
        pytest.param((10, 20, 20, 5), (), (3, 1, 1, 4), id="shared win of four"),
        pytest.param((5, 5, 5), (), (1, 1, 1), id="all equal"),
        pytest.param((99, 20, 10), (0,), (3, 1, 2), id="best points forfeit"),
        pytest.param((99, 20, 50, 10), (0, 2), (3, 1, 3, 2), id="two share the last place"),
        pytest.param((99, 98, 97, 1, 96), (0, 1, 2, 4), (2, 2, 2, 1, 2), id="one is left"),
        pytest.param((-3, -7), (), (1, 2), id="negative"),
    ],
)
def test_places_are_by_points_and_forfeits_share_the_last(
    scores: tuple[int, ...], gone: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert referee.places(scores, frozenset(gone)) == places


@given(st.lists(st.integers(-50, 150), min_size=2, max_size=5), st.sets(st.integers(0, 4), max_size=4))
def test_a_live_seat_always_stands_before_one_that_forfeited(scores: list[int], gone: set[int]) -> None:
    placed = referee.places(scores, frozenset(gone))
    live = [place for seat, place in enumerate(placed) if seat not in gone]
    lost = {place for seat, place in enumerate(placed) if seat in gone}
    assert len(lost) <= 1
    assert all(place < last for place in live for last in lost)


def pairs(players: int, faults: Faults) -> set[tuple[int, int]]:
    """Rated pairs of a game in which these seats forfeit."""
    return set(ended(finished(game(players), at_random(Random(5)), Random(5), faults=faults)).pairs)


def test_all_pairs_of_a_clean_game_are_rated() -> None:
    assert pairs(4, NOBODY) == set(combinations(range(4), 2))


def test_a_late_forfeit_leaves_the_pairs_of_the_others_rated() -> None:
    assert pairs(4, {9: ((1, Reason.CRASH),)}) == set(combinations(range(4), 2))


def test_two_that_forfeited_are_not_rated_against_each_other() -> None:
    faults: Faults = {9: ((1, Reason.CRASH), (2, Reason.TIME))}
    assert pairs(4, faults) == set(combinations(range(4), 2)) - {(1, 2)}


def test_an_early_forfeit_leaves_only_the_pairs_with_the_one_who_forfeited() -> None:
    assert pairs(4, {1: ((1, Reason.CRASH),)}) == {(0, 1), (1, 2), (1, 3)}


def test_an_early_forfeit_of_a_seat_that_is_not_asked_spoils_the_game_too() -> None:
    assert pairs(3, {1: ((2, Reason.DISCONNECT),)}) == {(0, 2), (1, 2)}


def test_an_early_and_a_late_forfeit_leave_the_pairs_of_each_with_the_live_seats() -> None:
    assert pairs(4, {0: ((0, Reason.CRASH),), 10: ((1, Reason.TIME),)}) == {(0, 2), (0, 3), (1, 2), (1, 3)}


def test_the_last_live_seat_wins_whatever_the_points() -> None:
    now = referee.forfeit(after(game(3), 7), 0, Reason.CRASH)
    assert ended(referee.forfeit(now, 2, Reason.CRASH)).places == (2, 1, 2)


# Values


def steps(now: Game) -> Iterator[Game]:
    while not referee.is_over(now):
        yield now
        now = moved(now)


def test_the_same_replies_give_the_same_game() -> None:
    one, other = (list(steps(game(5))) for _ in range(2))
    assert list(map(referee.ask, one)) == list(map(referee.ask, other))


def test_a_game_is_open_to_another_rule_set() -> None:
    longer = replace(ruleset.named(), name="longer", refill_in_last_stage=False)
    assert opened(head(2, 1), longer).rules.name == "longer"
