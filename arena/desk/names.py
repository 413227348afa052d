"""Names that people give: one plain form, so that no two look alike and none needs escaping."""

import re

from arena.errors import BadInput

FORM = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?")
LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,31}")


def checked_name(what: str, name: str) -> str:
    """The name, if it is 1-32 of a-z 0-9 . _ - beginning and ending with a letter or digit; else BadInput."""
    if FORM.fullmatch(name) is None:
        raise BadInput(f"{what} name {name[:40]!r}: use 1-32 of a-z 0-9 . _ - with a letter or digit at both ends")
    return name


def checked_label(label: str) -> str:
    """The version label, if it is 1-32 of letters, digits and . _ + -; else BadInput."""
    if LABEL.fullmatch(label) is None:
        raise BadInput(f"version {label[:40]!r}: use 1-32 letters, digits and . _ + -")
    return label
