"""What every move of a position is worth, why, and how the game goes on under best play."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from ninefold.coach.data import hint_data, value_data
from ninefold.coach.defence import Moves
from ninefold.coach.hint import Hint, best_line, hint_from
from ninefold.coach.words import (
    STEPS,
    describe_line,
    format_choice,
    sentence,
    value_words,
    you_and_they,
)
from ninefold.core.moves import format_move, format_moves
from ninefold.core.position import Position
from ninefold.players import SECONDS
from ninefold.solver import MoveValue, Result, Value, is_small
from ninefold.solver.advice import Advice, advise
from ninefold.solver.deepen import deepen
from ninefold.web.server.work.boards import referee_at, view_of
from ninefold.web.server.work.given import BookSpec, load_spec
from ninefold.web.server.work.worker import Progress

MOST_SECONDS = 20.0


class LineData(TypedDict):
    """A line of play as records write it, and in words for the player to act."""

    line: list[str]
    line_words: str


class MoveAnalysis(LineData):
    """A legal move: how a record writes it, how people read it, and what it leads to."""

    move: str
    label: str
    number: int | None
    value: str | None  # win, draw or loss for the player who makes it; None if not proved
    plies: int | None
    proved: bool
    words: str
    best: bool  # its line is best play after it, empty if the game is not solved


class Ending(TypedDict):
    """How a game ended; a draw has no winner."""

    winner: int | None
    text: str


class Analysis(TypedDict):
    """A position. The hint has three sentences, each says more than the one before."""

    turn: int
    value: dict[str, Any]
    proved: bool  # whether that, and the value of every move, is proved
    moves: list[MoveAnalysis]
    hint: dict[str, Any] | None
    over: Ending | None
    view: dict[str, Any]


def analyse(
    book: BookSpec,
    moves: Sequence[str] = (),
    first: int = 1,
    seconds: float = SECONDS,
    progress: Progress = lambda _: None,  # noqa: ARG001 - every job has it
) -> Analysis:
    """The analysis of the position after these moves; raises NinefoldError.

    In a game that is too large to solve, it is what can be proved in so many seconds; without any,
    only the position and its moves.
    """
    loaded = load_spec(book)
    referee = referee_at(loaded, moves, first)
    position, view = referee.position, view_of(loaded, referee)
    labels = {control["move"]: control["label"] for control in view["controls"]}
    seconds = min(seconds, MOST_SECONDS)
    if position.outcome is not None:
        return _finished(position, view)
    is_searched = seconds > 0 or is_small(loaded.game)
    advice = _look(position, seconds) if is_searched else _unknown(position)
    found = advice.moves if advice.solver is None else advice.solver.moves(position)
    return {
        "turn": position.turn,
        "value": value_data(advice.value),
        "proved": advice.proved and advice.value.result != "unknown",
        "moves": [_move(position, item, advice, labels) for item in found],
        "hint": _hint(hint_from(position, advice, seconds)) if is_searched else None,
        "over": None,
        "view": view,
    }


def _look(position: Position, seconds: float) -> Advice:
    return deepen(position, advise(position, seconds / 2), seconds / 2)


def _unknown(position: Position) -> Advice:
    moves = position.legal
    unknown = tuple(MoveValue(move, "unknown", None) for move in moves)
    return Advice(Value("unknown", None), unknown, dict.fromkeys(moves, 0))


def _hint(hint: Hint) -> dict[str, Any]:
    sentences = [sentence(hint, step) for step in range(1, STEPS + 1)]
    # How the opponent wins all the same needs the defence, which the proof of a good move names.
    reason = sentences[-1] if hint.defence is None else " ".join(sentences[1:])
    line = line_data(hint.position, hint.line)
    return {**hint_data(hint), **line, "sentences": sentences, "reason": reason}


def _finished(position: Position, view: dict[str, Any]) -> Analysis:
    assert position.outcome is not None
    winner = position.outcome.winner
    result: Result = "draw" if winner is None else "win" if winner == position.turn else "loss"
    return {
        "turn": position.turn,
        "value": value_data(Value(result, 0)),
        "proved": True,
        "moves": [],
        "hint": None,
        "over": view["over"],
        "view": view,
    }


def _move(
    position: Position, item: MoveValue, advice: Advice, labels: Mapping[str, str]
) -> MoveAnalysis:
    move, result, plies = item
    line: Moves = ()
    if advice.solver is not None:
        line = best_line(position, [move], advice.solver)
    return {
        "move": format_move(move),
        "label": labels.get(format_move(move)) or format_choice(move).capitalize(),
        "number": move if isinstance(move, int) else None,
        **value_data(Value(result, plies)),  # type: ignore[typeddict-item]
        "words": value_words(result, plies),
        "best": move in advice.best,
        **line_data(position, line),
    }


def line_data(position: Position, line: Moves) -> LineData:
    """A line of play from this position on."""
    words = describe_line(position, line, you_and_they(position.turn))
    return {"line": format_moves(line), "line_words": words}
