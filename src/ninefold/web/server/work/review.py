"""The review of a recorded game: every move with its verdict, for the page of the game."""

from typing import Any, TypedDict

from ninefold.coach.data import judgement_data, review_data
from ninefold.coach.review import Judgement, judge, label, only_human, overview, remarks, sum_up
from ninefold.coach.words import describe_line
from ninefold.narration import View
from ninefold.web.server.work.given import GameSpec, replay_of
from ninefold.web.server.work.worker import Progress

# How long the moves of a large game may take together, and one of them.
MOST_SECONDS, MOST_EACH = 60.0, 5.0


class ReviewPage(TypedDict):
    """A review. ``overview`` says what decided the game and how well both played."""

    names: list[str]
    reader: int | None  # the seat that is called you; None if two people or none played
    ended: str  # how the game ended, in the words of the book; empty if it is not over
    overview: str
    decided: int | None
    standing: int | None
    proved: bool
    players: list[dict[str, Any]]
    moves: list[dict[str, Any]]


def review(
    game: GameSpec, reader: int | None = None, progress: Progress = lambda _: None
) -> ReviewPage:
    """The review of a game for the player in this seat; raises NinefoldError.

    Without a seat, it is for the only person who played, if there is just one.
    """
    replay = replay_of(game)
    referee, book = replay.run(), replay.book
    names, positions, moves = referee.settings.players, referee.positions, referee.moves
    reader = reader if reader in (1, 2) else only_human(referee.humans)
    seconds = min(MOST_EACH, MOST_SECONDS / max(1, len(moves)))
    found = list[Judgement]()
    for at, (before, move) in enumerate(zip(positions, moves, strict=False), 1):
        progress({"move": at, "of": len(moves)})
        found.append(judge(before, move, at, seconds))
    judged = sum_up(found, positions[-1], referee.outcome, seconds)
    view, outcome = View(book, names, referee.humans), referee.outcome
    ended = "" if outcome is None else view.ended(outcome, positions[-1])
    said = remarks(judged, names, reader)
    data = review_data(judged)
    data["moves"] = [_move(item, text, names) for item, text in zip(found, said, strict=True)]
    return {
        "names": list(names),
        "reader": reader,
        "ended": "\n".join(line for line in ended.split("\n") if line.strip()),
        "overview": overview(judged, names, reader),
        **data,  # type: ignore[typeddict-item]
    }


def _move(item: Judgement, said: str, names: tuple[str, str]) -> dict[str, Any]:
    line = describe_line(item.position, item.line, names) if item.position else ""
    return {
        **judgement_data(item),
        "label": label(item),
        "number": item.move if isinstance(item.move, int) else None,
        "words": said,
        "mistake": item.is_mistake,
        "proved": item.proved,
        "line_words": line,
    }
