"""The modules of the engine run by the interpreter, whatever is installed, to compare with."""

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from arena.game import rules


def own_tables(tables: rules.Tables) -> rules.Tables:
    """The same numbers as a value of the interpreted module."""
    own: rules.Tables = pure().Tables(
        tables.rows, tables.refills, tables.stones, tables.row_score, tables.column_score
    )
    return own


@cache
def pure(name: str = "rules") -> ModuleType:
    """One of them: the interpreted rules, or the judgement beside them."""
    spec = spec_from_file_location(f"pure_{name}", Path(rules.__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
