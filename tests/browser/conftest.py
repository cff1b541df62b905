"""A browser for each worker; without Chromium, these tests are skipped, but never in CI."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser.playing import Screen
from browser.windows import FILES, Windows, ignore
from playwright.sync_api import Browser, Page, sync_playwright
from processes import PATIENCE
from unit.web.server.live import live
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


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Windows:
    """Windows that the tests of a module use one after another."""
    return Windows(browser)


@pytest.fixture
def open_tab(windows: Windows) -> Iterator[Callable[..., Page]]:
    """Opens a tab of somebody new at a site; what goes wrong is noted."""
    with ExitStack() as stack:

        def open_tab(
            site: str = FILES, note: Callable[[str], None] = ignore, **options: Any
        ) -> Page:
            window = stack.enter_context(windows.open(site, **options))
            window.note = note
            return window.page

        yield open_tab


@pytest.fixture
def screen(open_tab: Callable[..., Page]) -> Iterator[Page]:
    """A tab; afterwards, nothing was requested and nothing went wrong."""
    trouble = list[str]()
    yield open_tab(note=trouble.append)
    assert trouble == []


@pytest.fixture
def file(tmp_path_factory: pytest.TempPathFactory, name: str, reading: str) -> Path:
    """The page of this book in this reading."""
    return page_of(tmp_path_factory, name, reading)


@pytest.fixture
def page(screen: Page, file: Path) -> Screen:
    """The page in a tab."""
    return Screen(screen, file)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server for all tests: every tab is somebody else."""
    with live(str(tmp_path_factory.mktemp("learn") / "games.sqlite")) as found:
        yield found


@pytest.fixture
def visit(open_tab: Callable[..., Page], port: int) -> Iterator[Callable[..., Page]]:
    """Opens a page of the site in a new tab; nothing may go wrong or come from elsewhere."""
    trouble = list[str]()

    def visit(path: str, **options: Any) -> Page:
        page = open_tab(f"http://127.0.0.1:{port}", trouble.append, **options)
        page.goto(path)
        return page

    yield visit
    assert [one for one in trouble if not re.search("status of (409|413)", one)] == []
