"""What a base install costs: bytes on disk, and time to start beside bare Python."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import arena
from arena.bench.rows import Compared, Probe

DISTRIBUTION = "glassworks-arena"
OWN = ("arena", "bots", "workers")
NAME = re.compile(r"[\w.-]+")
LIMITS = {"the limit in MB": 40.0, "the limit in ms": 60.0}
START = "import arena.sdk, arena.game.rules"

PAIRS = (
    Compared("base install", "MB", "size", "the limit in MB", 1),
    Compared("start of the SDK and the engine, over bare Python", "ms", "start", "the limit in ms", 1),
)


def probes() -> Mapping[str, Probe]:
    """Size and start, and what they must not exceed."""
    found: dict[str, Probe] = {name: lambda limit=limit: limit for name, limit in LIMITS.items()}  # type: ignore[misc]
    return found | {"size": lambda: size() / 1e6, "start": lambda: (_started(START) - _started("pass")) * 1e3}


def size() -> int:
    """Bytes of all files, compiled ones too, of this package and of what it needs without extras."""
    root = Path(arena.__file__).parents[1]
    own = sum(file.stat().st_size for name in OWN for file in (root / name).rglob("*") if file.is_file())
    return own + sum(map(_bytes, needed(DISTRIBUTION) - {DISTRIBUTION}))


def needed(name: str) -> set[str]:
    """Names of the distributions that one needs without extras, as far as they are installed, and its own."""
    found, waiting = set(), [name]
    while waiting:
        if (one := waiting.pop()) not in found and _is_installed(one):
            found.add(one)
            waiting += _requirements(one)
    return found


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _requirements(name: str) -> Iterator[str]:
    for line in distribution(name).requires or ():
        if "extra ==" not in line and (match := NAME.match(line)):
            yield match[0].lower().replace("_", "-")


def _bytes(name: str) -> int:
    files = (Path(str(file.locate())) for file in distribution(name).files or ())
    return sum(file.stat().st_size for file in files if file.is_file())


def _started(code: str) -> float:
    """Seconds that a fresh Python takes to run some code."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began
