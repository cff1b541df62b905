"""What docs/designing.md says is what happens."""

import re
import shlex
from pathlib import Path

import pytest
from e2e.designing import PAGE, tables
from e2e.program import Ninefold
from e2e.test_docs import block

from ninefold.books import book, faults, sources, words
from ninefold.core.game import MAX_SETS
from ninefold.core.rules import MAX_POOL
from ninefold.core.work import MAX_STEPS

TEXT = PAGE.read_text("utf-8")
BOOKS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
FAULTY = """\
titel = "Sums"
[rules]
pool = "1-9"
[rules.wins.aritmetic]
length = 3
[readings.strict.rules]
invalid = "loose-turn"
"""


@pytest.mark.parametrize("text", BOOKS)
def test_every_book_on_the_page_is_fine(ninefold: Ninefold, tmp_path: Path, text: str) -> None:
    """No fault, in any reading; it can be played."""
    path = tmp_path / "book.toml"
    path.write_text(text)
    assert ninefold.json("check", str(path))["valid"]
    assert ninefold.run("play", str(path), "--p1", "random", "--p2", "random").returncode == 0


def test_there_are_books_on_the_page() -> None:
    """So that the test above cannot pass for want of them."""
    assert len(BOOKS) >= 5


def test_the_transcript_of_new_is_real(
    ninefold: Ninefold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command prints what is shown, and the file plays."""
    monkeypatch.chdir(tmp_path)
    command, *shown = block(TEXT, "$ ninefold new")
    result = ninefold.run(*shlex.split(command)[2:])
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert ninefold.run("check", "evens.toml").returncode == 0


def test_the_transcript_of_check_is_real(
    ninefold: Ninefold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the letter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "faulty.toml").write_text(FAULTY)
    command, *shown = block(TEXT, "$ ninefold check")
    result = ninefold.run(*shlex.split(command)[2:])
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert result.returncode == 1


def test_the_tables_of_words_are_complete() -> None:
    """After a change: python tests/e2e/designing.py writes them anew."""
    for table in tables():
        assert f"\n{table}\n\n" in TEXT


def test_the_bounds_on_the_page_are_the_bounds() -> None:
    """Each number of the table."""
    rows = {
        "size of a file": f"{sources.MAX_BYTES >> 10} KB of UTF-8, an ordinary file",
        "books behind each other": str(sources.MAX_PARENTS),
        "nesting": f"{sources.MAX_DEPTH} levels, 32 parts in a key",
        "whole numbers": f"{sources.MAX_DIGITS} digits",
        "numbers in the pool": str(MAX_POOL),
        "winning sets": f"{MAX_SETS:,}, found in {MAX_STEPS:,} steps a family",
        "readings": str(book.MAX_READINGS),
        "names of books and readings": f"{book.MAX_NAME} characters",
        "a title, a summary": f"{faults.MAX_LINE} characters",
        "a phrase, a list of lines": f"{words.MAX_LENGTH} characters, {words.MAX_LINES} lines",
    }
    for what, most in rows.items():
        assert f"| {what} | {most} |" in TEXT
