"""The document as plain text, wrapped to a width, in an order that reads well aloud."""

from textwrap import fill

from ninefold.pages.document import Document, Item, Section
from ninefold.pages.tables import PageTable

WIDTH = 80


def text(documents: list[Document], width: int = WIDTH) -> str:
    """All documents, one after the other."""
    width, parts = max(width, 20), []
    for document in documents:
        parts.append(_wrapped(document.title, width))
        parts += [_section(section, width) for section in document.sections]
    return "\n\n".join(parts) + "\n"


def _section(section: Section, width: int) -> str:
    parts = [section.title] if section.title else []
    parts += [_wrapped(line.text, width, "  ") for line in section.lines]
    for item in section.items:
        parts += _item(item, width)
    for chart in section.charts:
        parts.append(_wrapped(f"{chart.title} {chart.about}", width, "  "))
        parts += _table(chart.short_table, width)
    if section.table is not None:
        parts += _table(section.table, width)
    for table in section.tables:
        parts += ["", _wrapped(table.caption, width, "  "), *_table(table, width)]
    return "\n".join(parts)


def _item(item: Item, width: int) -> list[str]:
    lines = [_wrapped(f"{item.label}: {item.head}", width, "  ")]
    for text, moves in item.texts:
        lines.append(_wrapped(text, width, "    "))
        lines += [_wrapped(f"Game: {moves}", width, "    ")] if moves else []
    return lines


def _table(table: PageTable, width: int) -> list[str]:
    """Columns if they fit, else one line for each row."""
    rows = [table.headings, *table.rows]
    widths = [max(len(row[at]) for row in rows) for at in range(len(table.headings))]
    if sum(widths) + 2 * len(widths) <= width:
        padded = [map(str.ljust, row, widths) for row in rows]
        return [f"  {'  '.join(cells)}".rstrip() for cells in padded]
    named = [map(" ".join, zip(table.headings, row, strict=True)) for row in table.rows]
    return [_wrapped("; ".join(cells), width, "  ") for cells in named]


def _wrapped(line: str, width: int, indent: str = "") -> str:
    return fill(
        line,
        width,
        initial_indent=indent,
        subsequent_indent=indent + ("  " if indent else ""),
        break_on_hyphens=False,
    )
