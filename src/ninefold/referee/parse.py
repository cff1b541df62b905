"""Parses what a player types: a number, a declaration or a command."""

import re

from ninefold.core.errors import Unreadable
from ninefold.core.moves import MAX_DIGITS, PASS, SWAP, Declare, Move, declare
from ninefold.core.text import shorten
from ninefold.referee.events import Command

VERBS = ("pick", "claim", "choose", "select", "take")
COMMANDS = ("help", "hint", "rules", "board", "undo", "resign", "save", "quit")
_ALIASES = {"?": "help", "h": "help", "exit": "quit", "q": "quit"}
_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
_BETWEEN = re.compile(r"[\s,;:]+")
_DECIMAL = re.compile(r"[+-]?[0-9]*[.][0-9]+\Z")


def parse_input(text: str, asking: bool = False) -> Move | Command:
    """What a line means; ``asking``, Enter passes and numbers declare a set. Raises Unreadable."""
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
        name = "".join(text.split(None, 1)[1:]).strip()  # exactly as it was typed
        if not name or not name.isprintable():
            raise Unreadable("bad-command", "Name the file to save to: save FILE.")
        return Command("save", name)
    if word in COMMANDS:
        if rest:
            raise Unreadable("bad-command", f"Type {word} alone.")
        return Command(word)
    if word.partition(":")[0] == "declare":
        return _declaration(line[len("declare") :])
    if asking and len(_numbers(line)) > 1:
        return _declaration(line)
    if word in ("pass", "swap") and not rest:
        return PASS if word == "pass" else SWAP
    return _number(rest if word in VERBS else line)


def _numbers(text: str) -> list[str]:
    """The numbers of a line between spaces, commas and the like; none if there is more in it."""
    tokens = [token for token in _BETWEEN.split(text) if token]
    return tokens if all(map(_NUMBER.match, tokens)) else []


def _declaration(text: str) -> Declare:
    tokens = _numbers(text)
    if not tokens or max(map(len, tokens)) > MAX_DIGITS:
        raise Unreadable("unreadable", "Name the numbers you declare: declare 5 7 9.")
    return declare(map(int, tokens))


def _number(text: str) -> int:
    if _NUMBER.match(text) and len(text) <= MAX_DIGITS:
        return int(text)
    if not text:
        raise Unreadable("empty", "You named no number.")
    if _NUMBER.match(text):
        raise Unreadable("unreadable", "That number is too long.")
    if _DECIMAL.match(text):
        raise Unreadable("unreadable", f"{shorten(text, 24)} is not a whole number.")
    if len(_numbers(text)) > 1:
        raise Unreadable("unreadable", "Take one number at a time.")
    reason = f'"{shorten(text, 24)}" is neither a number nor a command (try help).'
    raise Unreadable("unreadable", reason)
