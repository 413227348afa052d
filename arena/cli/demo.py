"""`arena demo`: everything embedded, five bots over gRPC, a tournament, the leaderboard, and where to look."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import directory, leaderboard, tournament, verify
from arena.cli.folders import made
from arena.cli.house import House, running, until_told
from arena.cli.output import data, messages
from arena.cli.ports import free_near
from arena.cli.remote import calling
from arena.cli.tree import Part, Tree
from arena.config.settings import Settings, settings
from arena.play import roster

BOTS = {"random": 8, "student": 8, "greedy": 8, "planner": 8, "search": 4}  # games at once
THINKERS = {"search": 2}  # processes that think, where one is not enough
ROUNDS = 5  # of 20 games at tables of 2 and 20 at tables of 4
CLOCK = "60+0.5/10"
NAME = "demo"


def command(
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of 40 games each.")] = ROUNDS,
    folder: Annotated[Path | None, typer.Option(help="Where to keep it; a new folder by default.")] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Stay up afterwards, until Ctrl-C.")] = False,
) -> None:
    """Play a real tournament on this machine and look at it.

    arena demo

    arena demo --rounds 1 --stay
    """
    began = time.monotonic()
    home = folder or Path("arena-data") / time.strftime("demo-%Y%m%d-%H%M%S")
    chosen = settings(data=home, port=free_near(7460), web_port=free_near(7461))
    made(home)
    say = _sayer()
    say(f"starting gateway, workers, web page, database and Redis in {home}")
    with running(chosen, say, home / "arena.log") as house:
        say(f"watch it at {house.page}")
        with _bots(house):
            _play(house, rounds)
        _show(chosen, home, house)
        say(f"all of this took {time.monotonic() - began:.0f} s")
        if stay:
            say(f"still up: {house.page}  (Ctrl-C stops)")
            until_told(house, say)


def _sayer() -> Callable[[str], None]:
    out = messages()
    return lambda text: out.print(text, markup=False)


@contextmanager
def _bots(house: House) -> Iterator[None]:
    """The house bots, each a gRPC client in a process of its own."""
    house_bots = roster.house_bots()
    parts = [
        Part(
            name=name,
            module=house_bots[name].partition(":")[0],
            environment={},
            patience=5.0,
            arguments=_arguments(house, name, games),
        )
        for name, games in BOTS.items()
    ]
    tree = Tree(parts, house.chosen.data / "bots.log")
    try:
        tree.start()
        yield
        tree.drain()
    finally:
        tree.kill()


def _arguments(house: House, name: str, games: int) -> tuple[str, ...]:
    processes = str(THINKERS.get(name, 1))
    return ("--server", house.gateway, "--games", str(games), "--processes", processes, "--quiet")


def _play(house: House, rounds: int) -> None:
    messages().print(f"{len(BOTS)} bots connect over gRPC: {', '.join(BOTS)}")
    _await_bots(house)
    tournament.run(NAME, list(BOTS), seats="2,4", rounds=rounds, clock=CLOCK, server=house.gateway)


def _await_bots(house: House) -> None:
    """Wait until every bot has introduced itself: the arena knows no bot before."""
    with calling(house.gateway, "", None) as line:
        while True:
            if set(BOTS) <= {bot.name for bot in directory.listed(line).bots if bot.connected}:
                return
            time.sleep(0.1)


def _show(chosen: Settings, home: Path, house: House) -> None:
    leaderboard.command(tournament=NAME, server=house.gateway)
    games = home / "games"
    tournament.export(NAME, out=games, server=house.gateway)
    verify.command([games])
    data().print(
        f"\nlook   {games}  (one .rvg file per game)\n"
        f"       {home}/arena.log, {home}/bots.log\n"
        f"next   arena play greedy random --show        a game on your terminal\n"
        f"       arena up --data {home}    this arena again, its page at http://{chosen.web_host}:7461/\n"
        f"       (arena is {Path(sys.executable).parent}/arena)"
    )
