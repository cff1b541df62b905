"""What an example says about a position, and whether it is so."""

from collections.abc import Iterator, Mapping
from typing import Any

from ninefold.audit.figures import PATTERN, deciders
from ninefold.audit.words import numbers, outcome_words
from ninefold.core.position import Position

Told = Mapping[str, Any]


def is_so(position: Position, told: Told) -> tuple[str, str | None]:
    """What is said, and what is so instead; None if it is true."""
    if "available" in told:
        said = f"available are {numbers(told['available'])}"
        true = tuple(sorted(told["available"])) == position.available
        return said, None if true else f"available are {numbers(position.available)}."
    if "turn" in told:
        said = f"Player {told['turn']} is to move"
        if position.outcome is not None:
            return said, f"the game is over: {outcome_words(position)}."
        return said, None if position.turn == told["turn"] else f"Player {position.turn} is."
    return _of_player(position, told["player"], told)


def _of_player(position: Position, player: int, told: Told) -> tuple[str, str | None]:
    hand = position.hands[player - 1]
    holds = f"Player {player} holds {numbers(hand) or 'nothing'}"
    if "hand" in told:
        same = tuple(told["hand"]) == hand
        return f"Player {player} holds {numbers(told['hand'])}", None if same else f"{holds}."
    if "threats" in told:
        said = f"Player {player} can win at once with {numbers(told['threats'])}"
        threats = position.threats(player)
        truth = f"it is {numbers(threats) or 'nothing'}."
        return said, None if tuple(sorted(told["threats"])) == threats else truth
    if "could-form" in told:
        return _could_form(position, player, told["with"], tuple(told["could-form"]))
    sets = position.sets_of(player)
    if "set" in told:
        said = f"Player {player} holds the set {numbers(told['set'])}"
        return said, None if tuple(sorted(told["set"])) in sets else f"{holds}."
    said = f"Player {player} has no set"
    return said, f"{holds}, and {numbers(sets[0])} is a set." if sets else None


def _could_form(
    position: Position, player: int, number: int, wanted: tuple[int, ...]
) -> tuple[str, str | None]:
    """Whether a number would give a player this set."""
    said = f"with {number}, Player {player} could form {numbers(wanted)}"
    hand = position.hands[player - 1]
    if number not in position.available:
        return said, f"{number} is not available."
    for other in wanted:
        if other != number and other not in hand:
            owner = next((seat for seat in (1, 2) if other in position.hands[seat - 1]), None)
            if owner is None:
                return said, f"nobody has taken {other} yet."
            return said, f"{other} belongs to Player {owner}."
    if tuple(sorted(wanted)) not in position.game.sets:
        return said, f"{numbers(wanted)} is not a winning set."
    return said, None


def result_faults(position: Position, says: Told) -> Iterator[tuple[str, str]]:
    """What the example says about the end that is not so, with what is."""
    outcome = position.outcome
    truth = f"{outcome_words(position)}."
    sums = [sum(hand) for hand in position.hands]
    if says.get("pool-empty") and position.available:
        left = numbers(position.available)
        yield "all numbers have been selected", f"{left} are still available."
    decides = outcome is not None and tuple(sorted(says.get("set", ()))) in outcome.sets
    holder = _holder(position, says)
    if "set" in says and holder and not decides:
        hand = position.hands[holder - 1]
        missing = [number for number in says["set"] if number not in hand]
        if missing:
            yield (
                f"Player {holder} forms {numbers(says['set'])}",
                f"{missing[0]} is not among {numbers(hand)}; {truth}",
            )
    if says.get("sums", sums) != sums:
        yield f"the sums are {numbers(says['sums'])}", f"they are {numbers(sums)}."
    winner = (outcome.winner or 0) if outcome else 0
    if says.get("winner", winner) != winner:
        yield _winner_words(says["winner"]), truth
    if "reason" in says and says["reason"] not in _reasons(position):
        yield f"it is decided by {says['reason']}", truth
    if "set" in says and not decides:
        yield f"{numbers(says['set'])} decides", truth


def _reasons(position: Position) -> list[str]:
    """What the deciding reason may be called: by its code, or as the book names the pattern."""
    if position.outcome is None:
        return []
    wins = position.game.rules.wins
    patterns = [wins[item.at] for item in deciders(position) if item.kind == PATTERN]
    return [position.outcome.reason, *(pattern.name for pattern in patterns if pattern.name)]


def _holder(position: Position, says: Told) -> int:
    """Whose set is said to decide: the winner's, or in misère the loser's; 0 if nobody's."""
    winner: int = says.get("winner", 0)
    return 3 - winner if winner and position.game.rules.misere else winner


def _winner_words(winner: int) -> str:
    return f"Player {winner} wins" if winner else "nobody wins"
