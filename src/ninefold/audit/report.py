"""The audit of a book: one reading or all of them, and the readings side by side."""

from collections.abc import Callable
from typing import NamedTuple

from ninefold import books
from ninefold.audit.claims import claim_findings
from ninefold.audit.clock import SEARCH, SHARE, Clock, OutOfTime
from ninefold.audit.examples import example_findings
from ninefold.audit.figures import Figures, Tell
from ninefold.audit.finding import (
    ClaimFinding,
    ExampleFinding,
    OpeningFinding,
    PieFinding,
    ReadingRow,
    RuleFinding,
)
from ninefold.audit.subject import Subject
from ninefold.books import Book
from ninefold.core.moves import format_move
from ninefold.solver import Value


class Audit(NamedTuple):
    """What was found about a book in one reading; ``pie`` is None if it has the pie rule."""

    book: Book
    figures: Figures
    value: Value
    openings: tuple[OpeningFinding, ...]
    claims: tuple[ClaimFinding, ...]
    examples: tuple[ExampleFinding, ...]
    rules: tuple[RuleFinding, ...]
    pie: PieFinding | None

    @property
    def false_claims(self) -> int:
        """How many claims are refuted."""
        return sum(claim.verdict == "refuted" for claim in self.claims)

    @property
    def false_examples(self) -> int:
        """How many examples are wrong."""
        return sum(not example.right for example in self.examples)

    @property
    def good(self) -> tuple[str, ...] | None:
        """The openings that keep what the first player has; None if that is not settled."""
        if any(opening.good is None for opening in self.openings):
            return None
        return tuple(opening.move for opening in self.openings if opening.good)


class Report(NamedTuple):
    """The audits of a book, one for each reading asked for, and all its readings in a row."""

    audits: tuple[Audit, ...]
    readings: tuple[ReadingRow, ...]

    @property
    def is_false(self) -> bool:
        """Whether some claim is refuted or some example wrong."""
        return any(audit.false_claims or audit.false_examples for audit in self.audits)


def audit(
    book: Book,
    *,
    all_readings: bool = False,
    load: Callable[[str], Book] | None = None,
    tell: Tell = lambda _: None,
    seed: int = 1,
    seconds: float | None = None,
) -> Report:
    """The audit of a book in its reading, or in all of them.

    ``load`` gives the same book in another reading; ``tell`` hears what is being done. After so
    many ``seconds``, whatever is left is not settled.
    """
    clock = Clock() if seconds is None else Clock(seconds)
    search = SEARCH if seconds is None else seconds / SHARE
    name = book.file or book.id
    other = load or (lambda reading: books.load(name, reading, book.changes))
    loaded = {
        reading: book if reading == book.reading else other(reading) for reading in book.readings
    }
    subjects = {
        name: Subject(item.game, _told(tell, name, len(loaded)), seed, search, item, clock)
        for name, item in loaded.items()
    }
    chosen = subjects if all_readings else {book.reading: subjects[book.reading]}
    audits = tuple(_audit(subject) for subject in chosen.values())
    rows = tuple(map(_row, subjects.values())) if len(subjects) > 1 else ()
    return Report(audits, rows)


def _told(tell: Tell, reading: str, readings: int) -> Tell:
    return tell if readings == 1 else lambda text: tell(f"{reading}: {text}")


def _audit(subject: Subject) -> Audit:
    assert subject.book is not None
    return Audit(
        book=subject.book,
        figures=subject.figures,
        value=subject.value,
        openings=tuple(_openings(subject)),
        claims=tuple(claim_findings(subject)),
        examples=tuple(example_findings(subject.book)),
        rules=tuple(subject.rules),
        pie=pie_finding(subject),
    )


def pie_finding(subject: Subject) -> PieFinding | None:
    """What the pie rule would make of the game; a large one is not searched once more."""
    if subject.game.rules.pie:
        return None
    try:
        with subject.clock.limit():
            return _with_pie(subject)
    except OutOfTime:
        return PieFinding("unknown", None, None)


def _with_pie(subject: Subject) -> PieFinding:
    other = subject.variant(pie=True)
    if other is None or not other.is_settled:
        return PieFinding("unknown", None, None)
    good = other.good_openings
    moves = None if good is None else tuple(format_move(item.move) for item in good)
    return PieFinding(*other.value, moves)


def _openings(subject: Subject) -> list[OpeningFinding]:
    """Every opening: its value, and what chance makes of it."""
    good = subject.good_openings
    found = []
    for item in subject.openings:
        chances = subject.figures.openings.get(item.move)
        found.append(
            OpeningFinding(
                move=format_move(item.move),
                result=item.result,
                plies=item.plies,
                share=chances.share(1) if chances else None,
                trials=chances.trials if chances else 0,
                good=None if good is None else item in good,
            )
        )
    return found


def _row(subject: Subject) -> ReadingRow:
    """A reading in short: who wins, how soon, with which openings."""
    assert subject.book is not None
    # A reading that is not audited itself must not take longer than the audit.
    known = "figures" in vars(subject) and subject.figures.exact
    settled = known or subject.is_settled
    good = subject.good_openings if settled else None
    value = subject.value if settled else Value("unknown", None)
    return ReadingRow(
        reading=subject.book.reading,
        summary=subject.book.readings[subject.book.reading].summary,
        result=value.result,
        plies=value.plies,
        good=None if good is None else tuple(format_move(item.move) for item in good),
    )
