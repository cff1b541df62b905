"""A browser for each worker; without Chromium, these tests are skipped, but never in CI."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs a browser, so none is part of the quick run."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium as the system has it."""
    if CHROMIUM is None:
        missing = "Chromium is not installed (Debian: apt install chromium)."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def screen(browser: Browser) -> Iterator[Page]:
    """A tab without animations; afterwards, nothing was requested and nothing went wrong."""
    context = browser.new_context(reduced_motion="reduce")
    page, trouble = context.new_page(), list[str]()
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("request", lambda request: _note_request(request.url, trouble))
    yield page
    context.close()
    assert trouble == []


def _note_request(url: str, trouble: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        trouble.append(f"requested {url}")
