"""The player's own mistakes: recorded positions in which one number won and another was taken."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ninefold.books import Book
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.record.parse import Record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.referee.events import Moved, TakenBack
from ninefold.solver import is_small, most_numbers


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
    """Every missed win in the records, the oldest first; ``warn`` is told of unusable records.

    A position missed several times is there once, as it was missed last.
    """
    found: dict[str, Mistake] = {}
    large: Counter[int] = Counter()
    for name in store.names():
        try:
            record = read_record(store.path(name))
            if not wanted(record):
                continue
            replay = Replay(record)
            game = replay.book.game
            if not is_small(game):
                large[most_numbers(game.rules)] += 1
            for mistake in mistakes_in(replay, name):
                found.pop(mistake.puzzle.identity, None)
                found[mistake.puzzle.identity] = mistake
        except NinefoldError as error:
            warn(error.message)
    for most, games in large.items():
        which = "1 game that is" if games == 1 else f"{games} games that are"
        warn(f"Skipped {which} too large to solve: with these rules, up to {most} numbers.")
    return list(found.values())


def mistakes_in(replay: Replay, name: str) -> list[Mistake]:
    """The wins that people missed in this game, by their own choice; raises NinefoldError."""
    if not is_small(replay.book.game):
        return []
    settings = replay.record.settings
    names = settings.players
    return [
        Mistake(puzzle, replay.book, move, name, len(puzzle.moves) + 1, settings.date, names)
        for puzzle, move in _missed(replay)
    ]


def _missed(replay: Replay) -> Iterator[tuple[Puzzle, Move]]:
    """Each puzzle a person met and answered wrongly, in the moves that were not taken back."""
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
