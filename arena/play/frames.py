"""Frames on a pipe: four bytes of length, then so many bytes."""

import os
import select
import time

MOST = 1 << 20  # bytes of one frame


class Closed(Exception):
    """The other end of the pipe is gone."""


class Garbled(Exception):
    """What came is no frame."""


def send(pipe: int, payload: bytes) -> None:
    """Write one frame; raises Closed."""
    left = memoryview(len(payload).to_bytes(4, "big") + payload)
    try:
        while left:
            left = left[os.write(pipe, left) :]
    except (BrokenPipeError, ConnectionResetError):
        raise Closed from None


def receive(pipe: int, deadline: float | None = None) -> bytes:
    """Read one frame; raises Closed, Garbled, or TimeoutError at the monotonic deadline."""
    length = int.from_bytes(_exactly(pipe, 4, deadline), "big")
    if length > MOST:
        raise Garbled
    return _exactly(pipe, length, deadline)


def _exactly(pipe: int, count: int, deadline: float | None) -> bytes:
    found = b""
    while len(found) < count:
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not select.select([pipe], [], [], wait)[0]:
            raise TimeoutError
        part = os.read(pipe, count - len(found))
        if not part:
            raise Closed
        found += part
    return found
