"""A single game or a whole match in line mode, leaving it cleanly, and the review afterwards."""

import time
from collections.abc import Callable, Sequence

from ninefold.books import Book
from ninefold.line.console import YES_OR_NO, Console
from ninefold.line.game import Left, LineGame
from ninefold.line.wrap import note, patience
from ninefold.match import Match, game_name
from ninefold.players import limitation, make
from ninefold.record.store import Recorder, Store, new_name
from ninefold.record.text import format_settings
from ninefold.referee import Referee
from ninefold.referee.settings import GameSettings


class Series:
    """Plays one game, or games until a match is decided; raises NinefoldError."""

    def __init__(
        self, console: Console, store: Store | None, book: Book, settings: GameSettings
    ) -> None:
        self.console = console
        self.store = store
        self.book = book
        self.settings = settings
        self._failed = False
        self._games: dict[str, LineGame] = {}  # by the names of their records
        self._players = (make(settings.seat1, book.game), make(settings.seat2, book.game))
        for kind in dict.fromkeys((settings.seat1, settings.seat2)):
            if words := limitation(kind, book.game):
                note(words)

    def begin(self) -> bool:
        """Start a new game or match; whether the players left before the end."""
        name, settings = new_name(), self.settings
        if settings.wins is None:
            return self.guard(lambda: self._new_game(settings, name), name)
        match = Match(settings.wins, settings.max_games, settings.first)
        return self.guard(lambda: self.play_match(match, name), name)

    def guard(self, play: Callable[[], object], name: str) -> bool:
        """Play, and offer a review; if the players leave, say how to resume. Whether they left."""
        try:
            play()
        except (Left, KeyboardInterrupt, OSError) as leaving:
            self._farewell(name, leaving)
            if not isinstance(leaving, Left):
                raise
            return True
        finally:
            for player in self._players:
                if player is not None:
                    player.close()
            for game in self._games.values():
                game.recorder.release()
        return self.console.interactive and self._offer_review()

    def play_game(
        self, referee: Referee, recorder: Recorder, name: str, resumed: bool = False
    ) -> int | None:
        """One game to its end; the winner. An unfinished game is set aside."""
        for player in self._players:
            if player is not None:
                player.begin(self.book.game, referee.settings.time_limit)
        game = LineGame(self.console, self.book, referee, recorder, self._players)
        self._games[name] = game
        try:
            outcome = game.play(resumed)
        except BaseException:
            recorder.set_aside()
            raise
        if len(self._games) > 1:
            recorder.release()  # the first game of a match stays locked until its end
        return outcome.winner

    def play_match(self, match: Match, name: str) -> None:
        """The remaining games of a match, with the score after each."""
        while not match.over:
            number, starter = len(match.winners) + 1, match.starter
            settings = self.settings._replace(
                match=name, round=number, first=starter, date=timestamp()
            )
            starts = f"{settings.players[starter - 1]} starts."
            self.console.show(f"Game {number}, first to {match.wins}. {starts}\n\n")
            winner = self._new_game(settings, game_name(name, number))
            match = self.count(match.add(winner))

    def count(self, match: Match) -> Match:
        """Show the score after a game, and the result after the last."""
        drawn = f", drawn {match.drawn}" if match.drawn else ""
        self.console.show(f"\nMatch: {self.score(match)}{drawn}.\n")
        if not match.over:
            self.console.show("\n")
        elif match.winner is None:
            self.console.show("The match is level.\n", "win")
        else:
            self.console.show(f"{self.settings.players[match.winner - 1]} wins the match.\n", "win")
        return match

    def score(self, match: Match) -> str:
        """How many games each player has won."""
        one, two = self.settings.players
        return f"{one} {match.tally(1)}, {two} {match.tally(2)}"

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
        return self.play_game(Referee(self.book.game, settings), recorder, name)

    def _farewell(self, name: str, leaving: BaseException) -> None:
        why = str(leaving) if isinstance(leaving, Left) else ""
        games = [*self._games.values()]
        if not any(game.recorder.saved for game in games):
            note(f"{why}This game was not recorded, so you cannot resume it.")
        elif games[-1].recorder.finished and games[-1].referee.settings.match is None:
            note("The game is over and recorded.")
        elif all(game.recorder.complete for game in games):
            note(f"{why}The game is saved. To resume it: ninefold resume {name}")
        else:
            note(
                f"{why}The game is saved up to where recording failed. "
                f"To resume it from there: ninefold resume {name}"
            )

    def _offer_review(self) -> bool:
        """Offer people at a terminal a review of each game; whether they left with Ctrl-D."""
        from ninefold.coach.review import only_human, report, review_game

        rules = self.book.game
        games = {name: game for name, game in self._games.items() if game.referee.moves}
        if not games:
            return False
        name, last = [*games.items()][-1]
        try:
            referees = [game.referee for game in games.values()]
            while any(referees[-1].humans) and (game := _ask(self.console, referees)):
                with patience("Judging every move ..."):
                    judged = review_game(rules, game.moves, game.settings.first, game.outcome)
                reader = only_human(game.humans)
                self.console.show("\n" + report(judged, game.settings.players, reader))
                if len(games) == 1:
                    return False
        except EOFError:
            return True
        if last.recorder.saved and last.recorder.complete:
            note(f"To review it later: ninefold review {name}")
        return False


def _ask(console: Console, games: Sequence[Referee]) -> Referee | None:
    """The game chosen; None for no."""
    first, last = games[0].settings, games[-1].settings
    if len(games) == 1:
        which = "this game" if first.match is None else f"game {first.round}"
        advice = "Type y for a review, or press Enter to continue."
        wanted = console.choose(f"\nReview {which}? [y/N]: ", {"": False, **YES_OR_NO}, advice)
        return games[0] if wanted else None
    answers: dict[str, Referee | None] = {str(game.settings.round): game for game in games}
    answers |= dict.fromkeys(["", *(word for word, yes in YES_OR_NO.items() if not yes)])
    span = f"{first.round}-{last.round}"
    advice = f"Type a number from {first.round} to {last.round}, or press Enter to continue."
    return console.choose(f"\nReview a game? [{span}, Enter: none]: ", answers, advice)


def timestamp() -> str:
    """The date and time as records write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
