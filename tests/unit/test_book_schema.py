"""The published schema says what the loader says, as far as a schema can."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ninefold import books
from ninefold.books import fields
from ninefold.books.book import FIELDS
from ninefold.books.faults import BookError
from ninefold.books.schema import build_schema, format_schema
from ninefold.books.words import ENDINGS, LINES, PHRASES, PLACEHOLDERS
from ninefold.core.rules import MEASURES

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = build_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
OWN = Path(books.__file__).parent / "data"


def content(name: str) -> dict[str, Any]:
    """The data of one of the program's own books."""
    return tomllib.loads((OWN / f"{name}.toml").read_text("utf-8"))


def test_the_published_schema_is_the_one_the_program_prints() -> None:
    """After a change: ninefold check --schema > docs/schema/rulebook.schema.json."""
    published = ROOT / "docs" / "schema" / "rulebook.schema.json"
    assert published.read_text("utf-8") == format_schema()


def test_the_schema_is_a_schema() -> None:
    """Of the draft it names."""
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(format_schema()) == SCHEMA


def tables(schema: object) -> Iterator[dict[str, Any]]:
    """Every part of the schema that describes a table."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            yield schema
        for part in schema.values():
            yield from tables(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from tables(part)


def test_every_field_has_a_description_to_hover_over() -> None:
    """A sentence each."""
    described = [field for table in tables(SCHEMA) for field in table["properties"].items()]
    assert len(described) > 60
    assert [name for name, field in described if not field["description"].endswith(".")] == []


def test_the_descriptions_are_of_what_there_is() -> None:
    """Every name the loader knows, and no other."""
    assert {*fields.BOOK} == {*FIELDS}
    assert {*fields.PHRASES} == {*PHRASES}
    assert {*fields.LINES} == {*LINES}
    assert {*fields.ENDINGS} | {*MEASURES} == {*ENDINGS}
    assert {*fields.PLACEHOLDERS} == PLACEHOLDERS


@pytest.mark.parametrize("name", books.names())
def test_every_book_of_the_program_is_valid(name: str) -> None:
    """The loader takes them, and so does the schema."""
    assert [*VALIDATOR.iter_errors(content(name))] == []


@pytest.mark.parametrize(
    "text",
    [
        "[rules]\npool = [1, 2]\n",
        'extends = "sequence-capture"',
        'extends = "a.toml"\n[rules.wins]\ngeometric = false\nsum.equals = 3',
        'readings.b = false\nrules.pool = "-9--1"\nrules.hand-limit = 0\nreadings.a.rules = {}',
        'rules.pool = "2-20 step 2"\nrules.wins.mine = {family = "chain", length = 3}',
        'rules.pool = "1-9"\nrules.wins.sum = {whole-hand = true, multiple-of = 7}',
        'rules.pool = "1-9"\nrules.wins.sum = {family = "sets", sets = [[1, 2]]}',
        'rules.pool = "1-9"\nrules.opening = [5]\nrules.pie = true\nrules.otherwise = "first"',
        'readings.a.rules.wins.mine.length = 4\nrules.pool = "1-9"',
        'id = "größe-2"\nrules.pool = "1-3"\nwords.won = []',
    ],
)
def test_what_the_loader_takes_the_schema_takes(text: str) -> None:
    """Short books, books that extend others, names in any script."""
    assert [*VALIDATOR.iter_errors(tomllib.loads(text))] == []


@pytest.mark.parametrize(
    "text",
    [
        'titel = "x"',
        "title = 3",
        f'title = "{"a" * 301}"',
        'title = "a\\u001bb"',
        'title = "a\\u202eb"',
        'id = "a b"',
        'id = ""',
        "order = 1.5",
        "text = []",
        'text = "a\\u0007b"',
        "rules = 3",
        "rules.pool = 3",
        "rules.pool = []",
        "rules.pool = [1, 1]",
        "rules.pool = [1.5]",
        'rules.pool = "1 to 9"',
        f"rules.pool = {list(range(65))}",
        "rules.wins.aritmetic = {}",
        "rules.wins.mine = {length = 3}",
        'rules.wins.mine = {family = "luck"}',
        'rules.wins.mine = {family = "chain", size = 3}',
        'rules.wins.kind = {kind = "small", count = 3}',
        "rules.wins.sum = {whole-hand = 1, equals = 3}",
        "rules.wins.product = {multiple-of = 0}",
        "rules.wins.sets = {sets = [3]}",
        "rules.passing = 1",
        "rules.picks-per-turn = 0",
        "rules.opening = 5",
        "rules.pie = 1",
        'rules.otherwise = "third"',
        'rules.ending = [{measure = "distance", prefer = "lower", target = "21"}]',
        "rules.wins.arithmetic = {length = 2}",
        "rules.wins.arithmetic = {length = 65}",
        "rules.wins.arithmetic = {size = 3}",
        "rules.wins.arithmetic = true",
        'rules.ending = [{measure = "luck", prefer = "higher"}]',
        'rules.ending = [{measure = "hand-sum"}]',
        "rules.ending = {}",
        "rules.hand-limit = -1",
        "rules.misere = 1",
        'rules.invalid = "shout"',
        "rules.pools = 3",
        'words.prompt = ["a"]',
        'words.prompt = "{nobody}"',
        'words.prompt = "{player.x}"',
        'words.prompt = "{player"',
        'words.prompt = "a\\nb"',
        'words.won = "a"',
        "words.won = [1]",
        'words.ended.sunset = ["a"]',
        'words.markers = ["X"]',
        'words.markers = ["X", "X"]',
        'play.on-timeout = "cry"',
        "readings = 3",
        'readings."a b" = {}',
        "readings.a = 3",
        "readings.a.rules.pool = 3",
        "readings.a.title = 3",
        "examples = 3",
        "claims = [3]",
        "extends = 3",
    ],
)
def test_what_the_loader_refuses_the_schema_refuses(text: str) -> None:
    """Each kind of fault that a schema can express."""
    data = tomllib.loads(text)
    data.setdefault("rules", {})
    if isinstance(data["rules"], dict):
        data["rules"].setdefault("pool", "1-9")
    refused = [*VALIDATOR.iter_errors(data)]
    assert refused
    reading = "a" if text.startswith("readings.a") else None
    if "extends" not in data:
        with pytest.raises(BookError):
            books.read_book(data, reading, stem="book")


def test_a_book_needs_a_pool_or_a_parent() -> None:
    """The one thing that has no default."""
    assert [*VALIDATOR.iter_errors({"title": "x"})]
    assert [*VALIDATOR.iter_errors({"rules": {}})]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.sampled_from(["1-9", "", "higher", "{x}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["length", "measure", "prefer", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.data())
@settings(max_examples=300)
def test_no_book_the_loader_takes_is_refused_by_the_schema(data: st.DataObject) -> None:
    """Whatever is changed in a book: if it still loads in every reading, it is still valid."""
    book = content(data.draw(st.sampled_from(books.names())))
    table = book
    while True:
        key = data.draw(st.sampled_from([*table]))
        if isinstance(table[key], dict) and table[key] and data.draw(st.booleans()):
            table = table[key]
        else:
            break
    table[key] = data.draw(VALUES)
    try:
        for reading in books.read_book(book).readings:
            books.read_book(book, reading)
    except BookError:
        return
    assert [error.message for error in VALIDATOR.iter_errors(book)] == []
