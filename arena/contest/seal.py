"""The last line of a record: a digest, and a short check per line so that damage can be named.

The seal finds slips and edits; what nobody can reseal away (commitment, deal, actions, score) is checked apart.
"""

import hashlib
import re
from collections.abc import Sequence

FREE = re.compile(r'^(\[(?:Event|Date) ")[^"]*("\])$| \{[^{}]*\}$')
CHECK = 6  # hexadecimal digits per line: one slip in 16 million is put down to another line
LINE = re.compile(rf"seal ([0-9a-f]{{64}}) ([0-9a-f]{{16}}) ((?:[0-9a-f]{{{CHECK}}})+)")


def seal(lines: Sequence[str]) -> str:
    """The seal of a record's lines."""
    return f"seal {_digest(bare(lines))} {_digest(lines)[:16]} {''.join(map(_check, bare(lines)))}"


def damaged(lines: Sequence[str], sealed: str) -> int | None:
    """The first line (from 1) that is not as it was sealed (the seal's own if only that is wrong), or None."""
    form = LINE.fullmatch(sealed)
    if form is None:
        return len(lines) + 1
    checks = tuple(form[3][at : at + CHECK] for at in range(0, len(form[3]), CHECK))
    found = tuple(map(_check, bare(lines)))
    if _digest(bare(lines)) == form[1]:
        return None if checks == found else len(lines) + 1
    differing = (at for at, check in enumerate(found, 1) if checks[at - 1 : at] != (check,))
    return next(differing, len(lines) + 1)


def edited(lines: Sequence[str], sealed: str) -> bool:
    """Whether comments or free tags differ from what was sealed."""
    form = LINE.fullmatch(sealed)
    return form is None or _digest(lines)[:16] != form[2]


def bare(lines: Sequence[str]) -> list[str]:
    """The lines without their comments and the values of free tags."""
    return [FREE.sub(r"\1\2", line) for line in lines]


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _check(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()[:CHECK]
