"""The same gateway as in tests/gateway, with a little more patience for bots that come back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.desk import dispatch
from arena.gateway import rounds
from tests.gateway.hosts import Host, hosting


@pytest.fixture
async def host(tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Host]:
    """An open gateway without workers, in more of a hurry than usual."""
    monkeypatch.setattr(rounds, "SWEEP", 0.2)
    monkeypatch.setattr(dispatch, "SILENCE", 3.5)  # a worker beats every 2 s
    monkeypatch.setattr(dispatch, "STALE", 2.0)
    async with hosting(tmp_path, redis_url, grace=1.5) as found:
        yield found
