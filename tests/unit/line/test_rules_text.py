"""``ninefold rules``: the book's own text where it describes the rules, else a generated one."""

from pathlib import Path

import pytest

from ninefold import books
from ninefold.books.describe import text_of
from ninefold.line.rules import rules_text

OWN = """
text = "Take a number in turn. Two numbers and their sum win, and the second player may swap."
[rules]
pool = "1-6"
pie = true
[rules.wins.sum-triple]
[readings.long.rules]
pool = "1-8"
[readings.longer]
summary = "With the numbers 1 to 9."
[readings.longer.rules]
pool = "1-9"
"""


@pytest.mark.parametrize(
    ("game", "change", "sentence"),
    [
        ("sequence-capture", 'invalid="lose-turn"', "unavailable number, you lose your turn."),
        ("sequence-capture", "hand-limit=4", "Nobody may hold more than four numbers"),
        ("sequence-capture", "wins.consecutive.length=3", "three numbers that are neighbours"),
        ("magic-fifteen", "pool=1-12", "share the numbers 1 to 12"),
        ("magic-fifteen", "opening=[2, 4]", "The first number of the game must be 2 or 4."),
        ("magic-fifteen", "picks-per-turn=2", "you take two free numbers, one after the other"),
        ("magic-fifteen", "pie=true", "may answer the first turn by swapping hands; then the"),
        ("magic-fifteen", "passing=true", "You may pass instead;"),
        ("magic-fifteen", "misere=true", "You lose as soon as you hold three numbers"),
    ],
)
def test_changed_rules_are_told_as_played(game: str, change: str, sentence: str) -> None:
    """First what is changed, then the generated text; nothing of the book's own text is left."""
    own, book = books.load_book(game), books.load_book(game, None, (change,))
    title, changed, played, *shown = rules_text(book).split("\n\n")
    assert title == f"{own.title} ({game})"
    assert (changed, played) == (f"Changed here: {change}", "The rules as played:")
    text = " ".join(" ".join(shown).split())
    assert text == " ".join(text_of(book.game).split())
    assert sentence in text


def test_a_changed_reading_is_named_but_not_explained() -> None:
    """Its own words are about three slots, not four."""
    shown = rules_text(books.load_book("sequence-builder", "three-slots", ("hand-limit=4",)))
    assert "Changed here: hand-limit=4 (rules variant: three-slots)\n" in shown
    assert "Nobody may hold more than four numbers" in " ".join(shown.split())
    assert "at most three numbers, in any order" not in shown
    assert "--reading open-hand: Every number counts" in shown


@pytest.mark.parametrize("name", books.names())
def test_unchanged_books_show_their_own_text(name: str) -> None:
    """In every reading, with what the reading says about itself and the remarks."""
    for reading, about in books.load_book(name).readings.items():
        book = books.load_book(name, reading)
        shown = " ".join(rules_text(book).split())
        for part in (book.text, about.text, book.notes):
            assert " ".join(part.split()) in shown
        assert not book.generated
        assert "Changed here" not in shown


def test_a_reading_without_words_gets_a_generated_text(tmp_path: Path) -> None:
    """Below what it changes; a reading that says what is different needs none."""
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    _, reading, changes, text, *_ = rules_text(books.load_book(str(path), "long")).split("\n\n")
    assert (reading, changes) == ("Rules variant: long", "Changes rules.pool.")
    assert text.startswith("Two players share the numbers 1 to 8.")
    _, text, reading, said, *_ = rules_text(books.load_book(str(path), "longer")).split("\n\n")
    assert text.startswith("Take a number in turn.")
    assert (reading, said) == ("Rules variant: longer", "With the numbers 1 to 9.")
