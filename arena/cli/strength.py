"""`arena strength`: the long proof that the house bots are as far apart as we say."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from statistics import fmean
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.output import BOT_FAULT, data, print_json
from arena.cli.progress import bar
from arena.cli.tournament import table_sizes
from arena.contest.clock import DEFAULT as CLOCK
from arena.contest.clock import time_control
from arena.contest.duel import Duel, duel
from arena.contest.elo import pair_score
from arena.errors import BadInput
from arena.game import ruleset
from arena.play.local import Finished, Plan, played, schedule

ORDER = ("search", "planner", "greedy", "random")  # strongest first
APART = 100.0  # Elo between neighbours


@dataclass(frozen=True, slots=True)
class Compared:
    """Two neighbours at tables of one size."""

    better: str
    worse: str
    seats: int
    duel: Duel


def command(
    games: Annotated[int, typer.Option(min=8, help="Games per pair and table size.")] = 1000,
    seats: Annotated[str, typer.Option(help="Table sizes.")] = "2,4",
    bots: Annotated[str, typer.Option(help="Bots, strongest first.")] = ",".join(ORDER),
    clock: Annotated[str, typer.Option(help="Time per seat, bank+increment/cap in seconds.")] = CLOCK,
    seed: Annotated[str, typer.Option(help="The same text gives the same games.")] = "strength",
    jobs: Annotated[int, typer.Option(min=1, help="Games at the same time.")] = os.cpu_count() or 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play neighbours in strength against each other and say how far apart they are.

    arena strength --games 200 --bots planner,greedy,random

    arena strength --games 1000

    arena strength --games 400 --bots mcts,planner --clock 1+0.1/0.5

    Bots answer by what they see alone, so a seed gives the same games anywhere; but mcts uses the time it is given.
    """
    sizes = table_sizes(seats)
    neighbours = list(pairwise(_different(bots)))
    time_control(clock)  # what is no clock is refused before the first game
    compared = [_compared(pair, size, games, (seed, clock), jobs) for size in sizes for pair in neighbours]
    if json:
        print_json([_as_json(one) for one in compared])
    else:
        data().print(_table(compared))
    if any(one.duel.elo < APART for one in compared):
        raise typer.Exit(BOT_FAULT)


def _different(bots: str) -> list[str]:
    """The bots by name; raises BadInput unless there are two or more, each once."""
    names = bots.split(",")
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput(f"--bots {bots}: name two or more different bots, such as --bots planner,greedy")
    return names


def _compared(pair: tuple[str, str], size: int, games: int, terms: tuple[str, str], jobs: int) -> Compared:
    """Alternating copies of both at one table, so that each follows the other equally often; terms: seed, clock."""
    (better, worse), (seed, clock) = pair, terms
    table = [pair[seat % 2] for seat in range(size)]
    plan = Plan("strength", "", ruleset.DEFAULT, clock, sha256(f"{seed} {pair} {size}".encode()).digest())
    planned = schedule(table, size, games)
    shares: dict[str, list[float]] = {}
    with bar(f"{better} - {worse}, {size} seats") as update:
        for done, one in enumerate(played(plan, planned, jobs), 1):
            shares.setdefault(one.planned.match, []).append(_share(one, better))
            update(done, len(planned), "")
    return Compared(better, worse, size, duel([fmean(group) for group in shares.values()]))


def _share(one: Finished, better: str) -> float:
    """Part of the other bot's copies that the better one's copies beat in a game."""
    places = [score.place for score in one.record.scores]
    ours = [place for seat, place in enumerate(places) if one.planned.seats[seat] == better]
    theirs = [place for seat, place in enumerate(places) if one.planned.seats[seat] != better]
    return fmean(pair_score(mine, other) for mine in ours for other in theirs)


def _table(compared: Sequence[Compared]) -> Table:
    table = Table("pair", "seats", "share", "Elo apart", "95 %", "superiority", "matches", "at least 100")
    for one in compared:
        found = one.duel
        table.add_row(
            f"{one.better} over {one.worse}",
            str(one.seats),
            f"{found.share:.1%}",
            _points(found.elo),
            f"{_points(found.low)} to {_points(found.high)}",
            f"{found.superiority:.4f}",
            str(found.matches),
            "yes" if found.low >= APART else "likely" if found.elo >= APART else "NO",
        )
    return table


def _points(elo: float) -> str:
    return f"{elo:+.0f}" if math.isfinite(elo) else "beyond"


def _as_json(one: Compared) -> dict[str, object]:
    found = one.duel
    return {
        "better": one.better,
        "worse": one.worse,
        "seats": one.seats,
        "share": found.share,
        "elo": found.elo if math.isfinite(found.elo) else None,
        "low": found.low if math.isfinite(found.low) else None,
        "high": found.high if math.isfinite(found.high) else None,
        "superiority": found.superiority,
        "matches": found.matches,
    }
