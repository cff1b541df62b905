"""The words a book uses on screen: a row for each, with its default.

Templates have plain named placeholders and nothing else, so that a stranger's book cannot reach
attributes, format specifications or terminal escapes.
"""

import re
from collections.abc import Mapping

from ninefold.books.families import MEASURES
from ninefold.books.faults import Key, Table, nearest
from ninefold.books.fields import (
    HIDDEN,
    LINE_PATTERN,
    Field,
    Schema,
    Type,
    defined,
    list_of,
    read_fields,
    table_of,
)
from ninefold.books.safety import UNREADABLE, is_readable, shown
from ninefold.core.text import NamedTuple

_PLACEHOLDER = re.compile(r"\{([A-Za-z0-9-]*)\}")
MAX_LINES = 40
MAX_LENGTH = 500

# What any template may mention. A value that does not apply is shown as nothing.
PLACEHOLDERS: Mapping[str, str] = {
    "player": "the player in question: to move, who just moved, or who holds the set",
    "opponent": "the other player",
    "marker": "the player's marker",
    "number": "the number chosen",
    "available": "the available numbers",
    "hand": "the player's numbers, in the order taken",
    "line": "the whole pool, with taken numbers as markers in brackets",
    "left": "how many numbers the player may still take this turn",
    "goal": "the size of the smallest set, in words",
    "reason": "why an input is refused",
    "advice": "the phrase advice",
    "taken": "the phrase taken or outside",
    "holds": "holds, or completes if the numbers of both players count together",
    "set": "the set that decided the game",
    "equation": "a set of three as x + y = z",
    "why": "why it is a winning set, such as 3 x 8 = 24",
    "length": "the size of the set, in words",
    "family": "the family of the set",
    "Family": "the same, with a capital letter",
    "a-family": "the same, with an article",
    "step": "the common difference or ratio",
    "step-name": "difference or ratio",
    "winner": "who won",
    "loser": "who lost",
    "last": "who took the last number",
    "exhausted": "the phrase exhausted, hands-full, both-passed or stuck",
    "target": "the target, if distance decides",
    "Counted": "the kind of numbers that count at the end, such as Even numbers",
    "picks": "the numbers that may be taken now",
    "victory": "the phrase victory",
    **{
        f"{name}{player}": meaning.format(player)
        for name, meaning in (
            ("player", "the name of player {}"),
            ("hand", "the numbers of player {}"),
            ("sum", "the sum of player {}'s numbers"),
            ("product", "the product of player {}'s numbers"),
            ("count", "how many numbers player {} holds"),
            ("counted", "how many of those that count at the end player {} holds"),
            ("highest", "the highest number of player {}"),
            ("lowest", "the lowest number of player {}"),
            ("run", "the longest run of player {}"),
            ("ascent", "the most numbers that player {} took in ascending order"),
        )
        for player in (1, 2)
    },
}


class Words(NamedTuple):
    """A book's phrases, its texts of several lines, its endings, and two markers."""

    phrases: Mapping[str, str]
    lines: Mapping[str, tuple[str, ...]]
    ended: Mapping[str, tuple[str, ...]]
    markers: tuple[str, str]


def _read_template(table: Table, key: Key) -> str:
    return _checked(table, key, table.get(key, str, TEMPLATE.expected) or "")


def _read_markers(table: Table, key: Key) -> tuple[str, ...]:
    markers = table.get(key, list, MARKERS.expected)
    texts = [_checked(table, key, text) for text in (markers or [])[:3] if isinstance(text, str)]
    if len(texts) == 2 and texts[0] != texts[1] and all(texts):
        return tuple(texts)
    if markers is not None:
        table.wrong(key, MARKERS.expected)
    return ("1", "2")


_MARKER = {"type": "string", "pattern": LINE_PATTERN, "minLength": 1}
_TWO = {"minItems": 2, "maxItems": 2, "uniqueItems": True}
TEMPLATE = Type("a line of text", _read_template, defined("template").schema)
_ONE_OF_SEVERAL = TEMPLATE._replace(schema={"$ref": "#/$defs/template"})
TEMPLATES = list_of(_ONE_OF_SEVERAL, "a list of lines", MAX_LINES, "lines")
MARKERS = Type(
    "a list of two different markers", _read_markers, {"type": "array", "items": _MARKER, **_TWO}
)


def _phrase(name: str, meaning: str, default: str) -> Field:
    return Field(name, TEMPLATE, meaning, default)


def _lines(name: str, meaning: str, *default: str) -> Field:
    return Field(name, TEMPLATES, meaning, default)


def _stopped(name: str, meaning: str, default: str) -> Field:
    """The lines for a game that ended before anything decided it."""
    return _lines(name, meaning, default, "{victory}")


def _decided(name: str, meaning: str, default: str) -> Field:
    """The lines for a game that was decided when no more numbers could be taken."""
    return _lines(name, meaning, "", "{exhausted}.", default, "{victory}")


PHRASES = (
    _phrase("separator", "Separates numbers.", " "),
    _phrase("set-separator", "Separates the numbers of a set; if empty, the separator does.", ""),
    _phrase("no-numbers", "Stands for an empty hand or an empty pool.", "none"),
    _phrase("prompt", "Asks for a number.", "{player}, choose a number: "),
    _phrase("next-prompt", "Asks for another number.", "{player}, choose another number: "),
    _phrase("may-pass", "Above the prompt, if the player may pass.", "{player} may also pass."),
    _phrase(
        "may-swap",
        "Above the prompt, if the player may swap.",
        "{player} may also swap: the hands change owners.",
    ),
    _phrase(
        "first-number",
        "Above the first prompt, if the opening is restricted.",
        "Allowed as the first number: {picks}",
    ),
    _phrase(
        "question",
        "Asks a player to declare.",
        "Declare a set by its numbers, or press Enter to pass: ",
    ),
    _phrase("refused", "Answers an invalid input.", "{reason} {advice}"),
    _phrase("advice", "What to type instead; {advice} in refused.", "Choose one of: {available}"),
    _phrase(
        "taken",
        "Why a number of the pool is refused; {reason} in refused, {taken} in lost-choice.",
        "{number} is already taken.",
    ),
    _phrase("outside", "Why a number outside the pool is refused.", "{number} is not in the pool."),
    _phrase(
        "wrong-claim",
        "Answers an invalid declaration.",
        "{reason} Declare a set you hold, or press Enter to pass.",
    ),
    _phrase(
        "exhausted", "{exhausted}, when every number is taken.", "All numbers have been selected"
    ),
    _phrase("hands-full", "{exhausted}, when both hands are full.", "Both hands are full"),
    _phrase("both-passed", "{exhausted}, when both players passed.", "Both players passed"),
    _phrase(
        "stuck",
        "{exhausted}, when numbers are left, but the rules allow none of them.",
        "No other number may be taken",
    ),
    _phrase("victory", "Who has won; {victory} in won, lost and every ending.", "{winner} wins!"),
    _phrase("time-up", "The time for a turn has run out.", "Time is up."),
    _phrase(
        "drawn-for",
        "When time is up, and a random number is taken.",
        "{number} is drawn at random for {player}.",
    ),
)

_HOLDS = "{player} {holds} {set}: {why}."
_AVAILABLE = "Available numbers: {available}"

LINES = (
    _lines("opening", "Above the first turn."),
    _lines("turn", "Before a player is asked.", _AVAILABLE, "{player}'s numbers: {hand}"),
    _lines("computer-turn", "Replaces turn and prompt when a computer moves, unless it is empty."),
    _lines("moved", "After a number was taken.", "{player} takes {number}."),
    _lines("between", "Between two turns.", ""),
    _lines("retry", "Between a refusal and the next prompt."),
    _lines("not-yet", "After a move that gave a player enough numbers for a set, but no set."),
    _lines("won", "A player completed a set and won.", "", _HOLDS, "{victory}"),
    _lines(
        "lost",
        "A player completed a set and lost.",
        *("", _HOLDS, "Whoever completes a set loses.", "{victory}"),
    ),
    _lines("passed", "A player passed.", "{player} passes."),
    _lines("swapped", "A player swapped hands.", "{player} swaps: the hands change owners."),
    _lines("lost-turn", "A player lost a turn on time.", "{player} loses this turn."),
    _lines(
        "lost-choice",
        "A player lost a turn by picking an unavailable number.",
        "{taken} {player} loses this turn.",
    ),
    _lines(
        "board",
        "The whole position, on request.",
        *(_AVAILABLE, "{player1}'s numbers: {hand1}", "{player2}'s numbers: {hand2}"),
    ),
)

ENDED = (
    _stopped("resignation", "A player resigned.", "{loser} resigns."),
    _stopped("timeout", "A player lost on time.", "Time is up: {loser} loses the game."),
    _stopped("no-answer", "A program was too slow.", "{loser} did not answer in time."),
    _stopped("crash", "A program crashed.", "The program of {loser} stopped during the game."),
    _stopped(
        "unreadable-answer",
        "A program gave an answer that is not a move.",
        "{loser} answered with something that is no move.",
    ),
    _stopped(
        "illegal-answer",
        "A program gave a move that is not allowed.",
        "{loser} answered with a move the rules do not allow.",
    ),
    _stopped("refusal", "A program refused to move.", "{loser} refused to move."),
    _lines("draw", "Nobody won.", "", "{exhausted}.", "The game is a draw."),
    _decided(
        "first",
        "The ending did not decide, so the player who began won.",
        "Nothing tells the players apart; {winner} began.",
    ),
    _decided(
        "second",
        "The ending did not decide, so the player who did not begin won.",
        "Nothing tells the players apart; {loser} began.",
    ),
    *(
        _decided(name, f"Decided by {measure.meaning}.", measure.shown)
        for name, measure in MEASURES.items()
    ),
)
# After a swap, the player who began does not have the hand that began.
_ENDED_AFTER_SWAP = {
    name: _decided(
        name, "", f"Nothing tells the players apart; {{{player}}} has the hand that began."
    ).default
    for name, player in (("first", "winner"), ("second", "loser"))
}

WORDS = (
    *PHRASES,
    *LINES,
    Field(
        "ended",
        table_of(ENDED),
        "The end of a game that no set decided, by reason.",
        {},
        without="a default for each",
    ),
    Field("markers", MARKERS, "The signs for the players' numbers in {line}.", ("1", "2")),
)


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template with each ``{name}`` replaced by its value; no attributes, no format specs."""
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], "")), template)


def read_words(table: Table, pie: bool = False, losses: bool = False) -> Words:
    """The words of a book, with defaults for everything it leaves out.

    Where hands can be swapped (``pie``), or some sets lose, some defaults are different.
    """
    found = read_fields(table, WORDS)
    if losses and "lost" not in table.data:
        found["lost"] = ("", _HOLDS, "Whoever completes such a set loses.", "{victory}")
    phrases = {field.name: found[field.name] for field in PHRASES}
    phrases["set-separator"] = phrases["set-separator"] or phrases["separator"]
    lines = {field.name: found[field.name] for field in LINES}
    ended = {field.name: field.default for field in ENDED} | (_ENDED_AFTER_SWAP if pie else {})
    return Words(phrases, lines, ended | found["ended"], found["markers"])


def template_schema() -> Schema:
    """A line with known placeholders and no other braces."""
    names = "|".join(sorted(PLACEHOLDERS))
    listed = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    return {
        "description": f"Text with placeholders in braces: {listed}.",
        "type": "string",
        "maxLength": MAX_LENGTH,
        "pattern": rf"^([^{{}}\u0000-\u001f{HIDDEN}]|\{{({names})\}})*$",
    }


def _checked(table: Table, key: Key, text: str) -> str:
    """The text itself; notes unsafe characters and unknown placeholders."""
    if not is_readable(text):
        table.fault(key, UNREADABLE)
    if table.too_many(key, len(text), MAX_LENGTH, "characters"):
        return ""
    for name in dict.fromkeys(_PLACEHOLDER.findall(text)):
        if name not in PLACEHOLDERS:
            problem = f"unknown placeholder {{{shown(name, 40)}}}"
            table.fault(key, problem, nearest(name, PLACEHOLDERS))
    if set("{}") & set(_PLACEHOLDER.sub("", text)):
        table.fault(key, "braces may only enclose the name of a placeholder")
    return text
