"""The fields of a rule book, one row each: the book itself, its rules, its readings.

A new rule is one row of ``RULES``, named like the field of ``Rules`` it sets, and a row of
``CONFLICTS`` for each rule it cannot be combined with. The fields of ``[words]``, ``[[claims]]``
and ``[[examples]]`` are rows of the modules of these names.
"""

import re
from collections.abc import Callable

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
from ninefold.books.rule_types import POOL, WINS
from ninefold.core.rules import (
    INVALID_POLICIES,
    MAX_LINKS,
    MAX_POOL,
    OTHERWISE,
    PREFERENCES,
    TIMEOUT_POLICIES,
    Rules,
)

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
)

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
