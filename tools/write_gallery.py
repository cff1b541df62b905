"""The table of docs/gallery/README.md, from the books themselves.

After a change, ``python3 dev docs`` writes the table again.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from ninefold import books
from ninefold.books import Book
from ninefold.solver import solver_for

GALLERY = Path(__file__).resolve().parents[1] / "docs" / "gallery"
PAGE = GALLERY / "README.md"
_WINNERS = {"win": "the first player", "loss": "the second player", "draw": "a draw"}


def paths() -> list[Path]:
    """The books of the gallery."""
    return sorted(GALLERY.glob("*.toml"))


def table() -> str:
    """One row a book: its name, what it shows, best play, its files."""
    head = "| book | shows | best play | plies | |\n|---|---|---|---|---|\n"
    return head + "".join(_rows())


def _rows() -> Iterator[str]:
    for path in paths():
        book = books.load_book(str(path))
        who, plies = best_play(book)
        files = f"[game]({path.stem}.txt)"
        title = f"[{book.title}]({path.name})"
        yield f"| {title} | {_shows(path)} | {who} | {plies} | {files} |\n"


def _shows(path: Path) -> str:
    """The first sentence of the remark at the top of the file."""
    lines = path.read_text("utf-8").split("\n")
    remark = " ".join(line.removeprefix("# ") for line in lines if line.startswith("#"))
    return re.split(r"(?<=\.) (?=[A-Z])", remark)[0].replace("|", "\\|")


def best_play(book: Book) -> tuple[str, int | None]:
    """Who wins, and how many moves that takes if the winner hurries and the loser delays."""
    value = solver_for(book.game).value(book.game.start())
    return _WINNERS[value.result], value.plies


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    found = re.sub(r"(?m)^\| book \|.*\n(?:\|.*\n)*", lambda _: table(), page)
    PAGE.write_text(found, "utf-8")
