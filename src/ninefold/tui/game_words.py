"""The words on the screen of a game: its heading, and how it ended."""

from collections.abc import Sequence

from ninefold.board_words import markers_of, names_seen
from ninefold.coach.review import only_human
from ninefold.match import Match
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.session import LiveGame, Session


def heading(
    session: Session, referee: Referee, results: Sequence[int | None], is_narrow: bool = False
) -> str:
    """The game, and the score of its match or of this sitting; what is narrow begins with it."""
    book, match = session.book, session.match
    game = [book.title, book.reading] if len(book.readings) > 1 else [book.title]
    game += book.changes
    if match is None and not results:
        return " · ".join(game)
    won = [match.tally(seat) if match else results.count(seat) for seat in (1, 2)]
    if is_narrow:
        one, two = markers_of(book)
        goal = [f"first to {match.wins}"] if match else []
        return " · ".join([f"{one} {won[0]}, {two} {won[1]}", *goal, *game])
    one, two = names_seen(referee.settings.players, only_human(referee.humans))
    goal = [f"Game {referee.settings.round}, first to {match.wins}"] if match else []
    return " · ".join([*game, *goal, f"{one}: {won[0]}, {two}: {won[1]}"])


def result_text(view: View, game: LiveGame, match: Match | None) -> str:
    """How a finished game ended, what decided it, and who won the match if that is over."""
    assert game.outcome is not None, "the game is over"
    won = []
    if match is not None and match.over:
        winner = match.winner
        name = view.names[winner - 1] if winner else ""
        won = [f"{name} wins the match." if winner else "The match is level."]
    return view.result(game.outcome, game.position, *won)
