"""`arena bench`: how fast it is, beside others, in one run."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from rich.table import Table

from arena.bench import engine as engines
from arena.bench import install as installs
from arena.bench.rows import Compared, Probe, Row, measured, rows
from arena.cli.output import data, messages, print_json
from arena.cli.progress import bar
from arena.cli.remote import JsonOption
from arena.game.engine import ENGINE


def app() -> typer.Typer:
    """The commands that measure."""
    tree = typer.Typer(help="Measure the engine and the installation, beside others.", no_args_is_help=True)
    tree.callback()(lambda: None)
    tree.command("engine")(engine)
    tree.command("install")(install)
    if find_spec("sqlalchemy") is not None:
        from arena.cli import bench_moves

        tree.command("moves")(bench_moves.command)
    return tree


def engine(
    count: Annotated[int, typer.Option("--rounds", min=1, help="Rounds; each measures everything once.")] = 9,
    json: JsonOption = False,
) -> None:
    """Random games, copies, playouts and threads, as medians of interleaved rounds and ratios to others.

    arena bench engine

    arena bench engine --rounds 3 --json

    The row of plain C needs a C compiler, the peers need `pip install open_spiel pettingzoo pygame rlcard`; what is
    missing is left out.
    """
    with TemporaryDirectory() as folder:
        _show(engines.probes(Path(folder)), engines.PAIRS, count, json=json)


def install(
    count: Annotated[int, typer.Option("--rounds", min=1, help="Rounds; each measures everything once.")] = 9,
    json: JsonOption = False,
) -> None:
    """Bytes on disk of a base install, and what the SDK adds to the start of Python, beside the limits we set us.

    arena bench install
    """
    _show(installs.probes(), installs.PAIRS, count, json=json)


def _show(probes: Mapping[str, Probe], pairs: Sequence[Compared], count: int, *, json: bool) -> None:
    with bar("rounds") as update:
        table = rows(pairs, measured(probes, count, lambda done, total: update(done, total, "")))
    if json:
        print_json([asdict(row) for row in table])
        return
    data().print(_table(table))
    machine = f"{platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    messages().print(f"engine {ENGINE}, {count} rounds, {machine}")


def _table(found: tuple[Row, ...]) -> Table:
    table = Table("what", "unit", "ours", "beside", "theirs", "ratio", "promised")
    for row in found:
        table.add_row(
            row.name,
            row.unit,
            f"{row.ours:.4g}",
            row.peer_name,
            f"{row.peer:.4g}",
            f"{row.ratio:.2f}",
            "-" if row.bar is None else f"{row.bar:g}" + ("" if row.ratio >= row.bar else " MISSED"),
        )
    return table
