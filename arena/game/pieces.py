"""Names and numbers of glass: a kind is colour * 6 + shape (docs/rules.md §1)."""

from collections.abc import Sequence

from arena.errors import BadInput

COLOURS = (
    "white",
    "purple",
    "light blue",
    "dark blue",
    "light green",
    "dark green",
    "yellow",
    "orange",
    "black",
)
SHAPES = ("triangle", "heart", "circle", "square", "hexagon", "diamond")
CODES = ("wh", "pu", "lb", "db", "lg", "dg", "ye", "or", "bk")
KINDS = len(COLOURS) * len(SHAPES)


def colour(kind: int) -> int:
    """Colour 0..8 of a kind."""
    return kind // len(SHAPES)


def shape(kind: int) -> int:
    """Shape 0..5 of a kind."""
    return kind % len(SHAPES)


def name(kind: int) -> str:
    """A kind in words, as `light blue circle`."""
    return f"{COLOURS[colour(kind)]} {SHAPES[shape(kind)]}"


def code(kind: int) -> str:
    """A kind in three letters, as `lb3` for the light blue circle."""
    return f"{CODES[colour(kind)]}{shape(kind) + 1}"


def codes(kinds: Sequence[int]) -> str:
    """Kinds in a row, as `wh1 lb3`."""
    return " ".join(code(kind) for kind in kinds)


def kind_of(text: str) -> int:
    """The kind a three-letter code names; raises BadInput."""
    known = len(text) == 3 and text[:2] in CODES and text[2] in "123456"
    if not known:
        raise BadInput(f"no piece {text!r}; a piece is a colour ({' '.join(CODES)}) and a shape 1-6, as in lb3")
    return colour_of(text[:2]) * len(SHAPES) + int(text[2]) - 1


def colour_of(text: str) -> int:
    """The colour a two-letter code names; raises BadInput."""
    if text not in CODES:
        raise BadInput(f"no colour {text!r}; use one of {' '.join(CODES)}")
    return CODES.index(text)
