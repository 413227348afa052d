"""The invariants of docs/rules.md §9 hold in every position of every game."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import IllegalAction
from arena.game import deal, legal, position, rules
from arena.game.actions import Action, Lake, Pass, River
from arena.game.rules import State
from tests import oracle
from tests.game import bridge
from tests.game.agreement import RULE_SETS
from tests.game.positions import heights, on_tile, owners
from tests.game.random_games import RULES, Plan, contents, plans

laws = settings(max_examples=100, deadline=None)
WILD = st.integers(-3, 300) | st.integers()


def lying(state: State) -> Iterator[int]:
    """The kind of every piece, wherever it lies."""
    yield from state.array("bag")[state.front : state.back]
    yield from state.array("lake")[: state.lake_count]
    for shape in range(rules.SHAPES):
        yield from on_tile(state, shape)
    for seat in range(state.players):
        yield from legal.satchel(state, seat)
        yield from spilt(state, seat).elements()
        yield from (piece for cells in glassworks(state, seat) for piece in cells)


def spilt(state: State, seat: int) -> Counter[int]:
    return Counter(dict(enumerate(state.array("overflow")[seat * rules.KINDS : (seat + 1) * rules.KINDS])))


def glassworks(state: State, seat: int) -> list[list[int]]:
    rows = state.tables.rows
    return [
        list(state.array("cell")[place * rows : place * rows + state.array("height")[place]])
        for place in range(seat * rules.COLUMNS, (seat + 1) * rules.COLUMNS)
    ]


@laws
@given(plans())
def test_every_piece_is_in_exactly_one_place(plan: Plan) -> None:
    pieces = Counter(deal.all_kinds(plan.rules, plan.players))
    assert all(Counter(lying(after)) == pieces for _, _, after in plan.steps())


@laws
@given(plans())
def test_the_river_is_a_permutation_of_the_shapes(plan: Plan) -> None:
    assert all(sorted(after.array("river")) == list(range(6)) for _, _, after in plan.steps())


@laws
@given(plans())
def test_the_lake_holds_five_unless_the_bag_is_empty(plan: Plan) -> None:
    assert all(after.lake_count == 5 or after.front == after.back for _, _, after in plan.steps())


@laws
@given(plans())
def test_a_satchel_holds_at_most_five_after_every_action(plan: Plan) -> None:
    assert all(max(after.array("satchel_count")) <= 5 for _, _, after in plan.steps())


@laws
@given(plans())
def test_owned_columns_are_the_leftmost_and_of_distinct_colours(plan: Plan) -> None:
    for _, _, after in plan.steps():
        for seat in range(plan.players):
            owned = owners(after, seat)
            assert len(set(owned)) == len(owned)
            assert [top > 0 for top in heights(after, seat)] == [column < len(owned) for column in range(7)]


@laws
@given(plans())
def test_a_column_holds_its_own_colour_only(plan: Plan) -> None:
    *_, (_, _, end) = plan.steps()
    for seat in range(plan.players):
        for colour, cells in zip(owners(end, seat), glassworks(end, seat), strict=False):
            assert {piece // 6 for piece in cells} == {colour}


@laws
@given(plans())
def test_glassworks_and_overflow_never_shrink(plan: Plan) -> None:
    for before, _, after in plan.steps():
        for seat in range(plan.players):
            assert spilt(before, seat) <= spilt(after, seat)
            for old, new in zip(glassworks(before, seat), glassworks(after, seat), strict=True):
                assert new[: len(old)] == old


@laws
@given(plans())
def test_a_tile_is_empty_only_without_a_bag_or_without_refills(plan: Plan) -> None:
    for _, _, after in plan.steps():
        stopped = after.front == after.back or (after.trigger != rules.NOBODY and not plan.rules.refill_in_last_stage)
        assert stopped or all(rules.on_tile(after, tile) for tile in range(6))


@laws
@given(plans())
def test_every_game_ends_with_equally_many_turns(plan: Plan) -> None:
    *_, (_, _, end) = plan.steps()
    assert (end.over, end.ply % plan.players) == (True, 0)
    assert list(legal.actions(end)) == []


@laws
@given(plans())
def test_the_books_agree_with_what_lies_there(plan: Plan) -> None:
    for _, _, after in plan.steps():
        for seat in range(plan.players):
            columns = after.array("column")[seat * rules.COLOURS : (seat + 1) * rules.COLOURS]
            assert [columns[colour] for colour in owners(after, seat)] == list(range(len(owners(after, seat))))
            assert after.array("placed")[seat] == sum(heights(after, seat))
            assert after.array("overflow_count")[seat] == spilt(after, seat).total()


@laws
@given(plans())
def test_a_replay_rebuilds_the_position(plan: Plan) -> None:
    bag, tiles = plan.orders()
    state = rules.dealt(position.tables(plan.rules), plan.players, bag, tiles)
    for _, action, after in plan.steps():
        position.apply(state, action)
        assert contents(state) == contents(after)


@laws
@given(plans())
def test_advancing_leaves_the_position_before_as_it_was(plan: Plan) -> None:
    state = plan.opened()
    for action in plan.actions():
        before = contents(state)
        after = position.advance(state, action)
        assert contents(state) == before
        state = after


@laws
@given(plans(), st.integers(0, 200))
def test_a_clone_is_equal_and_independent(plan: Plan, ply: int) -> None:
    steps = list(plan.steps())
    state = steps[ply % len(steps)][0]
    twin, before = rules.clone(state), contents(state)
    assert contents(twin) == before
    while not twin.over:
        position.apply(twin, legal.neutral(twin))
    assert contents(state) == before


@laws
@given(plans(), st.integers(0, 200))
def test_every_legal_action_steps(plan: Plan, ply: int) -> None:
    steps = list(plan.steps())
    state = steps[ply % len(steps)][0]
    for _, action in zip(range(300), legal.actions(state), strict=False):
        assert position.canonical(state, action) == action
        assert position.advance(state, action).ply == state.ply + 1


# Illegal actions: mutated legal ones, judged by the oracle


def bent(action: Action, rng: Random, wild: int) -> Action:
    """The action with one thing about it changed, which may make it illegal or another legal one."""
    match action:
        case River():
            return rng.choice(bent_river(action, wild))
        case Lake(take, discards):
            return rng.choice(bent_lake(take, discards, wild))
        case Pass():
            wrong: list[Action] = [Lake(()), Lake((wild,)), River((), 0, 1), River((wild,), 0, 1)]
            return rng.choice(wrong)


def bent_lake(take: tuple[int, ...], discards: tuple[int, ...], wild: int) -> list[Action]:
    return [
        Lake(take[1:], discards),
        Lake((*take, wild), discards),
        Lake((wild, *take[1:]), discards),
        Lake(take[:1] * 4, discards),
        Lake(take, discards[1:]),
        Lake(take, (*discards, wild)),
        Lake(take, (wild, *discards[1:])),
        Pass(),
    ]


def bent_river(action: River, wild: int) -> list[Action]:
    pieces, tile, side, order = action.pieces, action.tile, action.side, action.order
    return [
        River((), tile, side, order),
        River((wild, *pieces[1:]), tile, side, order),
        River((*pieces, wild), tile, side, order),
        River(pieces * 2, tile, side, order),
        River(pieces, wild, side, order),
        River(pieces, tile, wild, order),
        River(pieces, tile, 0, order),
        River(pieces, tile, -side, order),
        River(pieces, tile, side, (*order, wild)),
        River(pieces, tile, side, (*order, *order[:1])),
        River(pieces, tile, side, order[2:]),
        Pass(),
    ]


def spelled(state: State, action: Action) -> Action | None:
    """The canonical spelling, or None for an illegal action, which must be refused in every way alike."""
    try:
        return position.canonical(state, action)
    except IllegalAction:
        return None


@settings(max_examples=150, deadline=None)
@given(plans(), WILD)
def test_illegal_actions_are_refused_and_change_nothing(plan: Plan, wild: int) -> None:
    rng = Random(plan.seed)
    for before, action, _ in plan.steps():
        wrong, untouched = bent(action, rng, wild), contents(before)
        if spelled(before, wrong) is None:
            assert refused(before, wrong)
            assert contents(before) == untouched


def refused(state: State, action: Action) -> bool:
    try:
        position.apply(state, action)
    except IllegalAction as error:
        return bool(str(error))
    return False


@settings(max_examples=150, deadline=None)
@given(plans(), WILD)
def test_what_is_not_refused_is_legal_and_does_what_its_canonical_spelling_does(plan: Plan, wild: int) -> None:
    rng = Random(plan.seed)
    for before, action, _ in plan.steps():
        loose = bent(action, rng, wild)
        if canonical := spelled(before, loose):
            assert position.canonical(before, canonical) == canonical
            assert contents(position.advance(before, loose)) == contents(position.advance(before, canonical))


@laws
@given(st.sampled_from(list(RULE_SETS)), st.integers(2, 5), st.integers(0, 2**32 - 1), st.integers(-3, 60))
def test_the_oracle_calls_legal_what_the_engine_does(name: str, players: int, seed: int, wild: int) -> None:
    plan = Plan(RULES[list(RULE_SETS).index(name)], players, seed, 0.3)
    numbers, rng = RULE_SETS[name], Random(seed)
    bag, tiles = oracle.bag_order(plan.deal, players, numbers), oracle.tile_order(plan.deal)
    game = oracle.new_game(players, bag, tiles, numbers)
    for before, action, _ in plan.steps():
        loose = bent(action, rng, wild)
        judged = oracle.canonical(game, bridge.to_oracle(loose)) if writable(loose) else None
        found = spelled(before, loose)
        assert judged is None or found is None or bridge.to_engine(judged) == found
        assert found is None or oracle.is_legal(game, bridge.to_oracle(found))
        oracle.apply(game, bridge.to_oracle(action))


def writable(action: Action) -> bool:
    """Whether the oracle has words for the pieces of an action."""
    match action:
        case River(pieces):
            return all(0 <= piece < 54 for piece in pieces)
        case Lake(take, discards):
            return all(0 <= piece < 54 for piece in (*take, *discards))
        case Pass():
            return True


# Spellings (§5.6)


def respelt(action: Action, state: State, rng: Random) -> Action:
    """Another spelling of the same outcome."""
    match action:
        case River(pieces, tile, side, order):
            haul = {piece // 6 for piece in on_tile(state, state.array("river")[tile + side])}
            rest = sorted(haul - set(order)) if order else rng.sample(range(9), 3)
            return River(tuple(rng.sample(pieces, len(pieces))), tile, side, (*order, *rest))
        case Lake(take, discards):
            return Lake(tuple(rng.sample(take, len(take))), tuple(rng.sample(discards, len(discards))))
        case Pass():
            return action


@laws
@given(plans())
def test_other_spellings_become_the_canonical_one(plan: Plan) -> None:
    rng = Random(plan.seed)
    for before, action, after in plan.steps():
        loose = respelt(action, before, rng)
        assert position.canonical(before, loose) == action
        assert contents(position.advance(before, loose)) == contents(after)


@laws
@given(plans())
def test_the_last_colour_of_an_order_may_be_left_out(plan: Plan) -> None:
    for before, action, after in plan.steps():
        if isinstance(action, River) and set(action.order) == set(
            rules.new_colours(before, action.tile + action.side)
        ):
            short = River(action.pieces, action.tile, action.side, action.order[:-1])
            assert contents(position.advance(before, short)) == contents(after)
