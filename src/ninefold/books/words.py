"""The words a book uses on screen: a row for each, with its default."""

import re
from collections.abc import Mapping

from ninefold.books.families import MEASURES
from ninefold.books.faults import Key, Table, nearest
from ninefold.books.fields import Field, read_fields, table_of
from ninefold.books.safety import UNREADABLE, is_readable, shown
from ninefold.books.values import HIDDEN, LINE_PATTERN, Schema, Type, defined, list_of
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
    "taken": "the phrase taken or outside, or why the number is not allowed",
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
    "exhausted": "the phrase exhausted, hands-full, both-passed, stuck or both-stuck",
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


def _phrase(meaning: str, default: str) -> Field:
    return Field(TEMPLATE, meaning, default)


def _lines(meaning: str, *default: str) -> Field:
    return Field(TEMPLATES, meaning, default)


def _stopped(meaning: str, default: str) -> Field:
    """The lines for a game that ended before anything decided it."""
    return _lines(meaning, default, "{victory}")


def _decided(meaning: str, default: str) -> Field:
    """The lines for a game that was decided when no more numbers could be taken."""
    return _lines(meaning, "", "{exhausted}.", default, "{victory}")


PHRASES = {
    "separator": _phrase("Separates numbers.", " "),
    "set-separator": _phrase("Separates the numbers of a set; if empty, the separator does.", ""),
    "no-numbers": _phrase("Stands for an empty hand or an empty pool.", "none"),
    "prompt": _phrase("Asks for a number.", "{player}, choose a number: "),
    "next-prompt": _phrase("Asks for another number.", "{player}, choose another number: "),
    "may-pass": _phrase("Above the prompt, if the player may pass.", "{player} may also pass."),
    "may-swap": _phrase(
        "Above the prompt, if the player may swap.",
        "{player} may also swap: the hands change owners.",
    ),
    "first-number": _phrase(
        "Above the first prompt, if the opening is restricted.",
        "Allowed as the first number: {picks}",
    ),
    "may-take": _phrase(
        "Above the prompt, if not every available number may be taken.", "You may take: {picks}"
    ),
    "question": _phrase(
        "Asks a player to declare.",
        "{player}, type the numbers of a set you hold, or press Enter to pass: ",
    ),
    "refused": _phrase("Answers an invalid input.", "{reason} {advice}"),
    "advice": _phrase("What to type instead; {advice} in refused.", "Choose one of: {available}"),
    "taken": _phrase(
        "Why a number of the pool is refused; {reason} in refused, {taken} in lost-choice.",
        "{number} is already taken.",
    ),
    "outside": _phrase("Why a number outside the pool is refused.", "{number} is not in the pool."),
    "wrong-claim": _phrase(
        "Answers an invalid declaration.",
        "{reason} Declare a set you hold, or press Enter to pass.",
    ),
    "exhausted": _phrase(
        "{exhausted}, when every number is taken.", "All numbers have been selected"
    ),
    "hands-full": _phrase("{exhausted}, when both hands are full.", "Both hands are full"),
    "both-passed": _phrase("{exhausted}, when both players passed.", "Both players passed"),
    "stuck": _phrase(
        "{exhausted}, when the rules allow the next player none of the numbers left.",
        "{player} cannot take a number, so the game ends",
    ),
    "both-stuck": _phrase(
        "{exhausted}, when the rules allow neither player any of the numbers left.",
        "Neither player can take a number",
    ),
    "victory": _phrase("Who has won; {victory} in won, lost and every ending.", "{winner} wins!"),
    "time-up": _phrase("The time for a turn has run out.", "Time is up."),
    "drawn-for": _phrase(
        "When time is up, and a random number is taken.",
        "{number} is drawn at random for {player}.",
    ),
}

_HOLDS = "{player} {holds} {set}: {why}."
_AVAILABLE = "Available numbers: {available}"

LINES = {
    "opening": _lines("Above the first turn."),
    "turn": _lines("Before a player is asked.", _AVAILABLE, "{player}'s numbers: {hand}"),
    "computer-turn": _lines("Replaces turn and prompt when a computer moves, unless it is empty."),
    "moved": _lines("After a number was taken.", "{player} takes {number}."),
    "between": _lines("Between two turns.", ""),
    "retry": _lines("Between a refusal and the next prompt."),
    "not-yet": _lines("After a move that gave a player enough numbers for a set, but no set."),
    "won": _lines("A player completed a set and won.", "", _HOLDS, "{victory}"),
    "lost": _lines(
        "A player completed a set and lost.",
        *("", _HOLDS, "Whoever completes a set loses.", "{victory}"),
    ),
    "passed": _lines("A player passed.", "{player} passes."),
    "skipped": _lines(
        "A player could take no number and was skipped.",
        "{player} cannot take a number and is skipped.",
    ),
    "swapped": _lines("A player swapped hands.", "{player} swaps: the hands change owners."),
    "lost-turn": _lines("A player lost a turn on time.", "{player} loses this turn."),
    "lost-choice": _lines(
        "A player lost a turn by picking an unavailable number.",
        "{taken} {player} loses this turn.",
    ),
    "board": _lines(
        "The whole position, on request.",
        *(_AVAILABLE, "{player1}'s numbers: {hand1}", "{player2}'s numbers: {hand2}"),
    ),
}

ENDED = {
    "resignation": _stopped("A player resigned.", "{loser} resigns."),
    "timeout": _stopped("A player lost on time.", "Time is up: {loser} loses the game."),
    "no-answer": _stopped("A program was too slow.", "{loser} did not answer in time."),
    "crash": _stopped("A program crashed.", "The program of {loser} stopped during the game."),
    "unreadable-answer": _stopped(
        "A program gave an answer that is not a move.",
        "{loser} answered with something that is no move.",
    ),
    "illegal-answer": _stopped(
        "A program gave a move that is not allowed.",
        "{loser} answered with a move the rules do not allow.",
    ),
    "truncated-answer": _stopped(
        "The answer of a language model was cut off.",
        "{loser} did not finish its answer.",
    ),
    "refusal": _stopped("A program refused to move.", "{loser} refused to move."),
    "draw": _lines("Nobody won.", "", "{exhausted}.", "The game is a draw."),
    "first": _decided(
        "The ending did not decide, so the player who began won.",
        "Nothing tells the players apart; {winner} began.",
    ),
    "second": _decided(
        "The ending did not decide, so the player who did not begin won.",
        "Nothing tells the players apart; {loser} began.",
    ),
    **{
        name: _decided(f"Decided by {measure.meaning}.", measure.shown)
        for name, measure in MEASURES.items()
    },
}
# After a swap, the player who began does not have the hand that began.
_ENDED_AFTER_SWAP = {
    name: _decided(
        "", f"Nothing tells the players apart; {{{player}}} has the hand that began."
    ).default
    for name, player in (("first", "winner"), ("second", "loser"))
}

WORDS = {
    **PHRASES,
    **LINES,
    "ended": Field(
        table_of(ENDED),
        "The end of a game that no set decided, by reason.",
        {},
        without="a default for each",
    ),
    "markers": Field(MARKERS, "The signs for the players' numbers in {line}.", ("1", "2")),
}


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template with each ``{name}`` replaced by its value; no attributes, no format specs."""

    def replace(match: re.Match[str]) -> str:
        try:
            return str(values[match[1]])
        except KeyError:
            return ""

    return _PLACEHOLDER.sub(replace, template) if "{" in template else template


def read_words(table: Table, pie: bool = False, losses: bool = False) -> Words:
    """The words of a book, with defaults that suit its rules for everything it leaves out."""
    found = read_fields(table, WORDS)
    if losses and "lost" not in table.data:
        found["lost"] = ("", _HOLDS, "Whoever completes such a set loses.", "{victory}")
    phrases = {name: found[name] for name in PHRASES}
    phrases["set-separator"] = phrases["set-separator"] or phrases["separator"]
    lines = {name: found[name] for name in LINES}
    ended = {name: field.default for name, field in ENDED.items()}
    ended |= _ENDED_AFTER_SWAP if pie else {}
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
