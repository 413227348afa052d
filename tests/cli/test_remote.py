"""Calls from the command line: an arena that does not answer ends in a named error, not in silence."""

import socket
from collections.abc import Iterator

import pytest

from arena.cli import directory, remote
from arena.errors import Unavailable


@pytest.fixture
def mute() -> Iterator[str]:
    """An address that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield "{}:{}".format(*listening.getsockname())


def test_a_server_that_says_nothing_is_given_up(mute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "PATIENCE", 0.2)
    with pytest.raises(Unavailable, match=f"{mute} did not answer in time"), remote.calling(mute, "", None) as line:
        directory.listed(line)
