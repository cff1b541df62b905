"""The clocks of both players: a limit for each turn, a time for all turns of a game, or both."""

from ninefold.core.errors import Illegal
from ninefold.core.position import as_seat
from ninefold.referee.settings import GameSettings


class Clock:
    """Only people are on the clock. It is told the time, and remembers what was left when."""

    def __init__(self, settings: GameSettings) -> None:
        self.settings = settings
        self.deadline: float | None = None
        self.seat = 0  # whose turn it is
        self._began = 0.0
        # What each player has left for the game, after each move.
        self._left = [(settings.game_time or 0.0,) * 2]

    def begin(self, seat: int, now: float) -> None:
        """Start the clock of a player; the deadline is None if there is no limit for this one."""
        self.seat, self._began = seat, now
        limit, left = self.settings.time_limit, self._of_game(seat)
        if limit is None or (left is not None and left < limit):
            limit = left
        has_limit = limit is not None and self.settings.humans[seat - 1]
        self.deadline = now + limit if has_limit and limit is not None else None

    def stop(self) -> None:
        """No time passes until a turn begins."""
        self.deadline = None

    def left(self, seat: int, now: float) -> float | None:
        """The seconds player 1 or 2 has left for the game; None without such a clock."""
        left = self._of_game(as_seat(seat))
        if left is None or seat != self.seat or self.deadline is None:
            return left
        return max(0.0, left - max(0.0, now - self._began))

    def is_over(self, now: float) -> bool:
        """Whether the player to act has run out of time, for the turn or the game."""
        return self.deadline is not None and now >= self.deadline

    @property
    def is_out_of_game_time(self) -> bool:
        """Whether what runs out at the deadline is the time for the game."""
        left, limit = self._of_game(self.seat), self.settings.time_limit
        return left is not None and (limit is None or left <= limit)

    def moved(self, seat: int, ends_turn: bool, now: float) -> float | None:
        """What a player has left for the game after a move made now."""
        one, two = self._left[-1]
        left = None if self.settings.game_time is None else self.left(seat, now)
        if left is not None:
            left = round(left + (self.settings.increment or 0.0) * ends_turn, 3)
            one, two = (left, two) if seat == 1 else (one, left)
        self._left.append((one, two))
        return left

    def correct(self, seat: int, left: float) -> None:
        """Set what is left after the last move, as recorded; raises Illegal if it is more."""
        one, two = self._left[-1]
        if not 0 <= left <= (one, two)[seat - 1]:
            raise Illegal("not-in-time", "more time is left than there was")
        self._left[-1] = (left, two) if seat == 1 else (one, left)

    def take_back(self, plies: int) -> None:
        """Show again what was left after so many moves."""
        del self._left[plies + 1 :]

    def _of_game(self, seat: int) -> float | None:
        """What a player has left for the game, apart from the turn that runs."""
        if self.settings.game_time is None or not self.settings.humans[seat - 1]:
            return None
        return self._left[-1][seat - 1]
