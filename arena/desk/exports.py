"""Games handed out as files."""

from collections.abc import Sequence

from arena.contest.notation import SUFFIX
from arena.desk.tournaments import named
from arena.store import games
from arena.store.engine import Store
from arena.store.ids import Key

PAGE = 200


def keys(store: Store, tournament: str) -> tuple[Key, ...]:
    """The finished games of a tournament in the order of its schedule; raises NotFound."""
    with store.reading() as tx:
        found = games.results(tx, named(tx, tournament).id)
        return tuple((one.match_id, one.game_index) for one in found)


def records(store: Store, chosen: Sequence[Key]) -> tuple[tuple[str, str], ...]:
    """File name and .rvg text of each of these games."""
    with store.reading() as tx:
        texts = [(key, games.notation(tx, *key)) for key in chosen]
    return tuple((f"{match}-{index}{SUFFIX}", text) for (match, index), text in texts if text is not None)
