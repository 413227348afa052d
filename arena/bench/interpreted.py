"""The rules run by the interpreter, whatever is installed, to compare with."""

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
def pure() -> ModuleType:
    """The module of the interpreted rules."""
    spec = spec_from_file_location("pure_rules", Path(rules.__file__).with_name("rules.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
