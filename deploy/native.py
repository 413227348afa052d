"""Compiles the rules into the native engine, beside their source: python deploy/native.py

arena/game/rules.py and outlook.py are compiled by Cython as they are, under the types of their .pxd files; only
number constants are written out first, since C has to know them to divide by them fast, and masks of whole words go.
`pip install` calls this through hatch_build.py.

    python deploy/native.py                      in place, for a checkout
    python deploy/native.py --into DIR --sanitize    with address and undefined-behaviour checks
"""

import argparse
import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

GAME = Path(__file__).resolve().parents[1] / "arena" / "game"
MODULES = ("rules", "outlook")
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
OPTIMISE = ("-O3", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off", "-s")
SANITIZE = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer")
DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # annotations are for people and mypy; the types are in rules.pxd
    "binding": False,  # plain methods are called faster
    "infer_types": True,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,  # nothing here divides a negative number
    "allow_none_for_extension_args": False,
}
LARGEST = 2**31


class CannotBuild(Exception):
    """Why there is no native engine on this machine."""


def build(target: Path, flags: tuple[str, ...] = OPTIMISE, game: Path = GAME) -> list[Path]:
    """The modules of the engine compiled into a folder, all or none; raises CannotBuild."""
    with tempfile.TemporaryDirectory() as folder:
        package = _prepared(Path(folder), game)
        with ThreadPoolExecutor() as pool:
            built = list(pool.map(lambda name: _compiled(package / f"{name}.py", flags), MODULES))
        target.mkdir(parents=True, exist_ok=True)
        return [_placed(file, target) for file in built]


def _compiled(source: Path, flags: tuple[str, ...]) -> Path:
    c, built = source.with_suffix(".c"), source.with_suffix(SUFFIX)
    options = [option for name, value in DIRECTIVES.items() for option in ("-X", f"{name}={value}")]
    _run([sys.executable, "-m", "cython", *options, str(source), "-o", str(c)])
    extra = ("-undefined", "dynamic_lookup") if sys.platform == "darwin" else ()
    include = f"-I{sysconfig.get_path('include')}"
    _run([*compiler(), *flags, "-shared", "-fPIC", include, str(c), "-o", str(built), *extra])
    return built


def _placed(built: Path, target: Path) -> Path:
    final = target / built.name
    shutil.copy(built, final.with_suffix(".new"))  # a running process keeps the file it has loaded
    return final.with_suffix(".new").replace(final)


def compiler() -> list[str]:
    """The command of a C compiler: CC, what Python was built with, any usual one, or the wheel of zig."""
    wanted = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "")
    for name in (wanted, "cc", "gcc", "clang"):
        if name and shutil.which(name.split()[0]):
            return name.split()
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise CannotBuild("there is no C compiler")


def digest(game: Path = GAME) -> str:
    """What the engine is built from, in one word; arena.game.engine computes the same."""
    files = [game / f"{name}{ending}" for name in MODULES for ending in (".py", ".pxd")]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def folded(source: str, rules: str = "") -> str:
    """The source with the names of its number constants replaced by their values, but where they are set.

    Of the constants of the rules those that another module reads as `rules.NAME` are replaced too.
    """
    numbers = constants(source) | {f"rules.{name}": value for name, value in constants(rules).items()}
    name = re.compile(rf"\b({'|'.join(map(re.escape, sorted(numbers, key=len, reverse=True)))})\b")
    settings = re.compile(r"[A-Z_]+(, [A-Z_]+)* = ")
    return "".join(
        line if settings.match(line) else name.sub(lambda found: str(numbers[found[0]]), line)
        for line in source.splitlines(keepends=True)
    )


def constants(source: str) -> dict[str, int | float]:
    """Names and values of the number constants of a module."""
    return {
        name.id: value.value
        for line in ast.parse(source).body
        if isinstance(line, ast.Assign)
        for name, value in _pairs(line)
        if isinstance(value, ast.Constant) and type(value.value) is not bool
        if isinstance(value.value, int | float) and value.value < LARGEST
    }


def _pairs(line: ast.Assign) -> list[tuple[ast.Name, ast.expr]]:
    """Names and values of `A = 1` and of `A, B = 1, 2`."""
    names, values = line.targets[0], line.value
    if isinstance(names, ast.Tuple) and isinstance(values, ast.Tuple):
        both = zip(names.elts, values.elts, strict=True)
    else:
        both = zip((names,), (values,), strict=True)
    return [(name, value) for name, value in both if isinstance(name, ast.Name)]


def _prepared(folder: Path, game: Path) -> Path:
    """The modules as Cython gets them; it wants them in a package of their real name."""
    package = folder / "arena" / "game"
    package.mkdir(parents=True)
    for init in (package.parent / "__init__.py", package / "__init__.py"):
        init.touch()
    rules = (game / "rules.py").read_text("utf-8")
    for name in MODULES:
        text = (game / f"{name}.py").read_text("utf-8").replace(" & WORD", "")  # unsigned words wrap by themselves
        text = folded(text, rules).replace('BUILT_FROM = ""', f'BUILT_FROM = "{digest(game)}"')
        (package / f"{name}.py").write_text(text, "utf-8")
        shutil.copy(game / f"{name}.pxd", package)
    return package


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise CannotBuild(f"{Path(command[0]).name} failed:\n{(done.stderr or done.stdout)[-4000:]}")


def main() -> int:
    """Build for a checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=GAME, help="folder for the compiled file")
    parser.add_argument("--sanitize", action="store_true", help="with address and undefined-behaviour checks")
    given = parser.parse_args()
    try:
        for built in build(given.into, SANITIZE if given.sanitize else OPTIMISE):
            print(f"built {built}")
    except CannotBuild as error:
        print(f"no native engine, the rules run interpreted: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
