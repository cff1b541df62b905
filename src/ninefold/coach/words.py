"""Hints as sentences, in three steps: what to look for, the number, the proof."""

from ninefold.coach.hint import Hint
from ninefold.core.moves import Declare, Move, format_move

STEPS = 3

_LOOK = {
    "declare": "You hold a set already.",
    "pass": "You hold no set yet.",
    "completes": "You can complete a set now.",
    "stops": "Your opponent is about to complete a set.",
    "double-threat": "Look for a number that makes two threats at once.",
    "tie-break": "Think of how the game is decided when the numbers run out.",
    "only": "There is a win, and only one number keeps it.",
    "forced": "There is a forced win.",
    "holds": "Nobody can force a win, but not every number is safe.",
    "even": "Nobody can force a win, whatever you choose.",
    "hopeless": "Every number loses against best play; look for the one that holds out longest.",
}


def sentence(hint: Hint, step: int) -> str:
    """The hint in words: step 1 tells what to look for, 2 the number, 3 why."""
    if step <= 1:
        return _LOOK[hint.kind]
    return _number(hint) if step == 2 else _proof(hint)


def _number(hint: Hint) -> str:
    if hint.kind == "declare":
        return "Declare " + " or ".join(_set(move.numbers) for move in _declared(hint)) + "."
    if hint.kind == "pass":
        return "Pass the turn on."
    return "Choose " + " or ".join(map(format_move, hint.moves)) + "."


def _proof(hint: Hint) -> str:
    first = format_move(hint.moves[0])
    plies = hint.value.plies
    line = _line(hint.line)
    if hint.kind == "declare":
        return f"{_set(hint.sets[0])} wins as soon as you declare it."
    if hint.kind == "pass":
        return "None of your numbers form a set, so there is nothing to declare."
    if hint.kind == "completes":
        return f"{first} completes {_set(hint.sets[0])} and wins."
    if hint.kind == "stops":
        lost = f"{first} must be taken: otherwise your opponent completes {_set(hint.sets[0])}."
        return f"{lost} After it, best play is {line}."
    if hint.kind == "double-threat":
        threats = " and ".join(map(str, hint.threats))
        return f"After {first} you threaten {threats}; only one of them can be stopped."
    if hint.kind == "tie-break":
        return f"{first} wins by force, at the latest when the numbers run out: {line}."
    if hint.kind == "only":
        return f"Only {first} wins, in {plies} moves against best play: {line}."
    if hint.kind == "forced":
        return f"{first} wins in {plies} moves against best play: {line}."
    if hint.kind == "holds":
        safe = ", ".join(map(format_move, hint.moves))
        return f"These keep the balance: {safe}. Everything else loses. Best play: {line}."
    if hint.kind == "even":
        return f"Every number keeps the balance. Best play: {line}."
    beaten = "; ".join(
        f"{format_move(move)} is answered by {_line(reply)}" for move, reply in hint.refutations
    )
    return f"{first} holds out longest, {plies} moves. {beaten}."


def _declared(hint: Hint) -> list[Declare]:
    return [move for move in hint.moves if isinstance(move, Declare)]


def _set(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _line(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves))
