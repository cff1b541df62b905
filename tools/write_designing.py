"""The tables of docs/designing.md and the published schema, from what the program knows.

After a change, ``python3 dev docs`` writes both again.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from ninefold.books import fields
from ninefold.books.schema import ending_told, format_schema
from ninefold.books.words import ENDINGS, LINES, PHRASES

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "designing.md"
SCHEMA = DOCS / "schema" / "rulebook.schema.json"


def tables() -> list[str]:
    """Every phrase with its default, and every placeholder."""
    phrases = ((name, fields.PHRASES[name], _code(json.dumps(PHRASES[name]))) for name in PHRASES)
    lines = ((name, fields.LINES[name], _lines(LINES[name])) for name in LINES)
    ended = ((name, ending_told(name), _lines(ENDINGS[name])) for name in ENDINGS)
    names = ((f"{{{name}}}", told) for name, told in fields.PLACEHOLDERS.items())
    return [
        _table(("phrase", "shown", "default"), phrases),
        _table(("lines", "shown", "default"), lines),
        _table(("ending", "shown", "default"), ended),
        _table(("placeholder", "stands for"), names),
    ]


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
