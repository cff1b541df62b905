"""The words on the screen of a game: its heading, whose turn it is, and how it ended."""

from collections.abc import Sequence

from ninefold.coach.review import only_human
from ninefold.match import Match
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.session import LiveGame, Session
from ninefold.tui.position_tiles import markers_of


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
    one, two = names_seen(referee)
    goal = [f"Game {referee.settings.round}, first to {match.wins}"] if match else []
    return " · ".join([*game, *goal, f"{one}: {won[0]}, {two}: {won[1]}"])


def names_seen(referee: Referee) -> tuple[str, str]:
    """What to call the players: the only person here is you."""
    one, two = referee.settings.players
    reader = only_human(referee.humans)
    return "You" if reader == 1 else one, "You" if reader == 2 else two


def opening_text(referee: Referee) -> str:
    """Who begins."""
    first = referee.settings.first
    if only_human(referee.humans) == first:
        return "You go first."
    return f"{referee.settings.players[first - 1]} goes first."


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
