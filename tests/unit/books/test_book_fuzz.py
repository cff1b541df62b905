"""Strangers' files: whatever they hold, there is a book or a refusal in words."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ninefold import books
from ninefold.books.check import examine
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import Source, parse
from ninefold.core.errors import NinefoldError
from tools import fuzz_books

CASES = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
FIELD = st.sampled_from([name.decode() for name in fuzz_books.FIELDS])
TEXT = st.text(max_size=30)


@given(st.sampled_from(fuzz_books.KINDS), st.integers(0, 2**64))
@CASES
def test_damaged_and_random_files(tmp_path: Path, kind: object, seed: int) -> None:
    """Loaded and checked with the same verdict; what is shown is safe to show."""
    assert callable(kind)
    path = tmp_path / "a.toml"
    path.write_bytes(kind(Random(seed)))
    fuzz_books.attempt(path)


@given(st.binary(max_size=200))
@CASES
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    """A file that is no text, or no TOML, or no book: it needs a pool, or a book that has one."""
    path = tmp_path / "a.toml"
    path.write_bytes(data)
    assert not fuzz_books.attempt(path) or b"pool" in data or b"extends" in data


@given(st.lists(st.tuples(FIELD, TEXT), max_size=5))
@CASES
def test_any_text_in_any_field(fields: list[tuple[str, str]]) -> None:
    """No text that is not safe to show gets through, and none is shown in a complaint."""
    lines = [f"{name} = {_quoted(text)}" for name, text in fields]
    try:
        data = parse("\n".join(lines), "a.toml")
        report = examine(Source("./a.toml", "/a.toml", "\n".join(lines), data))
    except NinefoldError as error:
        assert is_readable(error.message, lines=True)
        return
    for fault in (*report.faults, *report.warnings):
        assert is_readable(str(fault))
    for book in report.books.values():
        assert is_readable(book.title)
        assert is_readable(book.text, lines=True)


def _quoted(text: str) -> str:
    escaped = "".join(f"\\U{ord(char):08x}" for char in text if not 0xD800 <= ord(char) < 0xE000)
    return f'"{escaped}"'


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_hostile_files_are_refused_within_the_bounds(tmp_path: Path, seed: int) -> None:
    """Files made to take long; ``python3 dev fuzz`` measures many more."""
    path = tmp_path / "a.toml"
    for case in range(8):
        path.write_bytes(fuzz_books.hostile(Random(f"{seed} {case}")))
        if path.stat().st_size < 20_000:  # the others take seconds
            fuzz_books.attempt(path)


@given(st.text(max_size=40), st.integers(1, 20))
def test_what_is_shown_of_a_text_is_readable_and_short(text: str, width: int) -> None:
    """Whatever it was; what was readable and short stays as it was."""
    safe = shown(text, width)
    assert is_readable(safe)
    assert len(safe) <= width
    if is_readable(text) and len(text) <= width:
        assert safe == text


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J", "\x07", "\x7f", "\x9b2J", "a\tb", "a\rb", "\u200b", "\u200d", "\u2060", "\ufeff",
        "\u202e", "\u2066", "\u061c", "\u00ad", "\u2028", "\ue000", "\u3164", "\u2800", "\ufe0f",
        "\u034f", "e\u0301\u0301\u0301\u0301", "\U000e0041",
    ],
)  # fmt: skip
def test_tricks_are_not_readable(text: str) -> None:
    """Escapes, bells, invisible and turning characters, blank letters, towers of accents."""
    assert not is_readable(text)
    assert not is_readable(text, lines=True)


@pytest.mark.parametrize("text", ["", "Größe 2", "数字", "שלום", "e\u0301", "a b", "★ → ½"])
def test_plain_text_of_any_language_is_readable(text: str) -> None:
    """A book need not be written in English."""
    assert is_readable(text)


def test_several_lines_are_for_prose_only() -> None:
    """A title is one line."""
    assert is_readable("a\nb", lines=True)
    assert not is_readable("a\nb")


def test_a_book_whose_readings_take_long_is_not_checked_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rest is left out, and that is said."""
    from ninefold.books import check

    monkeypatch.setattr(check, "PATIENCE", -1.0)
    text = '[rules]\npool = "1-3"\n[readings.a]\n'
    report = examine(Source("./a.toml", "/a.toml", text, books.sources.parse(text, "a")))
    assert [fault.path for fault in report.faults] == ["readings.default"]
