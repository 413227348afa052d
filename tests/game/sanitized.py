"""The native engine under address and undefined-behaviour checks: python -m tests.game.sanitized

Builds the engine with gcc's sanitizers in a copy of the package and runs the tests of the rules, of the decisions and
of the agreement of both engines on it. A write past an array or an overflow that C leaves open ends the run.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.game.copies import ROOT, copied, environment

GAME = ("vectors", "rulings", "legal", "laws", "decisions", "view", "outlook")
TESTS = (*(f"game/test_{name}.py" for name in GAME), "learn/test_vector.py")
TESTED = """
import sys
from arena.game import engine, rules
assert engine.ENGINE == "native" and rules.__file__.startswith(sys.argv[1]), rules.__file__
from tests.game.engines import compared
print(sum(compared(players, "sanitized", 500) for players in (2, 3, 4, 5)), "states of both engines agree")
import pytest
sys.exit(pytest.main(["-sq", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


def main() -> int:
    """Build and test."""
    with tempfile.TemporaryDirectory() as folder:
        package = copied(Path(folder))
        build = [sys.executable, "deploy/native.py", "--into", str(package / "game"), "--sanitize"]
        subprocess.run(build, cwd=ROOT, check=True)
        files = [str(ROOT / "tests" / name) for name in TESTS]
        done = subprocess.run(
            [sys.executable, "-P", "-c", TESTED, folder, *files], cwd=ROOT, env=_checked(folder), check=False
        )
    return done.returncode


def _checked(folder: str) -> dict[str, str]:
    """Python itself is not built with the checks, so their libraries come first; it also keeps what it has leaked."""
    libraries = [_library(name) for name in ("libasan.so", "libubsan.so")]
    return {
        **environment(Path(folder)),
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # so that the checks see every object
    }


def _library(name: str) -> str:
    found = subprocess.run(["gcc", f"-print-file-name={name}"], check=True, capture_output=True, text=True)
    return found.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
