"""Hints as sentences, in three steps: what to look for, the number, the proof."""

import re

from ninefold.coach.hint import Hint
from ninefold.core.moves import LOST, PASS, SWAP, Move, SpecialMove, format_move

STEPS = 3

_LOOK = {
    "declare": "You hold a set already.",
    "pass": "You hold no set yet.",
    "completes": "You can complete a set now.",
    "stops": "Your opponent is about to complete a set.",
    "double-threat": "Look for a number that makes two threats at once.",
    "avoids": "Completing a set loses, and only one number completes none.",
    "corners": "Look for a number after which your opponent has to complete a set.",
    "tie-break": "Think of how the game is decided when no more numbers can be taken.",
    "only": "There is a win, and only one number keeps it.",
    "forced": "There is a forced win.",
    "holds": "Nobody can force a win, but not every number is safe.",
    "even": "Nobody can force a win, whatever you choose.",
    "hopeless": "Every number loses against best play; look for the one that holds out longest.",
}


_PROOF = {
    "declare": "{set} wins as soon as you declare it.",
    "pass": "None of your numbers form a set, so there is nothing to declare.",
    "completes": "{first} completes {set} and wins{declared}.",
    "stops": "{first} must be taken: otherwise your opponent completes {set}. "
    "After it, best play is {line}.",
    "double-threat": "After {first} you threaten {threats}; only one of them can be stopped.",
    "avoids": "Every number but {first} completes a set and loses, such as {set}. "
    "After it, best play is {line}.",
    "corners": "After {first} your opponent has to complete a set, and loses.",
    "tie-break": "{first} wins by force, at the latest when no more numbers can be taken: {line}.",
    "only": "Only {first} wins, in {plies} against best play: {line}.",
    "forced": "{first} wins in {plies} against best play: {line}.",
    "holds": "Only {moves} {keep} the balance; every other number loses. Best play: {line}.",
    "even": "Every number keeps the balance. Best play: {line}.",
    "hopeless": "{longest}. {refutations}.",
}


def sentence(hint: Hint, step: int) -> str:
    """The hint in words: step 1 tells what to look for, 2 the number, 3 why."""
    if step <= 1:
        if hint.kind == "hopeless" and len(hint.refutations) == 1:
            return "There is only one choice, and it loses."
        look = "Every number loses against best play." if _all_alike(hint) else _LOOK[hint.kind]
        return _of_moves(look) if _has_words(hint) else look
    return _number(hint) if step == 2 else _proof(hint)


def _number(hint: Hint) -> str:
    if hint.kind == "declare":
        return "Declare " + " or ".join(map(_set, hint.sets)) + "."
    if hint.kind == "pass":
        return "Pass the turn on."
    if _all_alike(hint) and _has_words(hint):
        return "Do anything: all moves hold out equally long."
    if _all_alike(hint):
        return "Choose any number: all of them hold out equally long."
    if hint.kind == "even":
        return "Choose any number."
    if hint.moves == (LOST,):
        return "Give the turn away: choose a number that is not available."
    if len(hint.moves) == 1 and hint.moves[0] in (PASS, SWAP):
        return "Pass." if hint.moves[0] is PASS else "Swap: your opponent's hand becomes yours."
    *most, last = map(format_move, hint.moves)
    return f"Choose {', '.join(most)} or {last}." if most else f"Choose {last}."


def _has_words(hint: Hint) -> bool:
    """Whether the hint is about passing or swapping, and not about numbers alone."""
    told = (*hint.moves, *(move for move, _ in hint.refutations))
    return hint.kind != "pass" and any(isinstance(move, SpecialMove) for move in told)


def _of_moves(text: str) -> str:
    return re.sub(r"(?<!more )number", "move", text)


def _all_alike(hint: Hint) -> bool:
    """Whether every one of several numbers loses equally soon."""
    return hint.kind == "hopeless" and 1 < len(hint.refutations) == len(hint.moves)


def _proof(hint: Hint) -> str:
    refutations = [
        f"{format_move(move)} is answered by {_line(reply)}"
        if reply
        else f"{format_move(move)} ends the game and loses it"
        for move, reply in hint.refutations
    ]
    plies = hint.value.plies
    proof = _PROOF[hint.kind]
    if hint.kind == "holds" and isinstance(hint.moves[0], SpecialMove):
        proof = proof.replace("every other number loses", "every number loses")
    return proof.format(
        first=format_move(hint.moves[0]),
        moves=_and(hint.moves),
        keep="keeps" if len(hint.moves) == 1 else "keep",
        longest=_longest(hint),
        set=_set(hint.sets[0]) if hint.sets else "",
        threats=" and ".join(map(str, hint.threats)),
        plies="1 move" if plies == 1 else f"{plies} moves",
        declared="" if plies == 1 else " as soon as you declare it",
        line=_line(hint.line),
        refutations="; ".join(refutations),
    )


def _and(moves: tuple[Move, ...]) -> str:
    *most, last = map(format_move, moves)
    return f"{', '.join(most)} and {last}" if most else last


def _longest(hint: Hint) -> str:
    plies = "1 move" if hint.value.plies == 1 else f"{hint.value.plies} moves"
    if _all_alike(hint):
        return f"All of them lose in {plies} against best play"
    return f"{format_move(hint.moves[0])} holds out longest, {plies}"


def _set(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def _line(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves))
