"""A view says what a seat may know, goes through its packed bytes unchanged and is enough to think with."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.game import legal, position, rules, ruleset
from arena.game.packing import view_from_bytes, view_to_bytes
from arena.game.rules import State
from arena.game.view import Column, Side, View, imagined, shown, unseen, view
from tests.game import bridge
from tests.game.positions import ORANGE, YELLOW, fill_lake, hold, kind, laid, own, put, shorten
from tests.game.random_games import Plan, contents, plans

laws = settings(max_examples=100, deadline=None)


def shots(plan: Plan) -> list[tuple[State, View]]:
    """Every position in which a seat is asked, with the view it gets."""
    return [(state, view(state, plan.rules)) for state, _, _ in plan.steps()]


# Packing


@laws
@given(plans())
def test_a_view_goes_through_its_packed_bytes_unchanged(plan: Plan) -> None:
    for _, seen in shots(plan):
        assert view_from_bytes(view_to_bytes(seen), plan.rules) == seen


@laws
@given(st.binary(max_size=300))
def test_bytes_that_are_no_view_are_bad_input(packed: bytes) -> None:
    with pytest.raises(BadInput):
        view_from_bytes(packed, ruleset.named())


@settings(max_examples=300, deadline=None)
@given(plans(), st.integers(0, 60), st.integers(0, 400), st.integers(0, 255))
def test_a_view_with_a_changed_byte_is_bad_input_or_a_view_to_think_with(
    plan: Plan, ply: int, at: int, byte: int
) -> None:
    seen = shots(plan)
    packed = bytearray(view_to_bytes(seen[ply % len(seen)][1]))
    packed[at % len(packed)] = byte
    try:
        changed = view_from_bytes(bytes(packed), plan.rules)
    except BadInput:
        return
    assert thought(changed)


def thought(seen: View) -> bool:
    """Whether everything that a view offers works on it."""
    first = next(seen.actions(), None)
    if first is not None:
        seen.gain(first)
    return len(seen.scores()) == seen.players and (first is not None or not seen.legal.placements)


@laws
@given(plans(), st.integers(1, 400))
def test_a_view_that_is_cut_off_or_too_long_is_bad_input(plan: Plan, cut: int) -> None:
    packed = view_to_bytes(view(plan.opened(), plan.rules))
    with pytest.raises(BadInput, match="ends too early"):
        view_from_bytes(packed[: -min(cut, len(packed))], plan.rules)
    with pytest.raises(BadInput, match="after its end"):
        view_from_bytes(packed + bytes(cut), plan.rules)


LAID = view(laid(), ruleset.named())
YELLOWS = Column(YELLOW, (kind(YELLOW),))


def with_side(
    satchel: tuple[int, ...] = (), columns: tuple[Column, ...] = (), overflow: tuple[int, ...] = ()
) -> View:
    """The view of the first position with only this before seat 0."""
    return replace(LAID, sides=(Side(satchel, columns, overflow), *LAID.sides[1:]))


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        pytest.param(replace(LAID, players=1), "wrong seats", id="one seat"),
        pytest.param(replace(LAID, players=6), "wrong seats", id="six seats"),
        pytest.param(replace(LAID, seat=2), "wrong seats", id="seat of nobody"),
        pytest.param(replace(LAID, trigger=2, end=9), "wrong seats", id="triggered by nobody"),
        pytest.param(replace(LAID, river=(*LAID.river[:5], LAID.river[0])), "wrong river", id="tile twice"),
        pytest.param(replace(LAID, lake=(0,) * 6), "shelf of wrong pieces", id="lake of six"),
        pytest.param(replace(LAID, lake=(54,)), "shelf of wrong pieces", id="no such kind"),
        pytest.param(with_side(satchel=(0,) * 6), "shelf of wrong pieces", id="satchel of six"),
        pytest.param(with_side(overflow=(0,) * 133), "shelf of wrong pieces", id="overflow of all and one"),
        pytest.param(with_side(columns=(Column(0, (0,) * 6),)), "shelf of wrong pieces", id="column of six"),
        pytest.param(with_side(columns=(YELLOWS, YELLOWS)), "wrong columns", id="colour twice"),
        pytest.param(with_side(columns=(Column(9, ()),)), "wrong columns", id="tenth colour"),
        pytest.param(with_side(columns=tuple(Column(c, ()) for c in range(8))), "wrong columns", id="eight columns"),
        pytest.param(with_side(columns=(Column(YELLOW, (0,)),)), "mixed colours", id="mixed column"),
    ],
)
def test_a_view_of_no_table_is_bad_input(wrong: View, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        view_from_bytes(view_to_bytes(wrong), ruleset.named())


def test_another_layout_is_refused_with_what_to_do() -> None:
    packed = view_to_bytes(view(laid(), ruleset.named()))
    with pytest.raises(BadInput, match="another layout than 1; upgrade"):
        view_from_bytes(b"\x02" + packed[1:], ruleset.named())


def test_a_packed_view_is_small() -> None:
    longest = max(len(view_to_bytes(seen)) for _, seen in shots(Plan(ruleset.named(), 5, 1, 0.4)))
    assert longest < 400


# What a view shows


@laws
@given(plans())
def test_a_view_shows_the_table_as_it_lies(plan: Plan) -> None:
    for state, seen in shots(plan):
        dump = bridge.dumped(state)
        river = [[tile.shape, [list(piece) for piece in bridge.pieces(tile.pieces)]] for tile in seen.river]
        assert (river, seen.bag, seen.seat) == (dump["river"], len(dump["bag_left"]), dump["seat"])
        assert [list(piece) for piece in bridge.pieces(seen.lake)] == dump["lake"]


@laws
@given(plans())
def test_a_view_shows_what_lies_before_every_seat(plan: Plan) -> None:
    for state, seen in shots(plan):
        dump = bridge.dumped(state)
        for seat, side in enumerate(seen.sides):
            assert [list(piece) for piece in bridge.pieces(side.satchel)] == dump["satchels"][seat]
            assert [list(piece) for piece in bridge.pieces(side.overflow)] == dump["overflow"][seat]
            assert [column.colour for column in side.columns] == [
                owner for owner, _ in dump["glassworks"][seat] if owner is not None
            ]


def test_the_last_stage_shows_who_began_it_and_when_it_ends() -> None:
    seen = [seen for _, seen in shots(Plan(ruleset.named(), 3, 5, 0.3))]
    assert (seen[0].trigger, seen[0].end) == (None, None)
    assert seen[-1].trigger in range(3)
    assert seen[-1].end == seen[-1].ply + 1


def test_me_is_the_side_of_the_seat_to_act() -> None:
    state = laid(3)
    put(state, ply=1)
    hold(state, 1, 7)
    assert view(state, ruleset.named()).me.satchel == (7,)


# Thinking with a view


@laws
@given(plans())
def test_a_view_knows_the_legal_turns_and_the_scores(plan: Plan) -> None:
    for state, seen in shots(plan):
        assert seen.legal == legal.legal(state)
        assert seen.scores() == position.scores(state)


@laws
@given(plans())
def test_a_view_knows_what_a_turn_gains(plan: Plan) -> None:
    for before, action, after in plan.steps():
        seat = rules.mover(before)
        gained = rules.score(after, seat) - rules.score(before, seat)
        assert view(before, plan.rules).gain(action) == gained


@laws
@given(plans())
def test_unseen_is_what_the_bag_holds_without_its_order(plan: Plan) -> None:
    for state, seen in shots(plan):
        assert unseen(seen) == tuple(sorted(state.array("bag")[state.front : state.back]))


@laws
@given(plans(), st.integers(0, 60))
def test_a_game_imagined_with_the_true_bag_goes_on_as_the_true_one(plan: Plan, ply: int) -> None:
    steps = list(plan.steps())
    start = ply % len(steps)
    before = steps[start][0]
    state = imagined(view(before, plan.rules), before.array("bag")[before.front : before.back])
    for _, action, after in steps[start:]:
        state = position.advance(state, action)
        assert bridge.dumped(state) == bridge.dumped(after)


@laws
@given(plans(), st.integers(0, 60))
def test_a_game_imagined_with_any_bag_is_a_game(plan: Plan, ply: int) -> None:
    seen = shots(plan)
    chosen = seen[ply % len(seen)][1]
    guess = list(unseen(chosen))
    Random(plan.seed).shuffle(guess)
    state = imagined(chosen, guess)
    assert view(state, plan.rules) == chosen
    while not state.over:
        state = position.advance(state, legal.neutral(state))


def test_an_imagined_bag_holds_exactly_the_unseen_pieces() -> None:
    seen = view(laid(), ruleset.named())
    with pytest.raises(BadInput, match="exactly the pieces of unseen"):
        imagined(seen, unseen(seen)[1:])


def test_a_view_with_more_pieces_than_the_game_has_is_bad_input() -> None:
    seen = replace(view(laid(), ruleset.named()), lake=(kind(ORANGE),) * 5)
    with pytest.raises(BadInput, match="more pieces of a kind"):
        unseen(seen)


@laws
@given(plans())
def test_thinking_does_not_change_the_view(plan: Plan) -> None:
    seen = view(plan.opened(), plan.rules)
    packed, before = view_to_bytes(seen), contents(shown(seen))
    assert thought(seen)
    assert (view_to_bytes(seen), contents(shown(seen))) == (packed, before)


def test_a_view_of_a_forced_pass_offers_the_pass_only() -> None:
    state = laid(2)
    shorten(state, 0)
    fill_lake(state)
    hold(state, 0)
    own(state, 0, 1)
    assert view(state, ruleset.named()).legal.must_pass
