"""What docs/rulebook.md holds: its examples, its tables of fields, and what the loader knows.

After a change, ``python3 dev docs`` writes the table of claims again.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ninefold.books import book, claims, examples
from ninefold.books import format as book_format
from ninefold.core.patterns import FAMILIES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rulebook.md"
_EXAMPLE = re.compile(r"```toml\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
_NAMED = re.compile(r"# ([a-z-]+\.toml)\n")


class Example(NamedTuple):
    """A book of the page, the file it stands in, and what is said about it."""

    file: str
    text: str
    said: tuple[str, ...]


def page_examples() -> list[Example]:
    """Every book of the page with what follows from it."""
    found = _EXAMPLE.findall(PAGE.read_text("utf-8"))
    return [
        Example(name[1] if (name := _NAMED.match(text)) else "book.toml", text, tuple(lines(said)))
        for text, said in found
    ]


def lines(text: str) -> list[str]:
    """The lines of a text that are not empty."""
    return [line for line in text.split("\n") if line]


def rows(head: str) -> Iterator[list[str]]:
    """The cells of every row of every table whose first column is called so."""
    page = PAGE.read_text("utf-8")
    for table in re.findall(rf"(?m)^\| {head} \|.*\n\|---.*\n((?:\|.*\n)*)", page):
        for line in lines(table):
            yield [cell.strip() for cell in line[1:-1].split("|")]


def known_fields() -> set[str]:
    """The path of every field the loader knows, but for the words."""
    found = {*book.FIELDS}
    found |= {f"rules.{name}" for name in book_format.RULES}
    found |= {f"rules.ending[].{name}" for name in (*book_format.CRITERION, *book_format.DISTANCE)}
    found |= {f"rules.wins.{family}" for family in FAMILIES} | {"rules.wins.NAME.family"}
    found |= {f"rules.wins.{f}.{name}" for f in FAMILIES for name in FAMILIES[f].parameters}
    found |= {f"play.{name}" for name in book_format.PLAY}
    found |= {f"readings.NAME.{name}" for name in book_format.READING}
    kinds = [name for kind in claims.REASONS.values() for name in (*kind.needs, *kind.may_have)]
    found |= {f"claims[].{name}" for name in ("kind", *claims.CLAIM, *claims.REASON, *kinds)}
    found |= {f"examples[].{name}" for name in examples.FIELDS}
    found |= {f"examples[].attempts[].{name}" for name in examples.ATTEMPT}
    found |= {f"examples[].says.{name}" for name in examples.RESULT}
    said = {"after", *examples.STATEMENTS, *(n for s in examples.STATEMENTS.values() for n in s)}
    return found | {f"examples[].statements[].{name}" for name in said}


def kinds_table() -> str:
    """Every kind of claim, and what it says."""
    told = [(name, kind.meaning) for name, kind in claims.REASONS.items()]
    body = [f"| `{name}` | {said.replace('{', '`').replace('}', '`')} |\n" for name, said in told]
    return "| kind | what it says |\n|---|---|\n" + "".join(body)


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    found = re.sub(r"(?m)^\| kind \|.*\n(?:\|.*\n)*", lambda _: kinds_table(), page)
    PAGE.write_text(found, "utf-8")
