"""Which processes of bots there are."""

import os
from pathlib import Path


def children() -> frozenset[int]:
    """Bots' processes that this process has started and that are not gone."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except (OSError, IndexError):
            continue
        if parent == os.getpid() and "arena.play.child" in command:
            found.add(int(entry.name))
    return frozenset(found)


def is_alive(process: int) -> bool:
    """Whether there is such a process, and it is more than a name in the table."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
