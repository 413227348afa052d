"""The `arena` command as a user runs it, in this process."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from arena.cli.__main__ import main


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


Arena = Callable[..., Said]


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """Runs `arena` with arguments."""

    def run(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["arena", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "200")
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Said(int(ended.value.code or 0), captured.out, captured.err)

    return run
