"""What a batch needs beside its arguments; set once by the process, as RQ stores only a function's name."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from arena.lobby.presence import Lobby
from arena.store.engine import Store


@dataclass(frozen=True, slots=True)
class Tools:
    """The process's name and its ways to the store, the lobby and the gateways."""

    name: str
    store: Store
    lobby: Lobby
    token: str = field(repr=False)
    ca: Path | None = None


TOOLS: ContextVar[Tools] = ContextVar("tools")
