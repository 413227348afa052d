"""What the database itself refuses, whoever asks."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from arena.store.engine import Store
from tests.store import hall

REFUSED = {
    "role": "INSERT INTO token VALUES ('t', 'o', 'king', 'x', 1, NULL)",
    "tournament state": "UPDATE tournament SET state = 'asleep'",
    "match state": "UPDATE match SET state = 'lost'",
    "attempt outcome": "UPDATE attempt SET outcome = 'maybe', ended_at = 9",
    "attempt ended without outcome": "UPDATE attempt SET ended_at = 9",
    "void reason": "INSERT INTO void VALUES ('match-0', 0, 'BORED', 1)",
    "forfeit reason": "UPDATE game_seat SET forfeit = 'SLEEP'",
    "early without forfeit": "UPDATE game_seat SET early = true",
    "table of six": "UPDATE match SET players = 6",
    "game beyond the rotation": "UPDATE game SET game_index = 2",
    "finished without a time": "UPDATE tournament SET state = 'finished'",
    "queued without a batch": "UPDATE match SET state = 'queued', batch = NULL",
    "place": "UPDATE game_seat SET place = 0",
    "seat": "UPDATE match_seat SET position = position + 4",
    "unknown bot": "UPDATE match_seat SET bot_id = 'nobody'",
    "unknown version": "UPDATE game_seat SET version_id = 'nothing'",
    "unknown attempt": "UPDATE game SET attempt = 7",
    "result that agrees with itself": "INSERT INTO alarm VALUES (1, 'match-0', 0, 'a', 'a', 1, NULL, NULL)",
    "two open attempts": "INSERT INTO attempt VALUES ('match-0', 2, 'worker-0', 'x', 'c', 1, NULL, NULL, 1, false)",
    "same number twice": "INSERT INTO match VALUES ('m', 'event', 0, 2, 'pending', 0, NULL, 1, 0, 0, false)",
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED.keys())
def test_the_database_refuses(store: Store, statement: str) -> None:
    with store.writing() as tx:
        hall.set_up(tx)
        hall.claimed(tx)
        hall.recorded(tx)
    with pytest.raises(IntegrityError), store.writing() as tx:
        tx.execute(text(statement))
