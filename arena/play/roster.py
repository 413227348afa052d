"""Bots by name: of the house, a file of your own, or a module's function."""

import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from arena.contest.asking import Choose
from arena.errors import BadInput, NotFound

GROUP = "glassworks.bots"


@cache
def house_bots() -> Mapping[str, str]:
    """Names of the house bots, and `module:function` of each."""
    return {point.name: point.value for point in sorted(entry_points(group=GROUP))}


def found(spec: str) -> Choose:
    """The bot that `greedy`, `path/to/file.py` or `module:function` names; raises NotFound or BadInput."""
    present(spec)
    if spec.endswith(".py"):
        return _from_file(Path(spec))
    return _from_module(house_bots().get(spec, spec))


def present(spec: str) -> None:
    """Raise NotFound unless the spec names a house bot, a file that is there, or module:function."""
    if spec in house_bots() or ":" in spec:
        return
    if not spec.endswith(".py"):
        raise NotFound(f"no bot {spec!r}; the house has {', '.join(house_bots())}, or name a file: path/to/mybot.py")
    if not Path(spec).is_file():
        raise NotFound(f"no file {spec}; a bot is a Python file with a function choose(view)")


def is_own(spec: str) -> bool:
    """Whether a spec names somebody's own code, which gets a process of its own."""
    return spec not in house_bots()


def label(spec: str) -> str:
    """The name under which a spec plays, safe in a record."""
    name = Path(spec).stem if spec.endswith(".py") else spec.split(":", maxsplit=1)[0].rpartition(".")[2]
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def _from_module(spec: str) -> Choose:
    module, _, name = spec.partition(":")
    try:
        loaded = importlib.import_module(module)
    except ImportError as error:
        raise NotFound(f"cannot import {module!r} for the bot {spec!r}: {error}") from None
    return _choose(spec, getattr(loaded, name, None), name)


def _from_file(file: Path) -> Choose:
    spec = importlib.util.spec_from_file_location(f"bot_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise BadInput(f"{file} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an author's file may raise anything
        raise BadInput(f"{file} fails when it is imported: {blame(error, file)}") from None
    return _choose(str(file), getattr(module, "choose", None), "choose")


def _choose(spec: str, found: object, name: str) -> Choose:
    if not callable(found):
        raise BadInput(f"{spec} has no function {name or 'choose'}(view); that function is the bot")
    chosen: Choose = found
    return chosen


def blame(error: BaseException, file: Path) -> str:
    """The error with the last line of the author's own file that led to it."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    own = str(file.absolute())
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == own]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {error}"
