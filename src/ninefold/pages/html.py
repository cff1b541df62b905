"""Pages of HTML with everything inside: no network, one small script, nothing else may run."""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path

from ninefold.pages.document import Item, Section
from ninefold.pages.drawing import number_line
from ninefold.pages.shown import Evidence, Shown
from ninefold.pages.tables import Link, PageTable
from ninefold.pages.words import deed_words, outcome_words, sentence

DRAWING_KEY = (
    "In the drawings, squares above the line are Player 1's numbers, circles below it Player 2's; "
    "the figure inside is the number of the move, and a heavy outline marks the set or the run "
    "that decides. The buttons below a drawing, or the arrow keys on them, step through the game."
)


def whole(title: str, body: str) -> str:
    """A page of its own with this title and body, which loads and runs nothing from outside."""
    script = _file("steps.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'\">\n"
        f"<title>{escape(title)}</title>\n<style>\n{_file('style.css')}</style>\n</head>\n<body>\n"
        f"{body}<script>{script}</script>\n</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def links(titles: Mapping[str, str]) -> str:
    """The items of a list of links to these anchors."""
    return "".join(
        f'<li><a href="#{anchor}">{escape(title)}</a></li>' for anchor, title in titles.items()
    )


def nav(name: str, items: str, kind: str = "") -> str:
    """A list of links with a name for screen readers."""
    return f'<nav aria-label="{escape(name)}"><ul{kind}>{items}</ul></nav>'


def section(anchor: str, title: str, body: str, level: int = 2) -> str:
    """A part of a page under its heading."""
    return (
        f'<section aria-labelledby="{anchor}"><h{level} class="part" id="{anchor}">'
        f"{escape(title)}</h{level}>{body}</section>\n"
    )


def section_body(part: Section, level: int) -> str:
    """What a section says: its lines, items, charts and table."""
    from ninefold.pages.charts import figure

    written = ""
    if part.lines:
        items = "".join(f"<li>{text(line, 'span')}</li>" for line in part.lines)
        written += f'<ul class="lines">{items}</ul>'
    written += "".join(item_card(item, level) for item in part.items)
    written += "".join(figure(chart, table(chart.table)) for chart in part.charts)
    tables = part.tables if part.table is None else (part.table, *part.tables)
    return written + "".join(map(table, tables))


def item_card(item: Item, level: int) -> str:
    """A finding as a card; a game that several of its lines show is drawn once."""
    where = f'<span class="where">{escape(", ".join(item.readings))}</span>' * bool(item.readings)
    lines, drawn = "", set[str]()
    for line in item.lines:
        again = line.shown is not None and line.shown.line in drawn
        lines += text(Evidence(line.text) if again else line, "p")
        drawn |= {line.shown.line} if line.shown else set()
    return (
        f'<article class="item {item.status}"><h{level}>'
        f'<span class="mark">{escape(sentence(item.mark))}</span>{where}'
        f"{_linked(item.head)}</h{level}>{lines}</article>\n"
    )


def text(line: Evidence, tag: str) -> str:
    """A sentence, with the drawing of its game."""
    written = f"<{tag}>{_linked(line.text)}</{tag}>"
    return written + game_figure(line.shown) if line.shown and line.shown.moves else written


def game_figure(shown: Shown) -> str:
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


def table(shown: PageTable) -> str:
    """A table; on a narrow screen each cell repeats its heading."""
    names = [escape(name) for name in shown.headings]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    rows = ""
    for row in shown.rows:
        cells = zip(names, map(_linked, row), strict=True)
        written = (f'<td data-label="{name}">{cell}</td>' for name, cell in cells)
        rows += f"<tr>{''.join(written)}</tr>"
    caption = f"<caption>{escape(shown.caption)}</caption>" if shown.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _linked(words: str) -> str:
    """The words, as a link if they are one."""
    written = escape(words)
    return f'<a href="#{escape(words.to)}">{written}</a>' if isinstance(words, Link) else written
