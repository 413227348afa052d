"""The rules run by the interpreter, whatever is installed, to compare with."""

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from arena.game import rules


@cache
def pure() -> ModuleType:
    """The module of the interpreted rules."""
    spec = spec_from_file_location("pure_rules", Path(rules.__file__).with_name("rules.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
