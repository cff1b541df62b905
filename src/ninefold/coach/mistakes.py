"""The player's own mistakes: wins that were there in recorded games, by one number, and missed."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ninefold.books import Book
from ninefold.coach.known import largest_known
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.record.parse import Record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.referee.events import Moved, TakenBack
from ninefold.solver import is_small


class Mistake(NamedTuple):
    """A puzzle from a recorded game, what was played instead, and where and when that was."""

    puzzle: Puzzle
    book: Book
    played: Move
    game: str
    ply: int
    date: str
    names: tuple[str, str]


def find_mistakes(
    store: Store,
    wanted: Callable[[Record], bool] = lambda _: True,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Mistake]:
    """Every missed win in the records, the oldest first; what is wrong with a record is told.

    A position missed several times is there once, as it was missed last.
    """
    found: dict[str, Mistake] = {}
    large: Counter[str] = Counter()
    for name in store.names():
        try:
            record = read_record(store.path(name))
            if not wanted(record):
                continue
            replay = Replay(record)
            large.update(_too_large(replay))
            for mistake in mistakes_in(replay, name):
                found.pop(mistake.puzzle.identity, None)
                found[mistake.puzzle.identity] = mistake
        except NinefoldError as error:
            warn(error.message)
    for most, games in large.items():
        left_out = "1 game is" if games == 1 else f"{games} games are"
        warn(f"{left_out} left out, too large to be known here. {most}")
    return list(found.values())


def _too_large(replay: Replay) -> list[str]:
    """How large the game may be, if it is larger."""
    game = replay.book.game
    return [] if is_small(game) else [largest_known(game)]


def mistakes_in(replay: Replay, name: str) -> list[Mistake]:
    """The wins that people missed in this game, by their own choice; raises NinefoldError."""
    if _too_large(replay):
        return []
    settings = replay.record.settings
    names = settings.players
    return [
        Mistake(puzzle, replay.book, move, name, len(puzzle.moves) + 1, settings.date, names)
        for puzzle, move in _missed(replay)
    ]


def _missed(replay: Replay) -> Iterator[tuple[Puzzle, Move]]:
    """Each puzzle a person met in the moves that stand, with the wrong answer given."""
    referee, first = replay.referee, replay.record.settings.first
    before, choices = referee.position, dict[int, tuple[Puzzle | None, Move]]()
    for events in replay.steps():
        fact = events[0]
        if isinstance(fact, TakenBack):
            choices = {ply: choice for ply, choice in choices.items() if ply <= fact.plies}
        elif isinstance(fact, Moved) and fact.cause != "timeout" and referee.humans[fact.seat - 1]:
            puzzle = puzzle_at(before, referee.moves[:-1], first)
            choices[referee.plies] = (puzzle, fact.move)
        before = referee.position
    for puzzle, move in choices.values():
        if puzzle is not None and move != puzzle.answer:
            yield puzzle, move
