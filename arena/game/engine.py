"""Which engine runs: the rules compiled (native) or interpreted (pure). Both are the same file."""

import hashlib
from importlib import resources

from arena.game import rules

ENGINE = "native" if rules.BUILT_FROM else "pure"


def is_stale() -> bool:
    """Whether the engine was compiled from another source than the one beside it."""
    files = resources.files("arena.game")
    source = (files / "rules.py").read_bytes() + (files / "rules.pxd").read_bytes()
    return rules.BUILT_FROM not in ("", hashlib.sha256(source).hexdigest()[:16])
