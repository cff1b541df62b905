"""The addresses for designers: rule books are checked, saved, read, and audited."""

from functools import cache
from html import escape
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from ninefold import books
from ninefold.audit.pages.html import whole
from ninefold.books.new_file import Draft, format_book
from ninefold.books.sources import SUFFIX, read_source
from ninefold.core.errors import NinefoldError
from ninefold.web.server.audits import Wanted
from ninefold.web.server.book_store import StoredBook, id_of
from ninefold.web.server.database import public_message
from ninefold.web.server.design_fields import (
    AUDIT,
    BOOK,
    CHECKED,
    DESCRIBED,
    EXAMPLES,
    OWN_BOOKS,
    SAVED,
    TEXT,
    WANTED,
)
from ninefold.web.server.fields import read_field
from ninefold.web.server.routes import CONFLICT, ID, RULES, STATUS, WORK, Ask, Route
from ninefold.web.server.store import wall_time
from ninefold.web.server.view import Json
from ninefold.web.server.work.given import BookSpec

if TYPE_CHECKING:
    from ninefold.web.server.app import Server

# A long text counts as several: so many characters as one.
ONE_SAVE = 8_192
_SMALL = """\
title = "My Game"

[rules]
pool = "1-9"
wins.arithmetic.length = 3
"""


async def check_book(ask: Ask) -> Json:
    """What is wrong with the text of a rule book, with lines and columns."""
    return await _work(ask, "check", {"text": ask.given["text"]})


async def list_examples(_ask: Ask) -> Json:
    """Texts to begin with: a small game, one with every field, and the built-in games."""
    return {"examples": _examples()}


async def save_book(ask: Ask) -> Json:
    """Keep a rule book without errors; its id is the link to it."""
    who = await ask.visitor()
    given = ask.given["text"].removeprefix("\ufeff").replace("\r\n", "\n")
    ask.server.saves.require(ask.address, max(1, len(given) / ONE_SAVE))
    about = await _work(ask, "describe", {"book": {"text": given}})
    book = StoredBook(id_of(given), wall_time(), about["title"], given, about["copy"])
    await ask.server.store.books.add(who.who, book)
    return {"id": book.id, "title": book.title}


async def list_own_books(ask: Ask) -> Json:
    """The rule books that I have saved, the newest first."""
    who = await ask.identify()
    found = await ask.server.store.books.books_of(who.who) if who else []
    names = ("id", "title", "created")
    return {"books": [dict(zip(names, row, strict=True)) for row in found]}


async def show_book(ask: Ask) -> Json:
    """A rule book that is built in or was saved: its text, and its rules in words."""
    name, given = ask.given["book"], await _text_of(ask)
    changes = [one.strip() for one in (ask.given["changes"] or "").split(";") if one.strip()]
    spec = _spec(name, given, ask.given["reading"], changes)
    about = await _work(ask, "describe", {"book": spec})
    del about["copy"]
    return {"book": name, "built_in": name in books.names(), "text": given, "about": about}


async def drop_book(ask: Ask) -> Response:
    """Forget that I saved a rule book; games that are played by it go on."""
    who = await ask.identify()
    if who is not None:
        await ask.server.store.books.drop(who.who, ask.given["book"])
    return Response(status_code=204)


async def download_book(ask: Ask) -> Response:
    """The text of a rule book as a file."""
    given = await _text_of(ask)
    return PlainTextResponse(given, headers=_as_file(f"{ask.given['book']}{SUFFIX}"))


async def start_audit(ask: Ask) -> Json:
    """Begin an audit of a rule book, or share the one that somebody else has begun."""
    given, who = ask.given, await ask.visitor()
    spec = _spec(given["book"], await _text_of(ask), given["reading"], given["changes"])
    wanted = Wanted(given["book"], spec, given["all_readings"])
    return await ask.server.audits.start(wanted, who.who, ask.address)


async def show_audit(ask: Ask) -> Json:
    """How an audit stands, and what it found."""
    return await ask.server.audits.state(ask.given["audit"])


async def cancel_audit(ask: Ask) -> Response:
    """End an audit that nobody else waits for."""
    who = await ask.identify()
    if who is not None:
        ask.server.audits.cancel(ask.given["audit"], who.who)
    return Response(status_code=204)


async def download_audit(ask: Ask) -> Response:
    """The report of an audit as one file with everything inside."""
    found = await ask.server.audits.result(ask.given["audit"])
    name = f"{found['book']}-audit.html"
    return HTMLResponse(whole(found["title"], found["html"]), headers=_as_file(name))


async def show_report(server: "Server", request: Request) -> Response:
    """The report of an audit as a page."""
    root = server.site.root
    try:
        audit = read_field(ID, "audit", request.path_params["audit"])
        found = await server.audits.result(audit)
    except NinefoldError as error:
        body = f"<main><h1>No report</h1><p>{escape(public_message(error))}</p></main>"
        status = STATUS.get(error.code, CONFLICT)
        return HTMLResponse(_page(root, "No report", "/design", body), status)
    back = f"/book/{found['book']}"
    return HTMLResponse(_page(root, f"{found['title']}: an audit", back, found["html"]))


@cache
def _examples() -> list[Json]:
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}, "ending": []}
    every_field = format_book(Draft("My Game", rules), "my-game", "my-game.toml", None)
    return [
        {"id": "small", "title": "A small game", "text": _SMALL},
        {"id": "every-field", "title": "Every field, explained", "text": every_field},
        *(
            {"id": book.id, "title": book.title, "text": read_source(book.id).text}
            for book in books.load_all()
        ),
    ]


async def _work(ask: Ask, job: str, arguments: Json) -> Json:
    found: Json = await ask.server.games.workers.run(job, arguments, ask.address)
    return found


async def _text_of(ask: Ask) -> str:
    """The text of the book that is asked for; raises NinefoldError."""
    name = ask.given["book"]
    if name in books.names():
        return read_source(name).text
    return (await ask.server.store.books.open(name)).text


def _spec(name: str, given: str, reading: str | None, changes: list[str]) -> BookSpec:
    spec: BookSpec = {"reading": reading, "changes": changes}
    return {"game": name, **spec} if name in books.names() else {"text": given, **spec}


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _page(root: str, title: str, back: str, body: str) -> str:
    """A page in the style of reports, which needs nothing that the policy forbids."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)} · Ninefold</title>\n<link rel="icon" href="data:,">\n'
        f'<link rel="stylesheet" href="{root}audit/style.css">\n'
        f'<script defer src="{root}audit/steps.js"></script>\n</head>\n<body>\n'
        '<nav class="site" aria-label="Site"><ul><li>'
        f'<a href="{back}">Back to the rule book</a></li></ul></nav>\n'
        f"{body}</body>\n</html>\n"
    )


ROUTES = (
    Route("POST", "/api/books/check", check_book, CHECKED, TEXT, errors=(*WORK, "no-such-file")),
    Route("GET", "/api/books/examples", list_examples, EXAMPLES),
    Route("GET", "/api/books/mine", list_own_books, OWN_BOOKS),
    Route(
        "POST",
        "/api/books",
        save_book,
        SAVED,
        TEXT,
        errors=(*RULES, "no-such-file", "too-many-books", "books-full"),
        status=201,
    ),
    Route(
        "GET",
        "/api/books/{book}",
        show_book,
        BOOK,
        query=DESCRIBED,
        errors=RULES,
    ),
    Route("DELETE", "/api/books/{book}", drop_book, "", status=204),
    Route(
        "GET", "/api/books/{book}/file", download_book, "text/plain", errors=("no-such-book",)
    ),
    Route(
        "POST", "/api/audits", start_audit, AUDIT, WANTED, errors=RULES
    ),
    Route("GET", "/api/audits/{audit}", show_audit, AUDIT, errors=("no-such-audit", *RULES)),
    Route("DELETE", "/api/audits/{audit}", cancel_audit, "", status=204),
    Route(
        "GET", "/api/audits/{audit}/file", download_audit, "text/html", errors=("no-such-audit",)
    ),
)  # fmt: skip
