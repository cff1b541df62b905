"""The document as one HTML file with everything inside: no script, no network."""

from functools import cache
from html import escape
from pathlib import Path

from ninefold.audit.fairness import PAIRINGS, chances_words, pairings
from ninefold.audit.figures.sample import wilson
from ninefold.audit.finding import Evidence, OpeningFinding, Shown
from ninefold.audit.pages.document import Document, Item, Section, Table
from ninefold.audit.pages.drawing import bar, declared, number_line, stacked
from ninefold.audit.report import Audit, Report
from ninefold.audit.words import name_of, outcome_words, percent

_KEY = (
    "In the drawings, squares above the line are Player 1's numbers, circles below it Player 2's; "
    "the figure inside tells which move it was, and a heavy outline marks the set that decides."
)


def html(documents: list[Document], report: Report) -> str:
    """The report as a page of its own."""
    book = report.audits[0].book
    body = "".join(_document(document, at, len(documents)) for at, document in enumerate(documents))
    title = escape(f"{book.title}: an audit")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1><p>{escape(book.summary)}</p>{_verdict(report)}"
        f'{_contents(documents)}<p class="key">{_KEY}</p></header>\n<main>\n{body}</main>\n'
        '<footer><p>Made with <code>ninefold audit</code>. "Without a mistake" means '
        "that nobody gives away a win or a draw that was there; a perfect player wins as soon as "
        "it can and otherwise keeps what it has; a random player makes any move but losing its "
        "turn, and declares when it is asked and holds a set.</p>"
        "</footer>\n</body>\n</html>\n"
    )


@cache
def _style() -> str:
    return Path(__file__).with_name("style.css").read_text("utf-8")


def _verdict(report: Report) -> str:
    claims = sum(audit.false_claims for audit in report.audits)
    examples = sum(audit.false_examples for audit in report.audits)
    if not claims and not examples:
        return '<p class="verdict">Nothing in the book was found to be false.</p>'
    return (
        f'<p class="verdict">False: {claims} of its claims, {examples} of its examples'
        f"{' (each reading counted)' if len(report.audits) > 1 else ''}.</p>"
    )


def _contents(documents: list[Document]) -> str:
    """Links to the sections, or to the readings where there are several."""
    if sum(document.audit is not None for document in documents) > 1:
        links = [
            (f"reading-{at}", f"Reading: {document.audit.book.reading}")
            if document.audit
            else (_anchor(at, document.sections[0], len(documents)), document.title)
            for at, document in enumerate(documents)
        ]
    else:
        links = [
            (_anchor(at, section, len(documents)), section.title or document.title)
            for at, document in enumerate(documents)
            for section in document.sections
        ]
    items = "".join(f'<li><a href="#{anchor}">{escape(name)}</a></li>' for anchor, name in links)
    return f'<nav aria-label="Contents"><ul>{items}</ul></nav>'


def _anchor(at: int, section: Section, count: int) -> str:
    return section.key if count == 1 else f"{section.key}-{at + 1}"


def _document(document: Document, at: int, count: int) -> str:
    parts = []
    level = 2
    if count > 1 and document.audit is not None:
        level = 3
        name = escape(document.audit.book.reading)
        parts.append(f'<h2 class="reading" id="reading-{at}">Reading: {name}</h2>')
    parts += [f'<p class="lead">{escape(line)}</p>' for line in document.summary]
    for section in document.sections:
        head, anchor = escape(section.title or document.title), _anchor(at, section, count)
        parts.append(
            f'<section aria-labelledby="{anchor}"><h{level} class="part" id="{anchor}">{head}'
            f"</h{level}>{_body(section, document.audit, level + 1)}</section>\n"
        )
    return "".join(parts)


def _body(section: Section, audit: Audit | None, level: int) -> str:
    if section.key == "openings" and audit is not None:
        return _openings(audit, section)
    parts, lines = [], section.lines
    if section.key == "fairness" and audit is not None:
        parts.append(_fairness(audit, level))
        # The pairings are in the picture, with the same words.
        lines = tuple(line for line in lines if not line.text.startswith(PAIRINGS))
    if lines:
        items = "".join(f"<li>{escape(line.text)}</li>" for line in lines)
        parts.append(f'<ul class="lines">{items}</ul>')
    parts += [_item(item, level) for item in section.items]
    if section.table is not None:
        parts.append(_table(section.table))
    return "".join(parts)


def _item(item: Item, level: int) -> str:
    mark = escape(item.mark[:1].upper() + item.mark[1:])
    lines = "".join(map(_line, item.lines))
    return (
        f'<article class="item {item.status}"><h{level}><span class="mark">{mark}</span>'
        f"{escape(item.head)}</h{level}>{lines}</article>\n"
    )


def _line(line: Evidence) -> str:
    text = f"<p>{escape(line.text)}</p>"
    if line.shown is None or not line.shown.moves:
        return text
    return text + _figure(line.shown)


def _figure(shown: Shown) -> str:
    said = declared(shown)
    caption = f"{shown.line}: {outcome_words(shown.position)}"
    if said:
        caption += f", declared as {said}"
    return f"<figure>{number_line(shown)}<figcaption>{escape(caption)}.</figcaption></figure>"


def _openings(audit: Audit, section: Section) -> str:
    """The chart of openings: what each is worth, and the first player's share by chance."""
    words = {"win": "wins", "loss": "loses", "draw": "draws", "unknown": "not settled"}
    rows = []
    for opening in audit.openings:
        plies = "" if opening.plies is None or opening.result == "draw" else f" in {opening.plies}"
        chance = "" if opening.share is None else f", {_share(opening)}"
        rows.append(
            '<div role="listitem" class="row">'
            f'<span class="num">{escape(name_of(opening.move))}</span>'
            f"{bar(opening.share or 0.0, opening.result)}"
            f'<span class="say">{words[opening.result]}{plies}{chance}</span></div>'
        )
    lines = "".join(f"<p>{escape(line.text)}</p>" for line in section.lines)
    key = "The bar is that share, the mark in it one half."
    if not audit.figures.exact:
        key += " The shares are estimates, in brackets their 95% intervals."
    return f'{lines}<p class="key">{key}</p><div class="chart" role="list">{"".join(rows)}</div>'


def _share(opening: OpeningFinding) -> str:
    """The share by chance, in brackets the interval of an estimate."""
    assert opening.share is not None
    if not opening.trials:
        return percent(opening.share)
    low, high = wilson(opening.share, opening.trials)
    return f"{100 * opening.share:.0f}% ({100 * low:.0f} to {100 * high:.0f})"


def _fairness(audit: Audit, level: int) -> str:
    """The picture of fairness: how each pairing of players comes out."""
    legend = (
        '<p class="legend"><span><i class="i1"></i>left: the first player wins</span>'
        '<span><i class="i3"></i>middle: drawn</span>'
        '<span><i class="i2"></i>right: the second player wins</span></p>'
    )
    pairs = "".join(
        f'<div class="pair"><h{level}>{escape(name)}</h{level}>{stacked(chances)}'
        f"<p>{escape(chances_words(chances))}</p></div>"
        for name, chances in pairings(audit)
    )
    return legend + pairs


def _table(table: Table) -> str:
    """A table; on a narrow screen each cell repeats its heading."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.headings)
    rows = "".join(f"<tr>{_cells(table, row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(table: Table, row: tuple[str, ...]) -> str:
    cells = zip(table.headings, row, strict=True)
    return "".join(f'<td data-label="{escape(name)}">{escape(cell)}</td>' for name, cell in cells)
