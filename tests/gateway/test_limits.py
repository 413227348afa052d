"""Who has to wait, for how long, and that nobody else does."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from arena.desk import access
from arena.errors import Busy, Forbidden
from arena.gateway.limits import BURST, REFILL, Guesses, Places, Turnstile, address_of
from arena.store.kinds import Role
from arena.wire.status import status_to_error
from tests.gateway.hosts import Host, hosting
from tests.gateway.raw import Raw
from tests.gateway.test_hello import hello


@pytest.fixture
async def narrow(tmp_path: Path, redis_url: str) -> AsyncIterator[Host]:
    """A gateway with tokens that takes few connections of each."""
    async with hosting(tmp_path, redis_url, tokens=True, per_address=4, per_token=2) as found:
        yield found


def token(host: Host, owner: str, role: Role = Role.OWNER) -> str:
    access.add_owner(host.store, owner, at=time.time())
    return access.new_token(host.store, owner, role, at=time.time()).secret


async def refusal(host: Host, secret: str, bot: str) -> Exception:
    """The error that a bot is turned away with."""
    async with Raw(host.address) as raw:
        await raw.say(hello(token=secret, bot=bot))
        ended = await raw.end()
    assert ended is not None
    return status_to_error(ended, host.address)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def guess(guesses: Guesses, address: str, digest: bytes = b"wrong") -> None:
    with guesses.one(address, digest):
        raise Forbidden("wrong")


def exhausted(clock: Clock, address: str = "here") -> Guesses:
    """After so many wrong tokens from an address that the next is not looked up."""
    guesses = Guesses(clock)
    for _ in range(int(BURST)):
        with pytest.raises(Forbidden):
            guess(guesses, address)
    return guesses


def test_after_a_burst_of_wrong_tokens_an_address_waits_as_long_as_it_is_told() -> None:
    clock = Clock()
    guesses = exhausted(clock)
    with pytest.raises(Busy) as told:
        guess(guesses, "here")
    assert told.value.retry_after == pytest.approx(1 / REFILL)
    clock.now += told.value.retry_after
    with pytest.raises(Forbidden):
        guess(guesses, "here")


def test_wrong_tokens_from_one_address_hold_up_no_other() -> None:
    with pytest.raises(Forbidden):
        guess(exhausted(Clock(), "here"), "there")


def test_a_token_that_was_good_before_passes_while_a_neighbour_guesses() -> None:
    clock = Clock()
    guesses = Guesses(clock)
    with guesses.one("here", b"good"):
        pass
    for number in range(int(BURST)):
        with pytest.raises(Forbidden):
            guess(guesses, "here", str(number).encode())
    with guesses.one("here", b"good"):
        pass


def test_right_tokens_use_up_no_guesses() -> None:
    guesses = Guesses(Clock())
    for number in range(3 * int(BURST)):
        with guesses.one("here", str(number).encode()):
            pass


def test_a_place_is_free_again_when_it_is_left() -> None:
    places = Places(1, "your token")
    for _ in range(2):
        with places.one("ada"), pytest.raises(Busy, match="your token has 1 connections"), places.one("ada"):
            pass
    with places.one("ada"), places.one("bob"):
        pass


async def test_who_would_be_behind_too_many_is_asked_to_come_back() -> None:
    turnstile = Turnstile(1, 1)
    async with turnstile.turn():
        second = asyncio.create_task(turnstile.turn().__aenter__())
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            async with turnstile.turn():
                pass
    await second


@pytest.mark.parametrize(
    ("peer", "address"),
    [("ipv4:10.0.0.1:4711", "10.0.0.1"), ("ipv6:%5B::1%5D:4711", "%5B::1%5D"), ("unix:/tmp/a", "unix:/tmp/a")],
)
def test_an_address_is_a_peer_without_its_port(peer: str, address: str) -> None:
    assert address_of(peer) == address


async def test_guessing_tokens_ends_in_busy_with_a_time_and_bots_that_were_in_come_back(narrow: Host) -> None:
    secret = token(narrow, "lovelace")
    async with Raw(narrow.address) as bot:
        await bot.hello("ada", token=secret)
    found = [await refusal(narrow, f"gwa_0123456789ab_{number}", "eve") for number in range(int(BURST) + 20)]
    late = [error for error in found if isinstance(error, Busy)]
    assert late
    assert all(0 < error.retry_after <= 1 / REFILL for error in late)
    assert {type(error) for error in found} == {Busy, Forbidden}
    async with Raw(narrow.address) as bot:
        await bot.hello("ada", token=secret)


async def test_a_token_brings_so_many_bots_and_another_one_as_many(narrow: Host) -> None:
    first, second = token(narrow, "lovelace"), token(narrow, "hopper")
    async with AsyncExitStack() as stack:
        for name in ("ada", "bob"):
            bot = await stack.enter_async_context(Raw(narrow.address))
            await bot.hello(name, token=first)
        error = await refusal(narrow, first, "cyd")
        assert isinstance(error, Busy)
        assert "your token has 2 connections" in str(error)
        other = await stack.enter_async_context(Raw(narrow.address))
        await other.hello("dee", token=second)


async def test_an_address_has_so_many_streams_those_without_a_hello_included(narrow: Host) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(Raw(narrow.address))
        await asyncio.sleep(0.5)
        late = await stack.enter_async_context(Raw(narrow.address))
        ended = await late.end()
    assert ended is not None
    error = status_to_error(ended, narrow.address)
    assert isinstance(error, Busy)
    assert "your address has 4 connections" in str(error)
