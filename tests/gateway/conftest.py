"""A gateway for every test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.gateway.certificates import certificate
from tests.gateway.hosts import Host, hosting

__all__ = ["certificate", "host"]


@pytest.fixture
async def host(tmp_path: Path, redis_url: str) -> AsyncIterator[Host]:
    """An open gateway with a short grace period."""
    async with hosting(tmp_path, redis_url, grace=1.0) as found:
        yield found
