"""The gallery is what its page says: complete, solved, and true in what it claims."""

from pathlib import Path

import pytest

from ninefold import books
from ninefold.audit import audit
from ninefold.books.check import examine
from ninefold.books.sources import read_source
from tools.write_gallery import GALLERY, PAGE, best_play, paths, table

TEXT = PAGE.read_text("utf-8")
BOOKS = {path.stem: books.load_book(str(path)) for path in paths()}
TOLD = {name: book for name, book in BOOKS.items() if book.claims or book.examples}


def test_the_table_is_what_the_books_are() -> None:
    """After a change, ``python3 dev docs`` writes it again."""
    assert f"\n\n{table()}\n" in TEXT
    assert len(BOOKS) >= 12


def test_the_pages_that_count_the_books_count_right() -> None:
    """In words."""
    assert len(BOOKS) == 25
    for page in (GALLERY.parents[1] / "README.md", GALLERY.parent / "designing.md"):
        assert "twenty-five books" in page.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "who", "plies"),
    [
        ("tic-tac-toe", "a draw", 9),
        ("hot-potato", "the second player", 7),
        ("lucky-seven", "the first player", 3),
    ],
)
def test_best_play_is_computed(name: str, who: str, plies: int) -> None:
    """So that the table cannot be wrong in the same way as its test."""
    assert best_play(BOOKS[name]) == (who, plies)


def test_every_file_of_the_gallery_is_linked() -> None:
    """Books and games, and nothing that is not there."""
    files = {path.name for path in GALLERY.iterdir()} - {PAGE.name}
    assert {name for name in files if f"]({name})" in TEXT} == files


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_a_book_of_the_gallery_has_no_fault(path: Path) -> None:
    """Nor a warning, unless its remark explains it."""
    report = examine(read_source(str(path)))
    assert report.faults == []
    expected = ["rules.ending"] if path.stem == "twenty-one" else []
    assert [warning.path for warning in report.warnings] == expected


@pytest.mark.parametrize("name", TOLD)
def test_what_a_book_of_the_gallery_tells_is_true(name: str) -> None:
    """Every claim is proved, every example right, no rule idle; the page names the book."""
    (found,) = audit(TOLD[name]).audits
    assert [claim.says for claim in found.claims if claim.verdict != "proved"] == []
    assert [example.name for example in found.examples if not example.right] == []
    assert [rule.name for rule in found.rules if rule.can_matter is False] == []
    assert TOLD[name].title in TEXT.split("Five of them")[1]


def test_there_are_books_that_tell_something() -> None:
    """As many as the page says."""
    assert len(TOLD) == 5
