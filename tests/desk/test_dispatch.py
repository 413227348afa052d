"""Which matches are handed out, when, and what is taken back from whom."""

import time
from dataclasses import dataclass, field

import pytest

from arena.desk import dispatch, staff, tournaments, work
from arena.desk.dispatch import BATCH, REST, SILENCE, STALE, Job, Watch
from arena.lobby.presence import Roll
from arena.store import attempts, matches
from arena.store.engine import Store
from arena.store.ids import MatchId
from arena.store.kinds import AttemptEnd, MatchState, TournamentState
from arena.store.log import Entry
from tests.desk.rooms import bot_id, opened, roll


@dataclass(slots=True)
class Desk:
    """A dispatcher with a queue that one can look into."""

    store: Store
    watch: Watch = field(default_factory=Watch)
    queue: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)

    def issue(self, seen: Roll, *, now: float = 0.0, at: float = 10.0) -> int:
        """One round; how many matches went out."""
        done = dispatch.issue(self.store, seen, self._enqueue, watch=self.watch, now=now, at=at)
        self.watch = done.watch
        return done.issued

    def sweep(self, now: float) -> int:
        """One sweep; how many matches were taken back."""
        self.watch, taken = dispatch.sweep(self.store, watch=self.watch, now=now, at=now)
        return len(taken)

    def _enqueue(self, job: Job) -> bool:
        self.queue.append((tuple(job.matches), tuple(job.absent)))
        if job.alone:
            self.alone += job.matches
        return True

    def state(self, match: str) -> MatchState:
        with self.store.reading() as tx:
            found = matches.match(tx, MatchId(match))
        assert found is not None
        return found.state

    def claimed(self, match: str = "cup-0000") -> attempts.Attempt:
        """The match, claimed by a new worker."""
        worker = staff.sign_on(self.store, "w", at=1.0)
        attempt = work.claim(self.store, MatchId(match), worker, capacities={}, at=1.0)
        assert attempt is not None
        return attempt


def test_matches_whose_bots_are_there_go_out_once(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    assert desk.issue(roll(store)) == 6
    assert desk.issue(roll(store)) == 0
    assert [absent for _, absent in desk.queue] == [()]


def test_matches_of_a_missing_bot_wait_and_the_others_go_out(store: Store) -> None:
    opened(store)
    assert Desk(store).issue(roll(store, ("ada", "bob", "cyd"))) == 3


def test_after_the_no_show_limit_matches_go_out_without_the_bot(store: Store) -> None:
    opened(store, no_show=5.0)
    desk = Desk(store)
    there = roll(store, ("ada", "bob", "cyd"))
    assert [desk.issue(there, now=now) for now in (100.0, 104.9, 105.0)] == [3, 0, 3]
    assert desk.queue[-1][1] == (bot_id(store, "dee"),)


def test_a_bot_that_came_back_is_waited_for_from_the_start_again(store: Store) -> None:
    opened(store, no_show=5.0)
    desk = Desk(store)
    desk.issue(roll(store, ("ada",)), now=100.0)
    desk.issue(roll(store, ("ada", "bob")), now=103.0)
    desk.issue(roll(store, ("ada",)), now=104.0)
    absent = {bot for _, bots in desk.queue for bot in bots}
    desk.issue(roll(store, ("ada",)), now=105.5)
    assert absent == set()
    assert bot_id(store, "bob") not in {bot for _, bots in desk.queue for bot in bots}


def test_while_nobody_can_be_seen_nobody_is_missed(store: Store) -> None:
    opened(store, no_show=0.0)
    desk = Desk(store)
    assert [desk.issue(Roll(), now=now) for now in (0.0, 1000.0)] == [0, 0]


def test_matches_that_wait_for_somebody_do_not_hide_those_behind_them(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(store, rounds=4)
    monkeypatch.setattr(dispatch, "LOOK", 5)
    desk = Desk(store)
    there = roll(store, ("ada", "bob"))
    assert sum(desk.issue(there) for _ in range(9)) == 4
    assert {absent for _, absent in desk.queue} == {()}


def test_a_batch_has_one_table_size_and_names_who_is_missed_there(store: Store) -> None:
    opened(store, sizes=(2, 4), no_show=0.0)
    desk = Desk(store)
    seen = roll(store, ("ada", "bob", "cyd"))
    pairs_only = roll(store, ("dee",), sizes=(2,))
    desk.issue(Roll(seen.doors, (*seen.presents, *pairs_only.presents)))
    assert sorted((len(ids), absent) for ids, absent in desk.queue) == [(1, (bot_id(store, "dee"),)), (6, ())]


def test_no_batch_is_larger_than_its_limit(store: Store) -> None:
    opened(store, rounds=25)
    desk = Desk(store)
    assert desk.issue(roll(store)) == 150
    assert [len(ids) for ids, _ in desk.queue] == [BATCH, BATCH, 150 - 2 * BATCH]


def test_a_paused_tournament_hands_out_nothing(store: Store) -> None:
    opened(store)
    tournaments.set_state(store, "cup", TournamentState.PAUSED, at=3.0)
    assert Desk(store).issue(roll(store)) == 0


def test_a_match_handed_back_rests_and_longer_each_time(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    rests = []
    for _ in range(8):
        attempt = desk.claimed()
        work.give_back(store, attempt.match_id, attempt.number, AttemptEnd.VOID, at=100.0)
        rests.append(next(rest for rest in range(60) if desk.issue(roll(store), at=100.0 + rest)))
    assert rests == sorted(rests)
    assert rests[0] >= 1
    assert max(rests) == REST


def test_a_clock_set_back_does_not_make_a_match_rest_for_ever(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    attempt = desk.claimed()
    work.give_back(store, attempt.match_id, attempt.number, AttemptEnd.VOID, at=1e9)
    assert desk.issue(roll(store), at=5.0) == 1


def test_a_silent_workers_match_is_taken_back_and_a_beating_ones_is_not(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    silent, beating = desk.claimed("cup-0000"), desk.claimed("cup-0001")
    desk.sweep(0.0)
    staff.beat(store, beating.worker_id)
    assert desk.sweep(SILENCE - 0.1) == 0
    staff.beat(store, beating.worker_id)
    assert desk.sweep(SILENCE) == 1
    assert desk.state(silent.match_id) is MatchState.PENDING
    assert desk.state(beating.match_id) is MatchState.RUNNING


def test_a_worker_declared_dead_learns_it_with_its_next_beat(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    attempt = desk.claimed()
    desk.sweep(0.0)
    desk.sweep(SILENCE)
    assert not staff.beat(store, attempt.worker_id)


def test_a_match_left_by_a_worker_that_signed_off_is_taken_back_at_once(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    attempt = desk.claimed()
    staff.sign_off(store, attempt.worker_id, at=2.0)
    assert desk.sweep(0.0) == 1


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_jumps_by_an_hour_loses_no_match_whose_job_was_lost(store: Store, jump: float) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store), at=10_000.0)
    assert dispatch.reissue_lost(store, at=10_000.0 + jump) == 6
    assert desk.issue(roll(store), at=10_000.0 + jump) == 6


def test_matches_of_a_lost_job_are_pending_again_after_a_while(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store), at=100.0)
    assert dispatch.reissue_lost(store, at=100.0 + STALE) == 0
    assert dispatch.reissue_lost(store, at=100.1 + STALE) == 6
    assert desk.issue(roll(store), at=time.time()) == 6


def test_a_batch_sees_when_a_match_is_no_longer_its_own(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    desk.issue(roll(store))
    with store.reading() as tx:
        found = matches.match(tx, MatchId("cup-0000"))
    assert found is not None
    batch = str(found.batch)
    assert work.is_waiting(store, found.id, batch)
    assert not work.is_waiting(store, found.id, "another")
    desk.claimed()
    assert not work.is_waiting(store, found.id, batch)


def interrupted(desk: Desk) -> attempts.Attempt:
    """The first match, left in the middle of its first game by a worker that fell."""
    assert desk.issue(roll(desk.store)) == 6
    attempt = desk.claimed()
    work.keep(desk.store, [Entry(attempt.match_id, 0, 0, attempt.number, b"began")])
    assert staff.lose_named(desk.store, "w", at=2.0) == 1
    return attempt


def test_a_game_interrupted_by_its_workers_end_is_taken_over_by_one_worker_without_a_queue(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    left = interrupted(desk)
    assert desk.issue(roll(store), at=100.0) == 0
    heirs = [staff.sign_on(store, name, at=3.0) for name in ("x", "y")]
    taken = [work.take_over(store, heir, 20, at=4.0) for heir in heirs]
    assert [[(one.match_id, one.number, one.origin) for one in found] for found in taken] == [
        [(left.match_id, 2, left.number)],
        [],
    ]
    assert desk.state(left.match_id) is MatchState.RUNNING


def test_an_interrupted_game_keeps_the_seats_of_its_bots(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    left = interrupted(desk)
    found = work.bots_of(store, [f"cup-{number:04d}" for number in range(6)])
    mates = frozenset(found[left.match_id])
    capacities = dict.fromkeys(mates, 1)
    worker = staff.sign_on(store, "w", at=3.0)
    rivals = [match for match, seated in found.items() if match != left.match_id and mates & {*seated}]
    assert [work.claim(store, one, worker, capacities=capacities, at=4.0) for one in rivals] == [None] * len(rivals)
    assert len(work.take_over(store, worker, 20, at=5.0)) == 1


def test_a_game_that_two_more_workers_did_not_get_on_with_is_played_alone(store: Store) -> None:
    opened(store)
    desk = Desk(store)
    left = interrupted(desk)
    for name in ("x", "y"):
        worker = staff.sign_on(store, name, at=3.0)
        assert work.take_over(store, worker, 20, at=4.0)
        staff.lose(store, worker, at=5.0)
    assert not work.take_over(store, staff.sign_on(store, "z", at=6.0), 20, at=6.0)
    assert desk.issue(roll(store), at=100.0) == 1
    assert desk.alone == [left.match_id]
