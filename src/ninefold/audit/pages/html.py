"""The document as one HTML file with everything inside: no network, one small script."""

from html import escape

from ninefold.audit.fairness import PAIRINGS, chances_words, pairings
from ninefold.audit.report import Audit, Report
from ninefold.coach.words import value_words
from ninefold.pages import html as parts
from ninefold.pages.document import Document, Section
from ninefold.pages.drawing import bar, stacked
from ninefold.pages.words import move_words, percent
from ninefold.wilson import wilson

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
    return parts.whole(f"{title}: an audit", body)


def fragment(documents: list[Document], report: Report) -> str:
    """The report as a part of another page, which has the style sheet and the script."""
    book = report.audits[0].book
    contents, body = _parts(documents)
    return (
        f'<header id="top"><h1>{escape(book.title)}: an audit</h1><p>{escape(book.summary)}</p>'
        f'<p class="verdict">{escape(report.summary)}</p>'
        f'{contents}<p class="key">{parts.DRAWING_KEY}</p></header>\n<main>\n{body}</main>\n'
        f"<footer><p>Made with <code>ninefold audit</code>. {escape(_TERMS)}</p></footer>\n"
    )


def _parts(documents: list[Document]) -> tuple[str, str]:
    """Links to all sections, and the sections; each of several readings is a part of its own."""
    in_parts = sum(_audit_of(document) is not None for document in documents) > 1
    contents = body = ""
    for at, document in enumerate(documents, 1):
        suffix = "" if len(documents) == 1 else f"-{at}"
        titles = {
            section.key + suffix: section.title or document.title for section in document.sections
        }
        audit = _audit_of(document)
        name = f"Reading: {audit.book.reading}" if audit else document.title
        level, links = 2, parts.links(titles)
        if in_parts and len(titles) > 1:
            level = 3
            body += f'<h2 class="reading" id="part-{at}">{escape(name)}</h2>'
            body += parts.nav(name, parts.links({**titles, "top": "Top"}))
            links = f'<li><a href="#part-{at}">{escape(name)}</a><ul>{links}</ul></li>'
        elif in_parts:
            links = parts.links(dict.fromkeys(titles, name))
        contents += links
        for section, (anchor, title) in zip(document.sections, titles.items(), strict=True):
            body += parts.section(anchor, title, _body(section, audit, level + 1), level)
    return parts.nav("Contents", contents, ' class="parts"' if in_parts else ""), body


def _audit_of(document: Document) -> Audit | None:
    return document.about if isinstance(document.about, Audit) else None


def _body(section: Section, audit: Audit | None, level: int) -> str:
    if audit is None or section.same_as or section.key not in ("openings", "fairness"):
        return parts.section_body(section, level)
    if section.key == "openings":
        return _openings(audit, section)
    # The pairings are in the picture, with the same words.
    lines = tuple(line for line in section.lines if not line.text.startswith(PAIRINGS))
    return _fairness(audit, level) + parts.section_body(section._replace(lines=lines), level)


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
        f'<div class="pair"><h{level}>{escape(name)}</h{level}>'
        f"{stacked(chances.first, chances.draw, chances.second)}"
        f"<p>{escape(chances_words(chances))}</p></div>"
        for name, chances in pairings(audit)
    )
    return legend + pairs
