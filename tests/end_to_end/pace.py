"""`make pace`: a bot that answers at 0.9 of its limit is never flagged, on a quiet machine and on a loaded one;
at 1.1 one always is, on a quiet one. A real arena, a limit of 1 s, no allowance."""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import grpc
from sqlalchemy import func, select

from arena.bench.instant import first
from arena.contest.referee import Reason
from arena.desk.games import time_spent
from arena.game import ruleset
from arena.game.packing import view_from_bytes
from arena.store import schema
from arena.store.engine import Store
from arena.v1 import play_pb2 as pb
from arena.v1.play_pb2_grpc import BotServiceStub
from arena.wire.actions import action_to_pb
from arena.wire.channel import PROTOCOL, open_channel
from arena.wire.outbox import Outbox
from tests.end_to_end.houses import House, house

LIMIT = 1.0  # seconds for an action
CLOCK = "3600+0/1"
GAMES = 40  # of each bot at once
BURNERS = 4  # processes that do nothing but compute
BURN = "while True: sum(range(10**6))"


@dataclass(frozen=True, slots=True)
class Seen:
    """Actions on record, seats that lost on time, other forfeits, and the most seconds that were charged."""

    actions: int
    games: int
    late: int
    other: int
    most: float


async def play(server: str, name: str, delay: float) -> None:
    """A bot that answers so many seconds after it was asked, until cancelled."""
    async with open_channel(server, None) as channel, asyncio.TaskGroup() as group:
        stream: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse] = BotServiceStub(channel).Play()
        outbox: Outbox[pb.PlayRequest] = Outbox(pb.PlayRequest, most=4096)
        hello = pb.Hello(protocol_from=PROTOCOL, protocol_to=PROTOCOL, bot=name, version="1", games=GAMES)
        outbox.put(pb.PlayRequest(hello=hello))
        group.create_task(_write(stream, outbox))
        loop, rules = asyncio.get_running_loop(), ruleset.named()
        async for response in stream:
            heard = loop.time()
            for start in response.starts:
                outbox.put(pb.PlayRequest(readies=[pb.Ready(game=start.game)]))
            for ask in response.asks:
                reply = action_to_pb(first(view_from_bytes(ask.view, rules)), game=ask.game, ask=ask.ask)
                loop.call_at(heard + delay, outbox.put, pb.PlayRequest(replies=[reply]))


async def _write(
    stream: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse], outbox: Outbox[pb.PlayRequest]
) -> None:
    while (request := await outbox.next()) is not None:
        await stream.write(request)


async def measured(home: House, cup: str, delay: float, actions: int) -> Seen:
    """A tournament of two such bots until so many actions are on record."""
    bots = (f"{cup}-a", f"{cup}-b")
    playing = [asyncio.create_task(play(home.address, name, delay)) for name in bots]
    words = ("tournament", "run", cup, *bots, "--rounds", "1000", "--clock", CLOCK, "--detach")
    while (await asyncio.to_thread(home.cli, *words)).returncode:  # noqa: ASYNC110 - until the bots are known
        await asyncio.sleep(0.2)
    while (found := await asyncio.to_thread(seen, home, cup)).actions < actions:
        await asyncio.sleep(1.0)
        print(f"{cup}: {found.actions} actions", end="\r", file=sys.stderr, flush=True)
    await asyncio.to_thread(home.cli, "tournament", "cancel", cup)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return found


def seen(home: House, cup: str) -> Seen:
    """What is on record about a tournament; an action that came too late counts as one."""
    game, seat, match = schema.game.c, schema.game_seat.c, schema.match.c
    of_cup = game.match_id.in_(select(match.id).where(match.tournament_id == cup))
    by_seat = (seat.match_id == game.match_id) & (seat.game_index == game.game_index)
    with Store.open(f"sqlite:///{home.folder / 'data' / 'arena.db'}") as store:
        with store.reading() as tx:
            keys = tx.execute(select(game.match_id, game.game_index).where(of_cup)).all()
            lost = select(seat.forfeit, func.count()).join(schema.game, by_seat).where(of_cup)
            rows = tx.execute(lost.where(seat.forfeit.is_not(None)).group_by(seat.forfeit)).all()
            forfeits: dict[Reason, int] = {row[0]: row[1] for row in rows}
        lines = [line for key in keys for line in time_spent(store, *key).ledger]
    late = forfeits.pop(Reason.TIME, 0)
    return Seen(len(lines), len(keys), late, sum(forfeits.values()), max((one.charged for one in lines), default=0.0))


@contextmanager
def burning(processes: int) -> Iterator[None]:
    """So many processes compute for the length of the block."""
    with ExitStack() as stack:
        for _ in range(processes):
            stack.callback(stack.enter_context(subprocess.Popen([sys.executable, "-c", BURN])).kill)
        yield


def main() -> int:
    """Run all three; 0 if what is promised held."""
    parser = argparse.ArgumentParser(prog="python -m tests.end_to_end.pace", description=__doc__)
    parser.add_argument("--actions", type=int, default=1000)
    actions = parser.parse_args().actions
    kept, number = True, count()
    with (
        tempfile.TemporaryDirectory(prefix="pace-") as folder,
        house(Path(folder), "--workers", "1", ARENA_ALLOWANCE="0") as home,
    ):
        for share, burners in ((0.9, 0), (0.9, BURNERS), (1.1, 0)):
            with burning(burners):
                found = asyncio.run(measured(home, f"cup{next(number)}", share * LIMIT, actions))
                load = os.getloadavg()[0]
            wanted = found.late == (found.games if share > 1 else 0) and not found.other
            kept = kept and wanted
            print(
                f"answers at {share:g} of {LIMIT:g} s, {burners} busy processes, load {load:.1f}: "
                f"{found.actions} actions in {found.games} games, {found.late} lost on time, "
                f"{found.other} other forfeits, at most {found.most:.3f} s charged: {'kept' if wanted else 'BROKEN'}"
            )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
