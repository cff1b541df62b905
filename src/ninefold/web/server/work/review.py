"""The review of a recorded game: every move with its verdict, for the page of the game."""

from collections.abc import Iterable
from typing import Any, TypedDict

from ninefold.board_words import isolated, names_seen
from ninefold.coach.data import judgement_data, review_data
from ninefold.coach.review import (
    Judgement,
    judge,
    label,
    legend,
    made_by,
    only_human,
    overview,
    remarks,
    sum_up,
    verdict_line,
    voices_for,
)
from ninefold.coach.words import describe_line, describe_turn
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.web.server.work.given import GameSpec, replay_of
from ninefold.web.server.work.worker import Progress

# How long the moves of a large game may take together, and one of them.
MOST_SECONDS, MOST_EACH = 60.0, 5.0


class ReviewPage(TypedDict):
    """A review. ``overview`` says what decided the game and how well both played.

    ``positions`` are those before the first move and after each move.
    """

    names: list[str]
    reader: int | None  # the seat that is called you; None for anybody else
    ended: str  # how the game ended, in the words of the book; empty if it is not over
    overview: str
    legend: str
    decided: int | None
    standing: int | None
    proved: bool
    players: list[dict[str, Any]]
    moves: list[dict[str, Any]]
    positions: list[dict[str, Any]]
    lit: list[int]  # the numbers that decided the game


def review(
    game: GameSpec, reader: int | None = None, progress: Progress = lambda _: None
) -> ReviewPage:
    """The review of a game for the player in this seat, 0 for nobody; raises NinefoldError.

    Without a seat, it is for the only person who played, if there is just one.
    """
    replay = replay_of(game)
    referee, book = replay.run(), replay.book
    positions, moves, outcome = referee.positions, referee.moves, referee.outcome
    one, two = map(isolated, referee.settings.players)
    names = one, two
    reader = only_human(referee.humans) if reader is None else reader or None
    seconds = min(MOST_EACH, MOST_SECONDS / max(1, len(moves)))
    found = list[Judgement]()
    for at, (before, move) in enumerate(zip(positions, moves, strict=False), 1):
        progress({"move": at, "of": len(moves)})
        found.append(judge(before, move, at, seconds))
    judged = sum_up(found, positions[-1], outcome, seconds)
    view = View(book, names, referee.humans)
    said, data = remarks(judged, names, reader), review_data(judged)
    voices = voices_for(names, reader)
    data["moves"] = [
        _move(item, text, names, reader) for item, text in zip(found, said, strict=True)
    ]
    return {
        "names": [*referee.settings.players],
        "reader": reader,
        "ended": "" if outcome is None else view.result(outcome, positions[-1]),
        "overview": overview(judged, names, reader),
        "legend": legend(voices[(reader or 1) - 1], not all(item.proved for item in found)),
        "positions": [_position(position) for position in positions],
        "lit": sorted(book.game.deciding_numbers(positions[-1])),
        **data,  # type: ignore[typeddict-item]
    }


def _position(position: Position) -> dict[str, Any]:
    hands = [[*hand] for hand in position.hands]
    return {"turn": position.turn, "hands": hands, "over": position.outcome is not None}


def _move(item: Judgement, said: str, names: tuple[str, str], reader: int | None) -> dict[str, Any]:
    assert item.position is not None
    line = describe_line(item.position, item.line, names)
    played = label(item)
    made = made_by(names_seen(names, reader)[item.seat - 1], item.move, played)
    return {
        **judgement_data(item),
        "label": played,
        "number": item.move if isinstance(item.move, int) else None,
        "words": said,
        "text": verdict_line(made, said),
        "mistake": item.is_mistake,
        "proved": item.proved,
        "line_words": line,
        "steps": _steps(item.position, item.line, voices_for(names, reader)),
    }


def _steps(
    position: Position, line: Iterable[Move], voices: tuple[str, str]
) -> list[dict[str, Any]]:
    """A line of play step by step: what is done, and the position after it."""
    steps = []
    for move in line:
        text = describe_turn(voices[position.turn - 1], [move])
        position = position.play(move)
        number = move if isinstance(move, int) else None
        steps.append({"text": text, "number": number, **_position(position)})
    return steps
