"""gRPC channels and servers as we set them up: keepalive that notices a dead peer within 10 s, small messages."""

from collections.abc import Sequence
from pathlib import Path

import grpc

from arena.errors import BadInput

MESSAGE = 64 * 1024  # bytes; uploads come later and have their own limit
PROTOCOL = 1
Options = Sequence[tuple[str, int]]

KEEPALIVE: Options = (
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    ("grpc.http2.ping_timeout_ms", 3_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
)
CLIENT: Options = (*KEEPALIVE, ("grpc.max_receive_message_length", 2 * MESSAGE))
SERVER: Options = (
    *KEEPALIVE,
    ("grpc.max_receive_message_length", MESSAGE),
    ("grpc.http2.min_ping_interval_without_data_ms", 1_000),
    ("grpc.max_concurrent_streams", 10_000),
    ("grpc.server_handshake_timeout_ms", 10_000),  # for who connects and says nothing
    ("grpc.so_reuseport", 0),
)
RELAY: Options = (*KEEPALIVE, ("grpc.max_receive_message_length", 4 << 20))


def open_channel(address: str, ca: Path | None, options: Options = CLIENT) -> grpc.aio.Channel:
    """A channel for asyncio; with TLS if a CA file is given."""
    if ca is None:
        return grpc.aio.insecure_channel(address, options=options)
    return grpc.aio.secure_channel(address, grpc.ssl_channel_credentials(certificate(ca)), options=options)


def open_plain_channel(address: str, ca: Path | None) -> grpc.Channel:
    """A blocking channel, for the command line; with TLS if a CA file is given."""
    if ca is None:
        return grpc.insecure_channel(address, options=CLIENT)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(certificate(ca)), options=CLIENT)


def certificate(file: Path) -> bytes:
    """The bytes of a PEM file; raises BadInput if it cannot be read."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from None


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Call metadata that carries a token; empty for none."""
    return (("authorization", f"Bearer {token}"),) if token else ()
