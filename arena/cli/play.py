"""`arena play`: games on this machine, without a server."""

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import fmean, pstdev
from typing import Annotated

import typer
from rich.table import Table

from arena.cli.board import final
from arena.cli.folders import made
from arena.cli.output import BOT_FAULT, data, messages, print_json
from arena.cli.progress import bar
from arena.contest.clock import DEFAULT as CLOCK
from arena.contest.clock import time_control
from arena.contest.elo import pair_score
from arena.contest.notation import SUFFIX
from arena.game import ruleset
from arena.play.local import Finished, Plan, played, schedule


@dataclass(slots=True)
class Tally:
    """What a bot did in a session; `share` is the part of its opponents beaten, ties one half."""

    games: int = 0
    wins: float = 0.0
    share: float = 0.0
    scores: list[int] = field(default_factory=list)
    forfeits: list[str] = field(default_factory=list)


def command(
    bots: Annotated[list[str], typer.Argument(help="House bots by name, or your own file: mybot.py.")],
    games: Annotated[
        int | None, typer.Option(min=1, help="Games in all; each bot at each seat once if not given.")
    ] = None,
    seats: Annotated[int | None, typer.Option(min=2, max=5, help="Seats per table, if fewer than bots.")] = None,
    clock: Annotated[str, typer.Option(help="bank+increment/cap in seconds.")] = CLOCK,
    rules: Annotated[str, typer.Option(help="Rule set.")] = ruleset.DEFAULT,
    seed: Annotated[str | None, typer.Option(help="The same text gives the same deals.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the games as .rvg files.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Games played at the same time.")] = os.cpu_count() or 1,
    show: Annotated[bool, typer.Option("--show", help="Print the last game's final boards.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let bots play each other here and now.

    arena play greedy random

    arena play mybot.py greedy planner --games 60 --out games

    Exit code 1 means that a bot forfeited.
    """
    time_control(clock)
    ruleset.named(rules)
    table = seats or len(bots)
    planned = schedule(bots, table, games or table)
    master = secrets.token_bytes(32) if seed is None else sha256(seed.encode()).digest()
    plan = Plan("local", datetime.now(UTC).isoformat(timespec="seconds"), rules, clock, master)
    finished: list[Finished] = []
    with bar("games") as update:
        for one in played(plan, planned, jobs):
            finished.append(one)
            _write(one, out)
            update(len(finished), len(planned), "")
    tallies = tallied(finished)
    if json:
        print_json(_as_json(finished, tallies))
    else:
        _print(finished, tallies, show=show or len(finished) <= 1, out=out)
    if any(tally.forfeits for tally in tallies.values()):
        raise typer.Exit(BOT_FAULT)


def _write(one: Finished, out: Path | None) -> None:
    if out is not None:
        (made(out) / f"{one.planned.match}-{one.planned.index}{SUFFIX}").write_text(one.text, encoding="utf-8")


def tallied(finished: Sequence[Finished]) -> dict[str, Tally]:
    """What each bot did, by name."""
    tallies: dict[str, Tally] = {}
    for one in finished:
        for seat, name in enumerate(one.record.head.seats):
            _count(tallies.setdefault(name.removesuffix("@local"), Tally()), one, seat)
    return tallies


def _count(tally: Tally, one: Finished, seat: int) -> None:
    places = [score.place for score in one.record.scores]
    own, others = places[seat], [place for other, place in enumerate(places) if other != seat]
    tally.games += 1
    tally.wins += 1 / places.count(1) if own == 1 else 0.0
    tally.share += fmean(pair_score(own, other) for other in others)
    tally.scores.append(one.record.scores[seat].points)
    tally.forfeits += [f"{fault.reason}: {fault.detail}" for fault in one.record.forfeits if fault.seat == seat]


def _print(finished: Sequence[Finished], tallies: dict[str, Tally], *, show: bool, out: Path | None) -> None:
    if show:
        data().print(final(finished[-1].record))
    table = Table("bot", *("games", "wins", "beaten", "points", "±", "forfeits"))
    for column in table.columns[1:]:
        column.justify = "right"
    for name, tally in sorted(tallies.items(), key=lambda item: -item[1].share / item[1].games):
        table.add_row(
            name,
            str(tally.games),
            f"{tally.wins:g}",
            f"{tally.share / tally.games:.1%}",
            f"{fmean(tally.scores):.1f}",
            f"{pstdev(tally.scores):.1f}",
            str(len(tally.forfeits)),
        )
    data().print(table)
    for name, tally in tallies.items():
        if tally.forfeits:
            data().print(f"{name} forfeited {len(tally.forfeits)} times, first: {tally.forfeits[0]}", markup=False)
    messages().print(f"next: arena verify {out}" if out else "next: --games 100 for more games, --out DIR keeps them")


def _as_json(finished: Sequence[Finished], tallies: dict[str, Tally]) -> dict[str, object]:
    return {
        "games": len(finished),
        "bots": {
            name: {
                "games": tally.games,
                "wins": tally.wins,
                "beaten": tally.share / tally.games,
                "mean_points": fmean(tally.scores),
                "sd_points": pstdev(tally.scores),
                "forfeits": tally.forfeits,
            }
            for name, tally in sorted(tallies.items())
        },
    }
