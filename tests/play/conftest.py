"""Bots written on the spot."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.play.processes import children
from tests.play.sessions import BotFile


@pytest.fixture
def bot(tmp_path: Path) -> BotFile:
    """Writes a bot file and gives its path."""

    def written(source: str) -> str:
        file = tmp_path / "mybot.py"
        file.write_text(source)
        return str(file)

    return written


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No test here may leave a bot's process behind."""
    before = children()
    yield
    assert children() <= before
