"""A browser for each worker; without Chromium, these tests are skipped, but never in CI."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.playing import Screen
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from processes import PATIENCE
from web_pages import page_of

pytest.register_assert_rewrite("browser.site_playing")
HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs a browser, so none is part of the quick run."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The program of the system's Chromium."""
    if CHROMIUM is None:
        missing = "Chromium is not installed (Debian: apt install chromium)."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return CHROMIUM


@pytest.fixture(scope="module")  # Playwright has an event loop, which other tests cannot have, too
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium as the system has it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a tab without animations that waits as long as a busy machine needs."""
    contexts = list[BrowserContext]()

    def open_tab(**options: Any) -> Page:
        contexts.append(browser.new_context(reduced_motion="reduce", **options))
        contexts[-1].set_default_timeout(1000 * PATIENCE)
        return contexts[-1].new_page()

    yield open_tab
    for context in contexts:
        context.close()


@pytest.fixture
def screen(open_tab: Callable[..., Page]) -> Iterator[Page]:
    """A tab; afterwards, nothing was requested and nothing went wrong."""
    page, trouble = open_tab(), list[str]()
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda request: _note_request(request.url, trouble))
    yield page
    assert trouble == []


@pytest.fixture
def file(tmp_path_factory: pytest.TempPathFactory, name: str, reading: str) -> Path:
    """The page of this book in this reading."""
    return page_of(tmp_path_factory, name, reading)


@pytest.fixture
def page(screen: Page, file: Path) -> Screen:
    """The page in a tab."""
    return Screen(screen, file)


def _note_request(url: str, trouble: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        trouble.append(f"requested {url}")
