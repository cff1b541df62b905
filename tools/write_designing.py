"""The tables of docs/designing.md and the published schema, generated from the language.

After a change, ``python3 dev docs`` writes both again.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from ninefold.books.fields import Field
from ninefold.books.schema import format_schema
from ninefold.books.words import ENDED, LINES, PHRASES, PLACEHOLDERS

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "designing.md"
SCHEMA = DOCS / "schema" / "rulebook.schema.json"


def tables() -> list[str]:
    """Every phrase with its default, and every placeholder."""
    names = ((f"{{{name}}}", meaning) for name, meaning in PLACEHOLDERS.items())
    return [
        _table(("phrase", "shown", "default"), map(_row, PHRASES.items())),
        _table(("lines", "shown", "default"), map(_row, LINES.items())),
        _table(("ending", "shown", "default"), map(_row, ENDED.items())),
        _table(("placeholder", "stands for"), names),
    ]


def _row(row: tuple[str, Field]) -> tuple[str, ...]:
    name, field = row
    default = field.default
    shown = _code(json.dumps(default)) if isinstance(default, str) else _lines(default)
    return name, field.meaning, shown


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *((_code(row[0]), *row[1:]) for row in rows)]
    texts = ["| " + " | ".join(line) + " |" for line in lines]
    texts[1] = texts[1].replace(" ", "")
    return "\n".join(texts)


def _lines(lines: tuple[str, ...]) -> str:
    return "<br>".join(map(_code, lines)) or "nothing"


def _code(text: str) -> str:
    return f"`{text}`" if text else "(empty line)"


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    for table in tables():
        head = re.escape(table.split("\n")[0])
        page = re.sub(rf"(?m)^{head}\n(?:\|.*\n)*", table.replace("\\", r"\\") + "\n", page)
    PAGE.write_text(page, "utf-8")
    SCHEMA.write_text(format_schema(), "utf-8")
