"""Which engine runs: the rules compiled (native) or interpreted (pure). Both are the same file."""

import hashlib
from importlib import resources

from arena.game import rules

MODULES = ("rules", "outlook")  # what is compiled
ENGINE = "native" if rules.BUILT_FROM else "pure"


def is_stale() -> bool:
    """Whether the engine was compiled from another source than the one beside it."""
    files = resources.files("arena.game")
    source = b"".join((files / f"{name}{ending}").read_bytes() for name in MODULES for ending in (".py", ".pxd"))
    return rules.BUILT_FROM not in ("", hashlib.sha256(source).hexdigest()[:16])
