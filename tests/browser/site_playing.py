"""The site in a browser: what its pages show, and what a player does."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from browser.windows import Window, Windows
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooLate

# What is on the screen of a game or its review.
_SNAPSHOT = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => all(selector).map((element) => element.innerText.trim());
  const can = (button) => button.ariaDisabled !== "true";
  return {
    status: text(".status")[0] ?? "",
    message: text(".message p").join("\\n"),
    asked: text(".asked p").join("\\n"),
    log: text(".entries p"),
    controls: text(".play > .controls:not(.tools) button"),
    tools: all(".tools button, .tools a").filter(can).map((one) => one.innerText.trim()),
    names: text(".hand dt bdi"),
    hands: text(".hand dd:not(.clock)"),
    scores: text(".score"),
    question: text("dialog[open] p").join(""),
    connection: text(".connection").join(""),
    free: all(".tile.free").map((tile) => +tile.dataset.number),
    owned: [1, 2].map((seat) => all(`.tile.seat${seat}`).map((tile) => +tile.dataset.number)),
    lit: all(".tile.lit").map((tile) => +tile.dataset.number),
    chosen: all(".tile.chosen").map((tile) => +tile.dataset.number),
    focus: document.activeElement.dataset.number ?? document.activeElement.innerText ?? "",
  };
}"""
_SHOWS = f"""(wanted) => {{
  const seen = ({_SNAPSHOT})();
  const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
  return Object.keys(wanted).every((name) => same(seen[name], wanted[name]));
}}"""

# How often to look, in milliseconds: each look costs something.
_POLLING = 50


class Person:
    """Somebody with a browser of their own, which may have several tabs."""

    def __init__(self, window: Window) -> None:
        self.window, self.context = window, window.context
        self.trouble: list[str] = []
        window.note = self.trouble.append
        self.tab = Tab(window.page)

    def open_tab(self) -> "Tab":
        """Another tab, in which nothing may go wrong."""
        return Tab(self.window.open_page())

    def ask(self, method: str, path: str, **data: object) -> Any:
        """The JSON in answer to a request that this person makes without looking at it."""
        if method == "GET":
            return self.context.request.get(path).json()
        return self.context.request.post(path, data=data).json()

    def begin(self, game: str, **more: object) -> str:
        """Begin a game; its id."""
        return str(self.ask("POST", "/api/games", game=game, **more)["id"])


class Tab:
    """One page, seen and driven as a player does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, path: str, selector: str = ".status") -> None:
        """Go to a page, and wait until it shows something."""
        self.page.goto(path)
        self.page.wait_for_selector(selector)

    def see(self) -> dict[str, Any]:
        """Everything that is on the screen."""
        seen: dict[str, Any] = self.page.evaluate(_SNAPSHOT)
        return seen

    def expect(self, **wanted: object) -> None:
        """Wait until this is on the screen."""
        try:
            self.page.wait_for_function(_SHOWS, arg=wanted, polling=_POLLING)
        except TooLate:
            seen = self.see()
            assert {name: seen[name] for name in wanted} == wanted

    def wait_for(self, selector: str) -> None:
        """Wait until something is there."""
        self.page.wait_for_selector(selector)

    def take(self, number: int) -> None:
        """Click a number."""
        self.page.click(f'.tile[data-number="{number}"]', force=True)

    def press(self, label: str) -> None:
        """Click a button."""
        self.page.get_by_role("button", name=label, exact=True).click(force=True)

    def type(self, text: str) -> None:
        """Type into the field for a number."""
        self.page.fill("#number", text)
        self.page.press("#number", "Enter")


@contextmanager
def people(
    windows: Windows, site: str, *names: str, **options: Any
) -> Iterator[tuple[Person, ...]]:
    """People with these names; afterwards, nothing went wrong for any of them."""
    with ExitStack() as stack:
        opened = [stack.enter_context(windows.open(site, **options)) for _ in names]
        found = tuple(map(Person, opened))
        for person, name in zip(found, names, strict=True):
            person.ask("POST", "/api/me", name=name)
        yield found
        for person, name in zip(found, names, strict=True):
            assert (name, person.trouble) == (name, [])


def sit_down(one: Person, two: Person, game: str, **more: object) -> str:
    """Let the first begin a game and the second join it; both look at it. Its id."""
    begun = one.begin(game, **more)
    two.ask("POST", f"/api/games/{begun}/join")
    for person in (one, two):
        person.tab.open(f"/game/{begun}", ".board")
    return begun


def take_turns(tabs: tuple[Tab, Tab], *numbers: int, first: int = 1) -> None:
    """Let both players take numbers in turn, each once it is their turn, until all are theirs."""
    for at, number in enumerate(numbers):
        tab = tabs[(first - 1 + at) % 2]
        tab.expect(status="Your turn")
        tab.take(number)
        tab.wait_for(f'.tile:is(.seat1, .seat2)[data-number="{number}"]')
