"""What a browser shows of a game: made here, so that it needs to know no rules."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
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


def to_text(data: object) -> str:
    """The data as JSON."""
    return orjson.dumps(data).decode()


def board_text(words: View, referee: Referee) -> str:
    """What everybody sees of the game now: the board, both hands, the moves, and how it ended.

    It is the inside of a JSON object, put together from parts that are made once.
    """
    position, outcome = referee.position, referee.outcome
    over, prompt = "null", '""'
    if outcome is not None:
        text = words.ended(outcome, position) + words.tie_break(position)
        lines = [line for line in text.split("\n") if line.strip()]
        over = to_text({"winner": outcome.winner, "text": "\n".join(lines)})
    elif position.asking:
        prompt = to_text(words.prompt(position).strip())
    turn = 0 if outcome is not None else position.turn
    one, two = position.hands
    hands = f"[{','.join(map(str, one))}],[{','.join(map(str, two))}]"
    moves = ",".join([_move(made[0], made[1]) for made in referee.made])
    return (
        f'"turn":{turn},"tiles":[{_tiles(referee)}],"hands":[{hands}],'
        f'"moves":[{moves}],"over":{over},"prompt":{prompt}'
    )


def board_view(words: View, referee: Referee) -> Json:
    """The same as a JSON object."""
    found: Json = orjson.loads(f"{{{board_text(words, referee)}}}")
    return found


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
def _move(seat: int, move: Move) -> str:
    """A move in the list of moves."""
    number = move if isinstance(move, int) else None
    text = format_choice(move)
    return to_text({"seat": seat, "move": format_move(move), "text": text, "number": number})


def _tiles(referee: Referee) -> str:
    position, game = referee.position, referee.game
    is_on = referee.outcome is None and not position.asking
    picks, (one, two) = position.picks if is_on else (), position.masks
    tiles = {
        number: _tile(number, 1 if one & bit else 2 if two & bit else 0, number in picks)
        for number, bit in game.bits.items()
    }
    for number, mark in _marks(referee, picks, is_on):
        tiles[number] = f"{tiles[number][:-1]},{mark}}}"
    return ",".join(tiles.values())


def _marks(referee: Referee, picks: Sequence[int], is_on: bool) -> Iterator[tuple[int, str]]:
    """What single tiles have besides: fields of JSON objects."""
    position, game = referee.position, referee.game
    for number, worth in game.rules.values:
        if worth != number and number in game.bits:
            yield number, f'"worth":{worth}'
    if is_on and game.picks.limited:
        for number in position.available:
            if number not in picks:
                why = position.why_barred(number, position.turn)
                yield number, f'"why":{to_text(why)}'
    for made in reversed(referee.made):
        if type(made.move) is int:
            yield made.move, '"last":true'
            break
    if position.outcome is not None:
        for number in game.deciding_numbers(position):
            yield number, '"lit":true'


@lru_cache(maxsize=4096)
def _tile(number: int, owner: int, free: bool) -> str:
    """A number without marks."""
    return to_text({"number": number, "owner": owner, "free": free})


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
