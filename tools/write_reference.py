"""The tables of docs/rulebook.md, generated from the language, and the examples of the page.

After a change, ``python3 dev docs`` writes the tables again. A table lists the
fields whose paths are in it, so a new field needs a line with its path in the right table.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ninefold.books.claims import CLAIM, KINDS, REASONS
from ninefold.books.examples import ATTEMPT, EXAMPLE, RESULT, STATEMENTS
from ninefold.books.families import FAMILIES
from ninefold.books.fields import Field, Fields, as_sentence, optional, required
from ninefold.books.language import BOOK, CAP, LINK, PLAY, READING, RESTRICTION, RULES
from ninefold.books.rule_types import FAMILY, WINS
from ninefold.books.values import FLAG, choice

HEAD = "| field | meaning | value | default |\n|---|---|---|---|\n"
# Fields of the book that have a section of the page.
SECTIONS = ("extends", "words", "play", "readings", "claims", "examples")
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


def fields() -> dict[str, Field]:
    """Every field of the language but the words, by its path."""
    found = {**BOOK}
    found |= _below("rules", RULES) | _below("rules.ending[]", LINK)
    found |= _below("rules.restrictions[]", RESTRICTION) | _below("rules.caps[]", CAP)
    for family, words in FAMILIES.items():
        found[f"rules.wins.{family}"] = optional(WINS, as_sentence(words.meaning), "not used")
        found |= _below(f"rules.wins.{family}", words.parameters)
    found |= _below("rules.wins.NAME", {"family": FAMILY}) | _below("play", PLAY)
    found |= _below("readings.NAME", READING) | _below("examples[]", EXAMPLE)
    found |= _below("claims[]", {"kind": KIND, **CLAIM, **dict(_kind_fields())})
    found |= _below("examples[].attempts[]", ATTEMPT) | _below("examples[].says", RESULT)
    for statement in STATEMENTS.values():
        found |= _below("examples[].statements[]", statement)
    return found


def _kind_fields() -> Iterator[tuple[str, Field]]:
    """The fields of all kinds of claims, each with the kinds that have it."""
    used: dict[str, dict[str, tuple[Field, list[str]]]] = {}
    for name, kind in {**KINDS, **REASONS}.items():
        for key, field in kind.fields.items():
            forms = used.setdefault(key, {})
            forms.setdefault(field.meaning, (field, []))[1].append(f"`{name}`")
    for key, forms in used.items():
        meanings = [
            f"For {' and '.join(kinds)}: {field.meaning}" for field, kinds in forms.values()
        ]
        expected = " or ".join(field.type.expected for field, _ in forms.values())
        field, _ = next(iter(forms.values()))
        type_ = field.type._replace(expected=expected)
        yield key, field._replace(meaning=" ".join(meanings), type=type_)


KIND = required(choice(KINDS), "What is claimed: one of the kinds below.")


def _below(path: str, rows: Fields) -> dict[str, Field]:
    return {f"{path}.{name}": field for name, field in rows.items()}


def row(path: str) -> str:
    """The row of a field in the tables of the page."""
    field = fields()[path]
    cells = (f"`{path}`", _meaning(field, path), _values(field, path), _default(field, path))
    return f"| {' | '.join(cells)} |\n"


def _meaning(field: Field, path: str) -> str:
    kinds = " and ".join(f"`{name}`" for name in field.when[1:])
    only = f" Only for {kinds}." if kinds else ""
    heading = path.rsplit(".", maxsplit=1)[-1].capitalize()
    linked = path in SECTIONS
    return f"{field.meaning}{only}" + (f" See [{heading}](#{path})." if linked else "")


def _values(field: Field, path: str) -> str:
    """What the field may hold; long lists of choices are explained elsewhere."""
    if path.count(".") == 2 and path.startswith("rules.wins.") and field.type is WINS:
        return "a table"
    if field.type.options and len(field.type.options) < 10 and field.type is not FLAG:
        return ", ".join(f"`{str(value).lower()}`" for value in field.type.options)
    return "one of the names below" if field.type.options[2:] else field.type.expected


def _default(field: Field, path: str) -> str:
    if path.startswith("examples[].statements[].") and path.rpartition(".")[2] in STATEMENTS:
        return "exactly one of these is required"
    if field.required:
        return "required"
    if field.without:
        return field.without
    return f"`{json.dumps(field.default)}`"


def kinds_table() -> str:
    """Every kind of claim, and what it says."""
    rows = [
        (name, kind.meaning.replace("{", "`").replace("}", "`"))
        for name, kind in {**KINDS, **REASONS}.items()
    ]
    body = [f"| `{name}` | {meaning} |\n" for name, meaning in rows]
    return "| kind | what it says |\n|---|---|\n" + "".join(body)


def written(page: str) -> str:
    """The page with its tables of fields and claims written again."""
    page = re.sub(r"(?m)^\| kind \|.*\n(?:\|.*\n)*", lambda _: kinds_table(), page)

    def table(found: re.Match[str]) -> str:
        paths = re.findall(r"(?m)^\| `(.+?)` \|", found[1])
        return HEAD + "".join(row(path) for path in paths if path in fields())

    return re.sub(r"(?m)^\| field \|.*\n\|---.*\n((?:\|.*\n)*)", table, page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
