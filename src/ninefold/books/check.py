"""A check of a rule-book file: everything that is wrong with it or looks like a mistake."""

import os
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

from ninefold.books import Book, load_book, names, read_merged, text_source
from ninefold.books.claims import fitting_reasons
from ninefold.books.faults import BookError, Fault, Place, Table
from ninefold.books.language import MAX_READINGS
from ninefold.books.locations import with_places
from ninefold.books.safety import shown
from ninefold.books.sources import Source, merge_chain, parse, read_chain
from ninefold.books.ties import deciding, totals
from ninefold.core.game import Game
from ninefold.core.rules import TOTALS
from ninefold.core.sets import Sets
from ninefold.core.text import plural

# A reading of a hostile book can take seconds to compile. After this many, the rest is skipped.
PATIENCE = 5.0


class Report(NamedTuple):
    """What was found: the faults, the warnings, and each reading of the book that can be played."""

    name: str
    faults: list[Fault]
    warnings: list[Fault]
    books: Mapping[str, Book]

    @property
    def book(self) -> Book | None:
        """The book in its default reading; None if it has faults."""
        return next(iter(self.books.values()), None) if not self.faults else None


def examine_text(text: str, path: str) -> Report:
    """Everything that is wrong or suspicious in the text of a file, which need not be saved.

    The path sets the default id of the book, and the folder of the files it extends.
    """
    try:
        data = parse(text, shown(path, 200))
    except BookError as error:
        return Report(shown(path, 200), [*error.faults], [], {})
    return examine(Source(path, os.path.realpath(path), text, data))


def examine_stranger(text: str, name: str) -> Report:
    """The same for a text without a file, which can only extend built-in games."""
    try:
        return examine(text_source(text, name))
    except BookError as error:
        return Report(name, [*error.faults], [], {})


def verdict(report: Report) -> str:
    """How many errors and warnings there are."""
    counts = {"error": len(report.faults), "warning": len(report.warnings)}
    found = [plural(many, noun) for noun, many in counts.items() if many]
    return f"{' and '.join(found)}." if found else "No errors. It can be played."


def as_data(report: Report) -> dict[str, Any]:
    """The report for programs."""
    book, about = report.book, None
    if book is not None:
        readings = {name: _size(read.game) for name, read in report.books.items()}
        said = {name: getattr(book, name) for name in ("id", "title", "summary", "reading")}
        about = {**said, "readings": readings}
    return {
        "file": report.name,
        "valid": not report.faults,
        "faults": [*map(_fault_data, report.faults)],
        "warnings": [*map(_fault_data, report.warnings)],
        "book": about,
    }


def _size(game: Game) -> dict[str, object]:
    whole = [pattern.label for pattern in game.whole]
    return {"pool": game.pool, "sets": len(game.sets), "whole_hand": whole}


def _fault_data(fault: Fault) -> dict[str, object]:
    place = fault.place or Place("")
    fields = {
        "line": place.line,
        "column": place.column,
        "file": place.file,
        "reading": fault.reading,
        "expected": fault.problem,
        "found": fault.found,
        "hint": fault.hint,
    }
    return {"path": fault.path, **{name: value or None for name, value in fields.items()}}


def examine(source: Source) -> Report:
    """Everything that is wrong or suspicious in a file of valid TOML, in every reading."""
    name = shown(source.name, 200)
    try:
        chain = read_chain(source)
    except BookError as error:
        return Report(name, [*error.faults], [], {})
    data = merge_chain(chain)
    books: dict[str, Book] = {}
    faults: list[Fault] = []
    start = monotonic()
    for reading in _readings(data):
        if monotonic() - start > PATIENCE:
            problem = "this reading and later ones were not checked: checking takes too long"
            faults += with_places([Fault(("readings", reading), problem)], chain, reading)
            break
        try:
            books[reading] = read_merged(data, chain, reading)
        except BookError as error:
            known = {fault._replace(reading="") for fault in faults}
            new = [fault for fault in error.faults if fault not in known]
            faults += [_labelled(fault, reading if books else "") for fault in new]
    warnings = [] if faults else _warnings(books, chain)
    if not source.own and not faults:
        warnings += with_places(_same_id(next(iter(books.values()))), chain, "")
    return Report(name, sorted(faults, key=_order), sorted(warnings, key=_order), books)


def _same_id(book: Book) -> list[Fault]:
    """Whether a file takes the id of a built-in game, but not its rules."""
    if book.id not in names() or load_book(book.id).game.fingerprint == book.game.fingerprint:
        return []
    problem = f"{book.id} is a built-in game with other rules: records would have the same name"
    return [Fault(("id",), problem, "choose another id")]


def _readings(data: Mapping[str, Any]) -> list[str]:
    """The names of all readings, the default first; there is always one."""
    named = Table(data.get("readings"), (), []).chosen(MAX_READINGS, "readings")
    default = data.get("default-reading")
    default = default if isinstance(default, str) else "default"
    return [default, *(name for name in named if name != default)]


def _labelled(fault: Fault, reading: str) -> Fault:
    """The fault with the name of the reading, unless its path has it."""
    inside = fault.path.startswith("readings.")
    return fault if inside or not reading else fault._replace(reading=shown(reading, 60))


def _order(fault: Fault) -> tuple[Place, str]:
    return fault.place or Place(""), fault.path


def _warnings(books: Mapping[str, Book], chain: Sequence[Source]) -> list[Fault]:
    """What is legal, but probably unintended."""
    default, *_ = books
    found: dict[Fault, Fault] = {}  # without and with the reading that first has it
    for reading, book in books.items():
        remarks = [*_remarks(book, [*books.values()])]
        same = book.game.rules == books[default].game.rules and book.words == books[default].words
        if reading != default and same and book.on_timeout == books[default].on_timeout:
            problem = f"same as the default reading, {default}"
            remarks.append(Fault(("readings", reading), problem))
        for warning in with_places(remarks, chain, reading):
            found.setdefault(warning, _labelled(warning, "" if reading == default else reading))
    return [*found.values()]


def _remarks(book: Book, readings: Sequence[Book]) -> Iterator[Fault]:
    """What is suspicious in one of these readings."""
    game, rules = book.game, book.game.rules
    for at, claim in enumerate(book.claims):
        reason, fitting = claim.get("because"), fitting_reasons(claim)
        if isinstance(reason, Mapping) and reason["kind"] not in fitting:
            problem = f"not a reason for {claim['kind']}; valid reasons: {', '.join(fitting)}"
            yield Fault(("claims", at, "because", "kind"), problem)
    yield from _idle_patterns(game, "wins", game.wins)
    yield from _idle_patterns(game, "losses", game.losses)
    yield from _idle_limits(game)
    whole = any(pattern.is_whole_hand for pattern in rules.wins)
    smallest = 0 if whole else min(map(len, game.sets), default=0)
    too_large = rules.hand_limit is not None and smallest > rules.hand_limit
    if too_large:
        problem = f"no winning set fits in a hand: the smallest has {smallest} numbers"
        yield Fault(("rules", "hand-limit"), problem)
    last = deciding(game)
    # A link that is idle in one reading may be there for another.
    same = [deciding(one.game) for one in readings if one.game.rules.ending == rules.ending]
    idle = max(len(rules.ending) if at is None else at + 1 for at in same)
    if idle < len(rules.ending):
        problem = f"never used: {rules.ending[idle - 1].measure} before it always decides"
        yield Fault(("rules", "ending", idle), problem)
    for at, link in enumerate(rules.ending):
        if link.measure == "first-complete" and not rules.declare:
            problem = "never decides: without declare, completing a set ends the game"
            yield Fault(("rules", "ending", at), problem)
    for at, link in enumerate(rules.ending[:idle]):
        before = [one._replace(prefer=link.prefer) for one in rules.ending[:at]]
        if link in before:
            problem = f"never decides: if {link.measure} ties once, it ties again"
            yield Fault(("rules", "ending", at), problem)
    if rules.ending and rules.otherwise == "draw" and last is None:
        yield Fault(("rules", "ending"), "may end in a tie; the game is then a draw")
    losses = game.losses.sets or game.losses.whole
    if not rules.ending and rules.otherwise == "draw" and not losses:
        if not rules.wins:
            yield Fault(("rules",), "no pattern wins and there is no ending: every game is a draw")
        elif not whole and (too_large or not game.sets):
            problem = "no set can be completed and there is no ending: every game is a draw"
            yield Fault(("rules",), problem)


def _idle_patterns(game: Game, name: str, sets: Sets) -> Iterator[Fault]:
    """Patterns without a set, and totals that no numbers have."""
    used = {pattern for patterns in sets.patterns.values() for pattern in patterns}
    reached = {total: totals(game, total) for total in TOTALS} if sets.whole else {}
    for pattern in sets.wanted:
        keys = ("rules", name, pattern.label)
        if not pattern.is_whole_hand and pattern not in used:
            yield Fault(keys, "no set of the pool matches this pattern")
        elif pattern.is_whole_hand:
            found = reached["sum" if pattern.family == "sum" else "product"]
            if found and not any(size and pattern.fits(total) for size, total in found):
                yield Fault(keys, f"no numbers of the pool have such a {pattern.family}")


def _idle_limits(game: Game) -> Iterator[Fault]:
    """Restrictions, caps and points that change nothing, or leave nothing to take."""
    rules, picks = game.rules, game.picks
    for at, one in enumerate(picks.restrictions):
        left = [one.allowed(bit) & (game.full ^ bit) for bit in game.bits.values()]
        if not any(left):
            problem = "allows no number as soon as there is one to compare it with"
            yield Fault(("rules", "restrictions", at), problem)
        elif left == [game.full ^ bit for bit in game.bits.values()]:
            yield Fault(("rules", "restrictions", at), "never forbids a number of this pool")
    start = game.start()
    ends = [start.play(number).outcome for number in start.picks]
    if len(rules.restrictions) > 1 and all(end is not None and not end.sets for end in ends):
        problem = "together they allow no second number, so that every game ends after the first"
        yield Fault(("rules", "restrictions"), problem, "a number must satisfy all of them")
    for at, cap in enumerate(rules.caps):
        found = totals(game, cap.total)
        if found and all(total <= cap.at_most for _, total in found):
            problem = f"never forbids a number: no {cap.total} of this pool is above {cap.at_most}"
            yield Fault(("rules", "caps", at), problem)
    if rules.stuck == "skip" and not picks.can_stick:
        problem = "never matters: without restrictions and caps, a free number may be taken"
        yield Fault(("rules", "stuck"), problem)
    families = {pattern.family for pattern in (*rules.wins, *rules.losses)}
    measures = {link.measure for link in rules.ending}
    counts = {"distance", "hand-product", "hand-sum", "run-sum"}
    if rules.values and not (rules.caps or families & {*TOTALS} or measures & counts):
        problem = "never matters: no pattern, cap or measure adds numbers up or multiplies them"
        yield Fault(("rules", "values"), problem)
