"""Hello: what a newcomer must say, how soon, and how a refusal reads at the other end."""

import time
from contextlib import AsyncExitStack

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo

from arena.errors import ArenaError, BadInput, Forbidden, Unavailable
from arena.gateway import bots_door, entrance
from arena.store import bots
from arena.store.ids import BotId
from arena.v1 import play_pb2 as pb
from arena.wire.channel import PROTOCOL
from arena.wire.status import DOMAIN, details, status_to_error
from tests.gateway.hosts import Host
from tests.gateway.raw import Raw


async def refusal(host: Host, first: pb.PlayRequest | bytes) -> ArenaError:
    """The named error that a stream with this first message ends with."""
    async with Raw(host.address) as bot:
        await bot.say(first)
        ended = await bot.end()
        assert ended is not None
        return status_to_error(ended, host.address)


def hello(**fields: object) -> pb.PlayRequest:
    """A good Hello but for the given fields."""
    good: dict[str, object] = {"protocol_from": PROTOCOL, "protocol_to": PROTOCOL, "bot": "ada", "version": "1"}
    return pb.PlayRequest(hello=pb.Hello(**(good | fields)))  # type: ignore[arg-type]


async def test_a_good_hello_is_welcomed_and_the_bot_is_on_record(host: Host) -> None:
    async with Raw(host.address) as bot:
        await bot.say(hello())
        welcome = await bot.next(bot.welcomes)
    assert welcome.protocol == PROTOCOL
    assert host.bot_id("ada")


async def test_who_says_nothing_is_sent_away_in_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_door, "HELLO_SECONDS", 0.3)
    async with Raw(host.address) as bot:
        ended = await bot.end()
    assert ended is not None
    assert "no Hello within 0.3 s" in str(ended.details())


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(pb.PlayRequest(readies=[pb.Ready(game="g")]), id="ready"),
        pytest.param(pb.PlayRequest(), id="empty"),
        pytest.param(b"\xff\xff\xff", id="bytes"),
    ],
)
async def test_the_first_message_must_be_a_hello(host: Host, first: pb.PlayRequest | bytes) -> None:
    error = await refusal(host, first)
    assert isinstance(error, BadInput)
    assert "must be a Hello" in str(error)


@pytest.mark.parametrize(
    "spoken",
    [
        pytest.param((PROTOCOL - 1, PROTOCOL - 1), id="too old"),
        pytest.param((PROTOCOL + 1, PROTOCOL + 3), id="too new"),
    ],
)
async def test_another_protocol_is_told_what_to_install(host: Host, spoken: tuple[int, int]) -> None:
    error = await refusal(host, hello(protocol_from=spoken[0], protocol_to=spoken[1]))
    assert isinstance(error, BadInput)
    assert "pip install --upgrade glassworks-arena" in str(error)


async def test_a_client_that_speaks_newer_protocols_too_is_welcome(host: Host) -> None:
    async with Raw(host.address) as bot:
        await bot.say(hello(protocol_to=PROTOCOL + 5))
        assert (await bot.next(bot.welcomes)).protocol == PROTOCOL


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        pytest.param({"bot": ""}, "bot name", id="no name"),
        pytest.param({"bot": "Ada"}, "bot name", id="capital"),
        pytest.param({"bot": "аda"}, "bot name", id="cyrillic"),
        pytest.param({"bot": "../etc"}, "bot name", id="path"),
        pytest.param({"bot": "a" * 10_000}, "bot name", id="long"),
        pytest.param({"bot": "a\x00b"}, "bot name", id="nul"),
        pytest.param({"bot": "<b>"}, "bot name", id="markup"),
        pytest.param({"version": "1\n2"}, "version", id="version"),
        pytest.param({"games": 257}, "1 to 256", id="games"),
        pytest.param({"sizes": [2, 6]}, "2 3 4 5", id="sizes"),
        pytest.param({"sizes": range(9000)}, "2 3 4 5", id="many sizes"),
    ],
)
async def test_a_bad_field_is_named(host: Host, fields: dict[str, object], word: str) -> None:
    error = await refusal(host, hello(**fields))
    assert isinstance(error, BadInput)
    assert word in str(error)
    assert len(str(error)) < 200


async def test_a_refused_bot_leaves_no_trace(host: Host) -> None:
    await refusal(host, hello(games=1000))
    with host.store.reading() as tx:
        assert bots.bots(tx) == ()


async def test_a_banned_bot_stays_out(host: Host) -> None:
    with host.store.writing() as tx:
        bots.add_bot(tx, bots.Bot(BotId("b"), "ada", None, 1.0, banned_at=time.time()))
    error = await refusal(host, hello())
    assert isinstance(error, Forbidden)
    assert "banned" in str(error)


async def test_a_refusal_carries_its_name_for_machines(host: Host) -> None:
    async with Raw(host.address) as bot:
        await bot.say(hello(bot="Ada"))
        ended = await bot.end()
    assert ended is not None
    assert ended.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert [(one.reason, one.domain) for one in details(ended, ErrorInfo)] == [("BadInput", DOMAIN)]


async def test_a_client_may_call_itself_anything_without_breaking_the_log(
    host: Host, capfd: pytest.CaptureFixture[str]
) -> None:
    async with Raw(host.address) as bot:
        await bot.say(hello(client="evil\n\x1b[2Jgateway listens"))
        await bot.next(bot.welcomes)
    assert "\x1b[2J" not in capfd.readouterr().err


async def test_those_who_never_say_hello_are_all_sent_away(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_door, "HELLO_SECONDS", 0.5)
    async with AsyncExitStack() as stack:
        idle = [await stack.enter_async_context(Raw(host.address)) for _ in range(50)]
        async with Raw(host.address) as bot:
            await bot.hello("ada")
        ends = [await one.end() for one in idle]
    assert {end.code() for end in ends if end} == {grpc.StatusCode.INVALID_ARGUMENT}


async def test_a_bug_behind_the_door_is_told_to_us_and_not_to_the_bot(
    host: Host, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(entrance, "admit", _broken)
    error = await refusal(host, hello(token="gwa_1_planted"))
    said = capfd.readouterr()
    assert isinstance(error, Unavailable)
    assert "ZeroDivisionError" not in str(error)
    assert "ZeroDivisionError" in said.out + said.err
    assert "planted" not in said.out + said.err


def _broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError
