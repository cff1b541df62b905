"""What a browser shows of a game: made here, so that it needs to know no rules."""

from functools import lru_cache
from itertools import islice
from typing import Any

import orjson

from ninefold.board_words import (
    GIVE_UP_TURN,
    NO_NUMBERS,
    TILE_WORDS,
    YOU,
    lost_turn_question,
    markers_of,
    names_seen,
    turn_text,
    winner_text,
)
from ninefold.books import Book
from ninefold.books.describe import pool_of, rules_of
from ninefold.coach.words import format_choice
from ninefold.core.moves import LOST, PASS, SWAP, Move, format_move
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.settings import GameSettings

Json = dict[str, Any]
_CONTROLS = ((PASS, "Pass"), (SWAP, "Swap hands"), (LOST, "Give up your turn"))


def to_text(data: Json) -> str:
    """The data as JSON."""
    return orjson.dumps(data).decode()


def board_view(words: View, referee: Referee) -> Json:
    """What everybody sees of the game now: the board, both hands, the moves, and how it ended."""
    position, outcome = referee.position, referee.outcome
    over = None
    if outcome is not None:
        text = words.ended(outcome, position) + words.tie_break(position)
        lines = [line for line in text.split("\n") if line.strip()]
        over = {"winner": outcome.winner, "text": "\n".join(lines)}
    return {
        "turn": 0 if outcome is not None else position.turn,
        "tiles": _tiles(words.book, referee),
        "hands": [list(hand) for hand in position.hands],
        "moves": [_move(made.seat, made.move) for made in referee.made],
        "over": over,
        "prompt": words.prompt(position).strip() if position.asking and not over else "",
    }


def lasting_view(book: Book, settings: GameSettings) -> Json:
    """What everybody sees of the game all the time."""
    names, first = list(settings.players), settings.first
    return {"title": heading_of(book), "names": names, "first": first}


def own_view(words: View, referee: Referee, reader: int) -> Json:
    """What only this player sees, or with 0 every spectator: whose turn it is, what can be done."""
    position, outcome = referee.position, referee.outcome
    names = names_seen(words.names, reader or None)
    if outcome is not None:
        return {"you": reader, "status": winner_text(outcome, names), "controls": []}
    is_thinking = not referee.humans[position.turn - 1]
    mine = reader == position.turn
    own: Json = {
        "you": reader,
        "status": turn_text(position, names, is_thinking, mine and position.asking),
        "controls": _controls(position) if mine else [],
    }
    # What is not in the pool costs the turn wherever any number does.
    if mine and position.attempt(position.game.pool[-1] + 1) is LOST:
        own["ask"] = lost_turn_question("{number}")
    return own


def own_key(referee: Referee) -> tuple[object, ...]:
    """What ``own_view`` depends on besides the reader: the same key, the same view."""
    position, outcome = referee.position, referee.outcome
    hand = position.hands[position.turn - 1] if position.game.rules.declare else ()
    return outcome, position.phase, hand


def about_book(book: Book) -> Json:
    """What does not change during a game: its rules, and the words on the board."""
    return {
        "goal": f"{book.summary} Numbers: {pool_of(book.game)}.",
        "rules": [part._asdict() for part in rules_of(book)],
        "pool": [
            {"number": number, "worth": worth if worth != number else None}
            for number, worth in book.game.points.items()
        ],
        "markers": markers_of(book),
        "words": {**TILE_WORDS, "you": YOU, "empty": NO_NUMBERS},
    }


def heading_of(book: Book) -> str:
    """The game and its variant in a line."""
    game = [book.title, book.reading] if len(book.readings) > 1 else [book.title]
    return " · ".join([*game, *book.changes])


@lru_cache(maxsize=4096)
def _move(seat: int, move: Move) -> Json:
    """A move in the list of moves; never changed, because many games share it."""
    number = move if isinstance(move, int) else None
    text = format_choice(move)
    return {"seat": seat, "move": format_move(move), "text": text, "number": number}


def _tiles(book: Book, referee: Referee) -> list[Json]:
    position, game = referee.position, book.game
    is_on = referee.outcome is None and not position.asking
    picks, (one, two), points = position.picks if is_on else (), position.masks, game.points
    tiles = {
        number: _tile(number, 1 if one & bit else 2 if two & bit else 0, number in picks)
        for number, bit in game.bits.items()
    }
    marks: list[tuple[int, Json]] = [
        (number, {"worth": worth}) for number, worth in points.items() if worth != number
    ]
    if is_on and game.picks.limited:
        barred = (number for number in position.available if number not in picks)
        marks += [(it, {"why": position.why_barred(it, position.turn)}) for it in barred]
    numbers = (made.move for made in reversed(referee.made) if type(made.move) is int)
    marks += [(it, {"last": True}) for it in islice(numbers, 1)]
    marks += [(it, {"lit": True}) for it in game.deciding_numbers(position)]
    for number, mark in marks:
        tiles[number] = tiles[number] | mark
    return [*tiles.values()]


@lru_cache(maxsize=4096)
def _tile(number: int, owner: int, free: bool) -> Json:
    """A number without marks; never changed, because many boards share it."""
    return {"number": number, "owner": owner, "free": free}


def _controls(position: Position) -> list[Json]:
    """The moves besides taking a number; a declaration is completed by the numbers chosen."""
    legal = position.legal
    found: list[Json] = []
    if position.game.rules.declare:
        hand = sorted(position.hands[position.turn - 1])
        found.append({"move": "declare", "label": "Declare a set", "choose": hand})
    found += [
        {"move": format_move(move), "label": label} for move, label in _CONTROLS if move in legal
    ]
    if LOST in legal:
        found[-1]["ask"] = GIVE_UP_TURN
    return found
