"""The pages of the site: a frame that loads the script of each page, and the files of the front."""

from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

FRONT = files("ninefold.web") / "front"
AUDIT = files("ninefold.pages")
_TYPES = {".js": "text/javascript", ".css": "text/css"}


class SitePage(NamedTuple):
    """A page: its title, the script that fills it, and its own style sheet, if it has one."""

    title: str
    script: str
    style: str = ""


PAGES = {
    "/": SitePage("Play", "site/home.js"),
    "/game/{game}": SitePage("Game", "site/game_page.js"),
    "/game/{game}/review": SitePage("Review", "site/review_page.js"),
    "/learn": SitePage("Learn", "site/learn.js"),
    "/learn/analysis": SitePage("Analysis", "site/analysis.js"),
    "/design": SitePage("Design", "site/design.js", "site/design.css"),
    "/book/{book}": SitePage("Rule book", "site/book.js", "site/design.css"),
    "/account": SitePage("Account", "site/account.js"),
}
_MISSING = SitePage("Not found", "site/missing.js")
# A square of nine, as a picture in the tab.
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect width='16' height='16' rx='3' fill='%231b4fa0'/%3E%3Cpath fill='%23fff' "
    "d='M3 3h2v2H3zm4 0h2v2H7zm4 0h2v2h-2zM3 7h2v2H3zm8 0h2v2h-2z"
    "M3 11h2v2H3zm4 0h2v2H7zm4 0h2v2h-2z'/%3E"
    "%3Cpath fill='%23f2c84b' d='M7 7h2v2H7z'/%3E%3C/svg%3E"
)


def _named(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _named(item, f"{prefix}{item.name}/")
        else:
            yield prefix + item.name, item.read_bytes()


class Site:
    """The pages and files, read once. Each version has addresses of its own, kept for ever."""

    def __init__(self) -> None:
        self._files = dict(_named(FRONT)) | {
            f"audit/{name}": (AUDIT / name).read_bytes() for name in ("style.css", "steps.js")
        }
        digest = sha256()
        for name, content in self._files.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        self.root = f"/static/{digest.hexdigest()[:16]}/"
        self.routes = [
            Route(path, self._page(page), methods=["GET"])
            for path, page in PAGES.items()
            if page.script in self._files
        ]
        self._missing = self._text(_MISSING)
        self.routes.append(Route("/static/{version}/{name:path}", self._file, methods=["GET"]))

    def missing(self) -> Response:
        """The page of an address that has none."""
        return HTMLResponse(self._missing, 404, headers={"Cache-Control": "no-cache"})

    def _text(self, page: SitePage) -> str:
        title, root = escape(page.title), self.root
        sheets = filter(None, ("style.css", "site/site.css", page.style))
        styles = "".join(f'<link rel="stylesheet" href="{root}{name}">\n' for name in sheets)
        return (
            '<!DOCTYPE html>\n<html lang="en" data-theme="auto">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title} · Ninefold</title>\n"
            f'<link rel="icon" href="{_ICON}">\n'
            f"{styles}"
            f'<script type="module" src="{root}{page.script}"></script>\n</head>\n<body>\n'
            '<div id="app"><noscript>Ninefold needs JavaScript to play.</noscript></div>\n'
            "</body>\n</html>\n"
        )

    def _page(self, page: SitePage) -> Callable[[Request], Awaitable[Response]]:
        text = self._text(page)

        async def show(_request: Request) -> Response:
            return HTMLResponse(text, headers={"Cache-Control": "no-cache"})

        return show

    async def _file(self, request: Request) -> Response:
        """A file of the front end; one of another version is not kept."""
        name = request.path_params["name"]
        content = self._files.get(name)
        if content is None:
            raise HTTPException(404, "There is no such file.")
        kind = _TYPES.get(name[name.rfind(".") :], "text/plain")
        is_current = request.url.path.startswith(self.root)
        kept = "public, max-age=31536000, immutable" if is_current else "no-store"
        return Response(content, media_type=kind, headers={"Cache-Control": kept})
