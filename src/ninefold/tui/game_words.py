"""The words on the screen of a game: its heading, whose turn it is, and how it ended."""

from collections.abc import Sequence

from ninefold.coach.review import only_human
from ninefold.match import Match
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.session import LiveGame, Session


def heading(session: Session, referee: Referee, results: Sequence[int | None]) -> str:
    """The game, and the score of its match or of this sitting."""
    book, match = session.book, session.match
    parts = [book.title, book.reading] if len(book.readings) > 1 else [book.title]
    parts += book.changes
    one, two = session.settings.players
    if match is not None:
        score = f"{one} {match.tally(1)}, {two} {match.tally(2)}"
        parts.append(f"Game {referee.settings.round}, first to {match.wins}: {score}")
    elif results:
        parts.append(f"{one} {results.count(1)}, {two} {results.count(2)}")
    return " · ".join(parts)


def names_seen(referee: Referee) -> tuple[str, str]:
    """What to call the players: the only person here is you."""
    one, two = referee.settings.players
    reader = only_human(referee.humans)
    return "You" if reader == 1 else one, "You" if reader == 2 else two


def turn_text(game: LiveGame, is_thinking: bool, is_choosing: bool) -> str:
    """Whose turn it is, or who won."""
    outcome, position = game.outcome, game.position
    if outcome is not None:
        if outcome.winner is None:
            return "The game is drawn."
        name = names_seen(game.referee)[outcome.winner - 1]
        return "You win!" if _is_you(game, outcome.winner) else f"{name} wins."
    name = names_seen(game.referee)[position.turn - 1]
    if is_thinking:
        return f"{name} is thinking …"
    whose = "Your turn" if _is_you(game, position.turn) else f"{name}'s turn"
    if is_choosing:
        return f"{whose}: choose the numbers of your set"
    if position.picks_left > 1:
        return f"{whose}: take {position.picks_left} numbers"
    return whose


def _is_you(game: LiveGame, seat: int) -> bool:
    return only_human(game.referee.humans) == seat


def result_text(view: View, game: LiveGame, match: Match | None) -> str:
    """How a finished game ended, what decided it, and who won the match if that is over."""
    assert game.outcome is not None, "the game is over"
    text = view.ended(game.outcome, game.position)
    lines = [line for line in text.split("\n") if line.strip()]
    if match is not None and match.over:
        winner = match.winner
        name = view.names[winner - 1] if winner else ""
        lines.append(f"{name} wins the match." if winner else "The match is level.")
    if tie_break := view.tie_break(game.position):
        lines.append(tie_break)
    return "\n".join(lines)
