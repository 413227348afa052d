"""TLS with a certificate made by openssl, for bots and workers."""

from pathlib import Path

import grpc

from arena.remote.relay import Pass
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from tests.gateway.hosts import hosting
from tests.gateway.raw import Raw
from tests.remote.tables import relay_to


async def test_bots_and_workers_meet_over_tls(tmp_path: Path, redis_url: str, certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    async with (
        hosting(tmp_path, redis_url, tls_cert=cert, tls_key=key) as host,
        Raw(host.address, cert) as bot,
        relay_to(host.address, Pass(ca=cert)) as relay,
    ):
        await bot.hello("ada")
        relay.tell(seats.Down(bot=host.bot_id("ada"), start=pb.GameStart(game="g")))
        assert (await bot.next(bot.starts)).game == "g"


async def test_a_client_without_tls_gets_nowhere(
    tmp_path: Path, redis_url: str, certificate: tuple[Path, Path]
) -> None:
    cert, key = certificate
    async with (
        hosting(tmp_path, redis_url, tls_cert=cert, tls_key=key) as host,
        Raw(host.address, waits=False) as bot,
    ):
        ended = await bot.end()
    assert ended is not None
    assert ended.code() is grpc.StatusCode.UNAVAILABLE
