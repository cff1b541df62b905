"""The fields of a rule book, one row each: the book itself, its rules, its readings.

A new rule is one row of ``RULES``, named like the field of ``Rules`` it sets, and a row of
``CONFLICTS`` for each rule it cannot be combined with. The fields of ``[words]``, ``[[claims]]``
and ``[[examples]]`` are rows of the modules of these names.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from ninefold.books.families import MEASURES, count
from ninefold.books.fields import (
    FLAG,
    LINE,
    NUMBERS,
    PROSE,
    Field,
    choice,
    defined,
    line,
    plain,
    raw,
    table_schema,
    tables_of,
    whole,
)
from ninefold.books.rule_types import POOL, VALUES, WINS
from ninefold.core.patterns import KINDS
from ninefold.core.picks import RELATIONS, SEVERAL, demand
from ninefold.core.rules import (
    AMONG,
    INVALID_POLICIES,
    MAX_LINKS,
    MAX_POOL,
    OTHERWISE,
    PREFERENCES,
    REFERENCES,
    STUCK,
    TIMEOUT_POLICIES,
    TOTALS,
    Reference,
    Restriction,
    Rules,
)
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


def _opening_sentence(rules: Rules) -> str:
    *others, last = map(str, rules.opening)
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"The first number of the game must be {listed}."


def _passing_sentence(rules: Rules) -> str:
    if rules.picks_per_turn > 1:
        return (
            "You may pass instead, or pass the rest of your turn; two turns in a row without a "
            "number end the game."
        )
    return "You may pass instead; when both players pass in a row, the game ends."


READING = (
    Field("summary", LINE, "One line about what is different.", without="the fields it changes"),
    Field("text", PROSE, "What is different, in your own words.", without="the summary"),
    Field("rules", defined("rules"), "The rules that are different.", without="as in the book"),
    Field("words", defined("words"), "The phrases that are different.", without="as in the book"),
    Field(
        "play", defined("play"), "The fields of play that are different.", without="as in the book"
    ),
)

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

BOOK = (
    Field(
        "id",
        NAME,
        "The short name, in letters and digits of any script.",
        without="the name of the file",
    ),
    Field("title", LINE, "The full name of the game.", without="made from the id"),
    Field("order", whole(), "Its place in lists of games: lower comes first.", 100),
    Field("summary", LINE, "One line about the game.", without="generated from the rules"),
    Field("text", PROSE, "The rules in your own words.", without="generated from the rules"),
    Field("notes", PROSE, "Remarks to show below the rules.", without="none"),
    Field(
        "extends",
        line(1),
        "The book this one builds on: an id, or a path relative to this file.",
        without="none",
    ),
    Field(
        "default-reading",
        line(1),
        "The reading to play if none is chosen.",
        without="the book as it stands",
    ),
    Field("rules", defined("rules"), "The rules of the game.", without="the pool is required"),
    Field(
        "words", defined("words"), "What is shown on screen.", without="a default for each phrase"
    ),
    Field(
        "play",
        defined("play"),
        "How the game is played, unless the players choose.",
        without="see below",
    ),
    Field(
        "readings",
        READINGS,
        "Other ways to play, chosen with --reading: each changes a few fields of the book.",
        without="none",
    ),
    Field(
        "examples",
        defined("examples", "a list of tables"),
        "Games the book shows, and what it says about them.",
        without="none",
    ),
    Field(
        "claims",
        defined("claims", "a list of tables"),
        "What the book says about the game; ninefold audit proves or refutes it.",
        without="none",
    ),
)

PLAY = (
    Field(
        "on-timeout",
        choice(TIMEOUT_POLICIES),
        "What running out of time costs: the game (lose), the turn (lose-turn), or the choice "
        "(random: a random number is taken).",
        "lose",
        offers=("random",),
    ),
)

_MEASURE = choice(MEASURES)
_MEANINGS = [f"{name}: {words.meaning}." for name, words in MEASURES.items()]
# Editors show the meaning of every measure.
_MEASURE.schema["description"] = " ".join(["What is compared.", *_MEANINGS])
# One link of the ending; named like the fields of ``Criterion``.
LINK = (
    Field("measure", _MEASURE, "What is compared.", required=True),
    Field("prefer", choice(PREFERENCES), "Which player wins by it.", required=True),
    Field(
        "target",
        whole(),
        "The number that sums are compared with.",
        required=True,
        when=("measure", "distance"),
        question="from which target?",
        offers=lambda pool: (sum(pool) // 2,),
    ),
    Field(
        "exceeding",
        FLAG,
        "A sum above the target can win.",
        True,
        when=("measure", "distance"),
        question="can a sum above the target win?",
    ),
    Field(
        "among",
        choice(AMONG),
        "Which run counts if a player has several of the same length.",
        "lowest",
        when=("measure", "run-start", "run-sum"),
    ),
    Field(
        "kind",
        choice(KINDS),
        "Only numbers of this kind count.",
        without="all numbers count",
        when=("measure", "count"),
    ),
    Field(
        "of",
        whole(1),
        "What the numbers that count are multiples of.",
        1,
        required=True,
        when=("kind", "multiple"),
    ),
)

NEEDS_BY = ("difference", "within", "sum")
RESTRICTION = (
    Field(
        "must",
        choice(RELATIONS),
        "How a number has to be related to at least one that it is compared with.",
        without="required, unless there is a must-not",
    ),
    Field(
        "must-not",
        choice(RELATIONS),
        "How a number must not be related to any that it is compared with.",
        without="required, unless there is a must",
    ),
    Field(
        "compared-with",
        choice(REFERENCES),
        "The last number taken by anybody (last), the player's own last or first number "
        "(own-last, own-first), or any number held by the player, by the opponent or by either "
        "(own, opponent, taken).",
        required=True,
    ),
    Field(
        "by",
        whole(),
        "The difference, the greatest distance (within), or the sum.",
        without="required for difference, within and sum, and only for these",
    ),
    Field("except", NUMBERS, "Numbers that may be taken all the same.", ()),
)


def misfit_restriction(values: Mapping[str, Any]) -> str:
    """What is wrong with these fields of a restriction together; nothing if they fit."""
    if "must" in values and "must-not" in values:
        return "must and must-not cannot be combined: write two restrictions"
    relation = values.get("must") or values.get("must-not")
    if relation is None:
        return "needs must or must-not"
    if "by" in values and relation not in NEEDS_BY:
        return f"{relation} has no by: only {listed(NEEDS_BY)} have one"
    if "by" not in values and relation in NEEDS_BY:
        return f"{relation} needs a number to go by, such as by = 2"
    if relation != "sum" and relation in NEEDS_BY and values["by"] < 1:
        return f"two numbers cannot differ by {values['by']}: by must be at least 1"
    return ""


def restriction_of(values: Mapping[str, Any]) -> Restriction:
    """The restriction with these fields."""
    must = "must" in values
    return Restriction(
        values["must" if must else "must-not"],
        values["compared-with"],
        must,
        values.get("by", 0),
        tuple(sorted({*values.get("except", ())})),
    )


CAP = (
    Field("total", choice(TOTALS), "What must not become too large.", required=True),
    Field(
        "of",
        choice(("own", "taken")),
        "Of the player's own numbers (own), or of all numbers taken by both (taken).",
        required=True,
    ),
    Field("at-most", whole(), "The bound.", required=True),
)

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
    """One sentence for each restriction."""
    found = []
    for rule in rules.restrictions:
        what = _COMPARED[rule.compared_with][not rule.must]
        free = f", except {listed(rule.exceptions)}" if rule.exceptions else ""
        found.append(
            f"The number you take {demand(rule, what, rule.compared_with in SEVERAL)}{free}."
        )
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
    return f"In totals, {listed(counted)}; any other number counts itself."


RULES = (
    Field(
        "pool",
        POOL,
        "The numbers of the game: a range, a range with a step, or a list.",
        required=True,
        question="Which numbers are there?",
        offers=("1-9",),
    ),
    Field(
        "wins",
        WINS,
        "What a player has to hold to win: any number of patterns, by name.",
        (),
        without="none: only the ending decides",
        question="What does a player have to hold to win?",
    ),
    Field(
        "losses",
        WINS,
        "What makes a player lose at once, written like wins; a pick that completes both loses.",
        (),
        without="none",
        offers=lambda pool: ({"sum": {"whole-hand": True, "at-least": sum(pool) // 2}}, {}),
    ),
    Field(
        "ending",
        tables_of(LINK, MAX_LINKS, "links"),
        "Who wins if nobody has won by the end: each link decides or passes on to the next.",
        (),
        question="What if no number is left and nobody has won?",
    ),
    Field(
        "otherwise",
        choice(OTHERWISE),
        "Who wins if no link of the ending decides: nobody (draw), the player who began (first) "
        "or the other one (second).",
        "draw",
        offers=("second",),
    ),
    Field(
        "misere",
        FLAG,
        "Whoever completes a set loses.",
        False,
        question="Does whoever completes a set lose instead of win?",
    ),
    Field(
        "passing",
        FLAG,
        "Players may pass; two passes in a row end the game.",
        False,
        sentence=_passing_sentence,
        in_menu=True,
    ),
    Field(
        "picks-per-turn",
        whole(1, MAX_POOL),
        "How many numbers a player takes per turn.",
        1,
        in_menu=True,
        offers=(2,),
    ),
    Field(
        "pie",
        FLAG,
        "The second player may answer the first turn by swapping hands (the pie rule).",
        False,
        sentence="The second player may answer the first turn by swapping hands; then the first "
        "player moves next.",
        in_menu=True,
    ),
    Field(
        "opening",
        NUMBERS,
        "The first number of the game must be one of these; an empty list allows any.",
        (),
        sentence=_opening_sentence,
        in_menu=True,
        offers=lambda pool: ([pool[len(pool) // 2]],),
    ),
    Field(
        "restrictions",
        tables_of(RESTRICTION, MAX_LINKS, "restrictions"),
        "Which numbers may be taken, compared with others: all restrictions apply together.",
        (),
        sentence=_restriction_sentences,
        in_menu=True,
        offers=([{"must": "divisor-or-multiple", "compared-with": "last"}], []),
    ),
    Field(
        "caps",
        tables_of(CAP, MAX_LINKS, "caps"),
        "Totals that no pick may bring above a bound.",
        (),
        sentence=_cap_sentences,
        in_menu=True,
        offers=lambda pool: (
            [{"total": "sum", "of": "taken", "at-most": sum(map(abs, pool)) * 2 // 3}],
            [],
        ),
    ),
    Field(
        "row-ends",
        FLAG,
        "Only the lowest and the highest number left may be taken.",
        False,
        sentence="You may take only the lowest or the highest number that is left.",
        in_menu=True,
    ),
    Field(
        "stuck",
        choice(STUCK),
        "What happens when a player may take no number: the game ends (end), or the player is "
        "skipped, and the game ends when both are stuck (skip).",
        "end",
        in_menu=True,
    ),
    Field(
        "values",
        VALUES,
        "What numbers count in totals, where that is not the number itself: a table such as "
        '{ "10" = 1 }.',
        (),
        sentence=_values_sentence,
        offers=lambda pool: ({str(pool[0]): 10}, {}),
    ),
    Field(
        "hand-limit",
        whole(0),
        "How many numbers a player may hold (0: unlimited); a player with a full hand is skipped.",
        0,
        sentence=lambda rules: (
            f"Nobody may hold more than {count(rules.hand_limit or 0)}; "
            "a player with a full hand is skipped."
        ),
        in_menu=True,
        offers=(4, 3),
    ),
    Field(
        "in-order",
        FLAG,
        "A set must be taken in order; needs a hand-limit equal to the size of every set.",
        False,
    ),
    Field(
        "declare", FLAG, "Players must declare a set to win; wins are not detected for them.", False
    ),
    Field(
        "invalid",
        choice(INVALID_POLICIES),
        "What picking an unavailable number costs: nothing, you choose again (retry), or the turn "
        "(lose-turn).",
        "retry",
        sentence="If you pick an unavailable number, you lose your turn.",
    ),
)


# Rules that cannot be combined: the field to name, when it happens, and what is wrong.
CONFLICTS: tuple[tuple[str, Callable[[Rules], bool], str], ...] = (
    (
        "losses",
        lambda rules: bool(rules.losses) and rules.misere,
        "cannot be combined with misere: there every winning pattern loses",
    ),
    (
        "losses",
        lambda rules: bool(rules.losses) and (rules.declare or rules.in_order),
        "cannot be combined with declare or in-order: a losing set counts at once, in any order",
    ),
    (
        "wins",
        lambda rules: (
            (rules.declare or rules.in_order) and any(each.is_shared for each in rules.wins)
        ),
        "a shared total cannot be combined with declare or in-order",
    ),
    (
        "in-order",
        lambda rules: (
            rules.in_order and any(pattern.sizes != (rules.hand_limit,) for pattern in rules.wins)
        ),
        "needs a hand-limit equal to the size of every winning set",
    ),
    (
        "in-order",
        lambda rules: rules.in_order and rules.declare,
        "cannot be combined with declare",
    ),
    (
        "misere",
        lambda rules: rules.misere and rules.declare,
        "cannot be combined with declare: nobody would declare a losing set",
    ),
    (
        "passing",
        lambda rules: rules.passing and rules.invalid == "lose-turn",
        'cannot be combined with invalid = "lose-turn": an unavailable number would pass, too',
    ),
)
