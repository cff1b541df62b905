"""The settings of a game: which game, who plays, who starts, the clock and the random seed."""

from ninefold.core.text import NamedTuple
from ninefold.players import HUMAN, Chance

MAX_SECONDS = 86_400
MAX_GAMES = 1_000


class GameSettings(NamedTuple):
    """Everything that is agreed before the first move; a record starts with it."""

    game: str
    reading: str
    rules: str  # their fingerprint
    date: str
    player1: str
    player2: str
    seat1: str
    seat2: str
    first: int
    time_limit: float | None
    on_timeout: str
    seed: int
    match: str | None = None
    round: int = 1
    wins: int | None = None
    max_games: int | None = None
    changes: str | None = None
    file: str | None = None
    book: str | None = None  # the digest of the copy of a book from a file
    given: int | None = None  # how many moves were taken over from another game
    game_time: float | None = None  # for all turns of a person together
    increment: float | None = None  # added to it after each turn

    @property
    def players(self) -> tuple[str, str]:
        """The names of both players."""
        return self.player1, self.player2

    @property
    def seats(self) -> tuple[str, str]:
        """The kinds of both players, such as ``human`` or ``level:3``."""
        return self.seat1, self.seat2

    @property
    def humans(self) -> tuple[bool, bool]:
        """Whether each player is a person."""
        return self.seat1 == HUMAN, self.seat2 == HUMAN

    @property
    def all_changes(self) -> tuple[str, ...]:
        """The changes to the book's rules, one by one."""
        return tuple(self.changes.split("; ")) if self.changes else ()

    @property
    def chance(self) -> Chance:
        """The random numbers of this game."""
        return Chance(self.seed, self.round)
