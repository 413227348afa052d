"""Finished games are played again by others than their referee, and what does not hold counts no more."""

import hashlib
import zlib
from collections.abc import Mapping

import pytest
from sqlalchemy import func, select

from arena.desk import staff, work
from arena.desk.checking import Untrue, check_some
from arena.store import games, results, schema
from arena.store.engine import Store
from arena.store.ids import MatchId, WorkerId
from tests.desk.rooms import assigned, bot_id, finished, reported

MATCH = MatchId("cup-0000")
CYD = "cyd"  # stands for the id of a bot that did not play
LIES: Mapping[str, tuple[str, str, object]] = {
    "another result": ("game_seat", "score", 99),
    "another place": ("game_seat", "place", 5),
    "no forfeit": ("game_seat", "early", False),
    "another bot": ("game_seat", "bot_id", CYD),
    "fewer actions": ("game", "plies", 3),
    "another deal": ("game", "deal", "0" * 64),
    "another secret": ("attempt", "secret", bytes(32)),
    "another digest": ("game", "digest", "0" * 64),
    "a cut file": ("game", "notation", b"x\x9c broken"),
    "no text": ("game", "notation", zlib.compress(b"\xff\xfe")),
}


def played(store: Store) -> WorkerId:
    """One finished game on record; who refereed it."""
    to_do = assigned(store)
    work.report(store, to_do, reported(to_do, finished(to_do)), at=3.0)
    with store.reading() as tx:
        worker: WorkerId = tx.execute(select(schema.attempt.c.worker_id)).scalar_one()
    return worker


def counted(store: Store) -> int:
    with store.reading() as tx:
        return len(tuple(games.results(tx)))


def checks(store: Store) -> int:
    with store.reading() as tx:
        return tx.scalar(select(func.count()).select_from(schema.recheck)) or 0


def tell(store: Store, table: str, column: str, value: object) -> None:
    """Change one row behind everybody's back."""
    target = schema.metadata.tables[table]
    where = (
        target.c.match_id == MATCH if table != "game_seat" else (target.c.match_id == MATCH) & (target.c.seat == 0)
    )
    with store.writing() as tx:
        tx.execute(target.update().where(where).values({column: bot_id(store, CYD) if value is CYD else value}))


def test_a_true_game_is_checked_once_and_counts(store: Store) -> None:
    played(store)
    other = staff.sign_on(store, "other", at=4.0)
    assert check_some(store, other, 1.0, at=5.0) == ()
    assert check_some(store, other, 1.0, at=6.0) == ()
    assert (checks(store), counted(store)) == (1, 1)


@pytest.mark.parametrize("lie", LIES)
def test_a_game_with_a_lie_on_record_is_found_and_counts_no_more(store: Store, lie: str) -> None:
    played(store)
    tell(store, *LIES[lie])
    (found,) = check_some(store, staff.sign_on(store, "other", at=4.0), 1.0, at=5.0)
    assert (found.match, found.game) == (MATCH, 0)
    assert found.fault
    assert counted(store) == 0
    with store.reading() as tx:
        assert tx.execute(select(schema.alarm.c.detail)).scalar_one() == found.fault


def test_a_changed_action_is_found_even_with_its_digest_made_to_fit(store: Store) -> None:
    played(store)
    with store.reading() as tx:
        text = games.notation(tx, MATCH, 0) or ""
    changed = text.replace("RESIGN", "TIMEOUT")
    assert changed != text
    tell(store, "game", "notation", zlib.compress(changed.encode()))
    tell(store, "game", "digest", hashlib.sha256(changed.encode()).hexdigest())
    (found,) = check_some(store, staff.sign_on(store, "other", at=4.0), 1.0, at=5.0)
    assert "does not verify" in found.fault


def test_a_worker_checks_its_own_games_only_where_it_is_alone(store: Store) -> None:
    referee = played(store)
    other = staff.sign_on(store, "other", at=4.0)
    check_some(store, referee, 1.0, at=5.0)
    assert checks(store) == 0
    staff.sign_off(store, other, at=6.0)
    check_some(store, referee, 1.0, at=7.0)
    assert checks(store) == 1


def test_a_share_of_nothing_checks_nothing(store: Store) -> None:
    played(store)
    assert check_some(store, staff.sign_on(store, "other", at=4.0), 0.0, at=5.0) == ()
    assert checks(store) == 0


def test_a_resolved_alarm_lets_the_game_count_again(store: Store) -> None:
    played(store)
    tell(store, "game", "plies", 3)
    found = check_some(store, staff.sign_on(store, "other", at=4.0), 1.0, at=5.0)
    assert found == (Untrue(MATCH, 0, found[0].fault),)
    with store.writing() as tx:
        assert results.resolve(tx, MATCH, game_index=0, at=6.0) == 1
    assert counted(store) == 1
