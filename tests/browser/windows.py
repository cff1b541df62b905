"""Windows of a browser that are emptied and used again: a new one takes two seconds of work."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from processes import PATIENCE

FILES = "file://"
VIEWPORT: ViewportSize = {"width": 1280, "height": 720}


def ignore(_: str) -> None:
    """Let nobody know."""


class Window:
    """The browser of one person: a page, other tabs, and somebody to tell what goes wrong."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.context, self._site = context, site
        self.note: Callable[[str], None] = ignore
        self.page = self.open_page()
        self._storage = context.new_cdp_session(self.page)

    def open_page(self) -> Page:
        """Another tab, in which nothing goes wrong or comes from elsewhere unnoticed."""
        page = self.context.new_page()
        page.on("console", lambda message: self.note(message.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: self._note_request(request.url))
        return page

    def _note_request(self, url: str) -> None:
        if not url.startswith((self._site, "data:")):
            self.note(f"requested {url}")

    def empty(self) -> None:
        """Forget whoever used it: other tabs, what is shown, and everything that is stored."""
        self.note = ignore
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.context.set_offline(False)
        self.page.goto("about:blank")
        everything = {"origin": self._site, "storageTypes": "all"}
        self._storage.send("Storage.clearDataForOrigin", everything)
        self.context.clear_cookies()
        self.context.clear_permissions()


class Windows:
    """The windows of one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._idle = defaultdict[Hashable, list[Window]](list)

    @contextmanager
    def open(
        self,
        site: str = FILES,
        viewport: ViewportSize = VIEWPORT,
        color_scheme: Literal["light", "dark"] = "light",
        **options: Any,
    ) -> Iterator[Window]:
        """A window for a site, without animations, that waits as long as a busy machine needs.

        Whoever leaves in it what cannot be removed closes its context.
        """
        idle = self._idle[site, *sorted(options.items())]
        window = idle.pop() if idle else self._make(site, options)
        page = window.page
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion="reduce")
        page.mouse.move(0, 0)
        yield window
        if not page.is_closed():
            window.empty()
            idle.append(window)

    def _make(self, site: str, options: dict[str, Any]) -> Window:
        context = self._browser.new_context(base_url=site, **options)
        context.set_default_timeout(1000 * PATIENCE)
        return Window(context, site)
