"""The document as Markdown; a book's own words cannot become markup."""

import re

from ninefold.pages.document import Document, Item, Section
from ninefold.pages.tables import PageTable

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def markdown(documents: list[Document]) -> str:
    """All documents, one after the other."""
    parts = []
    for document in documents:
        parts += [f"# {escape(document.title)}", *map(_section, document.sections)]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """The text with nothing in it that Markdown or HTML would read as markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _section(section: Section) -> str:
    parts = [f"## {escape(section.title)}"] if section.title else []
    if section.lines:
        parts.append("\n".join(f"- {escape(line.text)}" for line in section.lines))
    if section.items:
        parts.append("\n".join(map(_item, section.items)))
    for chart in section.charts:
        parts += [f"**{escape(chart.title)}** {escape(chart.about)}", _table(chart.table)]
    if section.table is not None:
        parts.append(_table(section.table))
    for table in section.tables:
        parts += [f"**{escape(table.caption)}**", _table(table)]
    return "\n\n".join(parts)


def _item(item: Item) -> str:
    lines = [f"- **{escape(item.label)}**: {escape(item.head)}"]
    for text, moves in item.texts:
        lines.append(f"  - {escape(text)}" + (f" Game: `{moves}`" if moves else ""))
    return "\n".join(lines)


def _table(table: PageTable) -> str:
    head, *rows = (f"| {' | '.join(map(escape, row))} |" for row in (table.headings, *table.rows))
    return "\n".join([head, "|" + "---|" * len(table.headings), *rows])
