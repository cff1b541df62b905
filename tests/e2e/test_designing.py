"""What docs/designing.md says is what happens."""

import re
import shlex
from pathlib import Path

import pytest
from e2e.program import Ninefold
from e2e.test_docs import block

from tools.write_designing import PAGE, tables

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
    """After a change, ``python3 dev docs`` writes them again."""
    for table in tables():
        assert f"\n{table}\n\n" in TEXT
