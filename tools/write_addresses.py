"""The table of addresses in docs/serve.md; ``python3 dev docs`` writes it from the routes."""

import re
from inspect import getdoc
from pathlib import Path

from ninefold.web.server.app import ROUTES
from ninefold.web.server.routes import Route

PAGE = Path(__file__).resolve().parents[1] / "docs" / "serve.md"
HEAD = "| request | |\n|---|---|\n"
# More fields than these are described on the page.
_MOST_FIELDS = 3


def written(page: str) -> str:
    """The page with the table as it must be."""
    before, _, after = page.partition(HEAD)
    return before + HEAD + "".join(map(row, ROUTES)) + re.sub(r"\A(\|.*\n)*", "", after)


def row(route: Route) -> str:
    """The line about an address: how to ask, and what the docstring promises."""
    summary = (getdoc(route.answer) or "").partition("\n")[0].removesuffix(".")
    path = re.sub(r"{\w+}", "ID", route.path)
    query = "&".join(f"{name}=…" for name in route.query)
    asked = f"{route.method} {path}{f'?{query}' if query else ''}{_body(route)}"
    return f"| `{asked}` | {summary[:1].lower()}{summary[1:]} |\n"


def _body(route: Route) -> str:
    if route.body is None:
        return ""
    names = [f'"{name}"' for name in route.body]
    return f" {{{', '.join(names) if len(names) <= _MOST_FIELDS else '…'}}}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
