"""A cached value is computed once for all who ask, never on the event loop, and a slow one keeps nobody waiting."""

import asyncio
import threading
from itertools import count

import pytest

from arena.errors import Unavailable
from arena.web.cached import Cached

LONG = 1000.0


async def test_many_who_ask_at_once_share_one_computation() -> None:
    numbers = Cached(count().__next__, LONG)
    assert await asyncio.gather(*(numbers.value() for _ in range(50))) == [0] * 50


async def test_a_fresh_value_is_not_computed_again() -> None:
    numbers = Cached(count().__next__, LONG)
    assert (await numbers.value(), await numbers.value()) == (0, 0)


async def test_a_stale_value_is_computed_again() -> None:
    numbers = Cached(count().__next__, 0.0)
    async with asyncio.timeout(30):
        while await numbers.value() == 0:  # noqa: ASYNC110 - asking is what is tested
            await asyncio.sleep(0.001)


async def test_the_event_loop_stays_free() -> None:
    assert await Cached(threading.get_ident, LONG).value() != threading.get_ident()


async def test_while_a_new_value_takes_long_the_old_one_is_given() -> None:
    numbers, go_on = count(), threading.Event()

    def slow_from_the_second_on() -> int:
        number = next(numbers)
        assert number == 0 or go_on.wait(60)
        return number

    cached = Cached(slow_from_the_second_on, 0.0)
    first = await cached.value()
    await asyncio.sleep(0.05)
    assert (first, await cached.value(patience=0.01)) == (0, 0)
    go_on.set()
    await cached.value()


async def test_the_first_value_is_waited_for() -> None:
    go_on = threading.Event()
    asking = asyncio.create_task(Cached(lambda: go_on.wait(60), LONG).value(patience=0.0))
    await asyncio.sleep(0.05)
    go_on.set()
    assert await asking


async def test_a_failure_reaches_all_who_ask_and_is_tried_once() -> None:
    tries = count()

    def fail() -> int:
        raise Unavailable(f"try {next(tries)}")

    cached = Cached(fail, LONG)
    found = await asyncio.gather(*(cached.value() for _ in range(5)), return_exceptions=True)
    assert {str(one) for one in found} == {"try 0"}


async def test_after_a_failure_it_is_tried_again() -> None:
    tries = count()

    def fail_once() -> int:
        if next(tries) == 0:
            raise Unavailable("not yet")
        return 7

    cached = Cached(fail_once, 0.0)
    with pytest.raises(Unavailable):
        await cached.value()
    assert await cached.value() == 7


async def test_whoever_goes_away_does_not_stop_the_others() -> None:
    go_on = threading.Event()
    cached = Cached(lambda: go_on.wait(60), LONG)
    first, second = (asyncio.create_task(cached.value()) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    go_on.set()
    assert await second
