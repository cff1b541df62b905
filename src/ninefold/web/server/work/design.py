"""Rule books that somebody writes: what is wrong with a text, its rules in words, its audit."""

from typing import Any, Literal, NotRequired, TypedDict

from ninefold.books.check import as_data, examine_stranger, verdict
from ninefold.books.describe import pool_of, rules_of
from ninefold.books.faults import MAX_FAULTS, Fault, Place
from ninefold.solver import is_small
from ninefold.web.server.work.given import TEXT_NAME, BookSpec, load_spec
from ninefold.web.server.work.worker import Progress

MOST_SECONDS = 120.0
SECONDS = 60.0


class Checked(TypedDict):
    """What is wrong with a text; of many faults, the first ones and how many more there are."""

    valid: bool
    verdict: str
    faults: list[dict[str, Any]]
    warnings: list[dict[str, Any]]
    more: int
    book: dict[str, Any] | None


class Described(TypedDict):
    """A book that can be played; ``copy`` is what to keep of it, None if it is built in."""

    id: str
    title: str
    summary: str
    reading: str
    readings: dict[str, str]
    changes: list[str]
    rules: list[dict[str, Any]]
    pool: str
    sets: int  # that win or lose
    solved: bool  # whether every position is solved without a visible wait
    fingerprint: str
    copy: str | None


class Audited(TypedDict):
    """An audit in a few sentences, and the whole report in the form asked for."""

    title: str
    verdict: str
    false: bool
    summary: list[str]
    html: NotRequired[str]
    data: NotRequired[dict[str, Any]]


def check(text: str, progress: Progress = lambda _: None) -> Checked:  # noqa: ARG001
    """Every fault of a text with its line and column; raises NinefoldError if it is too long."""
    report = examine_stranger(text, TEXT_NAME)
    data = as_data(report)
    return {
        "valid": data["valid"],
        "verdict": verdict(report),
        "faults": _first(report.faults, data["faults"]),
        "warnings": _first(report.warnings, data["warnings"]),
        "more": sum(max(0, len(each) - MAX_FAULTS) for each in (report.faults, report.warnings)),
        "book": data["book"],
    }


def _first(faults: list[Fault], data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many as are shown, each with its message; its place is where the line is."""
    pairs = [*zip(faults, data, strict=True)][:MAX_FAULTS]
    return [{**one, "message": _message(fault)} for fault, one in pairs]


def _message(fault: Fault) -> str:
    elsewhere = fault.place.file if fault.place else ""
    return str(fault._replace(place=fault.place if elsewhere else Place("")))


def describe(book: BookSpec, progress: Progress = lambda _: None) -> Described:  # noqa: ARG001
    """The rules of a book in words, and what is needed to play it; raises NinefoldError."""
    found = load_spec(book)
    return {
        "id": found.id,
        "title": found.title,
        "summary": found.summary,
        "reading": found.reading,
        "readings": {name: reading.summary for name, reading in found.readings.items()},
        "changes": list(found.changes),
        "rules": [part._asdict() for part in rules_of(found)],
        "pool": pool_of(found.game),
        "sets": len(found.game.wins.sets) + len(found.game.losses.sets),
        "solved": is_small(found.game),
        "fingerprint": found.game.fingerprint,
        "copy": found.copy if found.file is not None else None,
    }


def audit_book(
    book: BookSpec,
    form: Literal["html", "data"] = "html",
    all_readings: bool = False,
    seconds: float = SECONDS,
    progress: Progress = lambda _: None,
) -> Audited:
    """The audit of a book; ``progress`` gets each step in words. Raises NinefoldError.

    Whatever is not reached in so many seconds is reported as not settled.
    """
    from ninefold.audit import audit
    from ninefold.audit.pages.data import as_data as report_data
    from ninefold.audit.pages.document import documents
    from ninefold.audit.pages.html import fragment

    def tell(stage: str) -> None:
        progress(f"{stage[:1].upper()}{stage[1:]} …")

    found = load_spec(book)
    report = audit(
        found,
        all_readings=all_readings,
        load=lambda reading: load_spec({**book, "reading": reading}),
        tell=tell,
        seconds=min(seconds, MOST_SECONDS),
    )
    audited: Audited = {
        "title": found.title,
        "verdict": report.summary,
        "false": report.is_false,
        "summary": [one for one in report.audits[0].summary() if one != report.summary],
    }
    if form == "data":
        return {**audited, "data": report_data(report)}
    return {**audited, "html": fragment(documents(report), report)}
