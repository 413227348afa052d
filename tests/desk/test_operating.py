"""What operators may do, that each deed is on record, and that a refused one changes nothing."""

import time

import pytest
from sqlalchemy import select

from arena.desk import dispatch, operating, staff, tournaments, work
from arena.desk.access import ANYBODY, Caller
from arena.desk.boards import standings
from arena.desk.operating import Order
from arena.errors import ArenaError, BadInput, Conflict, Forbidden, NotFound
from arena.store import attempts, games, matches, schema
from arena.store.engine import Store
from arena.store.ids import MatchId, OwnerId
from arena.store.kinds import AttemptEnd, Deed, MatchState, Role, TournamentState
from arena.store.log import Entry
from tests.desk.rooms import assigned, bot_id, finished, opened, reported, roll

OPERATOR = Caller(OwnerId("o"), frozenset({Role.OPERATOR}), "grace")
MATCH = MatchId("cup-0000")


def done(store: Store, deed: Deed, subject: str = "", game: int | None = None, note: str = "") -> tuple[str, ...]:
    return operating.act(store, OPERATOR, Order(deed, subject, game, note), at=9.0)


def played(store: Store, *indices: int) -> work.Assignment:
    """The first match, claimed, with these games on record."""
    to_do = assigned(store)
    for index in indices:
        work.report(store, to_do, reported(to_do, finished(to_do, index)), at=2.0)
    if len(indices) == 2:
        work.finish(store, to_do, at=3.0)
    return to_do


def counted(store: Store) -> set[tuple[MatchId, int]]:
    with store.reading() as tx:
        return {(result.match_id, result.game_index) for result in games.results(tx)}


def state(store: Store, match: MatchId = MATCH) -> MatchState:
    with store.reading() as tx:
        found = matches.match(tx, match)
    assert found is not None
    return found.state


def everything(store: Store) -> list[list[object]]:
    with store.reading() as tx:
        return [list(tx.execute(select(table))) for table in schema.metadata.sorted_tables]


def test_a_void_game_counts_no_more_and_the_rest_of_its_match_does(store: Store) -> None:
    played(store, 0, 1)
    assert done(store, Deed.VOID, MATCH, 1) == ("game cup-0000/1 is void",)
    assert counted(store) == {(MATCH, 0)}
    assert [row.games for row in standings(store, "cup")] == [1, 1]


def test_a_void_match_that_waits_is_never_played(store: Store) -> None:
    opened(store)
    done(store, Deed.VOID, MATCH)
    assert state(store) is MatchState.FINISHED
    issued = dispatch.issue(store, roll(store), lambda *_: True, watch=dispatch.Watch(), now=0.0, at=1.0).issued
    assert issued == 5


def test_a_worker_at_a_game_that_is_voided_is_stopped_there_and_the_others_are_played(store: Store) -> None:
    to_do = played(store)
    work.keep(store, [Entry(MATCH, 0, 0, 1, b"opening")])
    done(store, Deed.VOID, MATCH, 0)
    assert work.keep(store, [Entry(MATCH, 0, 1, 1, b"answer")]) == {(MATCH, 1)}
    assert work.report(store, to_do, reported(to_do, finished(to_do)), at=9.0) == "late"
    assert (state(store), work.heard(store, MATCH, 0)) == (MatchState.PENDING, ())
    assert work.is_settled(store, MATCH, 0)
    assert not work.is_settled(store, MATCH, 1)


def test_a_game_under_way_goes_on_when_a_later_one_of_its_match_is_voided(store: Store) -> None:
    played(store)
    work.keep(store, [Entry(MATCH, 0, 0, 1, b"opening")])
    done(store, Deed.VOID, MATCH, 1)
    assert work.heard(store, MATCH, 0) == (b"opening",)
    worker = staff.sign_on(store, "other", at=9.0)
    (attempt,) = work.take_over(store, worker, 9, at=9.0)
    assert work.assignment(store, attempt, {}, at=9.0).games == (0,)


def test_voids_leave_the_games_that_a_tournament_asks_for(store: Store) -> None:
    played(store, 0, 1)
    done(store, Deed.VOID, MATCH, 1)
    done(store, Deed.VOID, "cup-0001")
    found = tournaments.progress(store, "cup")
    assert (found.games, found.games_finished, found.finished) == (9, 1, 2)


def test_a_match_is_played_again_as_a_new_one_of_the_same_bots(store: Store) -> None:
    played(store, 0, 1)
    assert done(store, Deed.RERUN, MATCH)[-1] == "match cup-0000-r1 is to be played"
    with store.reading() as tx:
        before, after = matches.match(tx, MATCH), matches.match(tx, MatchId("cup-0000-r1"))
    assert before
    assert after
    assert (after.bots, after.players, after.state) == (before.bots, 2, MatchState.PENDING)
    assert counted(store) == set()
    assert done(store, Deed.RERUN, "cup-0000-r1")[-1] == "match cup-0000-r2 is to be played"
    assert tournaments.progress(store, "cup").games == 12


def test_a_match_is_not_played_again_twice(store: Store) -> None:
    played(store, 0, 1)
    done(store, Deed.RERUN, MATCH)
    with pytest.raises(Conflict, match="'cup-0000-r1' already"):
        done(store, Deed.RERUN, MATCH)


def test_a_finished_tournament_runs_again_for_a_match_that_is_played_again(store: Store) -> None:
    played(store, 0, 1)
    for number in range(1, 6):
        done(store, Deed.VOID, f"cup-{number:04d}")
    assert tournaments.close_finished(store, at=5.0) == ("cup",)
    assert "tournament cup runs again" in done(store, Deed.RERUN, MATCH)
    assert tournaments.progress(store, "cup").state is TournamentState.RUNNING
    assert tournaments.close_finished(store, at=5.0) == ()


def test_nothing_of_a_cancelled_tournament_is_played_again(store: Store) -> None:
    played(store, 0, 1)
    tournaments.set_state(store, "cup", TournamentState.CANCELLED, at=4.0)
    with pytest.raises(Conflict, match="was cancelled"):
        done(store, Deed.RERUN, MATCH)


def test_a_parked_match_is_handed_out_again_once_it_is_released(store: Store) -> None:
    opened(store)
    with store.writing() as tx:
        tx.execute(schema.parked.insert().values(match_id=MATCH, cause="it ended its workers", at=1.0))
    assert [one.match_id for one in operating.seen(store, OPERATOR).parked] == [MATCH]
    done(store, Deed.RELEASE, MATCH)
    assert operating.seen(store, OPERATOR).parked == ()


def test_a_game_with_an_alarm_counts_again_once_that_is_resolved(store: Store) -> None:
    to_do = played(store, 0)
    record = finished(to_do)
    other = type(record)(
        **{name: getattr(record, name) for name in record.__slots__} | {"scores": record.scores[::-1]}
    )
    assert work.report(store, to_do, reported(to_do, other), at=2.0) == "different"
    assert [(one.match_id, one.game_index) for one in operating.seen(store, OPERATOR).alarms] == [(MATCH, 0)]
    assert counted(store) == set()
    done(store, Deed.RESOLVE, MATCH, 0)
    assert (counted(store), operating.seen(store, OPERATOR).alarms) == ({(MATCH, 0)}, ())


def test_a_ban_holds_until_the_pardon(store: Store) -> None:
    opened(store)
    done(store, Deed.BAN, "ada")
    with pytest.raises(Conflict, match="banned already"):
        done(store, Deed.BAN, "ada")
    done(store, Deed.PARDON, "ada")
    with pytest.raises(Conflict, match="not banned"):
        done(store, Deed.PARDON, "ada")


def test_no_match_begins_while_the_arena_is_paused_and_one_under_way_is_played_on(store: Store) -> None:
    played(store)
    work.keep(store, [Entry(MATCH, 0, 0, 1, b"opening")])
    done(store, Deed.PAUSE, note="upgrade")
    worker = staff.sign_on(store, "other", at=9.0)
    assert work.claim(store, MatchId("cup-0001"), worker, capacities={}, at=9.0) is None
    work.give_back(store, MATCH, 1, AttemptEnd.RETURNED, at=9.0)
    assert [one.match_id for one in work.take_over(store, worker, 9, at=9.0)] == [MATCH]
    done(store, Deed.RESUME)
    assert work.claim(store, MatchId("cup-0001"), worker, capacities={}, at=9.0) is not None


def test_nobody_is_missed_while_the_arena_is_paused(store: Store) -> None:
    opened(store, no_show=5.0)
    watch = dispatch.Watch()
    for now, here in ((0.0, ("ada",)), (1.0, ("ada",)), (60.0, ("ada",))):
        if now == 1.0:
            done(store, Deed.PAUSE)
        found = dispatch.issue(store, roll(store, here), lambda *_: True, watch=watch, now=now, at=now)
        watch = found.watch
        assert found.issued == 0
    done(store, Deed.RESUME)
    found = dispatch.issue(store, roll(store, ("ada",)), lambda *_: True, watch=watch, now=61.0, at=61.0)
    assert found.issued == 0


def test_a_drain_says_how_many_matches_are_in_play_even_if_the_arena_is_paused(store: Store) -> None:
    played(store)
    done(store, Deed.PAUSE)
    assert done(store, Deed.DRAIN) == ("no match begins from now on; those in play go on: 1",)


def test_every_deed_is_on_record_with_who_and_why(store: Store) -> None:
    played(store, 0, 1)
    done(store, Deed.VOID, MATCH, 1, "the bag was announced")
    done(store, Deed.BAN, "ada")
    operating.act(store, ANYBODY, Order(Deed.PAUSE, note="lunch"), at=10.0)
    found = [(one.actor, one.deed, one.subject, one.note) for one in operating.seen(store, OPERATOR).audit]
    assert found == [
        ("anybody", Deed.PAUSE, "arena", "lunch"),
        ("grace", Deed.BAN, "ada", ""),
        ("grace", Deed.VOID, "cup-0000/1", "the bag was announced"),
    ]


@pytest.mark.parametrize(
    ("order", "error"),
    [
        (Order(Deed.VOID, "cup-9999"), NotFound),
        (Order(Deed.VOID, MATCH, 2), NotFound),
        (Order(Deed.VOID, MATCH, 0, "two\nlines"), BadInput),
        (Order(Deed.VOID, MATCH, 0, "x" * 501), BadInput),
        (Order(Deed.RERUN, MATCH, 0), BadInput),
        (Order(Deed.RELEASE, MATCH), Conflict),
        (Order(Deed.RESOLVE, MATCH), BadInput),
        (Order(Deed.RESOLVE, MATCH, 0), Conflict),
        (Order(Deed.BAN, "nobody"), NotFound),
        (Order(Deed.PARDON, "ada"), Conflict),
        (Order(Deed.PAUSE, "cup"), BadInput),
        (Order(Deed.RESUME), Conflict),
    ],
)
def test_a_deed_that_cannot_be_done_changes_nothing(store: Store, order: Order, error: type[ArenaError]) -> None:
    played(store, 0, 1)
    before = everything(store)
    with pytest.raises(error):
        operating.act(store, OPERATOR, order, at=9.0)
    assert everything(store) == before


@pytest.mark.parametrize("deed", [Deed.VOID, Deed.RERUN])
def test_a_rehearsed_deed_says_what_it_would_change_and_changes_nothing(store: Store, deed: Deed) -> None:
    played(store, 0, 1)
    before = everything(store)
    said = operating.act(store, OPERATOR, Order(deed, MATCH), at=9.0, rehearse=True)
    assert everything(store) == before
    assert said == done(store, deed, MATCH)


@pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER, Role.WORKER])
def test_only_operators_operate_and_look(store: Store, role: Role) -> None:
    caller = Caller(OwnerId("o"), frozenset({role}), "eve")
    with pytest.raises(Forbidden):
        operating.act(store, caller, Order(Deed.PAUSE), at=time.time())
    with pytest.raises(Forbidden):
        operating.seen(store, caller)


def test_a_void_attempt_is_not_counted_against_its_match(store: Store) -> None:
    played(store)
    done(store, Deed.VOID, MATCH, 0)
    with store.reading() as tx:
        found, tries = matches.match(tx, MATCH), attempts.attempts(tx, MATCH)
    assert found is not None
    assert (found.starts, found.kills, tries[0].outcome) == (0, 0, AttemptEnd.RETURNED)
    assert bot_id(store, "ada")
