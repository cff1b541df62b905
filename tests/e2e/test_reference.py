"""What docs/rulebook.md says is what happens: every example is run, every field is there."""

import re
import tomllib
from pathlib import Path

import pytest
from e2e.program import Ninefold

from ninefold import books
from ninefold.audit import Audit, audit
from ninefold.books import Book, claims, examples, language, sources, words
from ninefold.books.check import examine
from ninefold.books.sources import read_source
from ninefold.books.values import MAX_LINE
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import MAX_DIGITS
from ninefold.core.position import Position
from ninefold.core.rules import MAX_LINKS, MAX_PATTERNS, MAX_POOL, MEASURES
from ninefold.core.sets import MAX_SETS
from ninefold.core.work import MAX_STEPS
from tools.write_reference import PAGE, Example, fields, page_examples, rows, written

TEXT = PAGE.read_text("utf-8")
EXAMPLES = page_examples()
FIELDS = {row[0].strip("`"): row for row in rows("field")}


def told(position: Position) -> str:
    """How a position stands, in the words of the page."""
    outcome = position.outcome
    if outcome is None:
        return f"not over, player {position.turn} to move"
    if outcome.winner is None:
        return "a draw"
    sets = " and ".join(" ".join(map(str, numbers)) for numbers in outcome.sets)
    return f"player {outcome.winner} wins: {outcome.reason}" + (f" with {sets}" if sets else "")


def after(read: Book, moves: str) -> str:
    """What becomes of a list of moves, in the words of the page."""
    try:
        return told(read.game.play(moves))
    except NinefoldError as error:
        return f"refused: {error.message}"


def claim_of(audited: Audit, number: str) -> str:
    """The verdict on a claim of the example."""
    return audited.claims[int(number) - 1].verdict


def example_of(audited: Audit, name: str) -> str:
    """What became of an example of the example."""
    (found,) = [item for item in audited.examples if item.name == name]
    return "right" if found.right else found.truth


def truth(path: Path, said: str) -> str:
    """What a line of the page should say, from its own beginning on."""
    choice = re.match(r"\[(--set )?(.*)\] (?=sets|[-0-9])", said)
    change = (choice[2],) if choice and choice[1] else ()
    read = books.load_book(str(path), None if not choice or change else choice[2], change)
    lead = choice[0] if choice else ""
    body = said.removeprefix(lead)
    if " -> " in body:
        moves = body.split(" -> ")[0]
        return f"{lead}{moves} -> {after(read, moves)}"
    head, _, _ = body.partition(": ")
    found = {
        "sets": lambda: " | ".join(" ".join(map(str, s)) for s in read.game.sets) or "none",
        "pool": lambda: " ".join(map(str, read.game.pool)),
        "id": lambda: read.id,
        "title": lambda: read.title,
        "summary": lambda: read.summary,
    }
    kind, _, name = head.partition(" ")
    if kind in ("claim", "example"):
        audited = audit(read).audits[0]
        return f"{head}: {(claim_of if kind == 'claim' else example_of)(audited, name)}"
    return f"{lead}{head}: {found[head]()}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The books of the page that are called something, so that others can extend them."""
    path = tmp_path_factory.mktemp("books")
    for example in EXAMPLES:
        (path / example.file).write_text(example.text, "utf-8")
    return path


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.text.split("\n")[1])
def test_every_example_is_as_the_page_says(
    ninefold: Ninefold, folder: Path, example: Example
) -> None:
    """It is loaded, or refused with the faults shown and no others; every line below it is so."""
    path = folder / example.file
    path.write_text(example.text, "utf-8")
    report = examine(read_source(str(path)))
    shown = [line for line in example.said if line.startswith("refused: ")]
    if shown:
        assert [f"refused: {fault._replace(place=None)}" for fault in report.faults] == shown
        assert len(shown) == len(example.said)
        return
    assert report.faults == []
    warnings = [f"warning: {warning._replace(place=None)}" for warning in report.warnings]
    for line in example.said:
        if line.startswith("warning: "):
            assert line in warnings
        elif " shows " in line:
            moves, _, text = line.partition(" shows ")
            played = ninefold.run("play", str(path), typed=moves.replace(" ", "\n") + "\n")
            assert text in played.stdout.split("\n")
        else:
            assert line == truth(path, line)


def test_no_example_stands_alone() -> None:
    """Each book of the page is followed by what is said about it, and something is."""
    assert len(EXAMPLES) == TEXT.count("```toml") == TEXT.count("```text") > 40
    assert all(example.said for example in EXAMPLES)


def test_the_page_has_every_field_and_no_other() -> None:
    """A new field needs its row here; a row needs its field."""
    assert {*FIELDS} == {*fields()}
    assert len(FIELDS) == len([*rows("field")])


def used(data: object, path: str = "") -> set[str]:
    """The paths of the fields of a table, as the page writes them."""
    if isinstance(data, list):
        return {name for item in data for name in used(item, f"{path}[]")}
    if not isinstance(data, dict):
        return set()
    found = {f"{path}.{key}".strip(".") for key in data}
    return found.union(*(used(value, f"{path}.{key}".strip(".")) for key, value in data.items()))


def named(path: str, data: dict[str, object]) -> str:
    """A path with the name of a reading or a pattern replaced by what the page calls it."""
    path = re.sub(r"^readings\.[^.]+\.", "readings.NAME.", path)
    found = re.match(r"rules\.wins\.([^.]+)(.*)", path)
    if not found:
        return path
    rules = data.get("rules")
    wins = rules["wins"] if isinstance(rules, dict) else {}
    pattern = wins[found[1]]
    family = pattern.get("family", found[1]) if isinstance(pattern, dict) else found[1]
    tail = found[2]
    return "rules.wins.NAME.family" if tail == ".family" else f"rules.wins.{family}{tail}"


def test_every_field_is_shown_in_an_example() -> None:
    """In a book that is loaded, or refused for it."""
    seen: set[str] = set()
    for example in EXAMPLES:
        data = tomllib.loads(example.text)
        seen |= {named(path, data) for path in used(data)}
    assert {*fields()} - seen == set()


def test_the_tables_of_fields_and_claims_are_generated() -> None:
    """After a change: python tests/e2e/reference.py writes them again."""
    assert written(TEXT) == TEXT


def test_every_measure_is_explained() -> None:
    """All of them, once."""
    assert [row[0].strip("`") for row in rows("measure")] == [*MEASURES]


def test_the_bounds_on_the_page_are_the_bounds() -> None:
    """Each number of the table."""
    limits = {
        "size of a file": f"{sources.MAX_BYTES >> 10} KB of UTF-8, a regular file",
        "books that extend each other": str(sources.MAX_PARENTS),
        "nesting": f"{sources.MAX_DEPTH} levels, 32 parts in a key",
        "whole numbers": f"{MAX_DIGITS} digits",
        "numbers in the pool": str(MAX_POOL),
        "patterns, links of the ending": f"{MAX_PATTERNS}, {MAX_LINKS}",
        "winning sets": (f"{MAX_SETS:,}, found in {MAX_STEPS:,} steps for all patterns together"),
        "readings": str(language.MAX_READINGS),
        "claims, examples": f"{claims.MAX_CLAIMS} each; {examples.MAX_MOVES} moves per example",
        "names of books and readings": f"{language.MAX_NAME} characters",
        "a title, a summary": f"{MAX_LINE} characters",
        "a phrase, a list of lines": f"{words.MAX_LENGTH} characters, {words.MAX_LINES} lines",
    }
    assert dict(row[:2] for row in rows("what")) == limits
    assert examples.MAX_EXAMPLES == claims.MAX_CLAIMS


def test_the_words_are_listed_in_the_guide() -> None:
    """Where the page points to."""
    guide = PAGE.with_name("designing.md").read_text("utf-8")
    assert "\n## Words\n" in guide
    assert "(designing.md#words)" in TEXT
