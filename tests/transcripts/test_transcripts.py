"""Every golden transcript holds, and every book, reading and example has one."""

from pathlib import Path

import pytest

from ninefold import books
from transcripts.transcript import FOLDER, GALLERY, dump, load, paths

READINGS = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
EXAMPLES = [
    (name, example["name"]) for name in books.names() for example in books.load_book(name).examples
]


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_typed_gives_the_golden_output(path: Path) -> None:
    """The command prints the transcript to the letter, and no traceback."""
    transcript = load(path)
    result = transcript.run()
    assert result.stdout.splitlines(keepends=True) == transcript.output.splitlines(keepends=True)
    assert result.returncode == 0
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_files_are_in_the_stated_form(path: Path) -> None:
    """Loading and dumping a transcript gives the same file, and it says what it shows."""
    assert dump(load(path)) == path.read_text("utf-8")
    assert load(path).comments


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_every_reading_has_a_transcript(name: str, reading: str) -> None:
    """A book without a readable playthrough of each of its readings is not finished."""
    default = books.load_book(name).reading == reading
    commands = [load(path).command.split() for path in sorted((FOLDER / name).glob("*.txt"))]
    shown = [command for command in commands if command[1:3] == ["play", name]]
    assert any(
        reading in command if not default else "--reading" not in command for command in shown
    )


@pytest.mark.parametrize("book", sorted(GALLERY.glob("*.toml")), ids=lambda book: book.stem)
def test_every_book_of_the_gallery_has_a_transcript_of_a_whole_game(book: Path) -> None:
    """It is loaded without a fault, and played from its file to the end; a number may be barred."""
    transcript = load(book.with_suffix(".txt"))
    assert transcript.command == f"ninefold play docs/gallery/{book.name}"
    position = books.load_book(str(book)).game.start()
    for typed in transcript.typed:
        barred = typed.isdecimal() and int(typed) in {*position.available} - {*position.picks}
        position = position if barred else position.follow(typed)
    assert position.settled().outcome is not None


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_example_of_a_book_has_a_transcript(name: str, example: str) -> None:
    """It is played as the book tells it: its moves, and the choices it says are refused."""
    data = next(item for item in books.load_book(name).examples if item["name"] == example)
    typed = load(FOLDER / name / f"{example.lower().replace(' ', '-')}.txt").typed
    numbers = [int(line.removeprefix("pick ")) for line in typed]
    if "hands" in data:
        assert sorted(numbers) == sorted(number for hand in data["hands"] for number in hand)
        return
    told = [int(move) for move in data["moves"].split()]
    for attempt in sorted(data.get("attempts", []), key=lambda item: -item["after"]):
        told.insert(attempt["after"], attempt["number"])
    assert numbers == told
