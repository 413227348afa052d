"""The pages say what is on record, in words, and let nothing in that is not ours."""

import re
import time
from dataclasses import replace

import httpx
import pytest

from arena.contest.referee import Reason
from arena.desk import tournaments
from arena.desk.tournaments import Progress, Spec
from arena.lobby.presence import Door, Lobby, Present
from arena.store import bots
from arena.store.engine import Store
from arena.store.ids import BotId
from arena.store.kinds import TournamentState
from arena.web.cached import Cached
from arena.web.sources import Sources
from tests.web import arena
from tests.web.conftest import asking

HOSTILE = "<script>alert('x')</script>\"&"
PAGES = ["/", "/?board=2", "/?board=5", "/tournaments", "/tournaments/spring"]


def plain(answer: httpx.Response) -> str:
    """The page as a reader meets it: without tags, spaces made one."""
    return " ".join(re.sub(r"<[^>]*>", " ", answer.text).split())


async def test_an_empty_arena_says_what_to_do_next(client: httpx.AsyncClient) -> None:
    assert "arena connect FILE.py" in plain(await client.get("/"))


async def test_the_leaderboard_shows_every_bot(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    page = plain(await client.get("/"))
    assert all(f"{bot} 1" in page for bot in arena.SPEC.bots)


async def test_a_board_that_nobody_played_says_so(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    assert "No rated games at 5 seats yet." in plain(await client.get("/?board=5"))


async def test_few_games_are_called_provisional(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store, most=2)
    assert "provisional" in plain(await client.get("/")).partition("How to read this")[0]


async def test_who_only_won_is_called_unbounded(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store, style=arena.Style(upset=0))
    assert "unbounded" in plain(await client.get("/")).partition("How to read this")[0]


async def test_bots_that_never_met_are_not_compared(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.opened(store, Spec("other", ("dot", "eve")))
    arena.played(store)
    arena.played(store, Spec("other", ("dot", "eve")))
    page = await client.get("/")
    assert "Not comparable yet." in page.text
    assert page.text.count("<table") == 2


async def test_a_hostile_version_label_is_only_text(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    with store.writing() as tx:
        bots.version(tx, BotId("ada"), label=HOSTILE, declared=True, at=9.0)
    arena.played(store)
    for path in PAGES:
        page = (await client.get(path)).text
        assert "alert" not in page.replace("&lt;script&gt;alert", "")


async def test_the_page_has_no_script_or_style_of_its_own(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    for path in PAGES:
        page = (await client.get(path)).text
        assert not re.search(r"<style|\sstyle=|<script(?! src=)|\son\w+=|https?:", page), path


@pytest.mark.parametrize("path", ["/", "/nowhere", "/metrics", "/static/arena.css", "/api/leaderboard"])
async def test_every_answer_keeps_the_browser_to_us(client: httpx.AsyncClient, path: str) -> None:
    policy = (await client.get(path)).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'; ")


async def test_an_unchanged_page_is_not_sent_again(client: httpx.AsyncClient) -> None:
    first = await client.get("/tournaments")
    again = await client.get("/tournaments", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_the_api_gives_plain_rows_overall_first(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store, style=arena.Style(Reason.TIME))
    found = (await client.get("/api/leaderboard")).json()
    assert list(found) == ["boards"]
    assert list(found["boards"]) == ["overall", "2"]
    assert list(found["boards"]["2"][0]) == ["bot", "version", "elo", "low", "high", "games", "forfeits"]


async def test_the_api_of_an_empty_arena_has_an_empty_board(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/leaderboard")).json() == {"boards": {"overall": []}}


async def test_the_api_and_the_page_agree(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    top = (await client.get("/api/leaderboard")).json()["boards"]["overall"][0]
    assert f"{top['bot']} {top['version']}" in plain(await client.get("/"))
    assert f"{round(top['elo']):,}" in plain(await client.get("/"))


async def test_tournaments_are_listed_with_their_progress(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store, most=1)
    assert "spring running 2 of 12" in plain(await client.get("/tournaments"))


async def test_a_tournament_shows_progress_and_standings(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    arena.played(store, style=arena.Style(Reason.CRASH))
    page = plain(await client.get("/tournaments/spring"))
    assert "12 of 12 games, 6 of 6 matches" in page
    assert re.search(r"1 ada 1 [\d.]+ % 8 ", page)


async def test_a_tournament_names_who_is_not_connected(client: httpx.AsyncClient, store: Store, lobby: Lobby) -> None:
    arena.opened(store)
    lobby.announce(Door("g", "h:1"), 60.0)
    lobby.show("g", [Present("ada", "1", "g", 1, (2,), 1.0)], 60.0)
    assert "Not connected: bob, cid." in plain(await client.get("/tournaments/spring"))


async def test_a_tournament_that_is_over_misses_nobody(client: httpx.AsyncClient, store: Store) -> None:
    arena.opened(store)
    tournaments.set_state(store, "spring", TournamentState.CANCELLED, at=3.0)
    assert "Not connected" not in plain(await client.get("/tournaments/spring"))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nowhere", "There is no page /nowhere."),
        ("/?board=6", "no board &#39;6&#39;; there are: overall, 2, 3, 4, 5"),
        ("/tournaments/%3Cb%3E", "no tournament &#39;&lt;b&gt;&#39;; there is: none yet"),
        ("/static/nothing.css", "There is no page /static/nothing.css."),
    ],
)
async def test_what_is_not_there_is_said_in_words(client: httpx.AsyncClient, path: str, words: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404
    assert words in answer.text


async def test_a_wrong_method_is_refused_in_words(client: httpx.AsyncClient) -> None:
    answer = await client.post("/")
    assert (answer.status_code, "cannot be asked" in answer.text) == (405, True)


async def test_health_names_database_and_redis(client: httpx.AsyncClient) -> None:
    assert (await client.get("/healthz")).json() == {"status": "ok", "database": "up", "redis": "up"}


async def test_without_redis_the_pages_go_on(store: Store, nowhere: Lobby) -> None:
    arena.opened(store)
    async with asking(Sources.of(store, nowhere, time.time)) as client:
        assert (await client.get("/healthz")).json()["redis"] == "down"
        assert "not known: Redis does not answer" in plain(await client.get("/"))
        assert "Who is connected is not known" in plain(await client.get("/tournaments/spring"))


@pytest.mark.parametrize("path", ["/", "/tournaments", "/tournaments/x", "/api/leaderboard", "/healthz"])
async def test_a_database_that_is_away_is_said_in_words(path: str, gone: Store, lobby: Lobby) -> None:
    async with asking(Sources.of(gone, lobby, time.time)) as client:
        answer = await client.get(path)
    assert (answer.status_code, "nothing of this transaction was kept" in answer.text) == (503, True)


async def test_a_crash_shows_no_inner_words_but_keeps_the_headers(store: Store, lobby: Lobby) -> None:
    def crash() -> tuple[Progress, ...]:
        raise RuntimeError("inner words")

    sources = replace(Sources.of(store, lobby, time.time), tournaments=Cached(crash, 0.0))
    async with asking(sources) as client:
        answer = await client.get("/tournaments")
    assert (answer.status_code, "inner words" in answer.text) == (500, False)
    assert "Content-Security-Policy" in answer.headers
