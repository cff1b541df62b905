"""Moves, outcomes and shares in words."""

from collections.abc import Iterable

from ninefold.core.moves import AnyMove, Declare, Move, SpecialMove, as_move, format_move
from ninefold.core.position import Position
from ninefold.wilson import wilson


def numbers(items: Iterable[object]) -> str:
    """A list of numbers: 2 4 6."""
    return " ".join(map(str, items))


# Each as something one can begin with, as what one would do, and as what somebody does.
SPECIAL_WORDS = {
    SpecialMove.LOST: ("losing the turn", "lose the turn", "loses the turn"),
    SpecialMove.PASS: ("passing", "pass", "passes"),
    SpecialMove.SWAP: ("swapping", "swap", "swaps the hands"),
}


def move_words(move: AnyMove) -> str:
    """A move, or its notation, as something one can begin with: 3, or losing the turn."""
    found = as_move(move)
    return SPECIAL_WORDS[found][0] if isinstance(found, SpecialMove) else format_move(found)


def deed_words(turn: int, move: Move) -> str:
    """Who does what: Player 1 takes 3."""
    if isinstance(move, SpecialMove):
        return f"Player {turn} {SPECIAL_WORDS[move][2]}"
    if isinstance(move, Declare):
        return f"Player {turn} declares {numbers(move.numbers)}"
    return f"Player {turn} takes {move}"


def outcome_words(position: Position) -> str:
    """How a game stands: Player 1 wins with 2 4 6 (arithmetic)."""
    outcome = position.outcome
    if outcome is None:
        return "nobody has won yet"
    if outcome.winner is None:
        return "the game is drawn"
    winner = f"Player {outcome.winner} wins"
    if outcome.reason in ("first", "second"):
        return f"{winner}, as nothing else decides"
    if not outcome.sets:
        return f"{winner} by {outcome.reason}"
    holder = position.set_holder
    named = f"{numbers(outcome.sets[0])} ({position.game.deciding_pattern(position).label})"
    own = holder == outcome.winner
    return f"{winner} with {named}" if own else f"{winner}, because Player {holder} holds {named}"


def percent(share: float, trials: int = 0) -> str:
    """A share in percent; an estimate comes with its interval."""
    if not trials:
        return f"{rounded(100 * share)}%"
    low, high = (rounded(100 * edge) for edge in wilson(share, trials))
    return f"about {rounded(100 * share)}% (estimate, 95% interval {low} to {high})"


def rounded(value: float, digits: int = 1) -> str:
    """A number with so many digits; a half is rounded up, however it came out of the sums."""
    return f"{value + 1e-9:.{digits}f}"


def sentence(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
