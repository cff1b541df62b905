"""What a book claims about itself, as data: statements that can be tested, and their reasons."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from ninefold.books.faults import Fault, Table
from ninefold.core.rules import Rules

Claim: TypeAlias = Mapping[str, Any]

# What any claim may have, and any reason, beside its kind and the fields of that.
CLAIM, REASON = ("says", "because", "readings"), ("says",)
MAX_CLAIMS = 100
MAX_NUMBERS = 64


class Kind(NamedTuple):
    """A kind of statement: what it says, the fields it needs, and those it may have.

    A field is a whole number (``int``) or a list of them (``list``); in braces it stands for its
    value.
    """

    meaning: str
    needs: Mapping[str, type] = {}
    may_have: Mapping[str, type] = {}


KINDS: Mapping[str, Kind] = {
    "no-draws": Kind("no game ends in a draw"),
    "draws-happen": Kind("a game can end in a draw"),
    "every-rule-can-happen": Kind("every pattern, every link of the ending, every limit matters"),
    "set-can-happen": Kind(
        "a game can be decided by this set: {set}",
        may_have={"set": list, "negative": bool},
    ),
    "first-player-wins": Kind("the first player wins by force"),
    "second-player-wins": Kind("the second player wins by force"),
    "nobody-wins-by-force": Kind("best play is a draw"),
    "first-player-does-not-win": Kind("the first player has no forced win"),
    "second-player-does-not-win": Kind("the second player has no forced win"),
    "skill-beats-luck": Kind(
        "a perfect player beats a random one from either seat",
        may_have={"at-least": int},
    ),
    "equal-chances": Kind(
        "two random players have about the same chances",
        may_have={"within": int},
    ),
    "at-most-moves": Kind("no game lasts longer than {moves} moves", {"moves": int}),
    "at-least-moves": Kind("no game is over in fewer than {moves} moves", {"moves": int}),
    "at-most-numbers": Kind("nobody ever holds more than {numbers} numbers", {"numbers": int}),
    "passing-never-helps": Kind("losing a turn is never better than every number"),
    "good-openings": Kind("no opening is better than these: {openings}", {"openings": list}),
    "best-openings": Kind("only these openings are good: {openings}", {"openings": list}),
    "sets-decide": Kind("every game is decided by a set, never by the ending"),
    "every-number-counts": Kind("every number belongs to a winning set"),
    "any-split": Kind("however the whole pool is divided, somebody holds a set"),
    "any-hand": Kind("any {numbers} numbers hold a set", {"numbers": int}),
    "ending-decides": Kind(
        "the ending never ties, on this pool or on shorter ones with the same start"
    ),
    "in-most-sets": Kind("no number belongs to more sets than these: {numbers}", {"numbers": list}),
    "example": Kind("this example is right: {name}", {"name": str}),
    "contradiction": Kind(
        "these two statements contradict each other: {one} / {two}",
        {"one": str, "two": str},
        {"one-reading": str, "one-rules": str, "two-reading": str, "two-rules": str},
    ),
}
# A reason may also be that the claim holds on other pools as well; a contradiction proves nothing.
REASONS: Mapping[str, Kind] = {
    **{name: kind for name, kind in KINDS.items() if name != "contradiction"},
    "any-pool": Kind(
        "the same holds on shorter pools with the same start, and with a few more numbers"
    ),
}

# The kinds of claims that follow from a statement of each kind. An example shows what can happen.
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "ending-decides": ("no-draws",),
    "sets-decide": ("no-draws",),
    "any-split": ("no-draws", "sets-decide"),
    "any-hand": ("no-draws", "sets-decide", "at-most-numbers"),
    "at-most-numbers": ("at-most-moves",),
    "example": ("draws-happen", "set-can-happen", "every-rule-can-happen"),
    "nobody-wins-by-force": (
        "draws-happen",
        "first-player-does-not-win",
        "second-player-does-not-win",
    ),
    "first-player-wins": ("second-player-does-not-win",),
    "second-player-wins": ("first-player-does-not-win",),
    "best-openings": ("good-openings",),
}
# What names numbers, or a game, is said of one pool: other pools can tell nothing about it.
OF_ONE_POOL = (
    "set-can-happen",
    "good-openings",
    "best-openings",
    "in-most-sets",
    "example",
    "contradiction",
)


def fitting_reasons(claim: Claim) -> list[str]:
    """The kinds of reasons that a claim can follow from, if they are true."""
    kind = claim["kind"]
    found = [kind, *(reason for reason, claims in FOLLOWS.items() if kind in claims)]
    return found if kind in OF_ONE_POOL else [*found, "any-pool"]


def read_claims(book: Table, readings: Mapping[str, object]) -> tuple[Claim, ...]:
    """The claims of a book, each a statement of some kind; what is wrong is noted as faults."""
    tables = book.tables("claims")
    if len(tables) > MAX_CLAIMS:
        book.fault("claims", f"at most {MAX_CLAIMS} claims are expected")
        return ()
    told = book.data.get("examples")
    listed = told if isinstance(told, list) else []
    names = [item.get("name") for item in listed if isinstance(item, dict)]
    for table in tables:
        _read_statement(table, KINDS, CLAIM, names)
        _read_reason(table, names)
        read_readings(table, readings)
        if table.data.get("kind") == "contradiction":
            _check_contradiction(book, table, readings)
    _check_openings(book, tables)
    return tuple(table.data for table in tables)


def overlays(book: Table) -> list[Mapping[str, Any]]:
    """The rules of the book, and what each of its readings lays over them, as they are written."""
    below = book.data.get("readings")
    readings = list(below.values()) if isinstance(below, dict) else []
    found = [item.get("rules") for item in [book.data, *readings] if isinstance(item, Mapping)]
    return [rules for rules in found if isinstance(rules, dict)]


def _check_contradiction(book: Table, claim: Table, readings: Mapping[str, object]) -> None:
    """The readings and the rules that the two statements imply must exist."""
    from ninefold.books.book import parse_change
    from ninefold.books.faults import BookError
    from ninefold.books.format import read_rules
    from ninefold.books.sources import merge

    if isinstance(claim.data.get("because"), dict):
        claim.fault("because", "text is expected: a contradiction has no reason that can be tested")
    for side in ("one", "two"):
        reading, change = (claim.data.get(f"{side}-{field}") for field in ("reading", "rules"))
        if reading is not None and reading not in [*readings]:
            claim.fault(f"{side}-reading", f"one of {', '.join(readings)} is expected")
        if not isinstance(change, str):
            continue
        faults: list[Fault] = []
        try:
            read_rules(Table(merge(book.data.get("rules"), parse_change(change)), "", faults))
        except BookError as error:
            faults = [*error.faults]
        if faults:
            claim.fault(f"{side}-rules", faults[0].expected)


def changed_rules(rules: Rules, change: str) -> Rules:
    """The rules with a change such as ``hand-limit=3``, which was checked when it was read."""
    from ninefold.books.book import parse_change
    from ninefold.books.format import read_rules

    overlay = parse_change(change)
    read = read_rules(Table({"pool": [*rules.pool], **overlay}, "", []))
    fields = [key.replace("-", "_") for key in overlay]
    return rules._replace(**{field: getattr(read, field) for field in fields})


def _check_openings(book: Table, claims: list[Table]) -> None:
    """An opening is a number of the pool, in one of the readings at least."""
    named = [table for table in claims if isinstance(table.data.get("openings"), list)]
    pool = _pools(book) if named else set()
    for table in named if pool else []:
        for at, number in enumerate(table.data["openings"]):
            if type(number) is int and number not in pool:
                table.fault("openings", "a number of the pool is expected", at=at)


def _pools(book: Table) -> set[int]:
    """The numbers of the pools of all readings; none if one of them is at fault."""
    from ninefold.books.format import read_rules

    found: set[int] = set()
    for rules in overlays(book):
        faults: list[Fault] = []
        if "pool" in rules:
            found.update(read_rules(Table({"pool": rules["pool"]}, "", faults)).pool)
        if faults:
            return set()
    return found


def in_words(claim: Claim) -> str:
    """The claim in the words of its kind, with its values."""
    if claim.get("negative"):
        return "a winning set can hold a negative number"
    kind = {**KINDS, **REASONS}[claim["kind"]]
    words, rest = kind.meaning, []
    for key, value in claim.items():
        shown = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        if f"{{{key}}}" in words:
            words = words.replace(f"{{{key}}}", shown)
        elif key in kind.may_have:
            rest.append(f"{key} {shown}")
    return f"{words} ({', '.join(rest)})" if rest else words


def read_readings(table: Table, readings: Mapping[str, object]) -> None:
    """Check which readings a claim or an example is about: all of them, if it does not say."""
    chosen = table.get("readings", list, [])
    if "readings" in table.data and (not chosen or any(name not in [*readings] for name in chosen)):
        table.fault("readings", f"a list of names is expected: {', '.join(readings)}")


def read_numbers(table: Table, key: str) -> list[int]:
    """A list of whole numbers; otherwise a fault."""
    numbers = table.get(key, list, [])
    if not all(type(number) is int for number in numbers) or len(numbers) > MAX_NUMBERS:
        table.fault(key, f"a list of up to {MAX_NUMBERS} whole numbers is expected")
        return []
    return numbers


def about(claim: Claim, reading: str) -> bool:
    """Whether a claim or an example is about this reading."""
    return reading in claim.get("readings", (reading,))


def _read_reason(table: Table, names: list[object]) -> None:
    """A reason is text, or a table with the statement that can be tested."""
    reason = table.data.get("because", "")
    if isinstance(reason, str):
        table.prose("because")
        return
    below = table.table("because")
    _read_statement(below, REASONS, REASON, names)


def _read_statement(
    table: Table, kinds: Mapping[str, Kind], common: tuple[str, ...], names: list[object]
) -> None:
    table.prose("says")
    name = table.data.get("kind")
    if name not in [*kinds]:
        table.choice("kind", kinds)
        return
    kind = kinds[str(name)]
    table.allow("kind", *common, *kind.needs, *kind.may_have)
    for key, expected in {**kind.needs, **kind.may_have}.items():
        if key in kind.needs or key in table.data:
            _read_field(table, key, expected)
    if name == "set-can-happen" and "set" not in table.data and not table.data.get("negative"):
        table.fault("set", "a list of whole numbers is missing")
    if name == "example" and table.data.get("name") not in names:
        table.fault("name", "the name of one of the examples is expected")


def _read_field(table: Table, key: str, expected: type) -> None:
    if expected is list:
        if not read_numbers(table, key):
            table.fault(key, "at least one number is expected")
    elif expected is int:
        if table.get(key, int) < 0:
            table.fault(key, "a number from 0 is expected")
    else:
        table.get(key, expected)
