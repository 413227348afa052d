"""An author's mistakes: each costs one game, names its place, and the bot plays on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from arena.contest.clock import Clock
from arena.contest.referee import Reason
from arena.game.actions import Action, River
from arena.game.view import View
from arena.sdk.client import Client
from arena.sdk.running import Entry
from bots import dice
from tests.gateway.hosts import Host, eventually
from tests.gateway.proxy import wire
from tests.remote.tables import CALM, Party, party

Junk = Callable[[View], object]


@asynccontextmanager
async def connected(host: Host, choose: Junk, address: str = "") -> AsyncIterator[Party]:
    """The bot `ada` on the real SDK, and `bob`, who plays."""
    entry = Entry("ada", server=address or host.address)
    client = Client(choose, entry)  # type: ignore[arg-type]
    task = asyncio.create_task(client.serve())
    try:
        async with party(host, "bob") as found:
            found.play()
            await eventually(lambda: host.knows("ada"))
            yield found
    finally:
        client._stop()
        async with asyncio.timeout(20):
            await task


def raising(view: View) -> object:
    raise KeyError("no idea")


class Rude:
    def __repr__(self) -> str:
        raise ValueError("not even that")


def returning(value: object) -> Junk:
    return lambda _: value


@pytest.mark.parametrize(
    ("choose", "word"),
    [
        pytest.param(raising, "KeyError: 'no idea'", id="raises"),
        pytest.param(returning(None), "choose returned None", id="None"),
        pytest.param(returning("river"), "not a River, Lake or Pass", id="text"),
        pytest.param(returning(Rude()), "not even that", id="no repr"),
        pytest.param(returning(River(("wh1",), 0, -1)), "choose returned River", id="names"),  # type: ignore[arg-type]
        pytest.param(returning(River((300,), 0, -1)), "choose returned River", id="no such kind"),
        pytest.param(returning(River((0,), -1, -1)), "choose returned River", id="negative tile"),
        pytest.param(returning(River((0,), 1.5, -1)), "choose returned River", id="half a tile"),  # type: ignore[arg-type]
        pytest.param(returning(River(None, 0, -1)), "choose returned River", id="nothing"),  # type: ignore[arg-type]
    ],
)
async def test_what_is_no_action_is_a_crash_and_the_author_reads_why(
    host: Host, capsys: pytest.CaptureFixture[str], choose: Junk, word: str
) -> None:
    async with connected(host, choose) as found:
        at = found.open("ada", "bob")
        (fault,) = (await at.end()).game.forfeits
    assert (fault.seat, fault.reason) == (0, Reason.CRASH)
    assert word in fault.detail
    assert word in capsys.readouterr().err


async def test_the_place_of_a_mistake_is_named(host: Host) -> None:
    async with connected(host, raising) as found:
        (fault,) = (await found.open("ada", "bob").end()).game.forfeits
    assert fault.detail.startswith("test_choose.py:")


async def test_a_side_that_does_not_exist_is_not_taken_for_another(host: Host) -> None:
    async with connected(host, returning(River((0,), 1, 5))) as found:
        (fault,) = (await found.open("ada", "bob").end()).game.forfeits
    assert fault.reason is Reason.MALFORMED


async def test_a_bot_that_failed_once_plays_on(host: Host) -> None:
    calls: list[View] = []

    def choose(view: View) -> Action:
        calls.append(view)
        return dice.choose(view) if len(calls) > 1 else raising(view)  # type: ignore[return-value]

    async with connected(host, choose) as found:
        assert await found.open("ada", "bob").faults() == [(0, Reason.CRASH)]
        assert await found.open("ada", "bob").faults() == []


async def test_a_bot_that_names_the_clock_is_told_its_time(host: Host) -> None:
    clocks: list[Clock] = []

    def choose(view: View, clock: Clock) -> Action:
        clocks.append(clock)
        return dice.choose(view)

    async with connected(host, choose) as found:  # type: ignore[arg-type]
        assert await found.open("ada", "bob").faults() == []
    assert clocks[0] == Clock(min(CALM.cap, CALM.bank), CALM.bank, CALM.increment)
    assert all(clock.limit <= clock.left for clock in clocks)


async def test_a_lost_connection_is_taken_up_again_and_no_question_is_thought_about_twice(host: Host) -> None:
    views: list[View] = []
    thinking = asyncio.Event()
    loop = asyncio.get_running_loop()

    def choose(view: View) -> Action:
        views.append(view)
        if len(views) == 1:
            loop.call_soon_threadsafe(thinking.set)
            asyncio.run_coroutine_threadsafe(back.wait(), loop).result(20)
        return dice.choose(view)

    back = asyncio.Event()
    async with wire(host.address) as line, connected(host, choose, line.address) as found:
        at = found.open("ada", "bob")
        await thinking.wait()
        line.cut()
        await eventually(lambda: line.dials == 2)
        back.set()
        assert await at.faults() == []
    assert len(views) == len({view.ply for view in views})
