"""Folders that commands write into."""

from pathlib import Path

from arena.errors import Unavailable


def made(folder: Path) -> Path:
    """The folder, created if need be; raises Unavailable when that is not possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"cannot write into {folder}: {error.strerror}; choose another folder") from None
    return folder
