"""A page in the browser: what it shows, and what a player does."""

from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from web_pages import on_pages

# One browser for all pages, so one worker opens them all.
in_browser = partial(on_pages, group="pages")

# What is on the screen, once the computer has moved.
_SNAPSHOT = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => all(selector).map((element) => element.innerText.trim());
  return {
    status: text("#status, .status")[0] ?? "",
    message: text(".message").join("\\n"),
    log: text(".entries p"),
    controls: text(".play > .controls:not(.tools) button"),
    hands: text(".hand dd"),
    verdicts: text(".verdicts li"),
    summary: text("section[aria-labelledby=overview-title] p"),
    question: text("dialog[open] p").join(""),
    tiles: Object.fromEntries(all(".tile").map((tile) => [tile.dataset.number, {
      looks: [...tile.classList].slice(1), label: tile.ariaLabel, off: tile.ariaDisabled === "true",
    }])),
    focus: document.activeElement.dataset.number ?? document.activeElement.innerText ?? "",
  };
}"""


class Screen:
    """One page with a game, seen and driven as a player does."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        page.goto(file.as_uri())
        page.wait_for_selector("button.big")

    def begin(self, opponent: str = "human", first: str = "you") -> None:
        """Start a game against this opponent."""
        self.page.select_option("#opponent", opponent)
        if opponent != "human":
            self.page.check(f"input[value={first}]")
        self.page.click("button.big")
        self.wait()

    def play(self, *numbers: int) -> None:
        """Start a game of two people, and take these numbers."""
        self.begin()
        for number in numbers:
            self.take(number)

    def wait(self) -> None:
        """Wait until a person is to act, or the game is over."""
        self.page.wait_for_function(
            "() => { const status = document.querySelector('.status');"
            " return status && !status.innerText.includes('thinking'); }"
        )

    def see(self) -> dict[str, Any]:
        """Everything that is on the screen."""
        seen: dict[str, Any] = self.page.evaluate(_SNAPSHOT)
        return seen

    def take(self, number: int) -> None:
        """Click a number."""
        self.page.click(f'.tile[data-number="{number}"]', force=True)
        self.wait()

    def press(self, label: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=label, exact=True).click(force=True)
        self.wait()

    def free(self) -> list[int]:
        """The numbers that can be taken."""
        tiles = self.see()["tiles"].items()
        return [int(number) for number, tile in tiles if "free" in tile["looks"]]
