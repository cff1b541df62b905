"""What stands beside the board of a game: the clocks as bars, and the list of moves."""

from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.board_words import markers_of
from ninefold.books import Book
from ninefold.coach.words import format_choice
from ninefold.referee import Referee

# How many cells a full bar has.
BAR = 10


class ClockBars(Static):
    """The time left of every person, if there is a clock."""

    def show(self, referee: Referee, now: float) -> None:
        """Show the clocks at this moment."""
        limit = referee.settings.game_time or referee.settings.time_limit
        self.display = limit is not None
        if limit is not None:
            people = [seat for seat in (1, 2) if referee.humans[seat - 1]]
            self.update("\n".join(_bar(referee, seat, limit, now) for seat in people))


def _bar(referee: Referee, seat: int, limit: float, now: float) -> str:
    running = referee.deadline is not None and referee.position.turn == seat
    left = referee.clock.left(seat, now)
    if left is None:
        left = max(0.0, (referee.deadline or 0.0) - now) if running else limit
    filled = round(BAR * min(1.0, left / limit))
    bar, name = "█" * filled + "░" * (BAR - filled), referee.settings.players[seat - 1]
    return f"{'▶' if running else ' '}{bar} {in_minutes(left)} {name}"


def in_minutes(left: float) -> str:
    """The time left, as minutes and seconds; 0:00 only if nothing is left."""
    minutes, seconds = divmod(int(max(0.0, left) + 0.99), 60)
    return f"{minutes}:{seconds:02}"


class MoveList(OptionList):
    """Every move so far; the one highlighted is that after which the board is shown."""

    def show(self, book: Book, referee: Referee, shown: int | None) -> None:
        """Show the moves, and highlight one of them or the last."""
        lines = move_lines(book, referee)
        if [option.prompt for option in self.options] != lines:
            self.clear_options()
            self.add_options(Option(line, id=str(at)) for at, line in enumerate(lines, 1))
        if lines and not self.has_focus:
            highlight(self, (len(lines) if shown is None else shown or 1) - 1)


def highlight(options: OptionList, at: int | None) -> None:
    """Put the cursor here, without the message that a user's key causes.

    With it, two quick keys would chase each other: each message shows its own place again.
    """
    with options.prevent(OptionList.OptionHighlighted):
        options.highlighted = at
    options.scroll_to_highlight()


def move_lines(book: Book, referee: Referee) -> list[str]:
    """Each move with its number and the marker of who made it."""
    markers = markers_of(book)
    made = zip(referee.positions, referee.moves, strict=False)
    return [
        f"{at}. {markers[before.turn - 1]} {format_choice(move)}"
        for at, (before, move) in enumerate(made, 1)
    ]
