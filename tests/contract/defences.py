"""The best defence of a lost position, by its definition: every turn is compared."""

from __future__ import annotations

from collections.abc import Iterator

from contract import naive
from contract.brute import BruteForce
from contract.walks import engine_move, naive_move
from ninefold.core.moves import PASS, Move

Rank = tuple[int, bool, int]
Turn = tuple[Rank, int, tuple[Move, ...], set[Move], set[Move]]


def wins_at_once(brute: BruteForce, state: naive.State, move: naive.Move) -> bool:
    """Whether the player to act wins with this move, or may in the same turn after it."""
    after = brute.play(state, [move])
    result = brute.result(after)
    if result is not None:
        return result.winner == state.turn
    same_turn = after.turn == state.turn and (after.asking or after.taken)
    choices = [then for then in brute.values(after) if then != naive.LOST]
    return bool(same_turn) and any(wins_at_once(brute, after, then) for then in choices)


def turns_of(brute: BruteForce, state: naive.State, first: naive.Move) -> Iterator[Turn]:
    """Every turn that begins like this: how hard it is for the opponent, and what they face.

    Harder is, in this order: fewer ways to win at once; a reply that throws the win away; if there
    is one, fewer replies that win. Of equally hard turns, those are better that last longer.
    """
    after = brute.play(state, [first])
    turn: tuple[Move, ...] = (engine_move(first),)
    if after.asking and after.turn == state.turn:
        after, turn = brute.play(after, [naive.PASS]), (*turn, PASS)
    if brute.result(after) is not None:
        yield (-1000, False, 0), len(turn), turn, set(), set()
        return
    values = brute.values(after)
    if after.turn == state.turn:
        for then in [move for move in values if move != naive.LOST] or values:
            for rank, plies, rest, winning, mistakes in turns_of(brute, after, then):
                yield rank, len(turn) + plies, (*turn, *rest), winning, mistakes
        return
    replies = {engine_move(reply) for reply in values if values[reply][0] == "win"}
    chosen = [reply for reply in values if reply != naive.LOST] or [*values]
    mistakes = {engine_move(reply) for reply in chosen if values[reply][0] != "win"}
    at_once = sum(wins_at_once(brute, after, naive_move(reply)) for reply in replies)
    rank = -at_once, bool(mistakes), -len(replies) if mistakes else 0
    yield rank, len(turn) + brute.value(after)[1], turn, replies, mistakes


def best_defences(brute: BruteForce, state: naive.State) -> dict[Move, list[Turn]]:
    """The best moves of a lost state, each with its best turns."""
    values = brute.values(state)
    moves = [move for move in values if move != naive.LOST] or [*values]
    turns = {engine_move(move): [*turns_of(brute, state, move)] for move in moves}
    best = max(turn[:2] for found in turns.values() for turn in found)
    chosen = {move: [turn for turn in turns[move] if turn[:2] == best] for move in turns}
    return {move: found for move, found in chosen.items() if found}
