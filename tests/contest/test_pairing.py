"""Round robins are fair in pairs, seats, neighbours and pace, and the same every time."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.contest import designs
from arena.contest.pairing import ORDERS, Balance, Pairing, Spread, balance, followers, round_robin, seating
from arena.errors import BadInput

Plan = tuple[int, tuple[int, ...], int]
law = settings(max_examples=40, deadline=None)

# docs/statistics.md §1.11: modulus, meetings of each pair, base blocks.
FAMILIES = [
    (7, 1, [(0, 1, 3)]),
    (13, 1, [(0, 1, 4), (0, 2, 7)]),
    (19, 1, [(0, 1, 4), (0, 2, 9), (0, 5, 11)]),
    (13, 1, [(0, 1, 3, 9)]),
    (21, 1, [(0, 1, 4, 14, 16)]),
    (11, 2, [(1, 3, 4, 5, 9)]),
]
BERGER = "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1"  # FIDE handbook C.05


@st.composite
def plans(draw: st.DrawFn, entrants: st.SearchStrategy[int] = st.integers(2, 12)) -> Plan:
    """Entrants, table sizes in any order, rounds."""
    field = draw(entrants)
    sizes = draw(st.lists(st.integers(2, min(5, field)), min_size=1, unique=True))
    return field, tuple(sizes), draw(st.integers(1, 3))


def rounds_of(plan: Plan) -> list[list[Pairing]]:
    return [[p for p in round_robin(*plan) if p.round == number] for number in range(plan[2])]


def gap(spread: Spread) -> int:
    return spread.most - spread.least


def widest_lead(entrants: int, pairings: tuple[Pairing, ...]) -> int:
    """The most games that anyone was ever ahead of anyone."""
    games, widest = [0] * entrants, 0
    for pairing in pairings:
        for entrant in pairing.seats:
            games[entrant] += len(pairing.seats)
        widest = max(widest, max(games) - min(games))
    return widest


def only(entrants: int, size: int, rounds: int) -> Balance:
    (found,) = balance(round_robin(entrants, [size], rounds), entrants)
    return found


@law
@given(plans())
def test_matches_are_numbered_in_order_round_after_round(plan: Plan) -> None:
    pairings = round_robin(*plan)
    assert [p.number for p in pairings] == list(range(len(pairings)))
    assert [p.round for p in pairings] == sorted(p.round for p in pairings)
    assert {p.round for p in pairings} == set(range(plan[2]))


@law
@given(plans())
def test_only_sizes_asked_for_are_played_by_entrants_who_sit_once(plan: Plan) -> None:
    field, sizes, _ = plan
    pairings = round_robin(*plan)
    assert {len(p.seats) for p in pairings} == set(sizes)
    assert all(len(set(p.seats)) == len(p.seats) and set(p.seats) <= set(range(field)) for p in pairings)


@law
@given(plans())
def test_every_match_puts_each_entrant_once_at_each_seat(plan: Plan) -> None:
    for pairing in round_robin(*plan):
        games = [seating(pairing, game) for game in range(len(pairing.seats))]
        assert all(set(at_seat) == set(pairing.seats) for at_seat in zip(*games, strict=True))


@law
@given(plans())
def test_rotation_moves_nobody_away_from_their_neighbour(plan: Plan) -> None:
    for pairing in round_robin(*plan):
        games = [seating(pairing, game) for game in range(len(pairing.seats))]
        assert games[0] == pairing.seats
        assert {frozenset(followers(seats)) for seats in games} == {frozenset(followers(pairing.seats))}


@law
@given(plans())
def test_everybody_plays_as_much_at_each_size_in_each_round(plan: Plan) -> None:
    for pairings in rounds_of(plan):
        for found in balance(pairings, plan[0]):
            assert gap(found.played) == gap(found.seated) == 0
            assert found.played.least == found.seated.least * found.size > 0


@law
@given(plans())
def test_meetings_stay_within_one_after_every_round(plan: Plan) -> None:
    pairings = round_robin(*plan)
    for done in range(1, plan[2] + 1):
        for found in balance([p for p in pairings if p.round < done], plan[0]):
            assert gap(found.meetings) <= 1
            assert found.meetings.least >= done


@settings(max_examples=15, deadline=None)
@given(plans(st.integers(13, 32)))
def test_meetings_stay_within_one_and_neighbours_within_four_up_to_32_entrants(plan: Plan) -> None:
    found = balance(round_robin(*plan), plan[0])
    assert max(gap(at_size.meetings) for at_size in found) <= 1
    assert max(gap(at_size.followed) for at_size in found) <= 4


@law
@given(plans())
def test_neighbours_stay_within_three(plan: Plan) -> None:
    assert all(gap(found.followed) <= 3 for found in balance(round_robin(*plan), plan[0]))


@law
@given(plans())
def test_nobody_is_ever_ahead_by_more_than_three_of_the_largest_matches(plan: Plan) -> None:
    field, sizes, _ = plan
    assert widest_lead(field, round_robin(*plan)) <= 3 * max(sizes)


@pytest.mark.parametrize("field", [13, 21, 32])
def test_in_larger_fields_nobody_is_ever_ahead_by_more_than_four_of_the_largest_matches(field: int) -> None:
    for sizes in [(3,), (4,), (5,), (2, 4), (2, 3, 4, 5)]:
        assert widest_lead(field, round_robin(field, sizes, 1)) <= 4 * max(sizes)


@pytest.mark.parametrize("field", range(2, 33))
def test_nobody_is_ever_ahead_by_more_than_one_match_of_two(field: int) -> None:
    assert widest_lead(field, round_robin(field, [2], 2)) == (2 if field > 2 else 0)


@law
@given(plans())
def test_a_plan_is_the_same_every_time_in_whatever_order_sizes_are_named(plan: Plan) -> None:
    field, sizes, rounds = plan
    assert round_robin(field, sizes, rounds) == round_robin(field, tuple(reversed(sizes)), rounds)


@law
@given(plans())
def test_a_shorter_plan_begins_a_longer_one(plan: Plan) -> None:
    field, sizes, rounds = plan
    short = round_robin(field, sizes, rounds)
    assert round_robin(field, sizes, rounds + 1)[: len(short)] == short


def test_sizes_alternate_at_their_share_of_the_round() -> None:
    half = round_robin(13, [2, 3, 4], 1)[: (78 + 26 + 13) // 2]
    assert Counter(len(p.seats) for p in half) == {2: 39, 3: 13, 4: 6}


def test_pairs_of_six_follow_the_berger_table() -> None:
    table = [{frozenset(map(int, pair.split("-"))) for pair in turn.split()} for turn in BERGER.split("|")]
    pairings = [frozenset(entrant + 1 for entrant in p.seats) for p in round_robin(6, [2], 1)]
    assert [set(pairings[at : at + 3]) for at in range(0, 15, 3)] == table


@pytest.mark.parametrize("field", [3, 5, 7, 9, 21])
def test_in_an_odd_field_everybody_sits_out_exactly_one_turn(field: int) -> None:
    pairs, tables = designs.berger(field), field // 2
    turns = [sum(pairs[at : at + tables], ()) for at in range(0, len(pairs), tables)]
    assert sorted(set(range(field)).difference(turn).pop() for turn in turns) == list(range(field))
    assert all(len(set(turn)) == field - 1 for turn in turns)


@pytest.mark.parametrize("field", range(2, 13))
def test_every_pair_plays_one_match_of_two_games_a_round(field: int) -> None:
    pairs = [frozenset(p.seats) for p in round_robin(field, [2], 1)]
    assert len(pairs) == len(set(pairs)) == field * (field - 1) // 2


@pytest.mark.parametrize(("modulus", "meetings", "bases"), FAMILIES, ids=str)
def test_published_families_hold(modulus: int, meetings: int, bases: list[designs.Block]) -> None:
    assert designs.differences(bases, [0] * modulus)[1:] == [meetings] * (modulus - 1)


@pytest.mark.parametrize(("modulus", "meetings", "bases"), FAMILIES, ids=str)
def test_existing_families_are_found(modulus: int, meetings: int, bases: list[designs.Block]) -> None:
    for found in designs.families(modulus, len(bases[0]), rounds=3):
        assert designs.differences(found, [0] * modulus)[1:] == [meetings] * (modulus - 1)
        assert len(found) == len(bases)


@pytest.mark.parametrize(
    ("field", "size", "tables", "meetings"),
    [
        *[(3, 3, 1, 1), (4, 3, 4, 2), (5, 3, 10, 3), (6, 4, 15, 6), (7, 5, 21, 10)],  # every subset
        *[(6, 3, 10, 2), (8, 4, 14, 3), (9, 3, 12, 1), (16, 4, 20, 1), (25, 5, 30, 1)],  # around one entrant
        *[
            (7, 3, 7, 1),
            (7, 4, 7, 2),
            (13, 3, 26, 1),
            (13, 4, 13, 1),
            (21, 5, 21, 1),
            (11, 5, 11, 2),
        ],  # cyclic
    ],
)
def test_small_designs_make_meetings_exactly_equal(field: int, size: int, tables: int, meetings: int) -> None:
    found = only(field, size, 1)
    assert (found.tables, found.games) == (tables, tables * size)
    assert found.meetings == Spread(meetings, meetings)


@pytest.mark.parametrize("size", ORDERS)
def test_over_all_orders_of_a_table_everybody_follows_everybody_equally_often(size: int) -> None:
    followed = Counter(pair for order in ORDERS[size] for pair in followers(order))
    assert set(followed) == set(permutations(range(size), 2))
    assert len(set(followed.values())) == 1


@pytest.mark.parametrize(("field", "size"), [(5, 2), (5, 3), (9, 3), (6, 4), (16, 4), (7, 5), (25, 5)])
def test_a_repeated_table_takes_every_order_before_any_twice(field: int, size: int) -> None:
    found = only(field, size, len(ORDERS[size]))
    assert gap(found.followed) == 0
    assert found.uneven == ""


def test_uneven_plan_says_what_is_uneven() -> None:
    said = only(8, 3, 1).uneven
    assert said.startswith("at tables of 3: two entrants meet in 1 to 2 matches, ")
    assert said.endswith(", one entrant moves right after another in 0 to 2 matches")


def test_balance_counts_whoever_is_left_out() -> None:
    (found,) = balance([Pairing(0, 0, (0, 1)), Pairing(1, 0, (2, 0))], 4)
    assert found == Balance(2, 2, 4, Spread(0, 1), Spread(0, 4), Spread(0, 2), Spread(0, 1))


def test_balance_of_no_matches_is_empty() -> None:
    assert balance([], 4) == ()


def test_every_three_of_a_small_field_meet() -> None:
    tables = {frozenset(p.seats) for p in round_robin(5, [3], 1)}
    assert tables == {frozenset(three) for three in combinations(range(5), 3)}


@pytest.mark.parametrize(
    ("field", "sizes", "rounds", "told"),
    [
        (1, [2], 1, "needs at least 2 entrants, not 1"),
        (4, [2], 0, "needs at least 1 round, not 0"),
        (4, [], 1, "name at least one of 2, 3, 4, 5"),
        (4, [3, 2, 3], 1, r"\[3, 2, 3\] do not work"),
        (9, [6], 1, "no table of 6 seats; choose table sizes from 2 to 5"),
        (9, [1], 1, "no table of 1 seats"),
        (4, [2, 5], 1, "leave out size 5 or add 1 more"),
    ],
)
def test_impossible_plan_is_refused(field: int, sizes: list[int], rounds: int, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        round_robin(field, sizes, rounds)
