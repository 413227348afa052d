"""The pages in a real browser: quiet on the console, fresh by themselves, usable by keyboard and when zoomed."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from arena.store import bots
from arena.store.engine import Store
from arena.store.ids import BotId
from tests.web import arena
from tests.web.conftest import Web

pytestmark = pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
LONG = 30_000  # milliseconds
PATHS = ("", "?board=2", "tournaments", "tournaments/spring")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium not installed")
        pytest.skip("Chromium not installed")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab as wide as a screen of 1280 at 200 % zoom."""
    page = browser.new_page(viewport={"width": 640, "height": 480})
    yield page
    page.close()


def complaints(page: Page) -> list[str]:
    """What the page will have said on the console, thrown or failed to load by the end of the test."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text))
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("requestfailed", lambda request: found.append(request.url))
    return found


def addresses(page: Page) -> list[str]:
    """What the page will have asked for by the end of the test."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url))
    return found


def test_every_page_loads_without_complaint_and_fits(page: Page, web: Web, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    found = complaints(page)
    for path in PATHS:
        page.goto(web.address + path, wait_until="networkidle")
        assert len(page.screenshot(full_page=True)) > 5000
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert found == []


def test_a_page_loads_nothing_from_elsewhere(page: Page, web: Web) -> None:
    asked = addresses(page)
    page.goto(web.address, wait_until="networkidle")
    assert all(address.startswith(web.address) for address in asked)


def test_a_new_result_shows_by_itself(page: Page, web: Web, store: Store) -> None:
    page.goto(web.address)
    assert page.get_by_text("No rated games yet.").is_visible()
    arena.opened(store)
    arena.played(store)
    page.get_by_role("rowheader", name="ada").wait_for(timeout=LONG)


def test_what_did_not_change_stays_in_place_with_the_focus(page: Page, web: Web, store: Store) -> None:
    arena.opened(store)
    page.goto(f"{web.address}tournaments")
    page.get_by_role("link", name="spring").focus()
    page.evaluate("document.activeElement.known = true")
    arena.played(store)
    page.get_by_text("12 of 12").first.wait_for(timeout=LONG)
    assert page.evaluate("document.activeElement.known")


def test_paused_it_stays_as_it_is(page: Page, web: Web, store: Store) -> None:
    page.goto(web.address)
    page.get_by_role("button", name="Pause").click()
    asked = addresses(page)
    page.wait_for_timeout(4000)
    assert asked == []


def test_an_arena_that_is_gone_is_said_and_the_last_word_kept(page: Page, web: Web, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    page.goto(web.address)
    web.process.kill()
    page.get_by_text("The arena does not answer").wait_for(timeout=LONG)
    assert page.get_by_role("rowheader", name="ada").is_visible()


def test_without_javascript_the_page_is_whole(browser: Browser, web: Web, store: Store) -> None:
    arena.opened(store)
    arena.played(store)
    page = browser.new_page(java_script_enabled=False)
    page.goto(web.address)
    assert page.get_by_role("rowheader", name="ada").is_visible()
    assert page.locator("noscript").is_visible()
    page.close()


def test_the_keyboard_reaches_the_boards(page: Page, web: Web) -> None:
    page.goto(web.address)
    reached = []
    for _ in range(10):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent.trim()"))
    assert reached[0] == "Skip to content"
    assert "5 seats" in reached


def test_a_hostile_label_runs_nothing(page: Page, web: Web, store: Store) -> None:
    arena.opened(store)
    with store.writing() as tx:
        bots.version(tx, BotId("ada"), label="<img src=x onerror=alert(1)>", declared=True, at=9.0)
    arena.played(store)
    found = complaints(page)
    page.goto(web.address, wait_until="networkidle")
    assert page.get_by_text("<img src=x onerror=alert(1)>").is_visible()
    assert found == []
