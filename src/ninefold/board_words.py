"""What every board says besides the book's own words: who is who, whose turn it is, who won."""

from functools import lru_cache
from unicodedata import bidirectional

from ninefold.books import Book
from ninefold.coach.words import describe_turn
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.events import Event, Forfeited, Moved, TakenBack

# The name of the only person at a board.
YOU = "You"
NO_NUMBERS = "no numbers yet"
GIVE_UP_TURN = "Give up your turn?"
# How a number on the board is described, besides its owner; the last two are signs of hints.
TILE_WORDS = {
    "free": "free",
    "barred": "free, but not allowed now",
    "worth": "counts {worth}",
    "last": "taken last",
    "lit": "decides the game",
    "chosen": "chosen",
    "area": "worth a look",
    "hinted": "recommended",
}


def markers_of(book: Book) -> tuple[str, str]:
    """The letters of both players; digits would look like numbers."""
    one, two = book.words.markers
    return (one, two) if len(one) == len(two) == 1 and not (one + two).isdigit() else ("X", "O")


def names_seen(players: tuple[str, str], reader: int | None) -> tuple[str, str]:
    """What to call the players: the only person here, in the seat of the reader, is you."""
    one, two = players
    return YOU if reader == 1 else one, YOU if reader == 2 else two


def opening_text(
    first: int, players: tuple[str, str], reader: int | None, is_later: bool = False
) -> str:
    """Who begins, or moves next in a game that begins later than at its start."""
    if is_later:
        return "You move next." if reader == first else f"{players[first - 1]} moves next."
    return "You go first." if reader == first else f"{players[first - 1]} goes first."


def turn_text(
    position: Position, names: tuple[str, str], is_thinking: bool = False, is_choosing: bool = False
) -> str:
    """Whose turn it is, and what there is to do; the names are those seen."""
    name = names[position.turn - 1]
    if is_thinking:
        return f"{name} is thinking …"
    whose = "Your turn" if name == YOU else f"{name}'s turn"
    if is_choosing:
        return f"{whose}: choose the numbers of your set"
    if position.picks_left > 1:
        return f"{whose}: take {position.picks_left} numbers"
    return whose


def winner_text(outcome: Outcome, names: tuple[str, str]) -> str:
    """Who won; the names are those seen."""
    if outcome.winner is None:
        return "The game is drawn."
    name = names[outcome.winner - 1]
    return "You win!" if name == YOU else f"{name} wins."


def lost_turn_question(number: int | str) -> str:
    """What to ask before a player chooses a number that costs the turn."""
    return f"{number} cannot be taken. Choosing it costs your turn. Choose it?"


@lru_cache(maxsize=4096)  # every reader of a game is told the same
def deed_text(name: str, move: Move) -> str:
    """A move in a sentence, with the name of its player, or "you"."""
    text = describe_turn(name, [move])
    return f"{text[:1].upper()}{text[1:]}."


def log_text(words: View, event: Event, referee: Referee) -> tuple[str, str]:
    """What a log of moves says about an event: to anybody, and to the player it is about.

    The result of the game is shown elsewhere.
    """
    if not isinstance(event, Moved):
        if isinstance(event, TakenBack):
            back = referee.position
            return words.undone(back).strip(), words.undone(back, back.turn).strip()
        is_told = isinstance(event, Forfeited)
        return _twice(words.describe(event, referee).strip() if is_told else "")
    position = referee.position
    told = deed_text(words.names[event.seat - 1], event.move), deed_text("you", event.move)
    if event.tried is not None:
        told = _twice(words.moved(event, position).strip())
    elif event.cause == "timeout":
        lapse, is_drawn = words.lapse(event, position), isinstance(event.move, int)
        told = _twice(lapse) if is_drawn else (f"{lapse} {told[0]}", f"{lapse} {told[1]}")
    skipped = words.skipped(event.seat, position)
    return f"{told[0]}\n{skipped}".strip(), f"{told[1]}\n{skipped}".strip()


def _twice(text: str) -> tuple[str, str]:
    """The same to both."""
    return text, text


@lru_cache(maxsize=4096)  # the same two play several games
def isolated(name: str) -> str:
    """The name as it stands in a sentence: one from right to left does not turn its neighbours."""
    is_turned = any(bidirectional(char) in ("R", "AL", "AN") for char in name)
    return f"\u2068{name}\u2069" if is_turned else name
