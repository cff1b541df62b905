"""The published schema says what the loader says, as far as a schema can."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from effort import Effort
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ninefold import books
from ninefold.books.claims import KINDS, REASONS
from ninefold.books.examples import STATEMENTS
from ninefold.books.faults import BookError
from ninefold.books.fields import Field
from ninefold.books.schema import build_schema, format_schema

ROOT = Path(__file__).resolve().parents[3]
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
        f"rules.pool = {list(range(101))}",
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
        "rules.wins.arithmetic = {length = 101}",
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
        "claims = [{}]",
        'claims = [{kind = "luck"}]',
        'claims = [{kind = "any-pool"}]',
        'claims = [{kind = "no-draws", says = 3}]',
        'claims = [{kind = "no-draws", because = 3}]',
        'claims = [{kind = "no-draws", because = {says = "x"}}]',
        'claims = [{kind = "no-draws", readings = []}]',
        'claims = [{kind = "set-can-happen"}]',
        'claims = [{kind = "at-most-moves", moves = -1}]',
        'claims = [{kind = "best-openings", openings = []}]',
        f'claims = [{{kind = "best-openings", openings = {list(range(101))}}}]',
        f"claims = {[{}] * 101}".replace("{}", '{kind = "no-draws"}'),
        'examples = [{moves = "5"}]',
        'examples = [{name = "", moves = "5"}]',
        'examples = [{name = "A"}]',
        'examples = [{name = "A", moves = "5", hands = [[5], []]}]',
        'examples = [{name = "A", hands = [[5]]}]',
        'examples = [{name = "A", hands = [[5], ["6"]]}]',
        'examples = [{name = "A", moves = "5", first = 3}]',
        'examples = [{name = "A", moves = "5", luck = 3}]',
        'examples = [{name = "A", moves = "5", attempts = [{after = 1}]}]',
        'examples = [{name = "A", moves = "5", attempts = [{after = -1, number = 5}]}]',
        'examples = [{name = "A", moves = "5", says = {}}]',
        'examples = [{name = "A", moves = "5", says = {winner = 3}}]',
        'examples = [{name = "A", moves = "5", says = {winner = 1, sums = [3]}}]',
        'examples = [{name = "A", moves = "5", says = {winner = 1, set = 5}}]',
        'examples = [{name = "A", moves = "5", says = {winner = 1, pool-empty = 1}}]',
        'examples = [{name = "A", moves = "5", says = {winner = 1, luck = 1}}]',
        'examples = [{name = "A", moves = "5", statements = [{after = 1}]}]',
        'examples = [{name = "A", moves = "5", statements = [{after = 1, turn = 3}]}]',
        'examples = [{name = "A", moves = "5", statements = [{after = 1, turn = 1, player = 1}]}]',
        'examples = [{name = "A", moves = "5", statements = [{turn = 1}]}]',
        'examples = [{name = "A", moves = "5", statements = [{after = 401, turn = 1}]}]',
        'examples = [{name = "A", moves = "5", statements = [{after = 1, no-set = false}]}]',
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


EXAMPLE = {"name": "A", "moves": "5"}


def agreed(data: dict[str, Any]) -> bool:
    """Whether this book is taken, on which loader and schema agree."""
    book = {"rules": {"pool": "1-9"}, "examples": [EXAMPLE], **data}
    taken = VALIDATOR.is_valid(book)
    try:
        books.read_book(book, stem="book")
    except BookError:
        assert not taken, book
    else:
        assert taken, book
    return taken


def _value(field: Field) -> object:
    """A value of this field."""
    kinds = {"array": [1, 2, 3], "integer": 3, "boolean": True, "string": "A"}
    return kinds[field.schema()["type"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*KINDS, *REASONS}))
def test_every_kind_of_claim_has_its_fields_in_the_schema_too(name: str) -> None:
    """It is taken with all it needs; not without one of them, nor with one of another kind."""
    fields = {**KINDS, **REASONS}[name].fields
    needed = [key for key, field in fields.items() if field.required]
    whole = {"kind": name, **{key: _value(field) for key, field in fields.items()}}
    if name == "contradiction":
        whole |= {f"{side}-reading": "default" for side in ("one", "two")}
        whole |= {f"{side}-rules": "hand-limit=3" for side in ("one", "two")}

    def reason(statement: dict[str, Any]) -> dict[str, Any]:
        return {"claims": [{"kind": "no-draws", "because": {"says": "So.", **statement}}]}

    forms = [reason] * (name in REASONS)
    forms += [lambda statement: {"claims": [statement]}] * (name in KINDS)
    for form in forms:
        assert agreed(form(whole))
        for key in needed:
            assert not agreed(form({other: whole[other] for other in whole if other != key}))
            assert not agreed(form({**whole, key: {}}))
        others = {key for kind in REASONS.values() for key in kind.fields} - {*whole}
        for key in sorted(others)[:: 1 if Effort.is_long else 4]:
            assert not agreed(form({**whole, key: 3}))


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_of_an_example_has_its_fields_in_the_schema_too(name: str) -> None:
    """Exactly those it needs."""
    value = {"turn": 1, "no-set": True}.get(name, [1, 2])
    known = {"after": 0, "player": 1, "with": 3, name: value}
    whole = {key: known[key] for key in STATEMENTS[name]}

    def book(statement: dict[str, Any]) -> dict[str, Any]:
        return {"examples": [{**EXAMPLE, "statements": [statement]}]}

    assert agreed(book(whole))
    for key in whole:
        assert not agreed(book({other: whole[other] for other in whole if other != key}))
    for key in known.keys() - whole.keys():
        assert not agreed(book({**whole, key: known[key]}))


@pytest.mark.parametrize(
    "field",
    [
        {"first": 2},
        {"readings": ["default"]},
        {"attempts": [{"after": 0, "number": 3}]},
        {"says": {"winner": 0, "reason": "draw", "set": [], "sums": [5, 0], "pool-empty": True}},
        {"says": {"winner": 0, "sums": []}},
    ],
    ids=str,
)
def test_every_field_of_an_example_is_in_the_schema_too(field: dict[str, Any]) -> None:
    """Each is taken, alone and in an example of hands."""
    assert agreed({"examples": [{**EXAMPLE, **field}]})
    assert agreed({"examples": [{"name": "A", "hands": [[5], []], **field}]})


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


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300)
def test_no_book_the_loader_takes_is_refused_by_the_schema(data: st.DataObject) -> None:
    """Whatever is changed in a book: if it still loads in every reading, it is still valid."""
    book = content(data.draw(st.sampled_from(books.names())))
    table: Any = book
    while True:
        key = data.draw(st.sampled_from([*table] if isinstance(table, dict) else range(len(table))))
        if isinstance(table[key], dict | list) and table[key] and data.draw(st.booleans()):
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
