"""`arena bench moves`: an arena of its own, bots that answer at once, and a raw relay beside it."""

import asyncio
import math
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.table import Table

from arena.bench import move_peers, moves, relay
from arena.bench.moves import Moves, Place
from arena.cli.house import running
from arena.cli.output import data, messages, print_json
from arena.cli.ports import free_near
from arena.cli.progress import bar
from arena.cli.remote import JsonOption, calling
from arena.config.settings import settings
from arena.errors import NotFound
from arena.v1 import tournaments_pb2 as pb
from arena.v1.tournaments_pb2_grpc import TournamentServiceStub

CLOCK = "3600+1/60"  # nobody is in a hurry
MATCHES = 60  # for each second of a measurement: more than can be played


def command(
    count: Annotated[int, typer.Option("--rounds", min=1, help="Rounds; each measures everything once.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.5, help="Length of one measurement.")] = 5.0,
    workers: Annotated[int, typer.Option(min=1, help="Referee workers.")] = 1,
    json: JsonOption = False,
) -> None:
    """Actions a second through gateway and worker at 1, 10 and 100 games, and the time from answer to next question.

    arena bench moves

    arena bench moves --rounds 1 --seconds 2 --json

    Beside it a raw relay of the same bytes between the same processes, without rules, clock and log; and moves of
    python-chess and Kaggle environments, if they are installed: pip install chess kaggle-environments
    """
    with arena_of_its_own(workers, seconds) as place:
        found = asyncio.run(_measured(place, count, seconds))
    rows = [moves.medians([one for one in found if one.games == games]) for games in moves.AT_ONCE]
    peers = {name: probe() for name, probe in move_peers.probes().items()}
    if json:
        print_json({"moves": [asdict(row) for row in rows], "peers": peers})
        return
    _print(rows, peers)
    machine = f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    messages().print(f"{workers} workers, medians of {count} rounds of {seconds:g} s, {machine}")


async def _measured(place: Place, rounds: int, seconds: float) -> Sequence[Moves]:
    """The arena, and right after each time the relay with the same bytes."""
    found: list[Moves] = []
    with bar("measurements") as update:
        for number, games in product(range(rounds), moves.AT_ONCE):
            update(len(found), rounds * len(moves.AT_ONCE), f"{games} games")
            ours, (question, answer) = await moves.through(place, f"bench-{number}-{games}", games, seconds)
            with relay.relaying(question) as address:
                raw = await relay.rate(address, answer, games, seconds / 2)
            found.append(replace(ours, raw=raw))
    return found


@contextmanager
def arena_of_its_own(workers: int, seconds: float) -> Iterator[Place]:
    """An arena in a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        chosen = settings(data=home, port=free_near(7460), web_port=free_near(7461), workers=workers, allowance=0.0)
        with running(chosen, lambda _: None, home / "arena.log") as house:
            rounds = math.ceil(MATCHES * (seconds + 5.0))

            async def start(name: str, bots: Sequence[str]) -> None:
                """As soon as the bots are known."""
                spec = pb.TournamentSpec(name=name, bots=bots, sizes=(2,), rounds=rounds, clock=CLOCK, no_show=600)
                while not await asyncio.to_thread(_has_started, house.gateway, spec):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)

            async def stop(name: str) -> None:
                state = pb.SetTournamentStateRequest(name=name, state=pb.TOURNAMENT_STATE_CANCELLED)
                with calling(house.gateway, "", None) as line:
                    await asyncio.to_thread(line.ask, TournamentServiceStub(line.channel).SetTournamentState, state)

            yield Place(house.gateway, start, stop)


def _has_started(server: str, spec: pb.TournamentSpec) -> bool:
    """False while its bots are not known yet."""
    with suppress(NotFound), calling(server, "", None) as line:
        line.ask(TournamentServiceStub(line.channel).StartTournament, pb.StartTournamentRequest(spec=spec))
        return True
    return False


def _print(rows: Sequence[Moves], peers: Mapping[str, float]) -> None:
    table = Table("games", "actions/s", "p50", "p99", "to one game", "raw relay", "to the relay")
    for row in rows:
        table.add_row(
            str(row.games),
            f"{row.rate:,.0f}",
            f"{row.p50:.2f} ms",
            f"{row.p99:.2f} ms",
            f"{row.rate / rows[0].rate:.1f}",
            f"{row.raw:,.0f}/s",
            f"{row.rate / row.raw:.2f}",
        )
    data().print(table)
    for name, rate in peers.items():
        data().print(f"{name}: {rate:,.0f} moves/s, one game")
