"""An arena with tokens and TLS: who gets in, and that no secret is told on the way."""

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.contest.verify import verified
from arena.desk import access
from arena.game import ruleset
from arena.game.deal import bag_order, deal
from arena.store import schema
from arena.store.engine import Store
from arena.store.kinds import Role
from arena.store.migration import migrate
from tests.end_to_end.houses import House, house, until

ROLES = (Role.OWNER, Role.ORGANISER)
RUN = ("tournament", "run", "cup", "ada", "bob", "--rounds", "2", "--clock", "20+1/5")


@dataclass(frozen=True, slots=True)
class Guarded:
    """The arena, its authority, and a token for each role."""

    home: House
    ca: Path
    owner: str
    organiser: str

    def cli(self, *arguments: str, token: str = "") -> subprocess.CompletedProcess[str]:
        return self.home.cli(*arguments, "--ca", str(self.ca), ARENA_TOKEN=token)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory, certificate: tuple[Path, Path]) -> Iterator[Guarded]:
    """An arena behind tokens and TLS, two bots in it, after a tournament."""
    folder = tmp_path_factory.mktemp("guarded")
    cert, key = certificate
    with _store(folder) as store:
        migrate(store)
        access.add_owner(store, "lovelace", at=1.0)
        owner, organiser = (access.new_token(store, "lovelace", role, at=1.0).secret for role in ROLES)
    tls = ("--tls-cert", str(cert), "--tls-key", str(key), "--ca", str(cert))
    with house(folder, "--workers", "1", "--tokens", *tls) as home, ExitStack() as stack:
        for name in ("ada", "bob"):
            stack.enter_context(home.bot(name, "--ca", str(cert), "--games", "2", ARENA_TOKEN=owner))
        assert until(lambda: home.met("ada", "bob")), home.log
        yield Guarded(home, cert, owner, organiser)


@pytest.fixture(scope="module")
def done(guarded: Guarded) -> subprocess.CompletedProcess[str]:
    """A tournament run by the organiser."""
    return guarded.cli(*RUN, "--json", token=guarded.organiser)


@contextmanager
def _store(folder: Path) -> Iterator[Store]:
    """The database of the arena in that folder."""
    (folder / "data").mkdir(exist_ok=True)
    store = Store.open(f"sqlite:///{folder / 'data' / 'arena.db'}")
    try:
        yield store
    finally:
        store.close()


def test_an_organiser_runs_a_tournament_over_tls(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert (shown["state"], shown["games_finished"]) == ("finished", 4)
    assert [row["forfeits"] for row in shown["standings"]] == [0, 0]


def test_an_owners_token_does_not_start_tournaments(guarded: Guarded) -> None:
    found = guarded.cli("tournament", "run", "mine", "ada", "bob", token=guarded.owner)
    assert found.returncode == 4
    assert "role organiser or operator" in found.stderr


@pytest.mark.parametrize("wrong", ["", "gwa_123456789012_abc"])
def test_a_wrong_token_is_refused_with_what_to_do(guarded: Guarded, wrong: str) -> None:
    found = guarded.cli("tournament", "pause", "cup", token=wrong)
    assert found.returncode == 4
    assert "arena token new OWNER" in found.stderr


def test_a_client_without_the_authority_finds_no_arena(guarded: Guarded) -> None:
    found = guarded.home.cli("tournament", "list")
    assert found.returncode == 3
    assert "Traceback" not in found.stderr


def test_no_token_and_no_secret_stands_in_any_log(guarded: Guarded, done: subprocess.CompletedProcess[str]) -> None:
    said = guarded.home.log + done.stderr + done.stdout
    redis = (guarded.home.folder / "data" / "redis" / "redis.log").read_text()
    for secret in (guarded.owner, guarded.organiser):
        assert secret.partition("_")[2].partition("_")[2] not in said + redis
    with _store(guarded.home.folder) as store, store.reading() as tx:
        secrets = [row.secret for row in tx.execute(schema.attempt.select())]
    assert secrets
    assert not [secret for secret in secrets if secret.hex() in said or repr(secret)[2:-1] in said]


def test_no_bag_order_stands_in_any_log(guarded: Guarded, done: subprocess.CompletedProcess[str]) -> None:
    out = guarded.home.folder / "games"
    assert guarded.cli("tournament", "export", "cup", "--out", str(out)).returncode == 0
    head = verified(next(out.iterdir()).read_text()).record.head
    names = sorted(range(2), key=lambda seat: head.seats[seat])
    dealt = deal(head.secret, head.match, head.game, tuple(head.nonces[seat] or bytes(32) for seat in names))
    bag = bag_order(dealt, ruleset.named(ruleset.DEFAULT), 2)
    numbers = re.sub(r"\D+", " ", guarded.home.log)
    assert " ".join(map(str, bag[:8])) not in numbers
    assert dealt.hex() not in guarded.home.log


def test_only_digests_of_tokens_are_stored(guarded: Guarded) -> None:
    stored = b"".join(file.read_bytes() for file in (guarded.home.folder / "data").glob("arena.db*"))
    for secret in (guarded.owner, guarded.organiser):
        assert secret.partition("_")[2].partition("_")[2].encode() not in stored


def test_a_revoked_token_is_refused(guarded: Guarded) -> None:
    with _store(guarded.home.folder) as store:
        fresh = access.new_token(store, "lovelace", Role.ORGANISER, at=1.0)
        access.revoke(store, fresh.secret, at=2.0)
    assert guarded.cli("tournament", "pause", "cup", token=fresh.secret).returncode == 4


def test_ctrl_c_ends_everything_in_good_order_and_the_workers_token_with_it(guarded: Guarded) -> None:
    guarded.home.signal(signal.SIGINT)
    assert guarded.home.wait() == 0
    assert guarded.home.log.rstrip().endswith("arena is down")
    with _store(guarded.home.folder) as store:
        assert all(token.revoked_at for token in access.tokens_of(store, "arena"))
