"""A position as text for a language model: the rules, the position, how to answer.

>>> import ninefold
>>> print(prompt(ninefold.load("magic-fifteen").play("5 2 8 1"), rules=False, legal=True))
You are player 1, and it is your turn.
Your numbers: 5 8
Your opponent's numbers: 1 2
Free numbers: 3 4 6 7 9
Legal answers: 3, 4, 6, 7, 9
<BLANKLINE>
Answer with your move and nothing else: one number. You may think aloud first if the last line of \
your answer is "Answer:" with the move behind it.
"""

from collections.abc import Iterable, Iterator

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.llm_text.answers import format_answer

# The numbers that restrictions look at, in the order of ``Position.compared``.
_COMPARED = (
    ("last", ("The last number taken by anybody",)),
    ("own-last", ("The last number you took", "The last number your opponent took")),
    ("own-first", ("The first number you took", "The first number your opponent took")),
)


class WrongHistory(NinefoldError, ValueError):
    """These moves do not lead to the given position."""


def prompt(
    position: Position,
    *,
    rules: bool = True,
    history: Iterable[Move] | None = None,
    first: int = 1,
    legal: bool = False,
) -> str:
    """The position as the player to act sees it, and how to answer.

    ``history`` are the moves that led here, with player ``first`` to begin; ``legal`` lists all
    legal answers. Raises WrongHistory, and Illegal for a history with an illegal move.
    """
    parts = [rules_text(position.game)] if rules else []
    lines = position_lines(position)
    if history is not None:
        lines.append(f"Moves so far: {_history(position, list(history), first)}")
    if position.outcome is None and legal:
        lines.append("Legal answers: " + ", ".join(map(format_answer, position.legal)))
    parts.append("\n".join(lines))
    if position.outcome is None:
        parts.append(_how_to_answer(position.game))
    return "\n\n".join(parts)


def rules_text(game: Game) -> str:
    """All rules of this game in words; sets that are listed are listed completely."""
    from ninefold.books.describe import MAX_SHOWN, text_of

    parts = [text_of(game)]
    for pattern in (*game.rules.wins, *game.rules.losses):
        listed = dict(pattern.parameters).get("sets")
        if isinstance(listed, tuple) and len(listed) > MAX_SHOWN:
            parts.append("The list: " + "; ".join(map(_numbers, listed)) + ".")
    return "\n\n".join(parts)


def position_lines(position: Position) -> list[str]:
    """Everything about a position that can still matter to the player to act."""
    game, turn = position.game, position.turn
    seen = position.hands if game.rules.sees_order else map(sorted, position.hands)
    own, other = [*map(_numbers, seen)][:: 1 if turn == 1 else -1]
    ordered = ", in the order taken" * game.rules.sees_order
    if position.outcome is None:
        head = f"You are player {turn}, and it is your turn."
    else:
        winner = position.outcome.winner
        end = "it is a draw" if winner is None else f"player {winner} has won"
        head = f"You are player {turn}. The game is over: {end} ({position.outcome.reason})."
    return [
        head,
        f"Your numbers{ordered}: {own}",
        f"Your opponent's numbers{ordered}: {other}",
        f"Free numbers: {_numbers(position.available)}",
        *(_limits(position) if position.outcome is None else ()),
        *_more(position),
    ]


def _limits(position: Position) -> Iterator[str]:
    """What a pick is compared with, and which numbers may be taken, if not all of them."""
    picks = position.game.picks
    names = [name for seen, names in _COMPARED if seen in picks.sees for name in names]
    for name, number in zip(names, position.compared(position.turn), strict=True):
        yield f"{name}: {_numbers(position.game.numbers(number))}"
    if position.picks != position.available and not position.asking:
        yield f"Numbers you may take: {_numbers(position.picks)}"


def _more(position: Position) -> Iterator[str]:
    """A line for everything else that can matter under these rules."""
    rules, turn = position.game.rules, position.turn
    if rules.declare:
        who = {turn: "You were", 3 - turn: "Your opponent was"}.get(position.first_complete or 0)
        yield f"{who} the first to complete a set." if who else "Nobody has completed a set yet."
    if position.asking and position.outcome is None:
        yield "You have just taken a number: declare a set, or pass."
    if rules.picks_per_turn > 1:
        yield f"Numbers left to take in this turn: {position.picks_left}"
    if position.may_swap:
        yield "You may swap: you exchange hands, and your opponent moves next."
    if rules.otherwise != "draw":
        yield f"Who began: {'you' if position.began == turn else 'your opponent'}"
    if rules.passing and position.passed:
        yield "The last turn was passed: if you pass too, the game ends."
    if position.game.turns.sees_last:
        who = {turn: "you", 3 - turn: "your opponent"}.get(position.last_picker or 0, "nobody")
        yield f"Who took the last number so far: {who}"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


def _history(position: Position, moves: list[Move], first: int) -> str:
    """The moves and who made them; raises WrongHistory, Illegal."""
    at, lines = position.game.start(first), list[str]()
    for move in moves:
        lines.append(f"player {at.turn} {_did(move)}")
        at = at.play(move)
    if (at.turn, at.hands) != (position.turn, position.hands) or at.key != position.key:
        raise WrongHistory("history", "These moves do not lead to this position.")
    return ", ".join(lines) or "none"


def _did(move: Move) -> str:
    if isinstance(move, Declare):
        return f"declared {_numbers(move.numbers)}"
    words = {PASS: "passed", SWAP: "swapped", LOST: "lost the turn"}
    return words[move] if isinstance(move, SpecialMove) else f"took {move}"


def _how_to_answer(game: Game) -> str:
    """The grammar of answers, limited to the moves of this game."""
    example = format_answer(Declare(game.sets[0] if game.sets else (1, 2, 3)))
    words = {
        "declare": f'"declare" and the numbers of a set you hold (such as: {example})',
        "lost": '"lost" to give the turn away',
    }
    ways = ["one number", *(words.get(word, f'"{word}"') for word in game.turns.words)]
    return (
        f"Answer with your move and nothing else: {', or '.join(ways)}. You may think aloud first "
        'if the last line of your answer is "Answer:" with the move behind it.'
    )
