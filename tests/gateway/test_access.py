"""Tokens and addresses: who may come in, and that a wrong token learns nothing from its refusal."""

import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from arena.config.settings import refuse_unsafe, settings
from arena.desk import access
from arena.errors import ArenaError, BadInput, Conflict, Forbidden
from arena.remote.relay import Pass
from arena.store import bots
from arena.store.ids import BotId
from arena.store.kinds import Role
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from arena.v1 import tournaments_pb2 as tn
from arena.v1.seats_pb2_grpc import SeatsServiceStub
from arena.v1.tournaments_pb2_grpc import TournamentServiceStub
from arena.wire.channel import bearer, open_channel
from arena.wire.status import status_to_error
from tests.gateway.hosts import Host, eventually, hosting
from tests.gateway.raw import Raw
from tests.gateway.test_hello import hello
from tests.remote.tables import relay_to


@pytest.fixture
async def guarded(tmp_path: Path, redis_url: str) -> AsyncIterator[Host]:
    """A gateway that demands tokens."""
    async with hosting(tmp_path, redis_url, tokens=True) as found:
        yield found


def token(host: Host, owner: str, role: Role = Role.OWNER) -> access.Issued:
    """A new token; the owner is added on the way."""
    with suppress(Conflict):
        access.add_owner(host.store, owner, at=time.time())
    return access.new_token(host.store, owner, role, at=time.time())


async def refused(host: Host, secret: str, bot: str = "ada") -> str:
    """What a bot with this token is told; fails if it is let in."""
    async with Raw(host.address) as raw:
        await raw.say(hello(token=secret, bot=bot))
        ended = await raw.end()
    assert ended is not None
    error = status_to_error(ended, host.address)
    assert isinstance(error, Forbidden)
    return str(error)


async def test_a_bot_with_its_owners_token_comes_in_and_belongs_to_the_owner(guarded: Host) -> None:
    async with Raw(guarded.address) as bot:
        await bot.hello("ada", token=token(guarded, "lovelace").secret)
    with guarded.store.reading() as tx:
        found = bots.bot_named(tx, "ada")
    assert found is not None
    assert found.owner_id is not None


async def test_without_a_token_one_is_told_how_to_get_it(guarded: Host) -> None:
    assert "arena token new" in await refused(guarded, "")


async def test_every_wrong_token_gets_the_same_answer(guarded: Host) -> None:
    good = token(guarded, "lovelace")
    access.revoke(guarded.store, token(guarded, "lovelace").id, at=time.time())
    revoked = token(guarded, "lovelace")
    access.revoke(guarded.store, revoked.id, at=time.time())
    wrong = {
        "revoked": revoked.secret,
        "other key": f"gwa_{good.id}_{'x' * 43}",
        "unknown id": f"gwa_000000000000_{good.secret.split('_', 2)[2]}",
        "other prefix": good.secret.replace("gwa", "gwb"),
        "junk": "junk",
        "nul": "gwa_\x00_x",
        "long": "gwa_" + "x" * 10_000,
    }
    assert len({await refused(guarded, secret) for secret in wrong.values()}) == 1


async def test_another_owners_bot_cannot_be_taken(guarded: Host) -> None:
    async with Raw(guarded.address) as bot:
        await bot.hello("ada", token=token(guarded, "lovelace").secret)
    assert "belongs to another owner" in await refused(guarded, token(guarded, "babbage").secret)


async def test_a_workers_token_does_not_bring_bots(guarded: Host) -> None:
    assert "role owner" in await refused(guarded, token(guarded, "house", Role.WORKER).secret)


async def test_a_bots_token_does_not_attach_a_worker(guarded: Host) -> None:
    async with relay_to(guarded.address, Pass(token(guarded, "lovelace").secret)) as relay:
        await eventually(lambda: bool(relay.broken))
    assert "PERMISSION_DENIED" in relay.broken
    assert "role worker" in relay.broken


async def test_a_workers_token_attaches(guarded: Host) -> None:
    async with relay_to(guarded.address, Pass(token(guarded, "house", Role.WORKER).secret)) as relay:
        async with Raw(guarded.address) as bot:
            await bot.hello("ada", token=token(guarded, "lovelace").secret)
        assert not relay.broken


@pytest.mark.parametrize("role", [Role.OWNER, Role.WORKER])
async def test_only_organisers_and_operators_start_tournaments(guarded: Host, role: Role) -> None:
    assert isinstance(await started(guarded, token(guarded, "lovelace", role).secret), Forbidden)


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.OPERATOR])
async def test_an_organiser_gets_as_far_as_the_spec(guarded: Host, role: Role) -> None:
    assert isinstance(await started(guarded, token(guarded, "lovelace", role).secret), BadInput)


async def started(host: Host, secret: str) -> ArenaError:
    """The error of starting a tournament whose name is wrong."""
    async with open_channel(host.address, None) as channel:
        request = tn.StartTournamentRequest(spec=tn.TournamentSpec(name="No Name", bots=["a", "b"]))
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await TournamentServiceStub(channel).StartTournament(request, metadata=bearer(secret))
    return status_to_error(failure.value, host.address)


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({"host": "0.0.0.0"}, id="open to all"),
        pytest.param({"host": "0.0.0.0", "tokens": True}, id="tokens without TLS"),
        pytest.param({"host": "::"}, id="IPv6"),
        pytest.param({"host": "arena.example.org"}, id="a name"),
        pytest.param({"host": "192.168.0.7", "tls_cert": Path("c"), "tls_key": Path("k")}, id="TLS without tokens"),
    ],
)
def test_an_address_others_can_reach_needs_tokens_and_tls(chosen: dict[str, object]) -> None:
    with pytest.raises(Forbidden, match=r"--tokens.*--tls-cert"):
        refuse_unsafe(settings(**chosen))


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param({"host": "127.0.0.1"}, id="loopback"),
        pytest.param({"host": "::1"}, id="loopback 6"),
        pytest.param({"host": "localhost"}, id="localhost"),
        pytest.param(
            {"host": "0.0.0.0", "tokens": True, "tls_cert": Path("c"), "tls_key": Path("k")}, id="tokens and TLS"
        ),
    ],
)
def test_loopback_may_be_open_and_the_rest_with_tokens_and_tls(chosen: dict[str, object]) -> None:
    refuse_unsafe(settings(**chosen))


def test_a_certificate_without_its_key_is_refused() -> None:
    with pytest.raises(BadInput, match="both a certificate and a key"):
        refuse_unsafe(settings(tls_cert=Path("c")))


@pytest.mark.parametrize("how", ["ban", "revoke"])
async def test_a_banned_bot_and_a_revoked_token_are_cut_and_stay_out(guarded: Host, how: str) -> None:
    issued = token(guarded, "lovelace")
    async with Raw(guarded.address) as bot, Raw(guarded.address) as other:
        await bot.hello("ada", token=issued.secret)
        await other.hello("bob", token=token(guarded, "hopper").secret)
        if how == "ban":
            with guarded.store.writing() as tx:
                bots.ban(tx, BotId(guarded.bot_id("ada")), at=time.time())
        else:
            access.revoke(guarded.store, issued.secret, at=time.time())
        told = await bot.next(bot.goodbyes)
        assert told.reason == pb.GOODBYE_REASON_REFUSED
        assert ("banned" if how == "ban" else "revoked") in told.message
        assert await bot.end() is None
        assert not other.ended
    await refused(guarded, issued.secret)


async def test_a_worker_whose_token_is_revoked_is_cut(guarded: Host) -> None:
    issued = token(guarded, "lab", Role.WORKER)
    async with open_channel(guarded.address, None) as channel:
        stream = SeatsServiceStub(channel).Attach(metadata=bearer(issued.secret))
        await stream.write(seats.AttachRequest())
        await eventually(lambda: not stream.done())
        access.revoke(guarded.store, issued.secret, at=time.time())
        await eventually(stream.done)
        assert await stream.code() is grpc.StatusCode.PERMISSION_DENIED
