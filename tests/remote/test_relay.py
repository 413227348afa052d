"""The worker's stream: what breaks it is the platform's fault, never a bot's."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arena.contest.referee import Reason
from arena.remote.relay import PlatformFault, Relay
from arena.remote.table import Chair, dropped, played, revealed
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from tests.gateway.hosts import Host, eventually, free_port, hosting
from tests.gateway.raw import Raw
from tests.remote.tables import answer, party, sitting


async def test_a_gateway_that_is_not_there_is_the_platforms_fault() -> None:
    async with Relay(f"127.0.0.1:{free_port()}", "") as relay:
        with pytest.raises(PlatformFault, match="UNAVAILABLE"):
            await relay.ask(seats.Down(bot="b", start=pb.GameStart(game="g")), "g", 20.0)


async def test_who_waits_when_the_gateway_ends_learns_it_at_once(tmp_path: Path, redis_url: str) -> None:
    async with hosting(tmp_path, redis_url) as host, party(host, "ada", "bob") as found:
        at = found.open()
        await at.asked()
        host.stop.set()
        with pytest.raises(PlatformFault):
            await at.game


async def test_no_answer_at_all_is_the_platforms_fault(host: Host) -> None:
    async with party(host, "ada") as found:
        down = seats.Down(bot=host.bot_id("ada"), start=pb.GameStart(game="g"))
        with pytest.raises(PlatformFault, match=r"no answer for g in 0\.2 s"):
            await found.relay.ask(down, "g", 0.2)


async def test_a_worker_that_goes_gives_its_games_up_and_the_bots_are_told(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        async with Relay(host.address, "") as relay:
            game = asyncio.create_task(played(sitting(host, relay, ("ada", "bob"))))
            start = await found.bots["ada"].next(found.bots["ada"].starts)
            game.cancel()
        over = await found.bots["ada"].of(found.bots["ada"].overs, start.game)
    assert over.detail == "given up by the arena; not rated"
    assert over.forfeit == ""


async def test_a_game_given_up_by_its_worker_is_over_for_the_bots(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.asked()
        dropped(at.sitting)
        assert (await at.bots[1].of(at.bots[1].overs, at.id)).detail == "given up by the arena; not rated"


async def test_a_finished_game_outlives_a_relay_that_breaks_at_its_end(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        async with Relay(host.address, "") as relay:
            at = sitting(host, relay, ("ada", "bob"))
            found.play()
            end = await played(at)
        revealed(at, end.game)  # nobody hears it, and that is all
    assert end.game.forfeits == ()


async def test_a_seat_without_a_relay_is_a_no_show(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        full = sitting(host, found.relay, ("ada", "bob"))
        absent = Chair(full.chairs[1].bot, "bob@1", None)
        found.play("ada")
        end = await played(replace(full, chairs=(full.chairs[0], absent), no_show="away"))
    assert [(fault.seat, fault.reason, fault.detail) for fault in end.game.forfeits] == [
        (1, Reason.DISCONNECT, "away")
    ]


async def test_four_seats_play_on_without_the_one_that_never_came(host: Host) -> None:
    async with party(host, "ada", "bob", "cyd", "dee") as found:
        full = sitting(host, found.relay, ("ada", "bob", "cyd", "dee"))
        absent = Chair(full.chairs[1].bot, "bob@1", None)
        found.play()
        chairs = (full.chairs[0], absent, *full.chairs[2:])
        end = await played(replace(full, chairs=chairs))
    assert {move.seat for move in end.game.moves if not move.auto} == {0, 2, 3}


async def test_a_worker_that_asks_about_a_bot_nobody_knows_waits_no_longer_than_its_patience(host: Host) -> None:
    async with Relay(host.address, "") as relay:
        down = seats.Down(bot="nobody", ask=pb.Ask(game="g", ask=1, limit_ms=100))
        with pytest.raises(PlatformFault):
            await relay.ask(down, "g", 0.2)


async def test_bad_bytes_from_a_worker_end_only_its_own_stream(host: Host) -> None:
    async with party(host, "ada", "bob") as found, Relay(host.address, "") as broken:
        at = found.open()
        ask = await at.asked()
        broken.tell(seats.Down(bot="x" * (5 << 20)))
        await eventually(lambda: bool(broken.broken))
        await at.say(0, answer(ask))
        assert (await at.bots[0].of(at.bots[0].acks, at.id)).accepted


async def test_a_bot_may_come_between_start_and_grace(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        await found.bots["bob"].cut()
        at = found.open()
        async with Raw(host.address) as bob:
            await bob.hello("bob")
            assert (await bob.of(bob.starts, at.id)).seat == 1


async def test_what_was_said_last_still_arrives_when_a_worker_ends_in_good_order(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        found.play()
        for _ in range(20):
            async with Relay(host.address, "") as relay:
                at = sitting(host, relay, ("ada", "bob"))
                revealed(at, (await played(at)).game)
            over = await found.bots["ada"].of(found.bots["ada"].overs, at.id)
            assert len(over.scores) == 2
