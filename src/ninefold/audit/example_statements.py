"""What an example says about a position, and whether that is so.

After an example has gone wrong, the numbers are still handed out as the book says. So hands and
available numbers come from a ``board``, which may belong to a game that goes on without a winner;
winning sets are those of the ``game``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ninefold.audit.figures import PATTERN, deciders
from ninefold.audit.words import numbers, outcome_words
from ninefold.core.game import Game
from ninefold.core.position import Position

Statement = Mapping[str, Any]


def statement_fault(game: Game, board: Position, said: Statement) -> tuple[str, str | None]:
    """The statement in words, and what is so instead; None if it is true."""
    if "available" in said:
        words = f"available are {numbers(said['available'])}"
        true = tuple(sorted(said["available"])) == board.available
        return words, None if true else f"available are {numbers(board.available)}."
    if "turn" in said:
        words = f"Player {said['turn']} is to move"
        if board.outcome is not None:
            return words, f"the game is over: {outcome_words(board)}."
        return words, None if board.turn == said["turn"] else f"Player {board.turn} is."
    return _about_player(game, board, said)


def _about_player(game: Game, board: Position, said: Statement) -> tuple[str, str | None]:
    player = said["player"]
    hand = board.hands[player - 1]
    holds = f"Player {player} holds {numbers(hand) or 'nothing'}"
    if "hand" in said:
        same = tuple(said["hand"]) == hand
        return f"Player {player} holds {numbers(said['hand'])}", None if same else f"{holds}."
    if "threats" in said:
        words = f"Player {player} can win at once with {numbers(said['threats'])}"
        threats = _threats(game, board, player)
        truth = f"it is {numbers(threats) or 'nothing'}."
        return words, None if tuple(sorted(said["threats"])) == threats else truth
    if "could-form" in said:
        wanted, number = said["could-form"], said["with"]
        words = f"with {number}, Player {player} could form {numbers(wanted)}"
        return words, _why_not(game, board, player, number, wanted)
    sets = game.sets_in(game.mask(hand), hand)
    if "set" in said:
        words = f"Player {player} holds the set {numbers(said['set'])}"
        return words, None if tuple(sorted(said["set"])) in sets else f"{holds}."
    words = f"Player {player} has no set"
    return words, f"{holds}, and {numbers(sets[0])} is a set." if sets else None


def _threats(game: Game, board: Position, player: int) -> tuple[int, ...]:
    if board.game is game:
        return board.threats(player)
    hand = board.hands[player - 1]
    more = {number: (*hand, number) for number in board.available}
    return tuple(number for number, held in more.items() if game.sets_in(game.mask(held), held))


def _why_not(
    game: Game, board: Position, player: int, number: int, wanted: Sequence[int]
) -> str | None:
    """Why a number would not give a player this set; None if it would."""
    if number not in board.available:
        return f"{number} is not available."
    for other in wanted:
        if other in board.hands[2 - player]:
            return f"{other} belongs to Player {3 - player}."
        if other != number and other not in board.hands[player - 1]:
            return f"nobody has taken {other} yet."
    is_set = tuple(sorted(wanted)) in game.sets
    return None if is_set else f"{numbers(wanted)} is not a winning set."


def result_faults(
    position: Position, board: Position, says: Statement
) -> Iterator[tuple[str, str]]:
    """What the example says about the end that is not so, with what is.

    The winner is the one of ``position``, where the judge ended the game.
    """
    outcome = position.outcome
    truth = f"{outcome_words(position)}."
    sums = [sum(hand) for hand in board.hands]
    if says.get("pool-empty") and board.available:
        left = board.available
        verb = "is" if len(left) == 1 else "are"
        yield "all numbers have been selected", f"{numbers(left)} {verb} still available."
    decides = outcome is not None and tuple(sorted(says.get("set", ()))) in outcome.sets
    named = says.get("winner", 0)
    # In misère it is the loser's set that decides.
    holder = 3 - named if named and position.game.rules.misere else named
    missing: list[int] = []
    if "set" in says and holder and not decides:
        hand = board.hands[holder - 1]
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
        by = f" by {says['reason']}" if "reason" in says else ""
        yield f"Player {says['winner']} wins{by}" if says["winner"] else "nobody wins", truth
    elif "reason" in says and says["reason"] not in _reasons(position):
        yield f"it is decided by {says['reason']}", truth
    elif "set" in says and not decides and not missing:
        yield f"{numbers(says['set'])} decides", truth


def _reasons(position: Position) -> list[str]:
    """What the deciding reason may be called: by its code, or as the book names the pattern."""
    if position.outcome is None:
        return []
    wins = position.game.rules.wins
    patterns = [wins[item.at] for item in deciders(position) if item.kind == PATTERN]
    return [position.outcome.reason, *(pattern.name for pattern in patterns if pattern.name)]
