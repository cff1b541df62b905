"""What a book claims about its game: statements that can be tested, and their reasons."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ninefold.books.book import parse_change
from ninefold.books.faults import BookError, Fault, Table
from ninefold.books.fields import Fields, as_sentence, optional, read_given, required, table_schema
from ninefold.books.rule_types import POOL
from ninefold.books.rules import read_rules
from ninefold.books.sources import merge
from ninefold.books.values import (
    FLAG,
    LINE,
    PROSE,
    Schema,
    choice,
    defined,
    number_list,
    raw,
    whole,
)
from ninefold.core.rules import Rules

Claim: TypeAlias = Mapping[str, Any]

MAX_CLAIMS = 100
_NONE: Fields = {}


class Kind(NamedTuple):
    """A kind of statement: what it says, with a field in braces for its value, and its fields."""

    meaning: str
    fields: Fields = _NONE


READING_NAMES = raw(
    "a list of names of readings", {"type": "array", "items": {"type": "string"}, "minItems": 1}
)
SAYS = {"says": optional(PROSE, "Your words for it.", "generated")}
READINGS = {"readings": optional(READING_NAMES, "The readings it is about.", "all of them")}
BECAUSE = {
    "because": optional(
        defined("reason", "text or a table"),
        "Your reason: text, which is only shown, or a statement that is tested like a claim.",
    )
}
# What every claim may have, and every reason, beside its kind and the fields of that kind.
CLAIM = SAYS | BECAUSE | READINGS
REASON = SAYS

_SET = {
    "set": optional(number_list(1), "The numbers of the set.", "required, unless negative is true"),
    "negative": optional(
        FLAG, "Some winning set can hold a negative number; replaces set.", "not claimed"
    ),
}
_AT_LEAST = {"at-least": optional(whole(0), "A share of the points, in percent.", "more than half")}
_WITHIN = {"within": optional(whole(0), "The largest difference, in percentage points.", "5")}
_MOVES = {"moves": required(whole(0), "How many moves.")}
_COUNT = {"numbers": required(whole(0), "How many numbers.")}
_NUMBERS = {"numbers": required(number_list(1), "Which numbers.")}
_OPENINGS = {"openings": required(number_list(1), "The first numbers.")}
_EXAMPLE = {"name": required(LINE, "The name of the example.")}
_SIDES = ("one", "two")
_STATEMENTS = {
    name: field
    for side, which in zip(_SIDES, ("first", "second"), strict=True)
    for name, field in {
        side: required(PROSE, f"The {which} statement, in your words."),
        f"{side}-reading": optional(
            LINE, f"The reading that the {which} statement implies.", "the audited one"
        ),
        f"{side}-rules": optional(
            LINE, f"A change of the rules that the {which} statement implies, as for --set."
        ),
    }.items()
}

KINDS: Mapping[str, Kind] = {
    "no-draws": Kind("no game ends in a draw"),
    "draws-happen": Kind("a game can end in a draw"),
    "every-rule-can-happen": Kind("every pattern, every link of the ending, every limit matters"),
    "set-can-happen": Kind("a game can be decided by this set: {set}", _SET),
    "first-player-wins": Kind("the first player wins by force"),
    "second-player-wins": Kind("the second player wins by force"),
    "nobody-wins-by-force": Kind("best play is a draw"),
    "first-player-does-not-win": Kind("the first player has no forced win"),
    "second-player-does-not-win": Kind("the second player has no forced win"),
    "skill-beats-luck": Kind("a perfect player beats a random one from either seat", _AT_LEAST),
    "equal-chances": Kind("two random players have about the same chances", _WITHIN),
    "at-most-moves": Kind("no game lasts longer than {moves} moves", _MOVES),
    "at-least-moves": Kind("no game is over in fewer than {moves} moves", _MOVES),
    "at-most-numbers": Kind("nobody ever holds more than {numbers} numbers", _COUNT),
    "passing-never-helps": Kind("losing a turn is never better than every number"),
    "good-openings": Kind("no opening is better than these: {openings}", _OPENINGS),
    "best-openings": Kind("only these openings are good: {openings}", _OPENINGS),
    "sets-decide": Kind("every game is decided by a set, never by the ending"),
    "every-number-counts": Kind("every number belongs to a winning set"),
    "any-split": Kind("however the whole pool is divided, somebody holds a set"),
    "any-hand": Kind("any {numbers} numbers hold a set", _COUNT),
    "ending-decides": Kind(
        "the ending never ties, on this pool or on shorter ones with the same start"
    ),
    "in-most-sets": Kind("no number belongs to more sets than these: {numbers}", _NUMBERS),
    "example": Kind("this example is right: {name}", _EXAMPLE),
    "contradiction": Kind("these two statements contradict each other: {one} / {two}", _STATEMENTS),
}
# A reason can also be that the claim holds on other pools; a contradiction proves nothing.
REASONS: Mapping[str, Kind] = {
    **{name: kind for name, kind in KINDS.items() if name != "contradiction"},
    "any-pool": Kind(
        "the same holds on shorter pools with the same start, and with a few more numbers"
    ),
}

# From which other kinds of statements a claim follows. An example shows what can happen.
FOLLOWS_FROM: Mapping[str, tuple[str, ...]] = {
    "no-draws": ("ending-decides", "sets-decide", "any-split", "any-hand"),
    "sets-decide": ("any-split", "any-hand"),
    "at-most-numbers": ("any-hand",),
    "at-most-moves": ("at-most-numbers",),
    "draws-happen": ("example", "nobody-wins-by-force"),
    "set-can-happen": ("example",),
    "every-rule-can-happen": ("example",),
    "first-player-does-not-win": ("nobody-wins-by-force", "second-player-wins"),
    "second-player-does-not-win": ("nobody-wins-by-force", "first-player-wins"),
    "good-openings": ("best-openings",),
}
# A claim that names numbers or a game is about one pool, so other pools are no reason for it.
_ONE_POOL = "set-can-happen good-openings best-openings in-most-sets example contradiction".split()


def fitting_reasons(claim: Claim) -> list[str]:
    """The kinds of reasons from which a claim can follow."""
    kind = claim["kind"]
    found = [kind, *FOLLOWS_FROM.get(kind, ())]
    return found if kind in _ONE_POOL else [*found, "any-pool"]


def about(claim: Claim, reading: str) -> bool:
    """Whether a claim or an example is about this reading."""
    return reading in claim.get("readings", (reading,))


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
        elif key in kind.fields:
            rest.append(f"{key} {shown}")
    return f"{words} ({', '.join(rest)})" if rest else words


def read_claims(book: Table, readings: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of a book; everything that is wrong with them is noted as faults."""
    tables = book.tables("claims", MAX_CLAIMS)
    for table in tables:
        _read_statement(book, table, KINDS, CLAIM)
        if isinstance(table.data.get("because"), str):
            PROSE.read(table, "because")
        elif "because" in table.data:
            _read_statement(book, table.table("because"), REASONS, REASON)
        read_readings(table, readings)
        if table.data.get("kind") == "contradiction":
            _check_contradiction(book, table, readings)
    _check_openings(book, tables)
    return tuple(table.data for table in tables)


def _read_statement(book: Table, table: Table, kinds: Mapping[str, Kind], common: Fields) -> None:
    name = table.data.get("kind")
    if not isinstance(name, str) or name not in kinds:
        choice(kinds).read(table, "kind")
        return
    read_given(table, {**_kind_row(name, kinds[name]), **common, **kinds[name].fields})
    if name == "set-can-happen" and "set" not in table.data and not table.data.get("negative"):
        table.wrong("set", _SET["set"].type.expected)
    if name == "example":
        examples = book.unchecked().tables("examples")
        if table.data.get("name") not in [example.data.get("name") for example in examples]:
            table.wrong("name", "the name of one of the examples")


def _kind_row(name: str, kind: Kind) -> Fields:
    meaning = kind.meaning.replace("{", "").replace("}", "")
    return {"kind": required(choice((name,)), as_sentence(meaning))}


def read_readings(table: Table, readings: Sequence[str]) -> None:
    """Check the readings that a claim or an example is about; without the field, all of them."""
    chosen = table.data.get("readings", [*readings])
    if not isinstance(chosen, list) or not chosen or any(name not in readings for name in chosen):
        table.wrong("readings", f"a list of readings; there are {', '.join(readings)}")


def rules_tables(book: Table) -> list[Table]:
    """The rules of the book, and those that each reading changes, as they are written."""
    unchecked = book.unchecked()
    readings = unchecked.table("readings")
    return [item.table("rules") for item in (unchecked, *map(readings.table, readings.data))]


def _check_contradiction(book: Table, claim: Table, readings: Sequence[str]) -> None:
    """Note a reading or a change of the rules, implied by a statement, that does not exist."""
    if isinstance(claim.data.get("because"), dict):
        claim.fault("because", "must be text: a contradiction has no reason that can be tested")
    for side in _SIDES:
        reading, change = (claim.data.get(f"{side}-{field}") for field in ("reading", "rules"))
        if reading is not None and reading not in readings:
            claim.wrong(f"{side}-reading", f"one of {', '.join(readings)}")
        if not isinstance(change, str):
            continue
        faults: list[Fault] = []
        try:
            read_rules(Table(merge(book.data.get("rules"), parse_change(change)), (), faults))
        except BookError as error:
            faults += error.faults
        if faults:
            claim.fault(f"{side}-rules", faults[0].problem)


def changed_rules(rules: Rules, change: str) -> Rules:
    """The rules with a change such as ``hand-limit=3``, which was checked when it was read."""
    overlay = parse_change(change)
    read = read_rules(Table({"pool": [*rules.pool], **overlay}, (), []))
    fields = [key.replace("-", "_") for key in overlay]
    return rules._replace(**{field: getattr(read, field) for field in fields})


def _check_openings(book: Table, claims: list[Table]) -> None:
    """Note every opening that is in no pool of the book, unless a pool has a fault itself."""
    faults: list[Fault] = []
    written = [rules.data for rules in rules_tables(book) if "pool" in rules.data]
    pool = {number for rules in written for number in POOL.read(Table(rules, (), faults), "pool")}
    for claim in claims if pool and not faults else ():
        if isinstance(claim.data.get("openings"), list):
            openings = claim.items("openings", _OPENINGS["openings"].type.expected)
            for at, number in openings.data.items():
                if type(number) is int and number not in pool:
                    openings.wrong(at, "a number of the pool")


def claim_schema() -> Schema:
    """A claim: of one of the kinds, with the fields of that kind."""
    return {"description": "A claim.", "anyOf": _kind_schemas(KINDS, CLAIM)}


def reason_schema() -> Schema:
    """A reason, which is text or a statement."""
    text = {"description": "Text, which is only shown.", **PROSE.schema}
    return {
        "description": BECAUSE["because"].meaning,
        "anyOf": [text, *_kind_schemas(REASONS, REASON)],
    }


def _kind_schemas(kinds: Mapping[str, Kind], common: Fields) -> list[Schema]:
    """A table for each kind, so that an editor explains it and proposes its fields."""
    schemas = {}
    for name, kind in kinds.items():
        row = _kind_row(name, kind)
        table = table_schema({**row, **kind.fields, **common})
        schemas[name] = {"description": row["kind"].meaning, **table}
    negative = {"properties": {"negative": {"enum": [True]}}, "required": ["negative"]}
    schemas["set-can-happen"]["anyOf"] = [{"required": ["set"]}, negative]
    return [*schemas.values()]
