"""A deal can be checked with sha256sum, and what it gives is drawn in the order of docs/rules.md §2.7."""

import hashlib
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contest.record import nonces_in_order
from arena.errors import BadInput
from arena.game import deal, legal, position, rules, ruleset
from tests import oracle
from tests.game.positions import on_tile

DEFAULT = ruleset.named()
SECRET = bytes(range(32))
DEALS = st.binary(min_size=32, max_size=32)


def sha256sum(data: bytes) -> str:
    """The digest that the command of that name prints."""
    done = subprocess.run(["sha256sum"], input=data, capture_output=True, check=True)
    return done.stdout.decode().split()[0]


# Bag and tile order


def test_the_bag_order_can_be_checked_with_sha256sum() -> None:
    chance = bytes(32)
    digests = {number: sha256sum(chance + b"bag" + bytes([number])) for number in range(120)}
    by_digest = sorted(digests, key=digests.__getitem__)
    kinds = deal.all_kinds(DEFAULT, 4)
    assert deal.bag_order(chance, DEFAULT, 4) == tuple(kinds[number] for number in by_digest)


def test_the_tile_order_can_be_checked_with_sha256sum() -> None:
    digests = {shape: sha256sum(bytes(32) + b"tile" + bytes([shape])) for shape in range(6)}
    assert deal.tile_order(bytes(32)) == tuple(sorted(digests, key=digests.__getitem__)) == (5, 1, 0, 4, 3, 2)


def test_one_known_deal_never_changes() -> None:
    order = bytes(deal.bag_order(SECRET, DEFAULT, 5))
    assert hashlib.sha256(order).hexdigest() == "35e7f217d01c0b415bcff6631da45075bb58069646a6238f00d92b44397605ba"
    assert deal.tile_order(SECRET) == (2, 0, 5, 3, 1, 4)


@given(DEALS, st.integers(2, 5))
def test_the_orders_are_those_of_the_oracle(chance: bytes, players: int) -> None:
    kinds = deal.all_kinds(DEFAULT, players)
    numbers = oracle.bag_order(chance, players)
    assert deal.bag_order(chance, DEFAULT, players) == tuple(kinds[number] for number in numbers)
    assert list(deal.tile_order(chance)) == oracle.tile_order(chance)


@given(DEALS)
def test_black_only_joins_a_bag_and_changes_no_order_within_it(chance: bytes) -> None:
    with_black = deal.bag_order(chance, DEFAULT, 5)
    assert tuple(kind for kind in with_black if kind < 48) == deal.bag_order(chance, DEFAULT, 2)


def test_pieces_are_numbered_by_colour_then_shape_then_copy() -> None:
    kinds = deal.all_kinds(DEFAULT, 5)
    assert list(kinds) == sorted(kinds)
    assert [kinds[number] for number in (0, 3, 4, 21, 22, 131)] == [0, 0, 1, 5, 6, 53]


@pytest.mark.parametrize(("players", "pieces"), [(2, 120), (3, 120), (4, 120), (5, 132)])
def test_black_is_in_the_bag_with_exactly_five_players(players: int, pieces: int) -> None:
    kinds = deal.all_kinds(DEFAULT, players)
    assert (len(kinds), max(kinds) >= 48) == (pieces, players == 5)


# The commitment and the deal


def test_the_commitment_is_the_digest_of_secret_and_match_id() -> None:
    expected = "784570563e3dacd62dd4e8dcda6c053ab96eab653beab5171c0d42280ccc1797"
    assert deal.commitment(SECRET, "m-1") == expected == sha256sum(SECRET + b"m-1")


def test_the_deal_is_the_digest_of_secret_match_game_and_nonces() -> None:
    nonces = (b"\x01" * 32, bytes(32))
    told = SECRET + b"m-1" + b"\x00\x00\x00\x03" + b"\x01" * 32 + bytes(32)
    assert deal.deal(SECRET, "m-1", 3, nonces).hex() == sha256sum(told)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((SECRET[::-1], "m", 0, ()), id="secret"),
        pytest.param((SECRET, "n", 0, ()), id="match"),
        pytest.param((SECRET, "m", 1, ()), id="game"),
        pytest.param((SECRET, "m", 0, (bytes(32),)), id="nonces"),
    ],
)
def test_a_deal_depends_on(other: tuple[bytes, str, int, tuple[bytes, ...]]) -> None:
    assert deal.deal(*other) != deal.deal(SECRET, "m", 0)


def test_nonces_enter_in_the_order_of_the_names_and_absent_ones_as_zeros() -> None:
    seats = ("oak@2", "ash@1", "yew@1")
    one, two = b"\x01" * 32, b"\x02" * 32
    assert nonces_in_order(seats, (one, None, two)) == (bytes(32), one, two)


def test_seats_of_one_name_give_their_nonces_in_seat_order() -> None:
    one, two = b"\x02" * 32, b"\x01" * 32
    assert nonces_in_order(("ash@1", "ash@1"), (one, two)) == (one, two)


# Set-up (§2)


@given(DEALS, st.integers(2, 5))
def test_set_up_draws_tiles_then_lake_then_satchels_from_the_front(chance: bytes, players: int) -> None:
    state = position.opened(DEFAULT, players, chance)
    bag = list(deal.bag_order(chance, DEFAULT, players))
    at = 0
    for shape in deal.tile_order(chance):
        stones = DEFAULT.stones[shape]
        assert on_tile(state, shape) == sorted(bag[at : at + stones])
        at += stones
    assert list(state.array("lake")) == sorted(bag[at : at + 5])
    satchels = [legal.satchel(state, seat) for seat in range(players)]
    drawn = [bag[at + 5 + 3 * seat : at + 8 + 3 * seat] for seat in range(players)]
    assert satchels == [tuple(sorted(three)) for three in drawn]
    assert (state.front, state.back) == (at + 5 + 3 * players, len(bag))


@given(DEALS)
def test_the_tiles_lie_in_tile_order(chance: bytes) -> None:
    assert tuple(position.opened(DEFAULT, 2, chance).array("river")) == deal.tile_order(chance)


@given(DEALS, st.integers(2, 5))
def test_seat_zero_starts_with_nothing_placed(chance: bytes, players: int) -> None:
    state = position.opened(DEFAULT, players, chance)
    assert (rules.mover(state), state.over, state.trigger) == (0, False, rules.NOBODY)
    assert position.scores(state) == (0,) * players


@pytest.mark.parametrize("players", [-1, 0, 1, 6, 255])
def test_a_table_has_two_to_five_seats(players: int) -> None:
    with pytest.raises(BadInput, match=f"2 to 5 seats, not {players}"):
        position.opened(DEFAULT, players, bytes(32))
