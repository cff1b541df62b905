"""The fields of a rule book, one row each; those of words, claims and examples have modules."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ninefold.books.families import MEASURES, count
from ninefold.books.fields import Field, flag, optional, required, table_schema, tables_of
from ninefold.books.rule_types import POOL, VALUES, WINS
from ninefold.books.values import LINE, NUMBERS, PROSE, choice, defined, line, plain, raw, whole
from ninefold.core import rules as core
from ninefold.core.patterns import KINDS
from ninefold.core.picks import RELATIONS, SEVERAL, demand
from ninefold.core.rules import Reference, Rules
from ninefold.core.text import listed

MAX_NAME = 60
MAX_READINGS = 24

_NAME = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*\Z")
# The same for a schema: letters and digits of any script, and - _ . between them.
NAME_PATTERN = r"^[^\u0000-\u002c\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u00a9]+$"


def is_name(text: str) -> bool:
    """Whether a book or a reading can be called this."""
    return len(text) <= MAX_NAME and _NAME.match(text) is not None


NAME = plain(
    str,
    f"a name such as my-game: letters, digits and dashes, up to {MAX_NAME} of them",
    {"type": "string", "pattern": NAME_PATTERN, "minLength": 1, "maxLength": MAX_NAME},
    "",
    is_name,
)


def _passing_sentence(rules: Rules) -> str:
    ends = "; when both players pass in a row, the game ends."
    if rules.picks_per_turn > 1:
        ends = ", or pass the rest of your turn; two turns in a row without a number end the game."
    return f"You may pass instead{ends}"


READING = {
    "summary": optional(LINE, "One line about what is different.", "the fields it changes"),
    "text": optional(PROSE, "What is different, in your own words.", "the summary"),
    "rules": optional(defined("rules"), "The rules that are different.", "as in the book"),
    "words": optional(defined("words"), "The phrases that are different.", "as in the book"),
    "play": optional(defined("play"), "The fields of play that are different.", "as in the book"),
}

_ONE_READING = {"description": "One way to play.", **table_schema(READING)}
_NO_READING = {"enum": [False], "description": "Removes an inherited reading."}
READINGS = raw(
    "a table",
    {
        "type": "object",
        "maxProperties": MAX_READINGS,
        "propertyNames": {"pattern": NAME_PATTERN, "maxLength": MAX_NAME},
        "additionalProperties": {"anyOf": [_ONE_READING, _NO_READING]},
    },
)
READING_NAMES = raw(
    "a list of names of readings", {"type": "array", "items": {"type": "string"}, "minItems": 1}
)

BOOK = {
    "id": optional(
        NAME, "The short name, in letters and digits of any script.", "the name of the file"
    ),
    "title": optional(
        LINE, "The full name of the game.", "made from the id", question="What is the game called?"
    ),
    "order": Field(whole(), "Its place in lists of games: lower comes first.", 100),
    "summary": optional(LINE, "One line about the game.", "generated from the rules"),
    "text": optional(PROSE, "The rules in your own words.", "generated from the rules"),
    "notes": optional(PROSE, "Remarks to show below the rules."),
    "extends": optional(
        line(1), "The book this one builds on: an id, or a path relative to this file."
    ),
    "default-reading": optional(
        line(1), "The reading to play if none is chosen.", "the book as it stands"
    ),
    "rules": optional(defined("rules"), "The rules of the game.", "the pool is required"),
    "words": optional(defined("words"), "What is shown on screen.", "a default for each phrase"),
    "play": optional(
        defined("play"), "How the game is played, unless the players choose.", "see below"
    ),
    "readings": optional(
        READINGS,
        "Other ways to play, chosen with --reading: each changes a few fields of the book.",
    ),
    "examples": optional(
        defined("examples", "a list of tables"),
        "Games the book shows, and what it says about them.",
    ),
    "claims": optional(
        defined("claims", "a list of tables"),
        "What the book says about the game; ninefold audit proves or refutes it.",
    ),
}

PLAY = {
    "on-timeout": Field(
        choice(core.TIMEOUT_POLICIES),
        "What running out of time costs: the game (lose), the turn (lose-turn), or the choice "
        "(random: a random number is taken).",
        "lose",
        offers=("random",),
    )
}

_MEASURE = choice(MEASURES)
_MEANINGS = [f"{name}: {words.meaning}." for name, words in MEASURES.items()]
# Editors show the meaning of every measure.
_MEASURE.schema["description"] = " ".join(["What is compared.", *_MEANINGS])
# One link of the ending; named like the fields of ``Criterion``.
LINK = {
    "measure": required(_MEASURE, "What is compared."),
    "prefer": required(choice(core.PREFERENCES), "Which player wins by it."),
    "target": required(
        whole(),
        "The number that sums are compared with.",
        when=("measure", "distance"),
        question="Distance: from which target?",
        offers=lambda pool: (sum(pool) // 2,),
    ),
    "exceeding": flag(
        "A sum above the target can win.",
        True,
        when=("measure", "distance"),
        question="Distance: can a sum above the target win?",
    ),
    "among": Field(
        choice(core.AMONG),
        "Which run counts if a player has several of the same length.",
        "lowest",
        when=("measure", "run-start", "run-sum"),
    ),
    "kind": optional(
        choice(KINDS),
        "Only numbers of this kind count.",
        "all numbers count",
        when=("measure", "count"),
    ),
    "of": Field(
        whole(1),
        "What the numbers that count are multiples of.",
        1,
        required=True,
        when=("kind", "multiple"),
    ),
}

NEEDS_BY = ("difference", "within", "sum")
_RELATION_WORDS = {
    name: meaning.words.format(x="it", it="it", by="N") for name, meaning in RELATIONS.items()
}


def _relation(values: Mapping[str, Any]) -> str | None:
    return values.get("must") or values.get("must-not")


RESTRICTION = {
    "compared-with": required(
        choice(core.REFERENCES),
        "The last number taken by anybody (last), the player's own last or first number "
        "(own-last, own-first), or any number held by the player, by the opponent or by either "
        "(own, opponent, taken).",
        question="Restriction: what is a number compared with?",
        words={
            "last": "the last number taken by either player",
            "own-last": "the player's own last number",
            "own-first": "the player's own first number",
            "own": "any number the player holds",
            "opponent": "any number the opponent holds",
            "taken": "any number taken by either player",
        },
    ),
    "must": optional(
        choice(RELATIONS),
        "How a number has to be related to at least one that it is compared with.",
        "required, unless there is a must-not",
        question="Restriction: what must the number do?",
        words={**_RELATION_WORDS, "none": "none of these: say what it must not do"},
    ),
    "must-not": optional(
        choice(RELATIONS),
        "How a number must not be related to any that it is compared with.",
        "required, unless there is a must",
        question="Restriction: what must the number not do?",
        words=_RELATION_WORDS,
        asked=lambda values: "must" not in values,
    ),
    "by": optional(
        whole(),
        "The difference, the greatest distance (within), or the sum.",
        "required for difference, within and sum, and only for these",
        question="Restriction: which number is N?",
        offers=(3,),
        asked=lambda values: _relation(values) in NEEDS_BY,
    ),
    "except": Field(NUMBERS, "Numbers that may be taken all the same.", ()),
}


def _offered_cap(pool: Sequence[int]) -> tuple[int]:
    return (sum(map(abs, pool)) * 2 // 3,)


CAP = {
    "total": required(
        choice(core.TOTALS),
        "What must not become too large.",
        question="Cap: which total must not become too large?",
        words={"sum": "the sum", "product": "the product"},
    ),
    "of": required(
        choice(("own", "taken")),
        "Of the player's own numbers (own), or of all numbers taken by both (taken).",
        question="Cap: the total of which numbers?",
        words={"own": "the player's own numbers", "taken": "all numbers taken by both players"},
    ),
    "at-most": required(
        whole(),
        "The bound.",
        question="Cap: how large may the total become at most?",
        offers=_offered_cap,
    ),
}

# What a restriction compares a number with, in words: for must, and for must-not.
_COMPARED: Mapping[Reference, tuple[str, str]] = {
    "last": ("the last number taken",) * 2,
    "own-last": ("your own last number",) * 2,
    "own-first": ("your own first number",) * 2,
    "own": ("at least one of your numbers", "any of your numbers"),
    "opponent": ("at least one of the other player's numbers", "any of the other player's numbers"),
    "taken": ("at least one number taken before", "any number taken before"),
}


def _restriction_sentences(rules: Rules) -> str:
    found = []
    for rule in rules.restrictions:
        what = _COMPARED[rule.compared_with][not rule.must]
        wanted = demand(rule, what, rule.compared_with in SEVERAL)
        free = f", except {listed(rule.exceptions)}" if rule.exceptions else ""
        found.append(f"The number you take {wanted}{free}.")
    these = "This does" if len(found) == 1 else "These do"
    return " ".join([*found, f"{these} not apply while there is nothing to compare with."])


def _cap_sentences(rules: Rules) -> str:
    whose = {"own": "your numbers", "taken": "all numbers taken by both players"}
    return " ".join(
        f"You may not take a number that brings the {cap.total} of {whose[cap.of]} above "
        f"{cap.at_most}."
        for cap in rules.caps
    )


def _values_sentence(rules: Rules) -> str:
    counted = [f"{number} counts {points}" for number, points in rules.values]
    others = "" if len(counted) == len(rules.pool) else "; any other number counts itself"
    return f"In totals, {listed(counted)}{others}."


RULES = {
    "pool": required(
        POOL,
        "The numbers of the game: a range, a range with a step, or a list.",
        question="Which numbers are there?",
        offers=("1-9",),
    ),
    "wins": Field(
        WINS,
        "What a player has to hold to win: any number of patterns, by name.",
        (),
        without="none: only the ending decides",
        question="What does a player have to hold to win?",
    ),
    "losses": Field(
        WINS,
        "What makes a player lose at once, written like wins; a pick that completes both loses.",
        (),
        without="none",
        question="What makes a player lose at once?",
        menu="some sets lose at once",
        offers=lambda pool: ({"sum": {"whole-hand": True, "at-least": sum(pool) // 2}}, {}),
    ),
    "ending": Field(
        tables_of(LINK, core.MAX_LINKS, "links"),
        "Who wins if nobody has won by the end: each link decides or passes on to the next.",
        (),
        question="What if no number is left and nobody has won?",
    ),
    "otherwise": Field(
        choice(core.OTHERWISE),
        "Who wins if no link of the ending decides: nobody (draw), the player who began (first) "
        "or the other one (second).",
        "draw",
        question="Who wins if nothing else decides?",
        menu="one of the players wins if nothing else decides",
        offers=("second",),
        words={"first": "the player who began", "second": "the other player"},
    ),
    "misere": flag(
        "Whoever completes a set loses.",
        question="Does whoever completes a set lose instead of win?",
    ),
    "passing": flag(
        "Players may pass; two passes in a row end the game.",
        sentence=_passing_sentence,
        menu="players may pass; two passes in a row end the game",
    ),
    "picks-per-turn": Field(
        whole(1, core.MAX_POOL),
        "How many numbers a player takes per turn.",
        1,
        question="How many numbers does a player take per turn?",
        menu="a player takes several numbers per turn",
        offers=(2,),
    ),
    "pie": flag(
        "The second player may answer the first turn by swapping hands (the pie rule).",
        sentence="The second player may answer the first turn by swapping hands; then the first "
        "player moves next.",
        menu="the second player may answer the first turn by swapping hands (the pie rule)",
    ),
    "opening": Field(
        NUMBERS,
        "The first number of the game must be one of these; an empty list allows any.",
        (),
        sentence=lambda rules: (
            f"The first number of the game must be {listed(rules.opening, 'or')}."
        ),
        question="Which numbers may be taken first?",
        menu="the first number of the game must be one of a few",
        offers=lambda pool: ([pool[len(pool) // 2]],),
    ),
    "restrictions": Field(
        tables_of(RESTRICTION, core.MAX_LINKS, "restrictions"),
        "Which numbers may be taken, compared with others: all restrictions apply together.",
        (),
        sentence=_restriction_sentences,
        question="Another restriction?",
        menu="which numbers may be taken depends on others (restrictions)",
        offers=([{"must": "divisor-or-multiple", "compared-with": "last"}], []),
    ),
    "caps": Field(
        tables_of(CAP, core.MAX_LINKS, "caps"),
        "Totals that no pick may bring above a bound.",
        (),
        sentence=_cap_sentences,
        question="Another cap?",
        menu="no pick may bring a total above a bound (caps)",
        offers=lambda pool: (
            [{"total": "sum", "of": "taken", "at-most": _offered_cap(pool)[0]}],
            [],
        ),
    ),
    "row-ends": flag(
        "Only the lowest and the highest number left may be taken.",
        sentence="You may take only the lowest or the highest number that is left.",
        menu="only the lowest and the highest number left may be taken",
    ),
    "stuck": Field(
        choice(core.STUCK),
        "What happens when a player may take no number: the game ends (end), or the player is "
        "skipped, and the game ends when both are stuck (skip).",
        "end",
        menu="a player who may take no number is skipped, and the game goes on",
    ),
    "values": Field(
        VALUES,
        "What numbers count in totals, where that is not the number itself: a table such as "
        '{ "10" = 1 }.',
        (),
        sentence=_values_sentence,
        question="Which numbers count something else, and what?",
        menu="some numbers count something else than themselves in totals",
        offers=lambda pool: ({str(pool[0]): pool[0] + 9}, {}),
    ),
    "hand-limit": Field(
        whole(0),
        "How many numbers a player may hold (0: unlimited); a player with a full hand is skipped.",
        0,
        sentence=lambda rules: (
            f"Nobody may hold more than {count(rules.hand_limit or 0)}; "
            "a player with a full hand is skipped."
        ),
        question="How many numbers may a player hold?",
        menu="nobody may hold more than a few numbers",
        offers=(4, 3),
    ),
    "in-order": flag(
        "A set must be taken in order; needs a hand-limit equal to the size of every set."
    ),
    "declare": flag(
        "Players must declare a set to win; wins are not detected for them.",
        menu="players must declare a set to win; wins are not detected for them",
    ),
    "invalid": Field(
        choice(core.INVALID_POLICIES),
        "What picking an unavailable number costs: nothing, you choose again (retry), or the turn "
        "(lose-turn).",
        "retry",
        sentence="If you pick an unavailable number, you lose your turn.",
        menu="whoever picks an unavailable number loses the turn",
    ),
}


def conflicts(rules: Rules) -> Iterator[tuple[str, str]]:
    """The rules that cannot be combined: the field to name, and what is wrong."""
    ordered = rules.declare or rules.in_order
    if rules.losses and rules.misere:
        yield "losses", "cannot be combined with misere: there every winning pattern loses"
    if rules.losses and ordered:
        reason = "a losing set counts at once, in any order"
        yield "losses", f"cannot be combined with declare or in-order: {reason}"
    if ordered and any(pattern.is_shared for pattern in rules.wins):
        yield "wins", "a shared total cannot be combined with declare or in-order"
    if rules.in_order and any(pattern.sizes != (rules.hand_limit,) for pattern in rules.wins):
        yield "in-order", "needs a hand-limit equal to the size of every winning set"
    if rules.in_order and rules.declare:
        yield "in-order", "cannot be combined with declare"
    if rules.misere and rules.declare:
        yield "misere", "cannot be combined with declare: nobody would declare a losing set"
    if rules.passing and rules.invalid == "lose-turn":
        reason = "an unavailable number would pass, too"
        yield "passing", f'cannot be combined with invalid = "lose-turn": {reason}'
