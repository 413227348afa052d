"""The same gateway as in tests/gateway."""

from tests.gateway.conftest import host

__all__ = ["host"]
