"""A single game or a whole match in line mode, leaving it cleanly, and the review afterwards."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ninefold.invocation import command
from ninefold.line.console import YES_OR_NO, Console
from ninefold.line.game import Gone, Left, LineGame
from ninefold.line.wrap import note, patience
from ninefold.match import Match
from ninefold.referee import Referee
from ninefold.session import Session

# The game or match is over, the players left it, or nobody answers any more.
Ending: TypeAlias = Literal["over", "left", "gone"]


class Series:
    """Plays one game, or games until a match is decided; raises NinefoldError."""

    def __init__(self, console: Console, session: Session, pace: float = 0.0) -> None:
        self.console = console
        self.session = session
        self.pace = pace  # seconds before each move of a computer

    def play(self) -> Ending:
        """Play, and offer a review; if the players leave, say how to resume."""
        for words in self.session.limitations:
            note(words)
        try:
            self._play_all()
        except (Left, KeyboardInterrupt, OSError) as leaving:
            self.session.close()
            self._farewell(leaving)
            if not isinstance(leaving, Left):
                raise
            return "gone" if isinstance(leaving, Gone) else "left"
        finally:
            self.session.close()
        return "gone" if self.console.interactive and self._offer_review() else "over"

    def _play_all(self) -> None:
        session, match = self.session, self.session.match
        while match is None or not match.over:
            game = session.next_game()
            if match is not None:
                self._announce(match, game.referee.settings.first, game.resumed)
            if game.resumed:
                settings = game.referee.settings
                note(f"Resuming {settings.game} after move {game.referee.plies}.")
            LineGame(self.console, session.book, game, self.pace).play()
            session.finish(game)
            match = session.match
            if match is None:
                return
            self._show_score(match)

    def _announce(self, match: Match, starter: int, resumed: bool) -> None:
        """Show the number of the game, and who starts it or how the match stands."""
        starts = f"{self.session.settings.players[starter - 1]} starts."
        news = f"So far: {self._score(match)}." if resumed else starts
        self.console.show(f"Game {match.next_round}, first to {match.wins}. {news}\n\n")

    def _show_score(self, match: Match) -> None:
        """Show the score after a game, and the result after the last."""
        drawn = f", drawn {match.drawn}" if match.drawn else ""
        self.console.show(f"\nMatch: {self._score(match)}{drawn}.\n")
        if not match.over:
            self.console.show("\n")
        elif match.winner is None:
            self.console.show("The match is level.\n", "win")
        else:
            winner = self.session.settings.players[match.winner - 1]
            self.console.show(f"{winner} wins the match.\n", "win")

    def _score(self, match: Match) -> str:
        """How many games each player has won."""
        one, two = self.session.settings.players
        return f"{one} {match.tally(1)}, {two} {match.tally(2)}"

    def _farewell(self, leaving: BaseException) -> None:
        why = str(leaving) if isinstance(leaving, Left) else ""
        games, name = [*self.session.games.values()], self.session.name
        if not any(game.recorder.saved for game in games):
            note(f"{why}{_nothing_saved(self.session)}")
        elif games[-1].recorder.finished and self.session.match is None:
            note("The game is over and recorded.")
        elif all(game.recorder.complete for game in games):
            note(f"{why}The game is saved. To resume it: {command(f'resume {name}')}")
        else:
            note(
                f"{why}The game is saved up to where recording failed. "
                f"To resume it from there: {command(f'resume {name}')}"
            )

    def _offer_review(self) -> bool:
        """Offer people at a terminal a review of each game; whether they left with Ctrl-D."""
        from ninefold.coach.review import only_human, review_game
        from ninefold.coach.review_words import report

        rules = self.session.book.game
        games = {name: game for name, game in self.session.games.items() if game.referee.moves}
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
            note(f"To review it later: {command(f'review {name}')}")
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


def _nothing_saved(session: Session) -> str:
    """Why nothing is on disk: there was nothing to write, or it was not to be."""
    if session.store is not None and not any(game.referee.moves for game in session.games.values()):
        return "No move was made, so there is nothing to resume."
    return "This game was not recorded, so you cannot resume it."
