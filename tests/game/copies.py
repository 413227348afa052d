"""Copies of the package with an engine of their own, and the environment of a process that imports one."""

import os
import shutil
from pathlib import Path

import arena

ROOT = Path(__file__).parents[2]


def copied(folder: Path) -> Path:
    """The package without its compiled parts, in a folder."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    return Path(shutil.copytree(Path(arena.__file__).parent, folder / "arena", ignore=leave))


def environment(folder: Path) -> dict[str, str]:
    """For a process that takes the package from there and the tests from here."""
    paths = os.pathsep.join([str(folder), str(ROOT)])
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
