"""The document as one HTML file with everything inside: no network, one small script."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

from ninefold.audit.fairness import PAIRINGS, chances_words, pairings
from ninefold.audit.figures.sample import wilson
from ninefold.audit.finding import Evidence, Shown
from ninefold.audit.pages.document import Document, Item, PageTable, Section
from ninefold.audit.pages.drawing import bar, number_line, stacked
from ninefold.audit.report import Audit, Report
from ninefold.audit.words import deed_words, move_words, outcome_words, percent, sentence
from ninefold.coach.words import value_words

_KEY = (
    "In the drawings, squares above the line are Player 1's numbers, circles below it Player 2's; "
    "the figure inside is the number of the move, and a heavy outline marks the set or the run "
    "that decides. The buttons below a drawing, or the arrow keys on them, step through the game."
)
_TERMS = (
    '"Without a mistake" means that nobody gives away a win or a draw that was there. A perfect '
    "player wins as soon as possible and otherwise keeps what it has. A random player makes any "
    "move but losing its turn, and declares when it is asked and holds a set."
)


def html(documents: list[Document], report: Report) -> str:
    """The report as a page of its own."""
    return whole(report.audits[0].book.title, fragment(documents, report))


def whole(title: str, body: str) -> str:
    """A page of its own with the report on the book with this title."""
    title = escape(f"{title}: an audit")
    script = _file("steps.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'\">\n"
        f"<title>{title}</title>\n<style>\n{_file('style.css')}</style>\n</head>\n<body>\n"
        f"{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def fragment(documents: list[Document], report: Report) -> str:
    """The report as a part of another page, which has the style sheet and the script."""
    book = report.audits[0].book
    contents, body = _parts(documents)
    return (
        f'<header id="top"><h1>{escape(book.title)}: an audit</h1><p>{escape(book.summary)}</p>'
        f'<p class="verdict">{escape(report.summary)}</p>'
        f'{contents}<p class="key">{_KEY}</p></header>\n<main>\n{body}</main>\n'
        f"<footer><p>Made with <code>ninefold audit</code>. {escape(_TERMS)}</p></footer>\n"
    )


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _parts(documents: list[Document]) -> tuple[str, str]:
    """Links to all sections, and the sections; each of several readings is a part of its own."""
    in_parts = sum(document.audit is not None for document in documents) > 1
    contents = body = ""
    for at, document in enumerate(documents, 1):
        suffix = "" if len(documents) == 1 else f"-{at}"
        titles = {
            section.key + suffix: section.title or document.title for section in document.sections
        }
        name = f"Reading: {document.audit.book.reading}" if document.audit else document.title
        level, links = 2, _links(titles)
        if in_parts and len(titles) > 1:
            level = 3
            body += f'<h2 class="reading" id="part-{at}">{escape(name)}</h2>'
            body += _nav(name, _links({**titles, "top": "Top"}))
            links = f'<li><a href="#part-{at}">{escape(name)}</a><ul>{links}</ul></li>'
        elif in_parts:
            links = _links(dict.fromkeys(titles, name))
        contents += links
        for section, (anchor, title) in zip(document.sections, titles.items(), strict=True):
            body += (
                f'<section aria-labelledby="{anchor}"><h{level} class="part" id="{anchor}">'
                f"{escape(title)}</h{level}>{_body(section, document.audit, level + 1)}</section>\n"
            )
    return _nav("Contents", contents, ' class="parts"' if in_parts else ""), body


def _links(titles: Mapping[str, str]) -> str:
    return "".join(
        f'<li><a href="#{anchor}">{escape(title)}</a></li>' for anchor, title in titles.items()
    )


def _nav(name: str, links: str, kind: str = "") -> str:
    return f'<nav aria-label="{escape(name)}"><ul{kind}>{links}</ul></nav>'


def _body(section: Section, audit: Audit | None, level: int) -> str:
    written, lines = "", section.lines
    if audit is not None and not section.same_as:
        if section.key == "openings":
            return _openings(audit, section)
        if section.key == "fairness":
            written = _fairness(audit, level)
            # The pairings are in the picture, with the same words.
            lines = tuple(line for line in lines if not line.text.startswith(PAIRINGS))
    if lines:
        items = "".join(f"<li>{_text(line, 'span')}</li>" for line in lines)
        written += f'<ul class="lines">{items}</ul>'
    written += "".join(_item(item, level) for item in section.items)
    return written if section.table is None else written + _table(section.table)


def _item(item: Item, level: int) -> str:
    where = f'<span class="where">{escape(", ".join(item.readings))}</span>' * bool(item.readings)
    lines, drawn = "", set[str]()
    for line in item.lines:
        again = line.shown is not None and line.shown.line in drawn
        lines += _text(Evidence(line.text) if again else line, "p")
        drawn |= {line.shown.line} if line.shown else set()
    return (
        f'<article class="item {item.status}"><h{level}>'
        f'<span class="mark">{escape(sentence(item.mark))}</span>{where}'
        f"{escape(item.head)}</h{level}>{lines}</article>\n"
    )


def _text(line: Evidence, tag: str) -> str:
    text = f"<{tag}>{escape(line.text)}</{tag}>"
    return text + _figure(line.shown) if line.shown is not None and line.shown.moves else text


def _figure(shown: Shown) -> str:
    """A game as a drawing and as a list of moves; the script steps through both."""
    positions = shown.positions
    caption = f"{shown.words}: {outcome_words(positions[-1])}"
    moves = "".join(
        f"<li>{escape(deed_words(position.turn, move))}</li>"
        for position, move in zip(positions, shown.moves, strict=False)
    )
    return (
        f'<figure class="game">{number_line(shown)}<figcaption>{escape(caption)}.</figcaption>'
        f'<details><summary>Moves</summary><ol class="moves">{moves}</ol></details></figure>'
    )


def _openings(audit: Audit, section: Section) -> str:
    """The chart of openings: what each is worth, and the first player's share by chance."""
    rows = ""
    for opening in audit.openings:
        said = value_words(opening.result, opening.plies)
        share, trials = opening.share, opening.trials
        if share is not None and trials:
            low, high = wilson(share, trials)
            said += f", {100 * share:.0f}% ({100 * low:.0f} to {100 * high:.0f})"
        elif share is not None:
            said += f", {percent(share)}"
        rows += (
            '<div role="listitem" class="row">'
            f'<span class="num">{escape(move_words(opening.move))}</span>'
            f'{bar(share or 0.0)}<span class="say">{said}</span></div>'
        )
    lines = "".join(f"<p>{escape(line.text)}</p>" for line in section.lines)
    key = "The bar is that share; the line in it marks one half."
    if not audit.figures.exact:
        key += " The shares are estimates, with their 95% intervals in brackets."
    return f'{lines}<p class="key">{key}</p><div class="chart" role="list">{rows}</div>'


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


def _table(table: PageTable) -> str:
    """A table; on a narrow screen each cell repeats its heading."""
    names = [escape(name) for name in table.headings]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = ""
    for row in table.rows:
        cells = zip(names, map(escape, row), strict=True)
        written = (f'<td data-label="{name}">{cell}</td>' for name, cell in cells)
        rows += f"<tr>{''.join(written)}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
