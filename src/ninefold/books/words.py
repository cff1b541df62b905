"""The words a book uses on screen: templates with plain named placeholders, and nothing else."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ninefold.books.faults import Table, nearest
from ninefold.books.safety import UNREADABLE, is_readable, shown

_PLACEHOLDER = re.compile(r"\{([A-Za-z0-9-]*)\}")
MAX_LINES = 40
MAX_LENGTH = 500

# What any template may mention. A value that does not apply on an occasion is shown as nothing.
PLACEHOLDERS = frozenset(
    """player opponent marker number available hand line set equation length family Family a-family
    step step-name player1 player2 hand1 hand2 sum1 sum2 run1 run2 count1
    count2 highest1 highest2 lowest1 lowest2 left picks winner loser last exhausted goal
    reason advice taken victory why target""".split()
)

LINES: Mapping[str, tuple[str, ...]] = {
    "opening": (),
    "turn": ("Available numbers: {available}", "{player}'s numbers: {hand}"),
    "computer-turn": (),
    "moved": ("{player} takes {number}.",),
    "between": ("",),
    "retry": (),
    "not-yet": (),
    "won": ("", "{player} holds {set}: {why}.", "{victory}"),
    "lost": ("", "{player} holds {set}: {why}.", "Whoever completes a set loses.", "{victory}"),
    "passed": ("{player} passes.",),
    "swapped": ("{player} swaps: the hands change owners.",),
    "lost-turn": ("{player} loses this turn.",),
    "lost-choice": ("{taken} {player} loses this turn.",),
    "board": (
        "Available numbers: {available}",
        "{player1}'s numbers: {hand1}",
        "{player2}'s numbers: {hand2}",
    ),
}
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "resignation": ("{loser} resigns.", "{victory}"),
    "timeout": ("Time is up: {loser} loses the game.", "{victory}"),
    "no-answer": ("{loser} did not answer in time.", "{victory}"),
    "crash": ("The program of {loser} stopped during the game.", "{victory}"),
    "unreadable-answer": ("{loser} answered with something that is no move.", "{victory}"),
    "illegal-answer": ("{loser} answered with a move the rules do not allow.", "{victory}"),
    "refusal": ("{loser} refused to move.", "{victory}"),
    "draw": ("", "{exhausted}.", "The game is a draw."),
    "first": ("", "{exhausted}.", "Nothing tells the players apart; {winner} began.", "{victory}"),
    "second": ("", "{exhausted}.", "Nothing tells the players apart; {loser} began.", "{victory}"),
    "count": ("", "{exhausted}.", "Numbers held: {count1} and {count2}.", "{victory}"),
    "distance": (
        "",
        "{exhausted}.",
        "Sums: {sum1} and {sum2}. The target is {target}.",
        "{victory}",
    ),
    "highest": ("", "{exhausted}.", "Highest numbers: {highest1} and {highest2}.", "{victory}"),
    "lowest": ("", "{exhausted}.", "Lowest numbers: {lowest1} and {lowest2}.", "{victory}"),
    "run-sum": ("", "{exhausted}.", "Longest runs: {run1} and {run2}.", "{victory}"),
    "first-complete": ("", "{exhausted}.", "{winner} held {set} first.", "{victory}"),
    "hand-sum": ("", "{exhausted}.", "Sums: {sum1} and {sum2}.", "{victory}"),
    "last-pick": ("", "{exhausted}.", "{last} took the last number.", "{victory}"),
    "longest-run": ("", "{exhausted}.", "Longest runs: {run1} and {run2}.", "{victory}"),
    "run-start": ("", "{exhausted}.", "Longest runs: {run1} and {run2}.", "{victory}"),
}
# After a swap, the player who began is not the one whose hand counts as the first.
PIE_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "first": (
        "",
        "{exhausted}.",
        "Nothing tells the players apart; {winner} has the hand that began.",
        "{victory}",
    ),
    "second": (
        "",
        "{exhausted}.",
        "Nothing tells the players apart; {loser} has the hand that began.",
        "{victory}",
    ),
}
PHRASES: Mapping[str, str] = {
    "separator": " ",
    "set-separator": "",
    "no-numbers": "none",
    "prompt": "{player}, choose a number: ",
    "next-prompt": "{player}, choose another number: ",
    "may-pass": "{player} may also pass.",
    "may-swap": "{player} may also swap: the hands change owners.",
    "first-number": "Allowed as the first number: {picks}",
    "question": "Declare a set by its numbers, or press Enter to pass: ",
    "refused": "{reason} {advice}",
    "advice": "Choose one of: {available}",
    "taken": "{number} is already taken.",
    "outside": "{number} is not in the pool.",
    "wrong-claim": "{reason} Declare a set you hold, or press Enter to pass.",
    "exhausted": "All numbers have been selected",
    "hands-full": "Both hands are full",
    "both-passed": "Both players passed",
    "victory": "{winner} wins!",
    "time-up": "Time is up.",
    "drawn-for": "{number} is drawn at random for {player}.",
}


class Words(NamedTuple):
    """A book's phrases by name, its texts of several lines, its endings, and two markers."""

    phrases: Mapping[str, str]
    lines: Mapping[str, tuple[str, ...]]
    ended: Mapping[str, tuple[str, ...]]
    markers: tuple[str, str]


def fill(template: str, values: Mapping[str, object]) -> str:
    """The template with each ``{name}`` replaced by its value; no attributes, no format specs."""
    return _PLACEHOLDER.sub(lambda match: str(values.get(match[1], "")), template)


def read_words(table: Table, pie: bool = False) -> Words:
    """The words of a book, every one that is missing taken from the defaults.

    ``pie`` tells that hands can change owners, which some defaults have to heed.
    """
    endings = {**ENDINGS, **PIE_ENDINGS} if pie else ENDINGS
    table.allow(*PHRASES, *LINES, "ended", "markers")
    ended = table.table("ended")
    ended.allow(*ENDINGS)
    phrases = {key: _phrase(table, key, default) for key, default in PHRASES.items()}
    phrases["set-separator"] = phrases["set-separator"] or phrases["separator"]
    return Words(
        phrases,
        {key: _lines(table, key, default) for key, default in LINES.items()},
        {key: _lines(ended, key, default) for key, default in endings.items()},
        _markers(table),
    )


def _phrase(table: Table, key: str, default: str) -> str:
    return _checked(table, key, table.get(key, str, default))


def _lines(table: Table, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    lines = table.get(key, list, [*default])
    for at, line in enumerate(lines):
        if not isinstance(line, str):
            table.fault(key, "a line of text is expected", at=at)
            return default
    if len(lines) > MAX_LINES:
        table.fault(key, f"at most {MAX_LINES} lines are expected")
        return default
    return tuple(_checked(table, key, line, at) for at, line in enumerate(lines))


def _markers(table: Table) -> tuple[str, str]:
    markers = table.get("markers", list, ["1", "2"])
    texts = [_checked(table, "markers", text) for text in markers[:3] if isinstance(text, str)]
    if len(texts) != 2 or texts[0] == texts[1] or not all(texts):
        table.fault("markers", "two different markers are expected")
        return ("1", "2")
    return texts[0], texts[1]


def _checked(table: Table, key: str, text: str, at: int | None = None) -> str:
    """The text itself; notes line breaks, control characters and unknown placeholders."""
    if not is_readable(text):
        table.fault(key, f"{UNREADABLE} is not allowed in a line", at=at)
    if len(text) > MAX_LENGTH:
        table.fault(key, f"at most {MAX_LENGTH} characters are expected", at=at)
        return ""
    for name in dict.fromkeys(_PLACEHOLDER.findall(text)):
        if name not in PLACEHOLDERS:
            told = f"there is no placeholder {{{shown(name, 40)}}}"
            table.fault(key, told, nearest(name, PLACEHOLDERS), at)
    if set("{}") & set(_PLACEHOLDER.sub("", text)):
        table.fault(key, "a brace may only enclose the plain name of a placeholder", at=at)
    return text
