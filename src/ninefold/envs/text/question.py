"""A position as text for a language model: the rules, what is on the table, how to answer.

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

from collections.abc import Iterable

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.position import Hand, Position
from ninefold.envs.text.answer import format_answer


class WrongHistory(NinefoldError, ValueError):
    """These moves do not lead to the position they are told with."""


def prompt(
    position: Position,
    *,
    rules: bool = True,
    history: Iterable[Move] | None = None,
    first: int = 1,
    legal: bool = False,
) -> str:
    """The position for the player to act, as that player may see it, and how to answer.

    ``history`` are the moves that led here, from player ``first`` on; ``legal`` lists all answers
    the judge accepts. Raises WrongHistory, and Illegal for a history that cannot be.
    """
    parts = [rules_text(position.game)] if rules else []
    lines = position_lines(position)
    if history is not None:
        lines.append(f"Moves so far: {_told(position, list(history), first)}")
    if position.outcome is None:
        if legal:
            lines.append("Legal answers: " + ", ".join(map(format_answer, position.legal)))
        parts += ["\n".join(lines), _how_to_answer(position.game)]
    else:
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def rules_text(game: Game) -> str:
    """All rules in force, in words, whatever the reading; listed sets are listed whole."""
    from ninefold.books.describe import MAX_SHOWN, text_of

    parts = [text_of(game)]
    for pattern in game.rules.wins:
        listed = dict(pattern.parameters).get("sets")
        if isinstance(listed, tuple) and len(listed) > MAX_SHOWN:
            parts.append("The list: " + "; ".join(map(_numbers, listed)) + ".")
    return "\n\n".join(parts)


def position_lines(position: Position) -> list[str]:
    """What the player to act can know of a position, and all that can still matter of it."""
    game, turn = position.game, position.turn
    own, other = position.hands[:: 1 if turn == 1 else -1]
    ordered = ", in the order taken" * game.rules.in_order
    if position.outcome is None:
        head = f"You are player {turn}, and it is your turn."
    else:
        winner = position.outcome.winner
        end = "it is a draw" if winner is None else f"player {winner} has won"
        head = f"You are player {turn}. The game is over: {end} ({position.outcome.reason})."
    return [
        head,
        f"Your numbers{ordered}: {_hand(own, game)}",
        f"Your opponent's numbers{ordered}: {_hand(other, game)}",
        f"Free numbers: {_numbers(position.available)}",
        *_more(position),
    ]


def _more(position: Position) -> list[str]:
    """A line for whatever else these rules can ask about."""
    rules, turn, lines = position.game.rules, position.turn, list[str]()
    if rules.declare:
        who = {turn: "You were", 3 - turn: "Your opponent was"}.get(position.first_complete or 0)
        told = f"{who} the first to complete a set." if who else "Nobody has completed a set yet."
        lines.append(told)
    if position.asking and position.outcome is None:
        lines.append("You have just taken a number: declare a set, or pass.")
    if rules.picks_per_turn > 1:
        lines.append(f"Numbers left to take in this turn: {position.picks_left}")
    if position.may_swap:
        lines.append("You may swap: the hands change owners, and your opponent goes on.")
    if rules.otherwise != "draw":
        lines.append(f"Who began: {'you' if position.began == turn else 'your opponent'}")
    if rules.passing and position.passed:
        lines.append("The turn before was passed: if this one is passed, the game ends.")
    if position.game.turns.sees_last:
        who = {turn: "you", 3 - turn: "your opponent"}.get(position.last_picker or 0, "nobody")
        lines.append(f"Who took the last number so far: {who}")
    return lines


def _hand(hand: Hand, game: Game) -> str:
    return _numbers(hand if game.rules.in_order else sorted(hand))


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers)) or "none"


def _told(position: Position, moves: list[Move], first: int) -> str:
    """The moves with who made them; raises WrongHistory, Illegal."""
    at, told = position.game.start(first), list[str]()
    for move in moves:
        told.append(f"player {at.turn} {_did(move)}")
        at = at.play(move)
    if (at.turn, at.hands) != (position.turn, position.hands) or at.key != position.key:
        raise WrongHistory("history", "These moves do not lead to this position.")
    return ", ".join(told) or "none"


def _did(move: Move) -> str:
    if isinstance(move, Declare):
        return f"declared {_numbers(move.numbers)}"
    words = {PASS: "passed", SWAP: "swapped", LOST: "lost the turn"}
    return words[move] if isinstance(move, SpecialMove) else f"took {move}"


def _how_to_answer(game: Game) -> str:
    """The grammar of answers, as far as this game has moves for it."""
    rules = game.rules
    ways = ["one number"]
    if rules.declare:
        example = format_answer(Declare(game.sets[0] if game.sets else (1, 2, 3)))
        ways.append(f'"declare" and the numbers of a set you hold (such as: {example})')
    if rules.declare or rules.passing:
        ways.append('"pass"')
    if rules.pie:
        ways.append('"swap"')
    if rules.invalid == "lose-turn":
        ways.append('"lost" to give the turn away')
    return (
        f"Answer with your move and nothing else: {', or '.join(ways)}. You may think aloud first "
        'if the last line of your answer is "Answer:" with the move behind it.'
    )
