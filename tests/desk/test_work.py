"""A worker's use cases: who plays which seat as what, and that a result counts once."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arena.contest import referee
from arena.contest.record import Head, Record, recorded, rules_tag
from arena.contest.referee import Reason
from arena.desk import dispatch, staff, work
from arena.desk.work import Assignment, Report
from arena.game.deal import commitment, deal, game_secret
from arena.store import bots
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId, VersionId
from tests.desk.rooms import bot_id, opened, roll


def assigned(store: Store, versions: dict[BotId, VersionId] | None = None) -> Assignment:
    """The first match of a tournament, claimed."""
    opened(store)
    watch = dispatch.Watch()
    dispatch.issue(store, roll(store), lambda *_: True, watch=watch, now=0.0, at=1.0)
    worker = staff.sign_on(store, "w", at=1.0)
    attempt = work.claim(store, MatchId("cup-0000"), worker, capacities={}, at=1.0)
    assert attempt is not None
    return work.assignment(store, attempt, versions or {}, at=1.0)


def finished(to_do: Assignment, index: int = 0) -> Record:
    """A game of the match in which seat 0 resigned."""
    secret = game_secret(to_do.secret, index)
    game = referee.opened(to_do.rules, to_do.control, 2, deal(secret, to_do.match, index, (bytes(32),) * 2))
    game = referee.forfeit(game, 0, Reason.RESIGN)
    names = tuple(player.name for player in work.seated(to_do, index))
    head = Head(
        event=to_do.event,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        rules=rules_tag(to_do.rules),
        match=to_do.match,
        game=index,
        clock=str(to_do.control),
        seats=names,
        commitment=commitment(secret, to_do.match),
        nonces=(None, None),
        secret=secret,
    )
    return recorded(head, game)


def reported(to_do: Assignment, record: Record) -> Report:
    """The record of a game as a worker reports it."""
    return Report(record, work.seated(to_do, record.head.game), (), 1.0)


def test_a_bot_plays_as_the_version_it_announced(store: Store) -> None:
    opened(store)
    with store.writing() as tx:
        second = bots.version(tx, bot_id(store, "ada"), label="2", declared=True, at=5.0)
        bots.version(tx, bot_id(store, "ada"), label="3", declared=True, at=6.0)
    to_do = assigned(store, {bot_id(store, "ada"): second.id})
    assert {player.name for player in to_do.players} & {"ada@1", "ada@2", "ada@3"} == {"ada@2"}


def test_an_absent_bot_loses_as_its_latest_version(store: Store) -> None:
    opened(store)
    with store.writing() as tx:
        bots.version(tx, bot_id(store, "ada"), label="2", declared=True, at=5.0)
    assert "ada@2" in {player.name for player in assigned(store).players}


def test_seats_rotate_within_a_match(store: Store) -> None:
    to_do = assigned(store)
    first, second = work.seated(to_do, 0), work.seated(to_do, 1)
    assert first == to_do.players
    assert second == tuple(reversed(first))


def test_each_game_has_a_secret_of_its_own(store: Store) -> None:
    to_do = assigned(store)
    secrets = {game_secret(to_do.secret, index) for index in range(2)} | {to_do.secret}
    assert len(secrets) == 3


def test_secrets_do_not_show_in_a_repr(store: Store) -> None:
    to_do = assigned(store)
    assert repr(to_do.secret) not in repr(to_do)


def test_the_same_result_twice_counts_once_and_another_one_never(store: Store) -> None:
    to_do = assigned(store)
    record = finished(to_do)
    other = replace(record, scores=tuple(reversed(record.scores)))
    reports = [work.report(store, to_do, reported(to_do, one), at=2.0) for one in (record, record, other)]
    assert reports == ["new", "same", "different"]


def test_a_result_of_an_attempt_that_was_taken_back_is_refused(store: Store) -> None:
    to_do = assigned(store)
    watch = dispatch.Watch()
    for now in (0.0, dispatch.SILENCE):
        watch, _ = dispatch.sweep(store, watch=watch, now=now, at=now)
    assert work.report(store, to_do, reported(to_do, finished(to_do)), at=2.0) == "late"


@pytest.mark.parametrize(("games", "done"), [((), False), ((0,), False), ((0, 1), True)])
def test_a_match_is_finished_when_all_its_games_are(store: Store, games: tuple[int, ...], done: bool) -> None:
    to_do = assigned(store)
    for index in games:
        work.report(store, to_do, reported(to_do, finished(to_do, index)), at=2.0)
    assert work.finish(store, to_do, at=3.0) is done
