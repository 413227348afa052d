"""The rules compile unchanged with Cython and the C compiler, and the compiled rules are the same rules.

The package is copied, its arena/game/rules.py is compiled beside itself, and the rules tests run on that copy.
The same as a command, with as many games against the oracle at each table size as you like:

python -m tests.game.test_compiles --games 25000
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[2]
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
COMPILER = (sysconfig.get_config_var("CC") or "cc").split()[0]
RULES_TESTS = ("test_vectors.py", "test_rulings.py", "test_legal.py", "test_laws.py")
COMPARED = """
import sys
from arena.game import rules
assert rules.__file__ == sys.argv[1], rules.__file__
from tests.game.agreement import main
sys.exit(main(sys.argv[2:]))
"""
TESTED = """
import sys
from arena.game import rules
assert rules.__file__ == sys.argv[1], rules.__file__
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""

needs_compiler = pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"there is no C compiler {COMPILER!r}")


def compiled(folder: Path) -> Path:
    """The extension made of the unchanged rules, in a copy of the package in this folder."""
    package = folder / "arena"
    shutil.copytree(Path(arena.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    build = [sys.executable, "-m", "Cython.Build.Cythonize", "--inplace", "-3", "arena/game/rules.py"]
    subprocess.run(build, cwd=folder, env={**os.environ, "CFLAGS": "-O1"}, check=True, capture_output=True, text=True)
    return package / "game" / f"rules{SUFFIX}"


def on_the_copy(extension: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a script that finds the package with the compiled rules first, then the tests."""
    paths = os.pathsep.join([str(extension.parents[2]), str(ROOT)])
    command = [sys.executable, "-P", "-c", script, str(extension), *arguments]
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("compiled"))


@needs_compiler
def test_what_is_compiled_is_the_unchanged_file(extension: Path) -> None:
    copied = extension.with_name("rules.py").read_bytes()
    assert copied == (Path(arena.__file__).parent / "game" / "rules.py").read_bytes()
    assert extension.is_file()


@needs_compiler
def test_the_compiled_rules_agree_with_the_oracle(extension: Path) -> None:
    done = on_the_copy(extension, COMPARED, "--games", "100")
    assert done.returncode == 0, done.stderr
    assert '"games": 400' in done.stdout


@needs_compiler
def test_the_compiled_rules_keep_the_vectors_and_the_laws(extension: Path) -> None:
    done = on_the_copy(extension, TESTED, *(str(Path(__file__).with_name(name)) for name in RULES_TESTS))
    assert done.returncode == 0, done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile the rules and compare them with the oracle."""
    parser = argparse.ArgumentParser(prog="python -m tests.game.test_compiles", description=__doc__)
    parser.add_argument("--games", default="500", help="games for each number of players")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        done = on_the_copy(compiled(Path(folder)), COMPARED, "--games", given.games)
    print(done.stdout or done.stderr, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
