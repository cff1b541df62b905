"""The data card: what a dataset contains, and how it was made."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from ninefold import __version__
from ninefold.books import Book
from ninefold.datasets.rows import COLUMNS, Row
from ninefold.layout import VERSION, layout_for

WORDS = {1: "won", 0: "drawn", -1: "lost"}


class Counts:
    """Counts of rows, made while they are written."""

    def __init__(self) -> None:
        self.unfinished, self.finished = Counter[int](), Counter[int]()
        self.values, self.results = Counter[int](), Counter[int]()
        self.endless = 0
        self.visited = 0
        self.length = Fraction(0)

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass the rows on, and count each of them."""
        for row in rows:
            self.visited += row.visit_fraction != "0"
            if row.over:
                self.finished[row.ply] += 1
                self.results[row.winner or 0] += 1
            else:
                self.unfinished[row.ply] += 1
                self.values[row.value] += 1
                self.endless += row.distance is None
                self.length += Fraction(row.visit_fraction)
            yield row

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.unfinished.total() + self.finished.total()


def about(book: Book) -> dict[str, str]:
    """The rules, encoding and version behind the rows."""
    from os.path import basename

    found = {"book": basename(book.file) if book.file else book.id, "reading": book.reading}
    if book.changes:
        found["changes"] = "; ".join(book.changes)
    found["rules"] = book.game.fingerprint
    if book.digest:
        found["digest"] = book.digest
    return {**found, "encoding": str(VERSION), "version": __version__}


def as_data(book: Book, counts: Counts) -> dict[str, object]:
    """The contents of the card, for programs."""
    return {
        **about(book),
        "rows": counts.rows,
        "unfinished": counts.unfinished.total(),
        "finished": counts.finished.total(),
        "visited": counts.visited,
        "endless": counts.endless,
        "values": {word: counts.values[value] for value, word in WORDS.items()},
        "results": {str(winner): counts.results[winner] for winner in (1, 2, 0)},
        "random_plies": float(counts.length),
    }


def card(book: Book, counts: Counts, name: str, digest: str, command: str) -> str:
    """The card of the dataset in this file, as Markdown."""
    from ninefold.books.describe import text_of

    layout = layout_for(book.game)
    actions = ", ".join(f"{at}: `{action}`" for at, action in enumerate(layout.actions))
    planes = ", ".join(f"`{plane}`" for plane in layout.planes)
    author = " The rule book is its author's." if book.file else ""
    return f"""\
# {book.title}: every position

`{name}` holds {counts.rows:,} rows: every position of {book.label} that can be reached \
if player 1 begins, with its exact value, the distance to the end, all optimal moves, and \
how often random play reaches it.

## Rules

{_rules(book)}

{text_of(book.game)}

## Columns

{_columns()}

## Encoding

Observations and actions are those of Ninefold's environments, version {VERSION}.

Actions: {actions}.

Planes of an observation, {len(book.game.pool)} values each: {planes}.

## Counts

{_counts(counts)}

## How it was made

    {command}

by Ninefold {__version__}. The judge played every legal move of every position; the \
values are exact, from the solver. A random player makes every legal move with the same \
probability, but never loses a turn on purpose, and declares if asked while it holds a \
set. The visit probability is that of a game reaching the position at any time: at each \
ply, these and the games that ended before add up to 1. The same command writes the same \
bytes (Parquet: with the same version of pyarrow).

SHA-256 of `{name}`: `{digest}`

## Licence

The data are free to use under the MIT licence, like Ninefold.{author}
"""


def _rules(book: Book) -> str:
    named = {"rules": "fingerprint of the rules", "digest": "digest of the book"}
    *known, _encoding, _version = about(book).items()
    rows = [f"| {named.get(key, key)} | `{value}` |" for key, value in known]
    return "\n".join(["| | |", "|---|---|", *rows])


def _columns() -> str:
    rows = [f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in COLUMNS.items()]
    return "\n".join(["| column | type | what it holds |", "|---|---|---|", *rows])


def _counts(counts: Counts) -> str:
    values = ", ".join(f"{counts.values[value]:,} {word}" for value, word in WORDS.items())
    lines = [
        f"- {counts.unfinished.total():,} unfinished positions: {values} for the player to act.",
        f"- {counts.finished.total():,} finished positions: {counts.results[1]:,} won by player 1, "
        f"{counts.results[2]:,} by player 2, {counts.results[0]:,} drawn.",
        f"- Random play reaches {counts.visited:,} of them; a random game has "
        f"{float(counts.length):.4f} moves on average.",
    ]
    if counts.endless:
        lines.append(f"- {counts.endless:,} drawn positions need never end.")
    plies = sorted({*counts.unfinished, *counts.finished})
    rows = [f"| {ply} | {counts.unfinished[ply]:,} | {counts.finished[ply]:,} |" for ply in plies]
    return "\n".join([*lines, "", "| ply | unfinished | finished |", "|---|---|---|", *rows])
