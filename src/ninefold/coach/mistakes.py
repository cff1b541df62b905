"""The player's own mistakes: recorded positions in which one number won and another was taken."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ninefold.books import Book
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.text import NamedTuple
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import Record, read_record
from ninefold.referee import Referee
from ninefold.solver import is_small, most_numbers


class Mistake(NamedTuple):
    """A missed puzzle, and when that was; from a recorded game, where and what was played."""

    puzzle: Puzzle
    book: Book
    date: str
    game: str | None = None
    ply: int | None = None
    played: Move | None = None
    names: tuple[str, str] = ("Player 1", "Player 2")

    @property
    def origin(self) -> str:
        """Where it comes from, in words; nothing if it was asked as a puzzle."""
        return f"From game {self.game}, move {self.ply}." if self.game else ""


def find_mistakes(
    store: Store,
    wanted: Callable[[Record], bool] = lambda _: True,
    warn: Callable[[str], None] = lambda _: None,
) -> list[Mistake]:
    """Every missed win in the records once; ``warn`` is told of records that cannot be used."""

    def open_game(name: str) -> Replay | None:
        record = read_record(store.path(name))
        return Replay(record) if wanted(record) else None

    return collect_mistakes(store.names(), open_game, warn)


def collect_mistakes(
    names: Iterable[str],
    open_game: Callable[[str], Replay | None],
    warn: Callable[[str], None],
    is_own: Callable[[str, Mistake], bool] = lambda _name, _mistake: True,
) -> list[Mistake]:
    """Every missed win in these games once, the oldest game first; None is a game to skip."""
    found: dict[str, Mistake] = {}
    large: Counter[int] = Counter()
    for name in names:
        try:
            replay = open_game(name)
            if replay is None:
                continue
            game = replay.book.game
            if not is_small(game):
                large[most_numbers(game.rules)] += 1
                continue
            for mistake in _mistakes_in(replay, name):
                if not is_own(name, mistake):
                    continue
                found.pop(mistake.puzzle.identity, None)  # only the last time counts
                found[mistake.puzzle.identity] = mistake
        except NinefoldError as error:
            warn(error.message)
    for most, games in large.items():
        which = "1 game that is" if games == 1 else f"{games} games that are"
        warn(f"Skipped {which} too large to solve: with these rules, up to {most} numbers.")
    return list(found.values())


def _mistakes_in(replay: Replay, name: str) -> list[Mistake]:
    referee, settings = replay.run(), replay.record.settings
    return [
        Mistake(puzzle, replay.book, settings.date, name, ply, move, settings.players)
        for ply, move, puzzle in missed_wins(referee)
    ]


def missed_wins(referee: Referee) -> Iterator[tuple[int, Move, Puzzle]]:
    """The wins that people missed by their own choice in this game, and did not take back.

    The game must be small enough to solve. Moves taken over from another game count only there.
    """
    settings, moves = referee.settings, referee.moves
    for at, (before, fact) in enumerate(zip(referee.positions, referee.made, strict=False)):
        chosen = fact.cause != "timeout" and referee.humans[fact.seat - 1]
        if chosen and at >= (settings.given or 0):
            puzzle = puzzle_at(before, moves[:at], settings.first)
            if puzzle is not None and fact.move != puzzle.answer:
                yield at + 1, fact.move, puzzle
