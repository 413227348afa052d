"""The numbers a game is played by: read from one data file, checked before use."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from arena.errors import BadInput
from arena.game.pieces import COLOURS, SHAPES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

COLUMNS = 7
DEFAULT = "rvg-1"
PER_COLOUR = (22, 22, 17, 17, 12, 12, 9, 9, 12)  # §1, certain
FIELDS = {"name", "stones", "rows", "row_scores", "column_scores", "refill_in_last_stage", "pieces"}


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One version of the tables of docs/rules.md; games name it, so it never changes once published."""

    name: str
    stones: tuple[int, ...]
    rows: int
    row_scores: tuple[int, ...]
    column_scores: tuple[tuple[int, ...], ...]
    refill_in_last_stage: bool
    pieces: tuple[tuple[int, ...], ...]

    @property
    def digest(self) -> str:
        """Short fingerprint of all numbers, so that a game verifies only under the tables it was played by."""
        return _digest(self)


@cache
def _digest(rules: RuleSet) -> str:
    numbers = (rules.stones, rules.rows, rules.row_scores, rules.column_scores, rules.refill_in_last_stage)
    return hashlib.sha256(repr((rules.name, *numbers, rules.pieces)).encode()).hexdigest()[:16]


@cache
def named(name: str = DEFAULT) -> RuleSet:
    """The shipped rule set of that name; raises BadInput for one we do not ship."""
    if name not in shipped():
        raise BadInput(f"no rule set {name[:40]!r} in this version; it ships: {', '.join(shipped())}")
    return parsed((_folder() / f"{name}.toml").read_text("utf-8"))


def shipped() -> tuple[str, ...]:
    """Names of the rule sets in this distribution."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def _folder() -> "Traversable":
    from importlib import resources  # which takes longer to import than the engine, as does tomllib

    return resources.files("arena.game") / "rulesets"


def parsed(text: str) -> RuleSet:
    """A rule set from its TOML text; raises BadInput with the first reason why it is wrong."""
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"rule set is not TOML: {error}") from None
    if set(table) != FIELDS:
        raise BadInput(f"rule set needs exactly the fields {sorted(FIELDS)}, not {sorted(table)}")
    return checked(_read(table))


def _read(table: Mapping[str, object]) -> RuleSet:
    pieces = table["pieces"]
    keys = [colour.replace(" ", "_") for colour in COLOURS]
    if not isinstance(pieces, dict) or list(pieces) != keys:
        raise BadInput(f"rule set: pieces must list the colours {keys} in that order")
    rows, refill, name = table["rows"], table["refill_in_last_stage"], table["name"]
    if type(rows) is not int or type(refill) is not bool or type(name) is not str:
        raise BadInput("rule set: rows must be a whole number, refill_in_last_stage true or false, name a text")
    return RuleSet(
        name=name,
        stones=_whole("stones", table["stones"], len(SHAPES)),
        rows=rows,
        row_scores=_whole("row_scores", table["row_scores"], COLUMNS + 1),
        column_scores=_matrix("column_scores", table["column_scores"]),
        refill_in_last_stage=refill,
        pieces=tuple(_whole(f"pieces.{key}", pieces[key], len(SHAPES)) for key in keys),
    )


def _matrix(field: str, value: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, list):
        raise BadInput(f"rule set: {field} must be a list of lines")
    return tuple(_whole(f"{field} line {number}", line, COLUMNS) for number, line in enumerate(value, 1))


def _whole(field: str, value: object, length: int) -> tuple[int, ...]:
    numbers = tuple(value) if isinstance(value, list) else ()
    if len(numbers) != length or any(type(number) is not int or not 0 <= number <= 255 for number in numbers):
        raise BadInput(f"rule set: {field} must be {length} whole numbers from 0 to 255, not {value!r}")
    return numbers


def checked(rules: RuleSet) -> RuleSet:
    """The same rule set, if it keeps what is certain (§1, §7.1) and both monotonies of §7.3; else BadInput."""
    for broken, reason in _faults(rules):
        if broken:
            raise BadInput(f"rule set {rules.name!r}: {reason}")
    return rules


def _faults(rules: RuleSet) -> tuple[tuple[bool, str], ...]:
    row, column = rules.row_scores, rules.column_scores
    return (
        (any(stones not in (1, 2) for stones in rules.stones), "each tile shows 1 or 2 stones (§1)"),
        (not 3 <= rules.rows <= 9, "rows must be 3 to 9, or 17 pieces never fit (§1, §6.1)"),
        (len(column) != rules.rows, f"column_scores needs one line per height, {rules.rows} in all (§7.3)"),
        (
            (row[0], row[4], row[7]) != (0, 7, 22),
            "row_scores must give 0, 7 and 22 for 0, 4 and 7 cells (§7.1)",
        ),
        (any(a >= b for a, b in pairwise(row)), "row_scores must rise (§7.1)"),
        (
            any(a >= b for line in column for a, b in pairwise(line)),
            "column_scores must rise from left to right (§7.3)",
        ),
        (
            any(a >= b for up in zip(*column, strict=True) for a, b in pairwise(up)),
            "column_scores must rise with height (§7.3)",
        ),
        (tuple(map(sum, rules.pieces)) != PER_COLOUR, f"pieces per colour must be {PER_COLOUR} (§1)"),
    )
