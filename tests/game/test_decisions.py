"""Turns in small steps: the same game as whole turns, through one fixed space of ids."""

import copy
import pickle
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput, IllegalAction
from arena.game import decisions, legal, position, rules, ruleset
from arena.game.restore import overwrite
from arena.game.rules import DECISIONS, ORDERING, TURN, State
from arena.game.snapshot import Snapshot
from arena.game.view import unseen, view
from tests.game.positions import fill_lake, hold, kind, laid, own, pile, put, shorten
from tests.game.random_games import Plan, contents, plans

laws = settings(max_examples=60, deadline=None)
WIDE = 300  # turns, above which not all ways through one are walked


def walked(state: State, rng: Random) -> tuple[tuple[int, ...], State]:
    """A random turn, as its decisions and what comes of it."""
    after, taken = state.clone(), []
    while after.ply == state.ply:
        taken.append(rng.choice(after.legal()))
        after.step(taken[-1])
    return tuple(taken), after


def ways(state: State, ply: int) -> int:
    """How many sequences of decisions lead through a turn."""
    if state.ply != ply:
        return 1
    return sum(ways(stepped(state, decision), ply) for decision in state.legal())


def stepped(state: State, decision: int) -> State:
    after = state.clone()
    after.step(decision)
    return after


@laws
@given(plans())
def test_decisions_make_up_turns_and_turns_fall_into_decisions(plan: Plan) -> None:
    rng = Random(plan.seed)
    for before, action, after in plan.steps():
        spelled = decisions.decisions_of(before, action)
        assert decisions.action_of(before, spelled) == action
        end = before.clone()
        for decision in spelled:
            end.step(decision)
        assert contents(end) == contents(after)
        taken, reached = walked(before, rng)
        turn = decisions.action_of(before, taken)
        assert decisions.decisions_of(before, turn) == taken
        assert contents(position.advance(before, turn)) == contents(reached)


@settings(max_examples=25, deadline=None)
@given(plans())
def test_there_are_as_many_ways_through_a_turn_as_legal_turns(plan: Plan) -> None:
    for before, _, _ in plan.steps():
        turns = list(legal.actions(before))
        if len(turns) <= WIDE:
            assert ways(before, before.ply) == len(turns)


@laws
@given(plans(), st.integers(0, 200), st.integers(-300, 2**31 - 1))
def test_a_decision_that_is_not_listed_is_refused_and_changes_nothing(plan: Plan, ply: int, decision: int) -> None:
    steps = list(plan.steps())
    state = steps[ply % len(steps)][0]
    before = contents(state)
    for wrong in {decision, *range(-1, DECISIONS + 2)} - set(state.legal()):
        with pytest.raises(IllegalAction, match="no decision here"):
            state.step(wrong)
    assert contents(state) == before


@pytest.mark.parametrize("wrong", [2**40, -(2**40), "one", None, 1.5, b"bytes"])
def test_what_is_no_id_raises_too(wrong: object) -> None:
    state = laid()
    before = contents(state)
    with pytest.raises((IllegalAction, OverflowError, TypeError)):
        state.step(wrong)  # type: ignore[arg-type]
    assert contents(state) == before


@pytest.mark.parametrize("seat", [-1, 2, 5, 255, 2**40])
def test_there_are_no_points_for_a_seat_that_is_not_there(seat: int) -> None:
    for asked in (rules.score, rules.parts, rules.in_satchel):
        with pytest.raises(BadInput, match="there is no seat"):
            asked(laid(2), seat)


def test_nothing_is_not_a_state() -> None:
    for asked in (rules.mover, rules.clone, rules.decisions, rules.playout, rules.snapshot, rules.must_pass):
        with pytest.raises((TypeError, AttributeError)):
            asked(None)  # type: ignore[arg-type]


def test_the_mask_marks_what_is_listed() -> None:
    state = laid()
    mask = decisions.mask(state)
    assert len(mask) == DECISIONS
    assert [decision for decision, on in enumerate(mask) if on] == list(state.legal())


def test_a_short_lake_is_taken_whole_and_an_empty_satchel_passes() -> None:
    state = laid()
    shorten(state, 0)
    fill_lake(state, 1, 2, 3)
    assert [decision for decision in state.legal() if rules.LEAVE <= decision < rules.PASS] == [rules.LEAVE]
    fill_lake(state)
    hold(state, 0)
    assert list(state.legal()) == [rules.PASS]
    state.step(rules.PASS)
    assert (state.ply, state.seat) == (1, 1)


def test_new_colours_are_ordered_one_by_one_and_the_last_of_them_is_not_asked_for() -> None:
    state = laid()
    hold(state, 0, kind(0, 0))
    pile(state, 1, kind(1), kind(2), kind(3))
    state.step(1)  # place on A, collect B
    assert (state.phase, list(state.legal())) == (ORDERING, [rules.COLOUR + colour for colour in (1, 2, 3)])
    with pytest.raises(IllegalAction, match="under way"):
        position.apply(state, next(legal.actions(laid())))
    state.step(rules.COLOUR + 3)
    state.step(rules.COLOUR + 1)
    assert (state.ply, state.phase) == (1, TURN)
    assert list(state.array("owner")[:3]) == [3, 1, 2]


def test_whole_turns_only_are_turns() -> None:
    state = laid()
    hold(state, 0, *[kind(0)] * 5)
    with pytest.raises(IllegalAction, match="no whole turn"):
        decisions.action_of(state, (rules.LEAVE,))
    with pytest.raises(IllegalAction, match="after the end"):
        decisions.action_of(state, (0 if 0 in state.legal() else 1, 0))
    with pytest.raises(IllegalAction, match="no whole turn"):
        decisions.action_of(state, ())


# Search


@laws
@given(plans(), st.integers(0, 200), st.integers(0, 2**64 - 1))
def test_a_guess_shows_what_the_view_shows(plan: Plan, ply: int, number: int) -> None:
    steps = list(plan.steps())
    state = steps[ply % len(steps)][0]
    seen = view(state, plan.rules)
    guess = State.from_view(seen, number)
    assert view(guess, plan.rules) == seen
    assert sorted(guess.array("bag")[guess.front : guess.back]) == list(unseen(seen))
    guess.playout()
    assert guess.over


@laws
@given(plans(), st.integers(0, 2**64 - 1))
def test_luck_comes_from_the_number_alone(plan: Plan, number: int) -> None:
    one, two = (State.from_view(view(plan.opened(), plan.rules), seed) for seed in (number, number ^ 1))
    two.reseed(number)
    twin = one.clone()
    for state in (one, two, twin):
        state.playout()
    assert contents(one) == contents(two) == contents(twin)


def test_other_numbers_are_other_luck() -> None:
    state = State.from_view(view(laid(), ruleset.named()), 0)
    ends = set()
    for number in range(50):
        guess = state.clone()
        guess.reseed(number)
        guess.playout()
        ends.add(guess.score(0))
    assert len(ends) > 10


def test_each_decision_is_picked_as_often_as_any_other() -> None:
    state = laid()
    state.reseed(1)
    picked = Counter(state.pick() for _ in range(400 * len(state.legal())))
    assert sorted(picked) == list(state.legal())
    assert min(picked.values()) > 300
    assert max(picked.values()) < 500
    state.playout()
    with pytest.raises(IllegalAction, match="the game is over"):
        state.pick()


def test_a_copy_knows_what_may_be_decided() -> None:
    state = laid()
    for _ in range(3):
        assert state.clone().legal() == state.legal()
        state.step(state.legal()[-1])
        assert state.clone().legal() == state.legal()


def test_a_state_travels_to_other_processes() -> None:
    state = laid(3)
    for copied in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert contents(copied) == contents(state)
        assert copied is not state


# What is brought in


@settings(max_examples=400, deadline=None)
@given(st.integers(2, 5), st.integers(0, 150), st.sampled_from(list(Snapshot.__slots__)), st.data())
def test_changed_fields_are_refused_or_a_position_to_play_on(
    players: int, taken: int, name: str, data: st.DataObject
) -> None:
    state, rng = laid(players), Random(taken)
    for _ in range(taken):
        if not state.over:
            state.step(rng.choice(state.legal()))
    was = getattr(rules.snapshot(state), name)
    if isinstance(was, bytes):
        changed = bytearray(was)
        changed[data.draw(st.integers(0, len(was) - 1))] = data.draw(st.integers(0, 255))
        value: int | bytes = bytes(changed)
    else:
        value = data.draw(st.integers(-1, 300) | st.integers())
    before = contents(state)
    try:
        overwrite(state, **{name: value})
    except BadInput:
        assert contents(state) == before
        return
    state.reseed(1)
    state.playout()
    assert state.over


@pytest.mark.parametrize(
    "name", [name for name in Snapshot.__slots__ if isinstance(getattr(rules.snapshot(laid()), name), bytes)]
)
def test_an_array_of_another_length_is_refused(name: str) -> None:
    state = laid()
    value = getattr(rules.snapshot(state), name)
    for wrong in (value[:-1], value + b"\0", b""):
        with pytest.raises(BadInput, match=f"bytes of {name}"):
            overwrite(state, **{name: wrong})


def test_a_game_that_cannot_end_any_more_is_refused() -> None:
    with pytest.raises(BadInput, match="the last turn has passed"):
        put(laid(), trigger=0, end=6, ply=6)


def test_a_column_of_two_colours_is_refused() -> None:
    state = laid()
    own(state, 1, 2, 1)
    cells = bytearray(state.array("cell"))
    cells[7 * state.rows] = cells[8 * state.rows]
    with pytest.raises(BadInput, match="the pieces in column 0 of seat 1"):
        overwrite(state, cell=bytes(cells))


def test_more_pieces_than_there_are_is_refused() -> None:
    state = laid(5)
    with pytest.raises(BadInput, match="more than 132 pieces"):
        overwrite(state, edge=bytes([0, 132, 255, 255, 255, 255, 255]))
    own(state, 0, 5, 5)
    put(state, ply=3)
    assert state.seat == 3
