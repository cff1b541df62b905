"""The index of places, held against the standard parser and against tree-sitter."""

import tomllib
from collections.abc import Iterator
from random import Random

import tree_sitter_toml
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Language, Node, Parser

from ninefold.books.faults import Keys
from ninefold.books.locations import index
from tools.toml_writer import Writer


def paths(value: object, keys: Keys = ()) -> Iterator[Keys]:
    """The path of everything in parsed data."""
    if keys:
        yield keys
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*keys, key))
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from paths(item, (*keys, at))


def key_starts(text: str) -> set[tuple[int, int]]:
    """Where tree-sitter sees each part of a key of a field, and each list item: line, column."""
    data = text.encode()
    tree = Parser(Language(tree_sitter_toml.language())).parse(data)
    assert not tree.root_node.has_error
    return set(_starts(tree.root_node, data.split(b"\n")))


def _starts(node: Node, lines: list[bytes]) -> Iterator[tuple[int, int]]:
    if node.type == "pair":
        yield from _parts(node.named_children[0], lines)
    elif node.type == "array":
        items = [child for child in node.named_children if child.type != "comment"]
        yield from (_place(child, lines) for child in items)
    elif node.type in ("table", "table_array_element"):
        yield _place(node, lines)
    for child in node.named_children:
        yield from _starts(child, lines)


def _parts(key: Node, lines: list[bytes]) -> Iterator[tuple[int, int]]:
    if key.type != "dotted_key":
        yield _place(key, lines)
        return
    for part in key.named_children:
        yield from _parts(part, lines)


def _place(node: Node, lines: list[bytes]) -> tuple[int, int]:
    row, column = node.start_point
    return row + 1, len(lines[row][:column].decode()) + 1


def test_every_place_of_a_small_file() -> None:
    """Headers, dotted keys, lists over several lines and tables in braces."""
    text = 'a = 1\n[b]\nc.d = [\n  5,\n  { e = "x" }]\n[[f]]\n[[f]]\n  "g h" = 2\n'
    found = {keys: (place.line, place.column) for keys, place in index(text).items()}
    assert found == {
        ("a",): (1, 1),
        ("b",): (2, 1),
        ("b", "c"): (3, 1),
        ("b", "c", "d"): (3, 3),
        ("b", "c", "d", 0): (4, 3),
        ("b", "c", "d", 1): (5, 3),
        ("b", "c", "d", 1, "e"): (5, 5),
        ("f",): (6, 1),
        ("f", 0): (6, 1),
        ("f", 1): (7, 1),
        ("f", 1, "g h"): (8, 3),
    }


@given(st.integers(0, 2**64))
@settings(max_examples=500)
def test_everything_the_standard_parser_finds_has_a_place(seed: int) -> None:
    """Neither more nor less, in whatever style it is written."""
    text = Writer(Random(seed)).document().replace("\r\n", "\n")
    assert set(index(text)) == set(paths(tomllib.loads(text)))


@given(st.integers(0, 2**64))
@settings(max_examples=300)
def test_the_places_are_those_tree_sitter_sees(seed: int) -> None:
    """Each beginning of a field, a list item or a header, to the column."""
    text = Writer(Random(seed)).document().replace("\r\n", "\n")
    found = {(place.line, place.column) for place in index(text).values()}
    assert found == key_starts(text)


def test_what_is_too_deep_has_no_places() -> None:
    """Rather than an error."""
    assert index("a = " + "[" * 100_000) == {}
