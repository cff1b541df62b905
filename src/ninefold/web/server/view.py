"""What a browser shows of a game: made here, so that it needs to know no rules."""

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
from ninefold.core.moves import LOST, PASS, SWAP, format_move
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.referee import Referee

Json = dict[str, Any]
_CONTROLS = ((PASS, "Pass"), (SWAP, "Swap hands"), (LOST, "Give up your turn"))


def to_text(data: Json) -> str:
    """The data as JSON."""
    return orjson.dumps(data).decode()


def board_view(words: View, referee: Referee, heading: str) -> Json:
    """What everybody sees of the game now: the board, both hands, the moves, and how it ended."""
    position, outcome = referee.position, referee.outcome
    over = None
    if outcome is not None:
        text = words.ended(outcome, position) + words.tie_break(position)
        lines = [line for line in text.split("\n") if line.strip()]
        over = {"winner": outcome.winner, "text": "\n".join(lines)}
    return {
        "title": heading,
        "names": list(referee.settings.players),
        "first": referee.settings.first,
        "turn": 0 if outcome is not None else position.turn,
        "tiles": _tiles(words.book, referee),
        "hands": [list(hand) for hand in position.hands],
        "moves": [
            {
                "seat": made.seat,
                "move": format_move(made.move),
                "text": format_choice(made.move),
                "number": made.move if isinstance(made.move, int) else None,
            }
            for made in referee.made
        ],
        "over": over,
        "prompt": "" if over else (words.prompt(position) if position.asking else "").strip(),
    }


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


def _tiles(book: Book, referee: Referee) -> list[Json]:
    position, game = referee.position, book.game
    is_on = referee.outcome is None and not position.asking
    picks = set(position.picks) if is_on else set()
    available = set(position.available) if is_on else set()
    lit = game.deciding_numbers(position)
    numbers = [move for move in referee.moves if isinstance(move, int)]
    last = numbers[-1] if numbers else None
    one, two = map(set, position.hands)
    tiles = []
    for number in game.pool:
        owner = 1 if number in one else 2 if number in two else 0
        points = game.points[number]
        tile: Json = {"number": number, "owner": owner, "free": number in picks}
        if points != number:
            tile["worth"] = points
        if number in available and number not in picks:
            tile["why"] = position.why_barred(number, position.turn)
        if number == last:
            tile["last"] = True
        if number in lit:
            tile["lit"] = True
        tiles.append(tile)
    return tiles


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
