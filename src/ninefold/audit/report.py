"""The audit of a book: one reading or all of them, and the readings side by side."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from os import PathLike

from ninefold import books
from ninefold.audit import finding
from ninefold.audit.best_play import best_play, is_endless
from ninefold.audit.claims import claim_findings
from ninefold.audit.clock import SEARCH, SHARE, Clock, OutOfTime
from ninefold.audit.examples import example_findings
from ninefold.audit.figures import Figures, Tell
from ninefold.audit.subject import Subject
from ninefold.audit.words import decided_by
from ninefold.books import Book
from ninefold.books.faults import BookError
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.text import NamedTuple, listed, plural
from ninefold.solver import MoveValue, Value


class Audit(NamedTuple):
    """What was found about a book in one reading."""

    book: Book
    figures: Figures
    value: Value
    openings: tuple[finding.OpeningFinding, ...]
    claims: tuple[finding.ClaimFinding, ...]
    examples: tuple[finding.ExampleFinding, ...]
    rules: tuple[finding.RuleFinding, ...]
    pie: finding.PieFinding | None  # None if the book has the pie rule
    best_play: finding.BestPlay | None  # None if the game is too large

    def __repr__(self) -> str:
        false = f"false claims: {len(self.false_claims)}, examples: {len(self.false_examples)}"
        return f"<Audit of {self.book.label}: {self.value.result}, {false}>"

    def summary(self) -> list[str]:
        """The audit in a few sentences: who wins, how fair it is, dead rules, what is false."""
        from ninefold.audit.fairness import summary_lines

        return summary_lines(self)

    @property
    def false_claims(self) -> tuple[str, ...]:
        """The claims that are refuted, in the book's words."""
        return tuple(claim.says for claim in self.claims if claim.verdict == "refuted")

    @property
    def contradictions(self) -> tuple[str, ...]:
        """The contradictions in the book, in its words."""
        return tuple(claim.says for claim in self.claims if claim.verdict == "contradiction")

    @property
    def false_examples(self) -> tuple[str, ...]:
        """The names of the examples that are wrong."""
        return tuple(example.name for example in self.examples if example.right is False)


class Report(NamedTuple):
    """The audits of a book, one for each reading asked for, and all its readings in a row."""

    audits: tuple[Audit, ...]
    readings: tuple[finding.ReadingRow, ...]
    left_out: tuple[tuple[str, str], ...] = ()  # what the changes make impossible, and why

    def __repr__(self) -> str:
        return f"<Report on {self.audits[0].book.id}: {self.summary}>"

    @property
    def is_false(self) -> bool:
        """Whether a claim is refuted, an example is wrong, or the book contradicts itself."""
        return any(
            audit.false_claims or audit.false_examples or audit.contradictions
            for audit in self.audits
        )

    @property
    def summary(self) -> str:
        """How much of the book is false; whatever is false in several readings counts once."""
        claims, examples, contradictions = (
            len({name for audit in self.audits for name in getattr(audit, field)})
            for field in ("false_claims", "false_examples", "contradictions")
        )
        counts = ((claims, "claim"), (examples, "example"))
        false = [plural(count, noun) for count, noun in counts if count]
        lines = []
        if false:
            verb = "is" if claims + examples == 1 else "are"
            lines.append(f"{listed(false)} {verb} false.")
        if contradictions:
            lines.append(f"The book contradicts itself in {plural(contradictions, 'place')}.")
        return " ".join(lines) or "Nothing in the book was found to be false."


def audit(
    game: Book | Game | str | PathLike[str],
    *,
    all_readings: bool = False,
    load: Callable[[str], Book] | None = None,
    tell: Tell = lambda _: None,
    seed: int = 1,
    seconds: float | None = None,
) -> Report:
    """Audit a book in its reading, or in all of them; a game or a name stands for its book.

    ``load`` loads the same book in another reading; ``tell`` is called with each step of the work.
    Whatever is not reached within this many ``seconds`` is not settled.
    """
    book = books.as_book(game)
    clock = Clock() if seconds is None else Clock(seconds)
    search = SEARCH if seconds is None else seconds / SHARE
    name = book.file or book.id
    other = load or (lambda reading: books.load_book(name, reading, book.changes))

    def subject_of(reading: str) -> Subject:
        item = book if reading == book.reading else other(reading)
        named = tell if len(book.readings) == 1 else lambda text: tell(f"{reading}: {text}")
        return Subject(item.game, named, seed, search, item, clock)

    subjects, left_out = dict[str, Subject](), list[tuple[str, str]]()
    for reading in book.readings:
        try:
            subjects[reading] = subject_of(reading)
        except BookError as error:
            fault = error.faults[0]
            left_out.append((reading, f"{fault.path.rpartition('.')[2]} {fault.problem}"))
    chosen = subjects if all_readings else {book.reading: subjects[book.reading]}
    games = {reading: subject.game for reading, subject in subjects.items()}
    audits = {reading: _audit(subject, games) for reading, subject in chosen.items()}
    rows = tuple(_row(subject, audits.get(reading)) for reading, subject in subjects.items())
    return Report(tuple(audits.values()), rows if len(book.readings) > 1 else (), tuple(left_out))


def _audit(subject: Subject, games: Mapping[str, Game]) -> Audit:
    assert subject.book is not None
    return Audit(
        book=subject.book,
        figures=subject.figures,
        value=subject.value,
        openings=tuple(_openings(subject)),
        claims=tuple(claim_findings(subject, games)),
        examples=tuple(example_findings(subject.book)),
        rules=tuple(subject.rules),
        pie=pie_finding(subject),
        best_play=best_play(subject),
    )


def pie_finding(subject: Subject) -> finding.PieFinding | None:
    """What the game would be worth with the pie rule, as far as that is settled."""
    if subject.game.rules.pie:
        return None
    with suppress(OutOfTime), subject.clock.limit():
        other = subject.variant(pie=True)
        # The pie rule makes few positions of few.
        soon = other is not None and (other.is_settled or subject.graph is not None)
        if other is not None and soon and other.value.result != "unknown":
            openings = tuple((format_move(item.move), *item[1:]) for item in other.openings)
            return finding.PieFinding(*other.value, _good(other), openings, is_endless(other))
        if subject.game.rules.is_ordinary and subject.good_openings is not None:
            return _pie_from_openings(subject.openings)
    return finding.PieFinding("unknown", None, None)


def _pie_from_openings(openings: Iterable[MoveValue]) -> finding.PieFinding:
    """The pie rule if turns alternate: to swap, which is a move, answers an opening that wins."""
    found = []
    for move, result, plies in openings:
        worth = "draw" if result == "draw" else "loss"
        found.append((format_move(move), worth, plies and plies + (result == "win")))
    best = min(worth for _, worth, _ in found)  # a draw, if there is one
    good = {move: plies for move, worth, plies in found if worth == best}
    longest = None if None in good.values() else max(plies or 0 for plies in good.values())
    return finding.PieFinding(best, longest, tuple(good), tuple(found))


def _good(subject: Subject) -> tuple[str, ...] | None:
    """The good openings in the one notation; None if they are not settled."""
    good = subject.good_openings
    return None if good is None else tuple(format_move(item.move) for item in good)


def _openings(subject: Subject) -> list[finding.OpeningFinding]:
    """Every opening: its value, and the chances of random players after it."""
    good, found = subject.good_openings, []
    for item in subject.openings:
        chances = subject.figures.openings.get(item.move)
        share, trials = (chances.share(1), chances.trials) if chances else (None, 0)
        is_good = None if good is None else item in good
        found.append(
            finding.OpeningFinding(format_move(item.move), *item[1:], share, trials, is_good)
        )
    return found


def _row(subject: Subject, audited: Audit | None) -> finding.ReadingRow:
    """A reading in short: who wins, how soon, by what, with which openings."""
    book, rules = subject.book, subject.game.rules
    assert book is not None
    # A reading that is not audited itself must not take longer than the audit.
    settled = audited is not None or subject.is_settled
    value = subject.value if settled else Value("unknown", None)
    best = audited.best_play if audited else best_play(subject) if settled else None
    return finding.ReadingRow(
        reading=book.reading,
        summary=book.readings[book.reading].summary,
        result=value.result,
        plies=value.plies,
        good=_good(subject) if settled else None,
        how=decided_by(best, rules.misere) if best and best.rules else "",
        endless=best.endless if best else False,
    )
