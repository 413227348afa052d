"""The metrics are those of the database and the lobby, named as Prometheus expects, there from the first scrape."""

import shutil
import subprocess
import time
from collections.abc import Collection, Mapping

import httpx
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_families
from prometheus_client.parser import text_string_to_metric_families

from arena.contest.referee import Reason
from arena.gateway.answers import Answers
from arena.lobby.presence import Door, Lobby, Present
from arena.lobby.tally_names import BUCKETS
from arena.store import attempts, bots, matches, results
from arena.store.engine import Store
from arena.store.ids import BotId, MatchId
from arena.store.kinds import AttemptEnd, MatchState, VoidReason
from arena.web.sources import Sources
from tests.web import arena
from tests.web.conftest import asking

Samples = Mapping[tuple[str, tuple[tuple[str, str], ...]], float]
BY = {  # the closed sets, each counted by the database
    "arena_open_matches": ("state", "SELECT state, count(*) FROM match GROUP BY state"),
    "arena_matches_total": ("outcome", "SELECT state, count(*) FROM match GROUP BY state"),
    "arena_attempts_total": ("outcome", "SELECT outcome, count(*) FROM attempt GROUP BY outcome"),
    "arena_forfeits_total": ("reason", "SELECT forfeit, count(*) FROM game_seat GROUP BY forfeit"),
    "arena_voids_total": ("reason", "SELECT reason, count(*) FROM void GROUP BY reason"),
}
MEMBERS: Mapping[str, Collection[str]] = {
    "arena_open_matches": set(MatchState) - {MatchState.FINISHED, MatchState.CANCELLED},
    "arena_matches_total": {MatchState.FINISHED, MatchState.CANCELLED},
    "arena_attempts_total": set(AttemptEnd),
    "arena_games_total": {"played", "forfeited"},
    "arena_forfeits_total": set(Reason),
    "arena_voids_total": set(VoidReason),
}


async def scrape(client: httpx.AsyncClient) -> Samples:
    families = text_string_to_metric_families((await client.get("/metrics")).text)
    samples = [sample for family in families for sample in family.samples]
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value for sample in samples}


def by_label(samples: Samples, name: str) -> dict[str, float]:
    """The samples of a family that has one label."""
    return {labels[0][1]: value for (found, labels), value in samples.items() if found == name}


def checked(promtool: str, text: bytes) -> tuple[int, bytes, bytes]:
    """What promtool says of the text."""
    found = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, check=False)
    return found.returncode, found.stdout, found.stderr


def eventful(store: Store) -> None:
    """Results, forfeits, a void, an alarm, a match that is running and one that was given back."""
    arena.opened(store)
    arena.played(store, most=2)
    arena.played(store, most=1, style=arena.Style(Reason.TIME))
    with store.writing() as tx:
        for number in (4, 5):
            match = MatchId(f"spring-{number:04d}")
            matches.queue(tx, [match], batch="b", at=3.0)
            offer = attempts.Offer(arena.worker(arena.SPEC), b"s" * 32, "commitment", 3.0)
            attempts.claim(tx, match, offer=offer, capacities={})
        attempts.give_back(tx, match, attempt=1, at=4.0, outcome=AttemptEnd.LOST)
        results.void(tx, MatchId("spring-0001"), game_index=0, reason=VoidReason.ADMIN, at=5.0)


@pytest.mark.parametrize("name", MEMBERS)
async def test_every_member_of_a_closed_set_is_there_from_the_start(client: httpx.AsyncClient, name: str) -> None:
    assert by_label(await scrape(client), name) == dict.fromkeys(MEMBERS[name], 0.0)


@pytest.mark.parametrize("name", BY)
async def test_the_totals_are_those_of_the_database(client: httpx.AsyncClient, store: Store, name: str) -> None:
    eventful(store)
    with store.reading() as tx:
        counted = {row[0]: row[1] for row in tx.exec_driver_sql(BY[name][1])}
    assert by_label(await scrape(client), name) == {one: counted.get(one, 0) for one in MEMBERS[name]}


async def test_games_and_backlog_are_those_of_the_database(client: httpx.AsyncClient, store: Store) -> None:
    eventful(store)
    samples = await scrape(client)
    assert by_label(samples, "arena_games_total") == {"played": 4.0, "forfeited": 2.0}
    assert samples["arena_queue_depth", ()] == 2.0
    assert samples["arena_queue_oldest_age_seconds", ()] > 1e9  # they wait since 1970


async def test_bots_and_answer_times_are_those_of_the_lobby(client: httpx.AsyncClient, lobby: Lobby) -> None:
    lobby.announce(Door("g", "h:1"), 60.0)
    lobby.show("g", [Present(name, "1", "g", 1, (2,), 1.0) for name in ("ada", "bob")], 60.0)
    answers = Answers()
    for seconds in (0.003, 0.3, 60.0):
        answers.note(seconds)
    lobby.tally(answers.taken())
    samples = await scrape(client)
    assert (samples["arena_gateways", ()], samples["arena_connected_bots", ()]) == (1.0, 2.0)
    assert samples["arena_answer_seconds_sum", ()] == pytest.approx(60.303)
    buckets = {float(label): value for label, value in by_label(samples, "arena_answer_seconds_bucket").items()}
    assert buckets == {limit: (limit >= 0.003) + (limit >= 0.3) for limit in BUCKETS} | {float("inf"): 3}


async def test_the_histogram_is_there_before_the_first_answer(client: httpx.AsyncClient) -> None:
    samples = await scrape(client)
    assert len(by_label(samples, "arena_answer_seconds_bucket")) == len(BUCKETS) + 1
    assert samples["arena_answer_seconds_count", ()] == 0.0


async def test_ratings_are_labelled_by_version_id_alone(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    with store.reading() as tx:
        versions = {one.version.id for one in bots.every_version(tx)}
    found = [dict(labels) for (name, labels) in await scrape(client) if name == "arena_rating_elo"]
    assert {one["version"] for one in found} == versions
    assert {one["board"] for one in found} == {"overall", "2"}


async def test_without_redis_the_database_part_is_served(store: Store, nowhere: Lobby) -> None:
    eventful(store)
    async with asking(Sources.of(store, nowhere, time.time)) as client:
        samples = await scrape(client)
    assert (samples["arena_redis_up", ()], samples["arena_database_up", ()]) == (0.0, 1.0)
    assert by_label(samples, "arena_matches_total")["finished"] == 3.0
    assert ("arena_connected_bots", ()) not in samples


async def test_without_a_database_the_lobby_part_is_served(gone: Store, lobby: Lobby) -> None:
    async with asking(Sources.of(gone, lobby, time.time)) as client:
        samples = await scrape(client)
    assert (samples["arena_redis_up", ()], samples["arena_database_up", ()]) == (1.0, 0.0)
    assert samples["arena_scrape_problems", ()] == 2.0


async def test_what_cannot_be_read_is_counted(client: httpx.AsyncClient, lobby: Lobby) -> None:
    lobby.announce(Door("g", "no address"), 60.0)
    assert (await scrape(client))["arena_scrape_problems", ()] == 1.0


async def test_a_scraper_of_open_metrics_gets_them(client: httpx.AsyncClient, store: Store) -> None:
    eventful(store)
    answer = await client.get("/metrics", headers={"Accept": "application/openmetrics-text; version=1.0.0"})
    families = open_families(answer.text)  # type: ignore[no-untyped-call]
    assert "arena_build" in {family.name for family in families}


async def test_names_keep_the_conventions(client: httpx.AsyncClient) -> None:
    families = list(text_string_to_metric_families((await client.get("/metrics")).text))
    samples = {(family.type, sample.name) for family in families for sample in family.samples}
    assert all(name.startswith("arena_") for _, name in samples)
    assert all((kind == "counter") == name.endswith("_total") for kind, name in samples)


async def test_promtool_finds_nothing(client: httpx.AsyncClient, store: Store) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool not installed")
    eventful(store)
    text = (await client.get("/metrics")).content
    assert checked(promtool, text) == (0, b"", b"")


async def test_no_name_of_a_bot_is_a_label(client: httpx.AsyncClient, store: Store) -> None:
    eventful(store)
    text = (await client.get("/metrics")).text
    assert all(f'"{bot}"' not in text for bot in map(BotId, arena.SPEC.bots))
