"""Calls from the command line to a running arena: one channel, named errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import grpc
import typer

from arena.sdk.running import SERVER
from arena.wire.channel import bearer, open_plain_channel
from arena.wire.status import status_to_error

ServerOption = Annotated[str, typer.Option("--server", envvar="ARENA_SERVER", help="host:port of the arena.")]
TokenOption = Annotated[
    str, typer.Option("--token", envvar="ARENA_TOKEN", help="Your token, if the arena wants one.")
]
CaOption = Annotated[Path | None, typer.Option("--ca", envvar="ARENA_CA", help="Authority of the arena (PEM).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PATIENCE = 30.0  # seconds for one call
Question = TypeVar("Question")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Line:
    """An open channel and what each call carries."""

    channel: grpc.Channel
    metadata: tuple[tuple[str, str], ...]

    def ask(self, method: "grpc.UnaryUnaryMultiCallable[Question, Answer]", question: Question) -> Answer:
        """One call with one answer, which must come in time."""
        return method(question, metadata=self.metadata, timeout=PATIENCE)


@contextmanager
def calling(server: str, token: str, ca: Path | None) -> Iterator[Line]:
    """A channel to an arena; a failed call becomes a named error."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        with open_plain_channel(server, ca) as channel:
            yield Line(channel, bearer(token))
    except grpc.RpcError as error:
        raise status_to_error(error, server) from None


__all__ = ["SERVER", "CaOption", "JsonOption", "Line", "ServerOption", "TokenOption", "calling"]
