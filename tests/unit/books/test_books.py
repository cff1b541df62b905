"""Rule books as data: what the files say, and how faults are reported."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import books
from ninefold.books.faults import BookError
from ninefold.books.words import fill
from ninefold.core.errors import NinefoldError, RulesError
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Criterion, Rules

SMALL: dict[str, Any] = {
    "id": "small",
    "title": "Small",
    "summary": "A small book.",
    "rules": {"pool": "1-5", "wins": {"sum-triple": {}}},
}


def faults(data: dict[str, Any]) -> list[str]:
    """The faults of a book, as lines."""
    with pytest.raises(BookError) as caught:
        books.read_book(data)
    return [str(fault) for fault in caught.value.faults]


def changed(path: str, value: object) -> dict[str, Any]:
    """The small book with one field changed."""
    *tables, field = path.split(".")
    data: dict[str, Any] = {**SMALL, "rules": dict(SMALL["rules"])}
    table = data
    for name in tables:
        table[name] = dict(table.get(name, {}))
        table = table[name]
    table[field] = value
    return data


def test_the_five_books_and_the_sixth_are_there() -> None:
    """Books are found by looking into the folder; each is named like its file."""
    assert ninefold.games() == (
        "magic-fifteen",
        "pattern-builder",
        "sequence-builder",
        "sequence-capture",
        "sequence-duel-arithmetic",
        "sequence-duel-sum",
    )
    assert all(books.load_book(name).id == name for name in books.names())


def test_the_default_readings() -> None:
    """The default is chosen when no reading is named, and by its own name."""
    defaults = {name: books.load_book(name).reading for name in books.names()}
    assert defaults == {
        "magic-fifteen": "default",
        "pattern-builder": "automatic",
        "sequence-builder": "open-hand",
        "sequence-capture": "default",
        "sequence-duel-arithmetic": "default",
        "sequence-duel-sum": "retry",
    }
    for name, reading in defaults.items():
        assert books.load_book(name, reading).game.rules == books.load_book(name).game.rules
        assert books.load_book(name, "default").game.rules == books.load_book(name).game.rules


def test_readings_are_small_overlays() -> None:
    """A reading changes what it names and keeps the rest."""
    default = books.load_book("sequence-builder").game.rules
    slots = books.load_book("sequence-builder", "three-slots-in-order").game.rules
    assert slots == default._replace(hand_limit=3, in_order=True)
    declare = books.load_book("pattern-builder", "declare").game.rules
    assert declare.ending == (Criterion("first-complete", "higher"),)
    assert books.load_book("sequence-duel-sum", "lose-turn").on_timeout == "lose-turn"
    assert books.load_book("sequence-duel-sum").on_timeout == "lose"


def test_every_rule_text_says_that_a_difference_of_zero_cannot_happen() -> None:
    """5 5 5 is ruled out in words, in each book."""
    for name in books.names():
        text = " ".join(books.load_book(name).text.split())
        assert "5 5 5" in text or "5, 5, 5" in text


def test_fingerprints_tell_rules_apart_and_nothing_else() -> None:
    """Each reading has its own; the words on screen do not count."""
    prints = {
        (name, reading): ninefold.load(name, reading).fingerprint
        for name in books.names()
        for reading in books.load_book(name).readings
    }
    assert len(set(prints.values())) == len(prints) == 10
    plain = books.read_book(SMALL).game.fingerprint
    assert books.read_book(changed("words.separator", "; ")).game.fingerprint == plain
    assert books.read_book(changed("rules.pool", "1-6")).game.fingerprint != plain
    assert books.read_book(changed("rules.misere", True)).game.fingerprint != plain
    assert books.read_book(changed("rules.misere", False)).game.fingerprint == plain


def test_all_faults_are_reported_at_once() -> None:
    """Each with its place, what was expected, and the nearest valid spelling."""
    data = {
        "id": "x",
        "titel": "X",
        "summary": 5,
        "rules": {
            "pool": "1-199",
            "wins": {"aritmetic": {}, "sum": {"count": 199}, "chain": {}},
            "ending": [{"measure": "longest-rum", "prefer": "higher"}],
            "hand-limit": -1,
        },
        "words": {"won": ["{palyer} wins", "{player.__class__}", "\x1b[2J"]},
    }
    assert faults(data) == [
        "titel: unknown field (did you mean title?)",
        "summary: must be a line of text",
        "rules.pool: must have at most 100 numbers, not 199",
        "rules.wins.aritmetic: needs a family, one of arithmetic, geometric, consecutive, "
        "sum-triple, sum, product, kind, chain, sets (did you mean arithmetic?)",
        "rules.wins.sum.count: must be a whole number from 1 to 100",
        "rules.wins.chain.length: missing; it must be a whole number from 2 to 100",
        "rules.ending[0].measure: must be one of count, distance, first-complete, "
        "hand-product, hand-sum, highest, last-pick, longest-ascent, longest-run, lowest, "
        "run-start, run-sum (did you mean longest-run?)",
        "rules.hand-limit: must be a whole number, at least 0",
        "words.won[0]: unknown placeholder {palyer} (did you mean player?)",
        "words.won[1]: braces may only enclose the name of a placeholder",
        "words.won[2]: must not contain line breaks, control characters or invisible characters",
    ]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rules.pool", []),
        ("rules.pool", [1, 1]),
        ("rules.pool", [True, 2]),
        ("rules.pool", "9-1"),
        ("rules.pool", list(range(101))),
        ("rules.wins", {"arithmetic": {"length": 2}}),
        ("rules.wins", {"arithmetic": {"length": True}}),
        ("rules.wins", []),
        ("rules.ending", {"measure": "hand-sum"}),
        ("rules.ending", ["hand-sum"]),
        ("rules.invalid", "shout"),
        ("rules.in-order", True),
        ("words.markers", ["X"]),
        ("words.markers", ["X", "X"]),
        ("words.prompt", ["a"]),
        ("words.won", "a"),
        ("words.won", [1]),
        ("words.ended", {"sunset": []}),
        ("words.prompt", "{player!r}"),
        ("words.prompt", "{0}"),
        ("words.prompt", "{}"),
        ("title", "\x1b[2J"),
        ("summary", "two\nlines"),
        ("text", "a\x07b"),
        ("id", 'a"b\n'),
        ("play", {"on-timeout": "cry"}),
        ("readings", {"a": {"summary": 3}}),
        ("readings", {"a b": {}}),
        ("readings", {str(number): {} for number in range(25)}),
        ("readings", 3),
        ("default-reading", "b"),
        ("id", "a b"),
        ("id", "a" * 61),
        ("title", "left\u202eright"),
        ("title", "in\u200bvisible"),
        ("title", "blank\u3164"),
        ("title", "a" + "\u0301" * 4),
        ("words.markers", ["X", ""]),
        ("words.prompt", "a" * 501),
        ("words.won", ["a"] * 41),
        ("rules.pool", [10**18]),
        ("rules.wins", {"total": {"count": 1, "total": 10**5000}}),
        ("claims", [{"because": "\x1b[2J"}]),
        ("examples", [{"deep": [[[[[[[[[[[[[]]]]]]]]]]]]]}]),
    ],
)
def test_each_fault_is_found(path: str, value: object) -> None:
    """A wrong field is never taken for a right one."""
    assert faults(changed(path, value))


def test_a_set_that_cannot_be_listed_is_refused_quickly() -> None:
    """A stranger's book cannot hang the program or eat the memory."""
    evens = list(range(2, 130, 2))
    data = changed("rules", {"pool": evens, "wins": {"sum": {"count": 12, "equals": 801}}})
    assert "takes too long" in faults(data)[0]
    fives = [Pattern("sum", (("count", 5), ("equals", total))) for total in (160, 161)]
    with pytest.raises(RulesError, match="more than 100000 winning sets"):
        Game(Rules(tuple(range(1, 65)), tuple(fives)))


def test_templates_know_names_and_nothing_else() -> None:
    """No attributes, no format specs, no evaluation; an unknown name shows nothing."""
    assert fill("{player} {player.x} {player!r} {player:>9} {nobody}.", {"player": "Ann"}) == (
        "Ann {player.x} {player!r} {player:>9} ."
    )
    assert fill("{player}", {"player": "{number}", "number": 5}) == "{number}"


def test_a_book_without_words_has_all_of_them() -> None:
    """Every phrase has a default."""
    words = books.read_book(SMALL).words
    assert words.phrases["prompt"] == "{player}, choose a number: "
    assert all(words.lines["turn"])


def test_unknown_names_get_a_hint() -> None:
    """A typo is answered with the nearest name, or with all of them."""
    with pytest.raises(NinefoldError, match="did you mean sequence-capture"):
        ninefold.load("sequence-capure")
    with pytest.raises(NinefoldError, match="choose one of: retry, lose-turn"):
        ninefold.load("sequence-duel-sum", "strict")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["length", "measure", "equals", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=300)
def test_damage_to_a_book_is_a_fault_or_harmless(data: st.DataObject) -> None:
    """Whatever stands in whatever field, reading gives a book or a list of faults."""
    folder = Path(books.__file__).parent / "data"
    name = data.draw(st.sampled_from(books.names()))
    content = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    table = content
    while True:
        key = data.draw(st.sampled_from([*table]))
        if isinstance(table[key], dict) and table[key] and data.draw(st.booleans()):
            table = table[key]
        else:
            break
    table[key] = data.draw(VALUES)
    try:
        book = books.read_book(content)
    except NinefoldError as error:
        assert error.code in ("bad-book", "unknown-reading")
    else:
        assert book.game.start().turn == 1
