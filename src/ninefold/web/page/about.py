"""What a page says about its game and its players, besides the states."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from ninefold.audit import audit
from ninefold.board_words import (
    GIVE_UP_TURN,
    NO_NUMBERS,
    TILE_WORDS,
    YOU,
    deed_text,
    lost_turn_question,
    markers_of,
    opening_text,
    turn_text,
)
from ninefold.books.describe import pool_of, rules_of
from ninefold.coach.review_words import (
    decision,
    joined,
    legend,
    summary_line,
    verdict_line,
    voices_for,
)
from ninefold.coach.words import describe_turn, format_choice, value_words, you_and_they
from ninefold.core.errors import Illegal
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, format_move
from ninefold.new_game import OPPONENTS, OUTSIDERS
from ninefold.players import HUMAN, name_of
from ninefold.referee.events import Refused
from ninefold.web.page.states import COMPUTERS, State, States
from ninefold.web.page.table import moves_of
from ninefold.web.page.texts import COUNTS, NAMES, Reader, with_places

# How many kinds of counts of moves, mistakes and only moves are told differently: the last kind is
# for every larger count.
_KINDS = {"moves": 3, "mistakes": 3, "only": 4}
# What stands on the buttons of moves that take no number; a declaration has its own.
_CONTROLS: dict[Move, str] = {PASS: "Pass", SWAP: "Swap hands", LOST: "Give up turn"}
_JOINS = {"said": verdict_line, "more": joined}
PLAYERS = ("Player 1", "Player 2")


def about(states: States, tell: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """The header of the table, as far as it is about the game and its texts."""
    book, game, texts = states.book, states.game, states.texts
    several = [book.reading] if len(book.readings) > 1 else []
    found = audit(book, tell=lambda stage: tell(f"auditing: {stage}"))
    plies = max((state.plies or 0 for state in states.states), default=0) + 1
    return {
        "title": book.title,
        "variant": [*several, *book.changes],
        "summary": f"{book.summary} Numbers: {pool_of(game)}.",
        "rules": [part._asdict() for part in rules_of(book)],
        "audit": found.audits[0].summary(),
        "pool": game.pool,
        "worth": [game.points[number] for number in game.pool],
        "markers": markers_of(book),
        "separator": book.words.phrases["separator"],
        "none": book.words.phrases["no-numbers"],
        "players": PLAYERS,
        "you": YOU,
        "empty": NO_NUMBERS,
        "tile": TILE_WORDS,
        "joins": {name: join("{first}", "{second}") for name, join in _JOINS.items()},
        "kinds": [*_KINDS.values()],
        "declares": game.rules.declare,
        "opponents": [
            {"kind": kind, "bit": _bit(kind), "name": item.name, "plays": item.plays}
            | {"called": "" if kind == HUMAN else name_of(kind)}
            for kind, item in OPPONENTS.items()
            if kind not in OUTSIDERS
        ],
        "moves": [_move(states, move) for move in moves_of(states)],
        "values": {
            result: [value_words(result, None if at == 0 else at - 1) for at in range(plies + 2)]
            for result in ("win", "loss", "draw")
        },
        "opening": texts.add_for_readers(lambda reader: opening_text(1, NAMES, reader)),
        "thinking": [
            texts.add(turn_text(game.start(seat), NAMES, is_thinking=True)) for seat in (1, 2)
        ],
        "settled": texts.add(decision(None, NAMES)),
        "legends": [_legend(states, seat) for seat in (1, 2)],
        "summaries": [_summaries(states, seat) for seat in (1, 2)],
        "taken": [
            [_refused(states, seat, "taken", number) for number in game.pool] for seat in (1, 2)
        ],
        "outside": [_refused(states, seat, "not-in-pool", COUNTS["number"]) for seat in (1, 2)],
        "costs": texts.add(with_places(lost_turn_question(COUNTS["number"]))),
        "claims": _claims(states),
        "strange": _strange(states),
        "undone": [_undone(states, seat) for seat in (1, 2)],
    }


def _undone(states: States, seat: int) -> int:
    """What is said once this player chooses again."""
    start = states.game.start(seat)
    return states.texts.add_for_readers(lambda reader: states.view.undone(start, reader).strip())


def _legend(states: States, seat: int) -> int:
    """What the signs of a chart drawn for this player mean."""
    return states.texts.add_for_readers(lambda reader: legend(voices_for(NAMES, reader)[seat - 1]))


def _bit(kind: str) -> int:
    """Which bit of a step says that this player may choose it; 0 for a person."""
    return 0 if kind == HUMAN else 1 << COMPUTERS.index(kind)


def _move(states: States, move: Move) -> dict[str, Any]:
    """A move: its notation, which nobody sees, and its words for each player."""
    texts = states.texts

    def deed(seat: int) -> Callable[[Reader], str]:
        return lambda reader: deed_text(voices_for(NAMES, reader)[seat - 1], move)

    def caption(seat: int) -> Callable[[Reader], str]:
        return lambda reader: describe_turn(
            (you_and_they(reader) if reader else NAMES)[seat - 1], [move]
        )

    return {
        "key": format_move(move),
        "deeds": [texts.add_for_readers(deed(seat)) for seat in (1, 2)],
        "captions": [texts.add_for_readers(caption(seat)) for seat in (1, 2)],
        "label": format_choice(move),
        "control": _CONTROLS.get(move, ""),
        "question": GIVE_UP_TURN if move is LOST else "",
        "is_costly": move is LOST,
    }


def _summaries(states: States, seat: int) -> list[int]:
    """The summary of a player's moves for every kind of counts, the last count first to change."""

    def counts(name: str) -> list[int]:
        return [*range(_KINDS[name] - 1), COUNTS[name]]

    def render(moves: int, mistakes: int, only: int) -> int:
        return states.texts.add_for_readers(
            lambda reader: with_places(
                summary_line(voices_for(NAMES, reader)[seat - 1], moves, mistakes, only)
            )
        )

    return [
        render(moves, mistakes, only)
        for moves in counts("moves")
        for mistakes in counts("mistakes")
        for only in counts("only")
    ]


def _refused(states: States, seat: int, code: str, number: int) -> int:
    """Why a number cannot be taken that is taken, or that is not there."""
    error = Illegal(code, "", number=number)
    text = states.view.refused(Refused(seat, error), states.game.start(seat))
    return states.texts.add(with_places(text).strip())


def _claims(states: States) -> dict[int, int]:
    """Why numbers that a player may hold, as bits, are not a set to declare."""
    if not states.game.rules.declare:
        return {}
    found = dict[int, int]()
    hands = {state.position.masks[state.position.turn - 1]: state for state in states.states}
    for state in hands.values():
        if state.position.outcome is None:
            _add_claims(states, state, found)
    return found


def _strange(states: States) -> int:
    """Why a number that a player does not hold cannot be declared."""
    try:
        states.game.start().play(Declare((COUNTS["number"],)))
    except Illegal as error:
        return states.texts.add(with_places(error.reason))
    raise AssertionError("nobody holds this number")


def _add_claims(states: States, state: State, found: dict[int, int]) -> None:
    game, position = states.game, state.position
    hand = sorted(position.hands[position.turn - 1])
    for size in range(1, len(hand) + 1):
        for numbers in combinations(hand, size):
            mask = game.mask(numbers)
            if mask in found:
                continue
            try:
                position.play(Declare(numbers))
            except Illegal as error:
                found[mask] = states.texts.add(error.reason)
