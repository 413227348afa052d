"""The certificate of tests/gateway."""

from tests.gateway.certificates import certificate

__all__ = ["certificate"]
