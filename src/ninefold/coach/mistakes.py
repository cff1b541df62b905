"""The player's own mistakes: recorded positions in which one number won and another was taken."""

from collections import Counter
from collections.abc import Callable

from ninefold.books import Book
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.text import NamedTuple
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import Record, read_record
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
    """Every missed win in the records once; ``warn`` is told of records that cannot be used."""
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
                continue
            for mistake in _mistakes_in(replay, name):
                found.pop(mistake.puzzle.identity, None)  # only the last time counts
                found[mistake.puzzle.identity] = mistake
        except NinefoldError as error:
            warn(error.message)
    for most, games in large.items():
        which = "1 game that is" if games == 1 else f"{games} games that are"
        warn(f"Skipped {which} too large to solve: with these rules, up to {most} numbers.")
    return list(found.values())


def _mistakes_in(replay: Replay, name: str) -> list[Mistake]:
    """The wins that people missed by their own choice, and did not take back."""
    referee, settings = replay.referee, replay.record.settings
    choices: list[tuple[Puzzle | None, Move]] = []
    for before, (fact, *_) in replay.steps():
        if isinstance(fact, TakenBack):
            del choices[fact.plies :]
        elif isinstance(fact, Moved):
            chosen = fact.cause != "timeout" and referee.humans[fact.seat - 1]
            puzzle = puzzle_at(before, referee.moves[:-1], settings.first) if chosen else None
            choices.append((puzzle, fact.move))
    return [
        Mistake(puzzle, replay.book, move, name, ply, settings.date, settings.players)
        for ply, (puzzle, move) in enumerate(choices, 1)
        if puzzle is not None and move != puzzle.answer
    ]
