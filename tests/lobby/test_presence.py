"""The lobby tells who is connected where, forgets who stops saying so, and survives damaged entries."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st
from redis.backoff import NoBackoff
from redis.retry import Retry

from arena.errors import Unavailable
from arena.lobby.presence import (
    TALLY,
    UNREADABLE,
    Door,
    Lobby,
    Present,
    present_from_json,
    present_to_json,
)
from tests.redis_service import until

LONG, SHORT = 60.0, 0.05
DOOR = Door("g1", "10.0.0.7:7701")
ADA = Present(bot="ada", version="v1", gateway="g1", games=4, sizes=(2, 5), since=1000.5)
BOB = replace(ADA, bot="bob", version="v2", games=1)
SOMEBODY = st.builds(
    Present,
    bot=st.text(min_size=1),
    version=st.text(),
    gateway=st.text(),
    games=st.integers(1),
    sizes=st.lists(st.integers(2, 5)).map(tuple),
    since=st.floats(allow_nan=False, allow_infinity=False),
)


@pytest.fixture
def lobby(redis_client: redis.Redis) -> Lobby:
    return Lobby(redis_client)


@pytest.fixture
def hall(lobby: Lobby) -> Lobby:
    """A lobby with one open door and two bots behind it."""
    lobby.announce(DOOR, LONG)
    lobby.show("g1", [ADA, BOB], LONG)
    return lobby


@pytest.fixture
def nowhere() -> Iterator[Lobby]:
    """A lobby whose Redis is not there."""
    with redis.Redis(port=1, retry=Retry(NoBackoff(), 0)) as client:
        yield Lobby(client)


def names(lobby: Lobby) -> list[str]:
    return sorted(one.bot for one in lobby.roll().presents)


@settings(max_examples=50, deadline=None)
@given(present=SOMEBODY)
def test_a_present_survives_the_round_trip(present: Present) -> None:
    assert present_from_json(present.gateway, present.bot, present_to_json(present)) == present


@settings(max_examples=50, deadline=None)
@given(text=st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps))
def test_any_other_text_is_refused_not_trusted(text: str) -> None:
    with pytest.raises(UNREADABLE):
        present_from_json("g1", "ada", text)


@pytest.mark.parametrize(
    "change",
    [
        {"games": 0},
        {"games": True},
        {"games": 1.5},
        {"sizes": [1]},
        {"sizes": [6]},
        {"sizes": "25"},
        {"since": 10**400},
        {"since": "now"},
        {"version": 1},
    ],
    ids=repr,
)
def test_a_field_out_of_bounds_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(UNREADABLE):
        present_from_json("g1", "ada", json.dumps(json.loads(present_to_json(ADA)) | change))


def test_the_roll_tells_who_is_where(hall: Lobby) -> None:
    roll = hall.roll()
    assert (roll.doors, set(roll.presents), roll.problems) == ((DOOR,), {ADA, BOB}, ())


def test_showing_replaces_the_whole_set(hall: Lobby) -> None:
    hall.show("g1", [BOB], LONG)
    assert names(hall) == ["bob"]


def test_showing_nobody_empties_the_set(hall: Lobby) -> None:
    hall.show("g1", [], LONG)
    assert names(hall) == []


def test_an_absent_bot_is_gone_at_once(hall: Lobby) -> None:
    hall.absent("g1", "ada")
    assert names(hall) == ["bob"]


def test_a_gateway_that_leaves_takes_everyone_along(hall: Lobby, redis_client: redis.Redis) -> None:
    hall.leave("g1")
    assert redis_client.keys() == []


def test_gateways_do_not_touch_each_other(hall: Lobby) -> None:
    hall.announce(Door("g2", "10.0.0.8:7701"), LONG)
    hall.show("g2", [replace(ADA, gateway="g2")], LONG)
    hall.leave("g1")
    assert [one.gateway for one in hall.roll().presents] == ["g2"]


def test_who_is_no_longer_shown_expires(hall: Lobby) -> None:
    hall.show("g1", [ADA, BOB], SHORT)
    assert until(lambda: names(hall) == [])


def test_behind_an_expired_door_is_nobody(hall: Lobby) -> None:
    hall.announce(DOOR, SHORT)
    assert until(lambda: names(hall) == [])


def test_a_dead_gateway_leaves_no_trace(lobby: Lobby, redis_client: redis.Redis) -> None:
    lobby.announce(DOOR, SHORT)
    lobby.show("g1", [ADA], SHORT)
    assert until(lambda: lobby.roll().doors == () and redis_client.keys() == [])


@pytest.mark.parametrize("text", ["{}", "[", "[" * 100_000, b"\xff"], ids=["empty", "cut", "deep", "no text"])
def test_a_damaged_bot_is_skipped_and_reported(text: str | bytes, hall: Lobby, redis_client: redis.Redis) -> None:
    redis_client.hset("arena:lobby:bots:g1", "ada", text)
    assert (names(hall), len(hall.roll().problems)) == (["bob"], 1)


@pytest.mark.parametrize("key", ["arena:lobby:bots:g1", "arena:lobby:door:g1"])
def test_a_damaged_gateway_is_skipped_and_reported(key: str, hall: Lobby, redis_client: redis.Redis) -> None:
    redis_client.delete(key)
    redis_client.lpush(key, "x")
    assert "'g1'" in hall.roll().problems[0]


@pytest.mark.parametrize("address", [b"", b"host", b":7701", b"host:0", b"host:http", b"\xff:7701"])
def test_a_door_without_an_address_is_skipped_and_reported(
    address: bytes, hall: Lobby, redis_client: redis.Redis
) -> None:
    redis_client.set("arena:lobby:door:g1", address)
    roll = hall.roll()
    assert (roll.doors, len(roll.problems)) == ((), 1)


def test_counters_add_up_over_gateways(lobby: Lobby, redis_client: redis.Redis) -> None:
    lobby.tally({"moves": 2, "seconds": 0.25})
    Lobby(redis_client).tally({"moves": 3})
    assert lobby.tallies().totals == {"moves": 5, "seconds": 0.25}


def test_counters_outlive_their_gateway(hall: Lobby) -> None:
    hall.tally({"moves": 2})
    hall.leave("g1")
    assert hall.tallies().totals == {"moves": 2}


def test_counting_nothing_is_allowed(lobby: Lobby) -> None:
    lobby.tally({})
    assert lobby.tallies().totals == {}


@pytest.mark.parametrize("text", ["many", "nan", "inf", b"\xff"])
def test_a_damaged_counter_is_skipped_and_reported(
    text: str | bytes, lobby: Lobby, redis_client: redis.Redis
) -> None:
    lobby.tally({"moves": 2})
    redis_client.hset(TALLY, "bad", text)
    tallies = lobby.tallies()
    assert (tallies.totals, len(tallies.problems)) == ({"moves": 2}, 1)


def test_a_lobby_without_redis_is_unavailable(nowhere: Lobby) -> None:
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:1|localhost:1"):
        nowhere.roll()
