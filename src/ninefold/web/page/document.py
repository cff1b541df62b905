"""One HTML file that plays a game: style, script and table inside, and nothing loaded."""

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html import escape
from importlib.resources import files
from posixpath import join, normpath

from ninefold.books import Book
from ninefold.solver.graph import no_garbage
from ninefold.web.page.about import about
from ninefold.web.page.states import States
from ninefold.web.page.table import encode

FRONT = files("ninefold.web") / "front"
ENTRY = "page.js"
VENDOR = "vendor"
LICENCES = ("LICENSE-htm", "LICENSE-preact")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.M)
_EXPORT_LIST = re.compile(r"export\s*\{([^}]*)\};?\s*$")


def page(book: Book, tell: Callable[[str], None] = lambda _: None) -> str:
    """The page that plays this book in its reading; raises NinefoldError if it is too large."""
    with no_garbage():
        states = States(book, tell)
        header = about(states, tell)  # it adds texts, so it comes first
        table = b64encode(encode(states, header)).decode()
    style, script = read("style.css"), join_modules(ENTRY)
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="auto">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(book.title)}</title>\n"
        '<link rel="icon" href="data:,">\n'
        f"<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="app"><noscript>{escape(book.title)}: this page needs JavaScript to play.'
        "</noscript></div>\n"
        f'<script id="table" type="application/octet-stream">{table}</script>\n'
        f"<script>{script}</script>\n{_licences()}</body>\n</html>\n"
    )


def read(name: str) -> str:
    """A file of the front end."""
    return (FRONT / name).read_text("utf-8")


def digest(text: str) -> str:
    """How a policy names the only text that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def join_modules(entry: str) -> str:
    """One script of a module and all that it imports, each in a function of its own."""
    joined = list[str]()
    _add_module(entry, {}, joined)
    return '"use strict";\n' + "".join(joined)


def _add_module(path: str, names: dict[str, str], joined: list[str]) -> str:
    """Add a module after those it imports, unless it is there; the name of its exports."""
    if path in names:
        return names[path]
    source, imported = read(path), ""
    for wanted, other in _IMPORT.findall(source):
        name = _add_module(normpath(join(path, "..", other)), names, joined)
        imported += f"const {{{wanted}}} = {name};\n"
    body, exported = _IMPORT.sub("", source), [name for _, name in _EXPORT.findall(source)]
    if found := _EXPORT_LIST.search(body):
        pairs = (item.split(" as ") for item in found[1].split(","))
        exported += [f"{public.strip()}: {own.strip()}" for own, public in pairs]
        body = body[: found.start()]
    body = _EXPORT.sub(r"\1 \2", body)
    name = names[path] = f"module{len(names)}"
    joined.append(
        f"const {name} = (() => {{\n{imported}{body}\nreturn {{{', '.join(exported)}}};\n}})();\n"
    )
    return name


def _licences() -> str:
    """The licences of what the script contains and others wrote, which travel with it."""
    texts = "\n".join(read(f"{VENDOR}/{name}") for name in LICENCES)
    said = "The script contains htm 3.1.1 and Preact 10, under these licences:"
    return f"<!--\n{said}\n\n{texts.replace('--', '- -')}\n-->\n"
