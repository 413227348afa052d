"""What a worker works with; set once by the process, as RQ stores only a function's name."""

from contextvars import ContextVar
from dataclasses import dataclass

from arena.lobby.presence import Lobby
from arena.remote.relay import Pass
from arena.store.engine import Store


@dataclass(frozen=True, slots=True)
class Tools:
    """The process's name, its ways to the store, the lobby and the gateways, and which share of games it checks."""

    name: str
    store: Store
    lobby: Lobby
    shown: Pass
    verify: float = 1.0


TOOLS: ContextVar[Tools] = ContextVar("tools")
