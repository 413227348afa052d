"""Owners, tokens, bots and versions: named once, found again, revoked and banned."""

from dataclasses import replace

import pytest

from arena.errors import Conflict
from arena.store import bots, owners
from arena.store.engine import Store
from arena.store.ids import BotId, OwnerId, TokenId
from arena.store.kinds import Role

ANN = owners.Owner(OwnerId("o1"), "ann", 1.0)
KEY = owners.Token(TokenId("k1"), ANN.id, Role.ORGANISER, b"\x00digest\xff", 1.5)
KODAMA = bots.Bot(BotId("b1"), "kodama", ANN.id, 2.0)


def test_a_name_is_taken_once(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        bots.add_bot(tx, KODAMA)
        with pytest.raises(Conflict, match="owner 'ann' exists already"):
            owners.add_owner(tx, replace(ANN, id=OwnerId("o2")))
        with pytest.raises(Conflict, match="bot 'kodama' exists already"):
            bots.add_bot(tx, replace(KODAMA, id=BotId("b2")))


def test_a_token_comes_back_as_it_was_issued(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        owners.add_token(tx, KEY)
        assert owners.token(tx, KEY.id) == KEY
        assert owners.tokens(tx, ANN.id) == (KEY,)
        assert owners.owner_named(tx, "ann") == ANN


def test_a_token_is_revoked_once_and_stays_on_record(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        owners.add_token(tx, KEY)
        assert [owners.revoke(tx, KEY.id, at=at) for at in (7.0, 8.0)] == [True, False]
        assert owners.token(tx, KEY.id) == replace(KEY, revoked_at=7.0)


def test_a_digest_is_never_shown() -> None:
    assert "digest" not in repr(KEY)


def test_a_bot_is_banned_and_pardoned(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        bots.add_bot(tx, KODAMA)
        assert bots.ban(tx, KODAMA.id, at=9.0)
        assert bots.bot_named(tx, "kodama") == replace(KODAMA, banned_at=9.0)
        assert bots.pardon(tx, KODAMA.id)
        assert bots.bot(tx, KODAMA.id) == KODAMA


def test_a_version_keeps_what_it_was_first_brought_as(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        bots.add_bot(tx, KODAMA)
        first = bots.version(tx, KODAMA.id, label="1.0", declared=True, at=3.0)
        assert bots.version(tx, KODAMA.id, label="1.0", declared=False, at=4.0) == first
        assert (first.declared, first.created_at) == (True, 3.0)
        assert bots.versions(tx, KODAMA.id) == (first,)


def test_every_version_is_listed_with_its_bot(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        bots.add_bot(tx, KODAMA)
        first = bots.version(tx, KODAMA.id, label="1.0", declared=False, at=3.0)
        assert bots.every_version(tx) == (bots.Listed(first, "kodama", ANN.id),)


def test_bots_are_listed_by_name_or_for_one_owner(store: Store) -> None:
    with store.writing() as tx:
        owners.add_owner(tx, ANN)
        bots.add_bot(tx, KODAMA)
        bots.add_bot(tx, replace(KODAMA, id=BotId("b2"), name="akari", owner_id=None))
        assert [bot.name for bot in bots.bots(tx)] == ["akari", "kodama"]
        assert bots.bots(tx, ANN.id) == (KODAMA,)
