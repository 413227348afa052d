"""A worker's use cases: who plays which seat as what, and that a result counts once."""

from dataclasses import replace

import pytest

from arena.desk import dispatch, work
from arena.game.deal import game_secret
from arena.store import bots
from arena.store.engine import Store
from tests.desk.rooms import assigned, bot_id, finished, opened, reported


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
