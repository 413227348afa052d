"""The yardstick in C: compiled on the spot, where there is a C compiler."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from arena.errors import Unavailable


@dataclass(frozen=True, slots=True)
class Games:
    """What a run of the yardstick says."""

    checksum: int
    decisions: int
    turns: int
    seconds: float


def built(folder: Path) -> Path:
    """The program; raises Unavailable without a compiler."""
    compiler = next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), None)
    if compiler is None:
        raise Unavailable("there is no C compiler for the yardstick; install gcc or clang to see its rows")
    source = folder / "yardstick.c"
    source.write_bytes((resources.files("arena.bench") / "yardstick.c").read_bytes())
    program = folder / "yardstick"
    subprocess.run([compiler, "-O3", "-pthread", str(source), "-o", str(program)], check=True, capture_output=True)
    return program


def played(program: Path, bag: Sequence[int], players: int, games: int, threads: int = 1) -> Games:
    """So many random games on each thread."""
    command = [str(program), str(players), "7", str(games), str(threads)]
    done = subprocess.run(command, input=" ".join(map(str, bag)), check=True, capture_output=True, text=True)
    checksum, decisions, turns, seconds = done.stdout.split()
    return Games(int(checksum), int(decisions), int(turns), float(seconds))
