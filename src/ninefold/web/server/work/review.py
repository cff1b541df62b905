"""The review of a recorded game: every move with its verdict, for the page of the game."""

from collections.abc import Iterable
from typing import Any, TypedDict

from ninefold.board_words import isolated, names_seen
from ninefold.coach.data import judgement_data, review_data
from ninefold.coach.review import Judgement, Review, judge, only_human, sum_up
from ninefold.coach.review_words import (
    label,
    legend,
    made_by,
    overview,
    remarks,
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
    printed: dict[str, Any]  # legend, overview and moves with the names of both, for anybody


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
    view, data = View(book, names, referee.humans), review_data(judged)
    side = (reader or 1) - 1
    own, anybody = (_texts(judged, names, one, side) for one in (reader, None))
    data["moves"] = [
        {**_move(item, voices_for(names, reader)), "words": words, "text": text}
        for item, words, text in zip(found, own["words"], own["moves"], strict=True)
    ]
    return {
        "names": [*referee.settings.players],
        "reader": reader,
        "ended": "" if outcome is None else view.result(outcome, positions[-1]),
        "overview": own["overview"],
        "legend": own["legend"],
        "positions": [_position(position) for position in positions],
        "lit": sorted(book.game.deciding_numbers(positions[-1])),
        "printed": {name: anybody[name] for name in ("legend", "overview", "moves")},
        **data,  # type: ignore[typeddict-item]
    }


def _texts(judged: Review, names: tuple[str, str], reader: int | None, side: int) -> dict[str, Any]:
    """What is said to a reader in this seat; the chart is drawn for one side."""
    words, seen = remarks(judged, names, reader), names_seen(names, reader)
    made = [made_by(seen[item.seat - 1], item.move, label(item)) for item in judged.judgements]
    unproved = not all(item.proved for item in judged.judgements)
    return {
        "words": words,
        "moves": [*map(verdict_line, made, words)],
        "overview": overview(judged, names, reader),
        "legend": legend(voices_for(names, reader)[side], unproved),
    }


def _position(position: Position) -> dict[str, Any]:
    hands = [[*hand] for hand in position.hands]
    return {"turn": position.turn, "hands": hands, "over": position.outcome is not None}


def _move(item: Judgement, voices: tuple[str, str]) -> dict[str, Any]:
    assert item.position is not None
    return {
        **judgement_data(item),
        "label": label(item),
        "number": item.move if isinstance(item.move, int) else None,
        "mistake": item.is_mistake,
        "proved": item.proved,
        "line_words": describe_line(item.position, item.line, voices),
        "steps": _steps(item.position, item.line, voices),
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
