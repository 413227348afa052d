"""One game looked at closely: where its time went, and why a seat lost it."""

from dataclasses import dataclass

from arena.contest.reading import read
from arena.contest.referee import Forfeit
from arena.contest.timing import Timed, ledger_from_text
from arena.errors import Conflict, NotFound
from arena.store import games, matches
from arena.store.engine import Store
from arena.store.ids import MatchId


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """The time of a finished game: its clock, who sat where as bot@version, each question, and who forfeited."""

    clock: str
    seats: tuple[str, ...]
    ledger: tuple[Timed, ...]
    forfeits: tuple[Forfeit, ...]


def time_spent(store: Store, match: str, index: int) -> TimeSpent:
    """Where the time of a finished game went; raises NotFound, or Conflict for one that is not over."""
    with store.reading() as tx:
        text = games.notation(tx, MatchId(match), index)
        ledger = games.ledger(tx, MatchId(match), index)
        found = matches.match(tx, MatchId(match))
    if found is None or not 0 <= index < found.players:
        raise NotFound(f"no game {match[:80]}/{index}; list those of a tournament with: arena tournament export NAME")
    if text is None:
        raise Conflict(
            f"game {match}/{index} is not over yet; its times are shown then: arena game time {match}/{index}"
        )
    record, _ = read(text)
    return TimeSpent(record.head.clock, record.head.seats, ledger_from_text(ledger or ""), record.forfeits)
