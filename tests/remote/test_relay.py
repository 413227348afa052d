"""The worker's end: gateways come and go, bots move, and only a bot's own fault is a forfeit."""

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

from arena.contest.referee import Reason
from arena.lobby.presence import Door, Present, Roll
from arena.remote.relay import Pass, Relay
from arena.remote.sitting import Chair
from arena.remote.switchboard import Switchboard, seated
from arena.remote.table import played
from arena.remote.telling import dropped, revealed
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats
from tests.gateway.hosts import Host, eventually, free_port, hosting
from tests.gateway.raw import Raw
from tests.remote.tables import answer, board_at, forgotten, party, playing, relay_to, sitting


def at_doors(**doors: Host) -> Roll:
    return Roll(doors=tuple(Door(name, host.address) for name, host in doors.items()))


def is_free(port: int) -> bool:
    """Whether nobody listens at the port any more."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


async def followed(board: Switchboard, roll: Roll) -> None:
    """Keep a board up to date, as a worker does."""
    while True:
        await board.attend(roll)
        await asyncio.sleep(0.1)


async def test_a_gateway_that_is_not_there_breaks_the_relay_and_says_why() -> None:
    async with relay_to(f"127.0.0.1:{free_port()}") as relay:
        await eventually(lambda: bool(relay.broken))
    assert "UNAVAILABLE" in relay.broken


async def test_a_game_goes_on_when_its_gateway_restarts(tmp_path: Path, redis_url: str) -> None:
    port = free_port()
    async with (
        hosting(tmp_path, redis_url, port=port) as host,
        board_at(host) as board,
        party(host, "ada", "bob") as found,
    ):
        follow = asyncio.create_task(followed(board, at_doors(g=host)))
        game = asyncio.create_task(played(sitting(host, board, ("ada", "bob")), forgotten))
        found.tasks += [follow, game]
        found.play()
        await eventually(lambda: len(found.bots["ada"].acks) > 2)
        host.stop.set()
        await found.bots["ada"].end()
        await eventually(lambda: is_free(port))
        async with hosting(tmp_path, redis_url, port=port) as again, party(again, "ada", "bob") as back:
            back.play()
            async with asyncio.timeout(30):
                end = await game
    assert end.game.forfeits == ()


async def test_a_bot_that_comes_back_to_another_gateway_plays_on_there(tmp_path: Path, redis_url: str) -> None:
    async with (
        hosting(tmp_path, redis_url) as one,
        hosting(tmp_path, redis_url) as two,
        party(one, "ada", "bob") as found,
        Raw(two.address) as again,
    ):
        await found.board.attend(at_doors(g=one, h=two))
        at = found.open()
        ask = await at.asked()
        await found.bots["ada"].cut()
        await again.hello("ada")
        here = Present(one.bot_id("ada"), "v", "h", 1, (2,), 0.0)
        await found.board.attend(replace(at_doors(g=one, h=two), presents=(here,)))
        repeated = await again.of(again.asks, at.id)
        assert (repeated.ask, repeated.view) == (ask.ask, ask.view)
        await again.say(pb.PlayRequest(replies=[answer(repeated)]))
        found.play("bob")
        found.tasks.append(asyncio.create_task(playing(again)))
        assert await at.faults() == []


async def test_a_game_is_taken_over_by_another_worker_in_the_middle(host: Host) -> None:
    log: list[bytes] = []

    async def keep(number: int, body: bytes) -> None:
        assert number == len(log)
        log.append(body)

    async with party(host, "ada", "bob") as found:
        async with board_at(host) as first:
            at = sitting(host, first, ("ada", "bob"))
            game = asyncio.create_task(played(at, keep))
            found.play("bob")
            await found.bots["ada"].of(found.bots["ada"].starts, at.id)
            await found.bots["ada"].say(pb.PlayRequest(readies=[pb.Ready(game=at.id)]))
            for _ in range(3):
                ask = await found.bots["ada"].of(found.bots["ada"].asks, at.id)
                await found.bots["ada"].say(pb.PlayRequest(replies=[answer(ask)]))
            last = await found.bots["ada"].of(found.bots["ada"].asks, at.id)
            game.cancel()
        entries = len(log)
        await found.bots["ada"].say(pb.PlayRequest(replies=[answer(last)]))  # while nobody referees
        async with board_at(host) as second:
            bare = tuple(Chair(chair.bot, chair.name) for chair in at.chairs)
            heir = seated(second, replace(at, chairs=bare, log=tuple(log)), 2, ())
            found.play("ada")
            async with asyncio.timeout(30):
                standing = await played(heir, keep)
    assert standing.game.forfeits == ()
    assert standing.answered == len(log) - 1 >= entries
    starts = [start.game for message in found.bots["ada"].heard for start in message.starts]
    assert starts == [at.id]  # the bot was told nothing new
    numbers = [ask.ask for message in found.bots["ada"].heard for ask in message.asks]
    assert numbers == sorted(set(numbers))  # nor asked anything twice


async def test_a_zombie_has_no_say_after_the_take_over(host: Host) -> None:
    async with party(host, "ada", "bob") as found, relay_to(host.address) as zombie, relay_to(host.address) as heir:
        bot = host.bot_id("ada")
        start = pb.GameStart(game="g", players=2)
        zombie.tell(seats.Down(bot=bot, fence=1, start=start))
        await found.bots["ada"].of(found.bots["ada"].starts, "g")
        heir.tell(seats.Down(bot=bot, fence=2, ready=True, start=start))
        heir.tell(seats.Down(bot=bot, ask=pb.Ask(game="g", ask=1, limit_ms=60_000)))
        await found.bots["ada"].of(found.bots["ada"].asks, "g")
        zombie.tell(seats.Down(bot=bot, fence=1, start=start))
        zombie.tell(seats.Down(bot=bot, ask=pb.Ask(game="g", ask=7, limit_ms=60_000)))
        zombie.tell(seats.Down(bot=bot, drop="g"))
        heir.tell(seats.Down(bot=bot, ack=pb.Ack(game="g", ask=1, accepted=True)))
        assert (await found.bots["ada"].of(found.bots["ada"].acks, "g")).accepted
        await asyncio.sleep(0.2)
        assert not found.bots["ada"].asks
        assert not found.bots["ada"].overs


async def test_a_late_ready_is_no_answer_to_the_question_that_overtook_it(host: Host) -> None:
    heard: list[seats.Up] = []
    async with party(host, "ada") as found:
        bot, ada = host.bot_id("ada"), found.bots["ada"]
        relay = Relay(host.address, Pass(), heard=heard.append, lost=lambda _: None)
        relay.tell(seats.Down(bot=bot, start=pb.GameStart(game="g", players=2, clock=pb.Clock(setup_ms=1))))
        relay.tell(seats.Down(bot=bot, ask=pb.Ask(game="g", ask=1, limit_ms=60_000)))
        await ada.of(ada.asks, "g")
        await asyncio.sleep(0.1)  # nor is it too late for anything
        await ada.say(pb.PlayRequest(readies=[pb.Ready(game="g")]))
        await ada.say(pb.PlayRequest(replies=[pb.Reply(game="g", ask=1, resign=pb.Resign())]))
        await eventually(lambda: any(up.ask == 1 for up in heard))
        await relay.close()
    assert [up.WhichOneof("body") for up in heard if up.ask == 1] == ["reply"]


async def test_a_seat_that_got_ready_is_ready_at_every_gateway(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        await found.open().asked()
        assert [place._start.ready for place in found.board._places.values()] == [True, True]


async def test_a_game_given_up_by_its_worker_is_over_for_the_bots(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        at = found.open()
        await at.asked()
        dropped(at.sitting)
        assert (await at.bots[1].of(at.bots[1].overs, at.id)).detail == "given up by the arena; not rated"


async def test_a_finished_game_outlives_a_relay_that_breaks_at_its_end(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        async with board_at(host) as board:
            at = sitting(host, board, ("ada", "bob"))
            found.play()
            end = await played(at, forgotten)
        revealed(at, end.game)  # nobody hears it, and that is all
    assert end.game.forfeits == ()


async def test_a_seat_without_a_player_is_a_no_show(host: Host) -> None:
    async with party(host, "ada", "bob") as found:
        full = sitting(host, found.board, ("ada", "bob"))
        absent = Chair(full.chairs[1].bot, "bob@1")
        found.play("ada")
        end = await played(replace(full, chairs=(full.chairs[0], absent), no_show="away"), forgotten)
    assert [(fault.seat, fault.reason, fault.detail) for fault in end.game.forfeits] == [
        (1, Reason.DISCONNECT, "away")
    ]


async def test_four_seats_play_on_without_the_one_that_never_came(host: Host) -> None:
    async with party(host, "ada", "bob", "cyd", "dee") as found:
        full = sitting(host, found.board, ("ada", "bob", "cyd", "dee"))
        absent = Chair(full.chairs[1].bot, "bob@1")
        found.play()
        chairs = (full.chairs[0], absent, *full.chairs[2:])
        end = await played(replace(full, chairs=chairs), forgotten)
    assert {move.seat for move in end.game.moves if not move.auto} == {0, 2, 3}


async def test_bad_bytes_from_a_worker_end_only_its_own_stream(host: Host) -> None:
    async with party(host, "ada", "bob") as found, relay_to(host.address) as broken:
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
            async with board_at(host) as board:
                at = sitting(host, board, ("ada", "bob"))
                revealed(at, (await played(at, forgotten)).game)
            over = await found.bots["ada"].of(found.bots["ada"].overs, at.id)
            assert len(over.scores) == 2
