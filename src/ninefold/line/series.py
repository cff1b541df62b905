"""A single game or a whole match in line mode, and leaving it cleanly."""

import time
from collections.abc import Callable

from ninefold.books import Book
from ninefold.line.console import Console
from ninefold.line.game import Left, LineGame
from ninefold.line.note import note
from ninefold.line.review import Played, offer_review
from ninefold.match import Match, game_name
from ninefold.players import Player, make
from ninefold.record.format import Header, format_header
from ninefold.record.seats import seat_referee
from ninefold.record.store import Recorder, Store, new_name
from ninefold.referee import Referee


class Series:
    """Plays what a header describes: one game, or games until a match is decided.

    Without a store nothing is recorded. ``left`` tells whether the players left before the end.
    ``consent`` is asked before anybody is seated, and raises NinefoldError to refuse: a header that
    comes from a record needs it, one that the user has just typed does not.
    """

    def __init__(
        self,
        console: Console,
        store: Store | None,
        book: Book,
        consent: Callable[[Header], None] | None = None,
    ) -> None:
        self.console = console
        self.store = store
        self.book = book
        self.left = False
        self._consent = consent
        self._failed = False
        self._in_match = False
        self._recorders: list[Recorder] = []
        self._players: tuple[Player | None, Player | None] | None = None
        self._played: list[Played] = []

    def begin(self, header: Header) -> int:
        """Start a new game or match; the exit code."""
        name = new_name()
        if header.wins is None:
            return self.guard(lambda: self._new_game(header, name), name)
        match = Match(header.wins, header.max_games, header.first)
        return self.guard(lambda: self.play_match(header, match, name), name)

    def guard(self, play: Callable[[], object], name: str) -> int:
        """Play; on leaving, say on standard error how to go on. The exit code.

        What was played to its end can be reviewed then: not between the games of a match, where it
        would be in the way. Raises KeyboardInterrupt on Ctrl-C, OSError when nobody reads what is
        shown.
        """
        self._guarded(play, name)
        if not self.left and self.console.interactive:
            self.left = not offer_review(self.console, self.book, self._played)
        return 0

    def _guarded(self, play: Callable[[], object], name: str) -> None:
        try:
            play()
        except (Left, KeyboardInterrupt, OSError) as leaving:
            self.left = True
            self._farewell(name, leaving)
            if not isinstance(leaving, Left):
                raise
        finally:
            self._dismiss()
            for recorder in self._recorders:
                recorder.release()

    def seat(self, header: Header) -> tuple[Player | None, Player | None]:
        """The computers, who stay for a whole match; none runs yet. Raises NinefoldError."""
        if self._players is None:
            if self._consent is not None:
                self._consent(header)
            self._players = (make(header.seat1), make(header.seat2))
        return self._players

    def play_game(
        self,
        header: Header,
        referee: Referee,
        recorder: Recorder,
        name: str,
        resumed: bool = False,
    ) -> int | None:
        """One game to its end; the winner. A game that is left is set aside.

        ``name`` is what the record is called on the command line.
        """
        players = self.seat(header)
        for player in players:
            if player is not None:
                player.begin(self.book.game, header.time_limit)
        self._recorders.append(recorder)
        self._in_match = header.match is not None
        game = LineGame(self.console, self.book, header, referee, recorder, players)
        try:
            outcome = game.play(resumed)
        except BaseException:
            recorder.set_aside()
            raise
        recorder.close()
        if recorder is not self._recorders[0]:
            recorder.release()  # the first game of a match stays locked until its end
        recorded = name if recorder.saved and recorder.complete else None
        self._played.append(Played(header, referee.moves, outcome, recorded))
        return outcome.winner

    def play_match(self, header: Header, match: Match, name: str) -> None:
        """The games that are still to be played, with the tally after each."""
        names = (header.player1, header.player2)
        while not match.over:
            number = len(match.winners) + 1
            header = header._replace(
                match=name, round=number, first=match.starter, date=timestamp()
            )
            starter = names[match.starter - 1]
            self.console.show(f"Game {number}, first to {match.wins}. {starter} starts.\n\n")
            winner = self._new_game(header, game_name(name, number))
            match = self.count(match.add(winner), names)

    def count(self, match: Match, names: tuple[str, str]) -> Match:
        """Show the tally after a game, and the result after the last."""
        drawn = f", drawn {match.drawn}" if match.drawn else ""
        one, two = match.tally(1), match.tally(2)
        self.console.show(f"\nMatch: {names[0]} {one}, {names[1]} {two}{drawn}.\n")
        if not match.over:
            self.console.show("\n")
        elif match.winner is None:
            self.console.show("The match is level.\n", "win")
        else:
            self.console.show(f"{names[match.winner - 1]} wins the match.\n", "win")
        return match

    def warn(self, text: str) -> None:
        """Say once that recording fails, and record no more: a match must have no holes."""
        if not self._failed:
            note(text)
        self._failed = True

    def _dismiss(self) -> None:
        for player in self._players or ():
            if player is not None:
                player.close()

    def _new_game(self, header: Header, name: str) -> int | None:
        if self.store is None or self._failed:
            recorder = Recorder(format_header(header), self.warn)
        else:
            recorder = self.store.recorder(name, header, self.warn, self.book.copy)
        return self.play_game(header, seat_referee(header, self.book), recorder, name)

    def _farewell(self, name: str, leaving: BaseException) -> None:
        lapsed = isinstance(leaving, Left) and leaving.how == "lapsed"
        why = "Nobody is playing any more, so the game is set aside. " if lapsed else ""
        if not any(recorder.saved for recorder in self._recorders):
            note(f"{why}This game was not recorded, so it cannot be resumed.")
        elif self._recorders[-1].finished and not self._in_match:
            note("The game is over and recorded.")
        elif all(recorder.complete for recorder in self._recorders):
            note(f"{why}The game is saved. To go on: ninefold resume {name}")
        else:
            note(
                f"{why}The game is saved up to where recording failed. "
                f"To go on from there: ninefold resume {name}"
            )


def timestamp() -> str:
    """The date and time as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
