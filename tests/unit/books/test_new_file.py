"""The file that ``ninefold new`` writes: every field is named, every line left out works."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold import books
from ninefold.books.answers import parse_ending, parse_patterns
from ninefold.books.check import examine
from ninefold.books.families import FAMILIES, MEASURES
from ninefold.books.language import BOOK, PLAY, RULES
from ninefold.books.new_file import Draft, format_book
from ninefold.books.sources import merge_chain, read_chain, read_source

LEFT_OUT = re.compile(r"^( *)#(?=[a-z{])", re.MULTILINE)


def answers(pool: Any, wins: dict[str, Any], ending: Any = (), **rules: Any) -> Draft:
    """A draft that says everything a designer is asked for."""
    return Draft("A", {"pool": pool, "wins": wins, "ending": [*ending], **rules})


def extending(name: str, rules: dict[str, Any]) -> Draft:
    """A draft of a book that extends another."""
    parent = merge_chain(read_chain(read_source(name)))
    return Draft("A", rules, name, parent)


def written(draft: Draft) -> str:
    """The file for this draft."""
    return format_book(draft, "a", "a.toml", None)


def uncommented(text: str) -> Iterator[tuple[str, str]]:
    """Each line that is left out, and the text with it."""
    for found in LEFT_OUT.finditer(text):
        line = text[found.end() :].split("\n", 1)[0]
        yield line, text[: found.start()] + found[1] + text[found.end() :]


ANSWERS = {
    "plain": answers("1-9", parse_patterns(["arithmetic"])),
    "misere": answers([2, 4, 6, 8, 12], parse_patterns(["sum"], (2, 4, 6, 8, 12)), misere=True),
    "ending": answers("1-6", {}, parse_ending(["hand-sum higher", "last-pick"])),
    "special": answers(
        "-3-3",
        parse_patterns(["sum-triple"], range(-3, 4)),
        **{"passing": True, "pie": True, "hand-limit": 3, "opening": [0], "picks-per-turn": 2},
    ),
    "tiny": answers([1], {}),
    "everything": answers("1-9", parse_patterns([*FAMILIES]), parse_ending(["count"])),
    **{f"extends {name}": extending(name, {}) for name in books.names()},
    "drops": extending(
        "pattern-builder",
        {"pool": "1-16", "wins": {"arithmetic": False, "geometric": {"length": 3}}},
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_line_that_is_left_out_is_valid(tmp_path: Path, name: str) -> None:
    """One at a time, in every reading of the book; and so is the file without any of them."""
    text = written(ANSWERS[name])
    path = tmp_path / "a.toml"
    path.write_text(text)
    assert examine(read_source(str(path))).faults == []
    lines = [*uncommented(text)]
    assert len(lines) > 20
    for line, changed in lines:
        path.write_text(changed)
        assert examine(read_source(str(path))).faults == [], line
        assert tomllib.loads(changed) != tomllib.loads(text), line


@pytest.mark.parametrize("name", ["plain", "misere", "ending", "special", "everything"])
def test_every_field_of_the_language_is_named(name: str) -> None:
    """In a line that is there, or in one that is left out."""
    text = written(ANSWERS[name])
    tables = {*re.findall(r"^\[([a-z.]+)\]", text, re.MULTILINE)}
    named = {*re.findall(r"^#?([a-z-]+) = ", text, re.MULTILINE)} | tables
    wanted = {*BOOK, *RULES, *PLAY, *FAMILIES}
    assert named | {"wins"} >= wanted | {"rules.wins", "words", "play", "readings"}
    assert {*re.findall(r'measure = "([a-z-]+)"', text)} == {*MEASURES}


def test_the_example_it_offers_is_true() -> None:
    """Whatever the first numbers decide."""
    pool = (1, 2, 3, 4)
    wins = parse_patterns(["sets sets=[[1,3]]"], pool)
    text = written(answers("1-4", wins))
    assert 'moves = "1 2 3", says = { winner = 1 }' in text


def test_what_is_inherited_can_be_taken_away() -> None:
    """A family of the other book, in a line of its own."""
    assert "\n#geometric = false\n" in written(ANSWERS["extends pattern-builder"])


def test_the_example_stops_where_a_declaration_is_asked_for(tmp_path: Path) -> None:
    """A number alone may be a set of the book it starts from, to be declared at once."""
    path = tmp_path / "one.toml"
    path.write_text("rules = { pool = [1, 2], declare = true, wins.sets = { sets = [[1]] } }")
    text = written(extending(str(path), {}))
    assert 'moves = "1", says = { winner = 0 }' in text
