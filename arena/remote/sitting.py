"""A table as its referee sees it: who sits where, what is played, and how seats are reached."""

from dataclasses import dataclass, field
from typing import Protocol

from arena.contest.clock import TimeControl
from arena.game.ruleset import RuleSet
from arena.v1 import play_pb2 as pb
from arena.v1 import seats_pb2 as seats


class PlatformFault(Exception):
    """Our own machinery failed: nothing that happened since may be charged to a bot."""


class Gone(Exception):
    """A bot had left before it heard of its game: the match waits for it."""


class Answering(Protocol):
    """Whoever answers for a seat, near or far."""

    async def ready(self) -> seats.Up:
        """The answer to the GameStart."""

    async def ask(self, question: pb.Ask) -> seats.Up:
        """The answer to a question."""

    def resume(self) -> None:
        """Go on with a game that another worker began."""

    def tell(self, down: seats.Down) -> None:
        """Hear what needs no answer."""

    def close(self) -> None:
        """Be let go."""


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits at a seat: the bot's id, its name as `bot@version`, the id of that version, and who answers for it;
    None if the bot never came."""

    bot: str
    name: str
    version: str = ""
    player: Answering | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """What a game needs to know before it begins or goes on; `id` names it on the wire, `log` is what was heard."""

    id: str
    match: str
    index: int
    rules: RuleSet
    control: TimeControl
    secret: bytes = field(repr=False)
    chairs: tuple[Chair, ...]
    no_show: str = ""
    log: tuple[bytes, ...] = field(default=(), repr=False)
