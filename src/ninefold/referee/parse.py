"""Parses what a player types: a number, a declaration or a command."""

import re
from typing import NamedTuple, TypeAlias

from ninefold.core.errors import Unreadable
from ninefold.core.moves import MAX_DIGITS, PASS, SWAP, Declare, SpecialMove, declare
from ninefold.core.text import shorten
from ninefold.referee.events import Command

VERBS = ("pick", "claim", "choose", "select", "take")
COMMANDS = ("help", "hint", "rules", "board", "undo", "resign", "save", "quit")
_ALIASES = {"?": "help", "h": "help", "exit": "quit", "q": "quit"}
_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
_BETWEEN = re.compile(r"[\s,;:]+")
_DECIMAL = re.compile(r"[+-]?[0-9]*[.][0-9]+\Z")


class Choice(NamedTuple):
    """A number the player chose, available or not."""

    number: int


Input: TypeAlias = Choice | Declare | SpecialMove | Command


def parse_input(text: str, asking: bool = False) -> Input:
    """What a line means; raises Unreadable.

    With ``asking``, a set may be declared: Enter alone passes, and several numbers are a
    declaration even without the word. Case, surrounding space and full-width digits do not matter.
    """
    line = text.strip()
    if not line.isascii():
        from unicodedata import normalize

        line = normalize("NFKC", line).strip()
    if not line:
        if asking:
            return PASS
        raise Unreadable("empty", "You typed nothing.")
    head, *tail = line.split(None, 1)
    rest = tail[0] if tail else ""
    word = _ALIASES.get(head.casefold(), head.casefold())
    if word == "save":
        return _save(text.split(None, 1)[1:])
    if word in COMMANDS:
        return _command(word, rest)
    if word.partition(":")[0] == "declare":
        return _declaration(line[len("declare") :])
    if asking and _are_numbers(_numbers(line)):
        return _declaration(line)
    if word in ("pass", "swap") and not rest:
        return PASS if word == "pass" else SWAP
    return _choice(rest if word in VERBS else line)


def _command(name: str, argument: str) -> Command:
    if argument:
        raise Unreadable("bad-command", f"Type {name} alone.")
    return Command(name)


def _save(argument: list[str]) -> Command:
    """The file name is used exactly as it was typed."""
    name = argument[0].strip() if argument else ""
    if not name or not name.isprintable():
        raise Unreadable("bad-command", "Name the file to save to: save FILE.")
    return Command("save", name)


def _numbers(text: str) -> list[str]:
    """The words between spaces, commas and other separators."""
    return [token for token in _BETWEEN.split(text) if token]


def _are_numbers(tokens: list[str]) -> bool:
    """Whether these are several numbers and nothing else."""
    return len(tokens) > 1 and all(map(_NUMBER.match, tokens))


def _declaration(text: str) -> Declare:
    tokens = _numbers(text)
    fit = all(_NUMBER.match(token) and len(token) <= MAX_DIGITS for token in tokens)
    if not tokens or not fit:
        raise Unreadable("unreadable", "Name the numbers you declare: declare 5 7 9.")
    return declare(map(int, tokens))


def _choice(text: str) -> Choice:
    if _NUMBER.match(text) and len(text) <= MAX_DIGITS:
        return Choice(int(text))
    if not text:
        raise Unreadable("empty", "You named no number.")
    if _NUMBER.match(text):
        raise Unreadable("unreadable", "That number is too long.")
    if _DECIMAL.match(text):
        raise Unreadable("unreadable", f"{shorten(text, 24)} is not a whole number.")
    if _are_numbers(_numbers(text)):
        raise Unreadable("unreadable", "Take one number at a time.")
    raise Unreadable(
        "unreadable", f'"{shorten(text, 24)}" is neither a number nor a command (try help).'
    )
