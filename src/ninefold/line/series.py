"""A single game or a whole match in line mode, and leaving it cleanly."""

import time
from collections.abc import Callable

from ninefold.books import Book
from ninefold.line.console import Console
from ninefold.line.game import Left, LineGame
from ninefold.line.review import Played, offer_review
from ninefold.line.wrap import note
from ninefold.match import Match, game_name
from ninefold.players import Player, make
from ninefold.record.store import Recorder, Store, new_name
from ninefold.record.text import format_settings
from ninefold.referee import Referee
from ninefold.referee.settings import GameSettings


class Series:
    """Plays one game with these settings, or games until a match is decided.

    Without a store nothing is recorded. ``left`` is whether the players left before the end.
    ``consent`` is called before the players are created, and raises NinefoldError to refuse:
    settings from a record need it, settings that the user has just typed do not.
    """

    def __init__(
        self,
        console: Console,
        store: Store | None,
        book: Book,
        consent: Callable[[GameSettings], None] | None = None,
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

    def begin(self, settings: GameSettings) -> int:
        """Start a new game or match; the exit code."""
        name = new_name()
        if settings.wins is None:
            return self.guard(lambda: self._new_game(settings, name), name)
        match = Match(settings.wins, settings.max_games, settings.first)
        return self.guard(lambda: self.play_match(settings, match, name), name)

    def guard(self, play: Callable[[], object], name: str) -> int:
        """Play; if the players leave, say on standard error how to resume. The exit code.

        Finished games can be reviewed afterwards, but not between the games of a match. Raises
        KeyboardInterrupt on Ctrl-C, OSError when nobody reads the output.
        """
        try:
            play()
        except (Left, KeyboardInterrupt, OSError) as leaving:
            self.left = True
            self._farewell(name, leaving)
            if not isinstance(leaving, Left):
                raise
        finally:
            for player in self._players or ():
                if player is not None:
                    player.close()
            for recorder in self._recorders:
                recorder.release()
        if not self.left and self.console.interactive:
            self.left = not offer_review(self.console, self.book, self._played)
        return 0

    def seat(self, settings: GameSettings) -> tuple[Player | None, Player | None]:
        """The computer players, created once for a whole match. Raises NinefoldError.

        Programs are not started yet.
        """
        if self._players is None:
            if self._consent is not None:
                self._consent(settings)
            game = self.book.game
            self._players = (make(settings.seat1, game), make(settings.seat2, game))
        return self._players

    def play_game(
        self,
        settings: GameSettings,
        referee: Referee,
        recorder: Recorder,
        name: str,
        resumed: bool = False,
    ) -> int | None:
        """One game to its end; the winner. An unfinished game is set aside.

        ``name`` is the name of the record on the command line.
        """
        players = self.seat(settings)
        for player in players:
            if player is not None:
                player.begin(self.book.game, settings.time_limit)
        self._recorders.append(recorder)
        self._in_match = settings.match is not None
        game = LineGame(self.console, self.book, settings, referee, recorder, players)
        try:
            outcome = game.play(resumed)
        except BaseException:
            recorder.set_aside()
            raise
        if recorder is not self._recorders[0]:
            recorder.release()  # the first game of a match stays locked until its end
        recorded = name if recorder.saved and recorder.complete else None
        self._played.append(Played(settings, referee.moves, outcome, recorded))
        return outcome.winner

    def play_match(self, settings: GameSettings, match: Match, name: str) -> None:
        """The remaining games of a match, with the score after each."""
        while not match.over:
            number, starter = len(match.winners) + 1, match.starter
            settings = settings._replace(match=name, round=number, first=starter, date=timestamp())
            starts = f"{settings.players[starter - 1]} starts."
            self.console.show(f"Game {number}, first to {match.wins}. {starts}\n\n")
            winner = self._new_game(settings, game_name(name, number))
            match = self.count(match.add(winner), settings.players)

    def count(self, match: Match, names: tuple[str, str]) -> Match:
        """Show the score after a game, and the result after the last."""
        drawn = f", drawn {match.drawn}" if match.drawn else ""
        self.console.show(f"\nMatch: {score(match, names)}{drawn}.\n")
        if not match.over:
            self.console.show("\n")
        elif match.winner is None:
            self.console.show("The match is level.\n", "win")
        else:
            self.console.show(f"{names[match.winner - 1]} wins the match.\n", "win")
        return match

    def warn(self, text: str) -> None:
        """Say once that recording failed, and stop recording: a match must have no gaps."""
        if not self._failed:
            note(text)
        self._failed = True

    def _new_game(self, settings: GameSettings, name: str) -> int | None:
        if self.store is None or self._failed:
            recorder = Recorder(format_settings(settings), self.warn)
        else:
            recorder = self.store.recorder(name, settings, self.warn, self.book.copy)
        return self.play_game(settings, Referee(self.book.game, settings), recorder, name)

    def _farewell(self, name: str, leaving: BaseException) -> None:
        lapsed = isinstance(leaving, Left) and leaving.how == "lapsed"
        why = "Nobody is playing, so the game is set aside. " if lapsed else ""
        if not any(recorder.saved for recorder in self._recorders):
            note(f"{why}This game was not recorded, so you cannot resume it.")
        elif self._recorders[-1].finished and not self._in_match:
            note("The game is over and recorded.")
        elif all(recorder.complete for recorder in self._recorders):
            note(f"{why}The game is saved. To resume it: ninefold resume {name}")
        else:
            note(
                f"{why}The game is saved up to where recording failed. "
                f"To resume it from there: ninefold resume {name}"
            )


def score(match: Match, names: tuple[str, str]) -> str:
    """How many games each player has won."""
    return f"{names[0]} {match.tally(1)}, {names[1]} {match.tally(2)}"


def timestamp() -> str:
    """The date and time as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
