"""Reads the answer of a language model by the strict grammar of docs/text.md, without guessing."""

import re
from collections.abc import Iterable
from typing import TypeAlias

from ninefold.core.errors import Illegal, Unreadable
from ninefold.core.game import Game
from ninefold.core.moves import LOST, MAX_DIGITS, Move, SpecialMove, declare, format_move
from ninefold.core.position import Position
from ninefold.core.rules import MAX_POOL
from ninefold.core.text import NamedTuple, shorten
from ninefold.layout import layout_for

# Longer answers are not read at all.
MAX_CHARACTERS = 100_000
MARK = "answer:"
_BLANK = " \t\r\n"
_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
_DECIMAL = re.compile(r"[+-]?[0-9]*[.][0-9]+\Z")
_BETWEEN = re.compile(r"[ \t,:]+")
_SPACE = re.compile(r"[ \t\r\n,;]+")


class LegalAnswer(NamedTuple):
    """A move that the judge allows, and its action in the environments."""

    move: Move
    action: int


class IllegalAnswer(NamedTuple):
    """A move that the judge refuses, and why; ``loses_turn`` if it costs the turn by the rules."""

    move: Move
    code: str
    reason: str
    loses_turn: bool


class UnreadableAnswer(NamedTuple):
    """An answer that cannot be read as a move, and why."""

    code: str
    reason: str


Answer: TypeAlias = LegalAnswer | IllegalAnswer | UnreadableAnswer


def format_answer(move: Move) -> str:
    """A move as an answer; ``read_answer`` reads it back."""
    return format_move(move).replace(":", " ")


def read_answer(text: str | None, position: Position) -> Answer:
    """The meaning of an answer in this position, found in linear time; None is an empty answer."""
    try:
        move = _parse(_body(text or ""), position.game)
    except Unreadable as unread:
        return UnreadableAnswer(unread.code, unread.message)
    try:
        position.play(move)
    except Illegal as refusal:
        loses = move is not LOST and position.attempt(move) is LOST
        return IllegalAnswer(move, refusal.code, refusal.message, loses)
    return LegalAnswer(move, layout_for(position.game).action(move))


def reason_alone(answer: IllegalAnswer, position: Position) -> str:
    """Why a move is illegal, without the judge's advice, which would list the legal numbers."""
    try:
        position.play(answer.move)
    except Illegal as refusal:
        return refusal.reason
    return answer.reason


def read_choice(text: str | None, options: Iterable[str]) -> str | UnreadableAnswer:
    """Which of these options an answer is, by the same grammar; case does not matter."""
    try:
        body = _body(text or "")
    except Unreadable as unread:
        return UnreadableAnswer(unread.code, unread.message)
    found = {option.casefold(): option for option in options}
    if body.casefold() in found:
        return found[body.casefold()]
    reason = f'"{shorten(body, 40)}" is not one of: {", ".join(found.values())}.'
    return UnreadableAnswer("not-an-option", reason)


def _body(text: str) -> str:
    """The part of an answer that must be a move: all of it, or the rest of its last line."""
    if len(text) > MAX_CHARACTERS:
        raise Unreadable("too-long", f"The answer has more than {MAX_CHARACTERS:,} characters.")
    text = text.strip(_BLANK)
    if not text:
        raise Unreadable("empty", "The answer is empty.")
    lines = [line.strip(_BLANK) for line in text.split("\n")]
    marked = [at for at, line in enumerate(lines) if line[: len(MARK)].lower() == MARK]
    if not marked:
        return text
    if len(marked) > 1:
        raise Unreadable("several-answers", 'More than one line begins with "Answer:".')
    if marked[0] != len(lines) - 1:
        reason = 'Something follows the line that begins with "Answer:".'
        raise Unreadable("answer-not-last", reason)
    body = lines[-1][len(MARK) :].strip(_BLANK)
    if not body:
        raise Unreadable("empty", 'There is nothing after "Answer:".')
    return body


def _parse(body: str, game: Game) -> Move:
    """The move that this text is; raises Unreadable."""
    if _NUMBER.match(body):
        return _number(body)
    word = body.lower() if body.isascii() else body
    if word in ("pass", "swap") or (word == "lost" and game.turns.is_endless):
        return SpecialMove(word)
    if re.match(r"declare(?![a-z0-9+-])", word):
        return _declaration(body[len("declare") :])
    raise _unread(body)


def _number(token: str) -> int:
    if len(token) > MAX_DIGITS:
        raise Unreadable("long-number", f"A number has at most {MAX_DIGITS} characters.")
    return int(token)


def _declaration(rest: str) -> Move:
    tokens = [token for token in _BETWEEN.split(rest) if token]
    if not tokens:
        raise Unreadable("no-numbers", "Name the numbers you declare, for example: declare 5 7 9.")
    if len(tokens) > MAX_POOL:
        raise Unreadable("many-numbers", f"No set has more than {MAX_POOL} numbers.")
    if not all(map(_NUMBER.match, tokens)):
        raise Unreadable("not-a-declaration", "Only numbers may follow declare.")
    return declare(map(_number, tokens))


def _unread(body: str) -> Unreadable:
    """Why this is not a move, as precisely as possible without guessing."""
    shown = f'"{shorten(body, 40)}"'
    if any(char.isdecimal() and not char.isascii() for char in body):
        return Unreadable("foreign-digits", f"{shown} has digits other than 0 to 9.")
    if _DECIMAL.match(body):
        return Unreadable("not-whole", f"{shown} is not a whole number.")
    tokens = [token for token in _SPACE.split(body) if token]
    if len(tokens) > 1 and all(map(_NUMBER.match, tokens)):
        return Unreadable("several-numbers", "There is more than one number. Name only one.")
    if re.search("[0-9]", body):
        advice = 'Write only the move, or put it in a last line that begins with "Answer:".'
        return Unreadable("not-alone", f"{shown} is more than a move. {advice}")
    return Unreadable("not-a-move", f"{shown} is not a move.")
