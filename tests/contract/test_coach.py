"""Every explanation of the coach is true: in every position, against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from effort import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contract import naive
from contract.brute import BruteForce, Known, brute_force
from contract.defences import best_defences
from contract.language import WRITTEN, Written
from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from contract.walks import (
    MISERE,
    READINGS,
    Case,
    Drawn,
    engine_move,
    naive_move,
    on_few_numbers,
    sample,
)
from ninefold.coach.hint import Hint, hint_for
from ninefold.coach.words import STEPS, sentence
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove

Check = Callable[[BruteForce, naive.State, Hint], None]


def known(brute: BruteForce, state: naive.State, move: Move) -> Known:
    """What brute force knows of a move for its maker; a draw if nothing."""
    return brute.values(state)[naive_move(move)]


def picks(brute: BruteForce, state: naive.State) -> list[int]:
    """The numbers the player to act may choose."""
    return [move for move in brute.values(state) if isinstance(move, int)]


def played(brute: BruteForce, state: naive.State, line: Iterable[Move]) -> naive.State:
    """The state after these moves, each of them legal."""
    return brute.play(state, map(naive_move, line))


def winner_of(brute: BruteForce, state: naive.State) -> int | None:
    """Who has won a finished state."""
    result = brute.result(state)
    assert result is not None
    return result.winner


def check_declare(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Each declaration wins at once."""
    for move in hint.moves:
        assert winner_of(brute, played(brute, state, [move])) == state.turn


def check_pass(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """There is nothing else to do."""
    assert brute.moves(state) == [naive.PASS]
    assert hint.moves == (PASS,)


def lacks(state: naive.State, seat: int, line: naive.Numbers) -> set[int]:
    """The numbers that a player lacks for a set; the other hand may count, too."""
    own, theirs = set(state.hand(seat)), set(state.hand(naive.other(seat)))
    return set(line) - own - theirs if set(line) & theirs else set(line) - own


def check_completes(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Each number completes the sets named, and no other number completes one."""
    expected = naive.threats(brute.rules, state, state.turn)
    assert set(hint.moves) == set(expected)
    for line in hint.sets:
        lacking = lacks(state, state.turn, line)
        assert len(lacking) == 1
        assert lacking <= set(hint.moves)
    for move in hint.moves:
        assert known(brute, state, move)[0] == "win"


def check_stops(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """The opponent would complete the sets named; any other number lets it happen."""
    other = naive.other(state.turn)
    (number,) = hint.moves
    assert set(naive.threats(brute.rules, state, other)) == {number}
    for line in hint.sets:
        assert lacks(state, other, line) == {number}
    for move in picks(brute, state):
        if move != number:
            after = played(brute, state, [move])
            assert number in naive.threats(brute.rules, after, other)
            assert known(brute, state, move)[0] == "loss"


def check_double_threat(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Two numbers complete a set next, and the opponent completes nothing in between."""
    (move,) = hint.moves
    after = played(brute, state, [move])
    assert len(hint.threats) > 1
    assert set(hint.threats) == set(naive.threats(brute.rules, after, state.turn))
    assert not naive.threats(brute.rules, after, naive.other(state.turn))
    assert known(brute, state, move)[0] == "win"


def check_win(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """The line wins in the plies stated, and no move wins faster."""
    assert hint.value.plies == len(hint.line)
    assert winner_of(brute, played(brute, state, hint.line)) == state.turn
    values = brute.values(state)
    assert {values[naive_move(move)] for move in hint.moves} == {("win", len(hint.line))}


def check_tie_break(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """The line ends with the ending, not with a set; who completed one first may decide it."""
    check_win(brute, state, hint)
    result = brute.result(played(brute, state, hint.line))
    assert result is not None
    assert not result.sets or result.reason == "first-complete"


def winning(brute: BruteForce, state: naive.State) -> list[Move]:
    """Every move that wins."""
    values = brute.values(state)
    return [engine_move(move) for move, value in values.items() if value[0] == "win"]


def check_only(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Exactly one move wins."""
    check_win(brute, state, hint)
    assert winning(brute, state) == list(hint.moves)
    assert len(hint.moves) == 1


def check_forced(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Several moves win."""
    check_win(brute, state, hint)
    assert len(winning(brute, state)) > 1


def check_draw(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """The moves named are those that do not lose, and none wins."""
    known_values = brute.values(state).items()
    values = {engine_move(move): value[0] for move, value in known_values if move != naive.LOST}
    assert "win" not in values.values()
    safe = {move for move, value in values.items() if value == "draw"}
    assert set(hint.moves) == safe or hint.moves == (LOST,)
    assert (hint.kind == "even") == (set(picks(brute, state)) <= safe)


def check_defends(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Every move loses, those named are the best defence, and its replies are as stated."""
    values, defence = brute.values(state), hint.defence
    assert {value[0] for value in values.values()} == {"loss"}
    longest = max(value[1] for value in values.values())
    assert hint.value.plies == longest
    best = best_defences(brute, state)
    assert set(hint.moves) == set(best)
    assert defence is not None
    assert defence.moves == hint.moves
    assert defence.replies is not None
    stated = defence.plies, defence.turn, {*defence.replies}, {*defence.mistakes}
    assert stated in [turn[1:] for turn in best[hint.moves[0]]]
    assert hint.line[: len(defence.turn)] == defence.turn
    other = naive.other(state.turn)
    assert winner_of(brute, played(brute, state, hint.line)) == other
    for line in hint.sets:
        assert lacks(state, other, line) <= set(defence.turn)
    assert "longest" not in sentence(hint, 2) or defence.plies == longest
    check_words_of_defence(hint)


def check_words_of_defence(hint: Hint) -> None:
    """Step 2 names the move or says that all are alike."""
    named = sentence(hint, 2)
    assert hint.defence is not None
    if hint.defence.mistakes:
        assert "still win" in named
    if "equally long" in named:
        assert len(hint.moves) == sum(move is not LOST for move in hint.position.legal)
        return
    orders = {PASS: "Pass", SWAP: "Swap", LOST: "Give up your turn"}
    first = hint.moves[0]
    order = orders[first] if isinstance(first, SpecialMove) else f"Take {first}"
    assert order in named
    assert sentence(hint, 3).count(".") <= 2, "a reason, and perhaps what would help"


def check_avoids(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """Every other number completes a set, and the one named does not lose."""
    (number,) = hint.moves
    completing = naive.threats(brute.rules, state, state.turn)
    assert {number, *completing} == set(picks(brute, state))
    assert number not in completing
    assert known(brute, state, number)[0] == hint.value.result != "loss"
    for line in hint.sets:
        assert len(lacks(state, state.turn, line)) == 1
    for move in completing:
        assert known(brute, state, move) == ("loss", 1)


def check_corners(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """After each number named, whatever the opponent picks completes a set and loses."""
    for move in hint.moves:
        after = played(brute, state, [move])
        assert after.turn != state.turn
        assert brute.values(after)
        for reply in brute.values(after):
            result = brute.result(brute.play(after, [reply]))
            assert result and result.sets and result.winner == state.turn


def check_area(hint: Hint) -> None:
    """A few numbers, some of them recommended, but not only those if there are others."""
    position, first = hint.position, hint.moves[0]
    if isinstance(first, SpecialMove):
        assert hint.area == ()
        return
    declared = first.numbers if isinstance(first, Declare) else ()
    choice = position.hands[position.turn - 1] if declared else position.picks
    assert set(hint.area) <= set(choice)
    assert list(hint.area) == sorted(set(hint.area))
    assert min(len(choice), 3) <= len(hint.area) <= max(5, len(declared) + 1)
    assert set(declared or (first,)) <= set(hint.area)
    if len(choice) > len(declared or hint.moves):
        assert not set(hint.area) <= set(declared or hint.moves)


def check_line(brute: BruteForce, state: naive.State, hint: Hint) -> None:
    """It begins with the first move, is legal, keeps the value, and ends unless it need not."""
    assert hint.line[0] == hint.moves[0]
    for move in hint.line:
        values = brute.values(state)
        assert values[naive_move(move)][0] == brute.value(state)[0]
        state = played(brute, state, [move])
    assert brute.result(state) is not None or hint.value.result == "draw"


CHECKS: dict[str, Check] = {
    "declare": check_declare,
    "pass": check_pass,
    "completes": check_completes,
    "stops": check_stops,
    "double-threat": check_double_threat,
    "avoids": check_avoids,
    "corners": check_corners,
    "tie-break": check_tie_break,
    "only": check_only,
    "forced": check_forced,
    "holds": check_draw,
    "even": check_draw,
    "defends": check_defends,
}
CASES = [*on_few_numbers(READINGS, 7), *on_few_numbers(MISERE, 7)]
IN_MISERE = {"avoids", "corners", "tie-break", "only", "forced", "holds", "even", "defends"}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_explanation_is_true(case: Case) -> None:
    """No position is without one, and each states a fact that brute force confirms."""
    kinds = check_hints(brute_force(case))
    assert len(kinds) >= (3 if case.misere else 5)
    assert (set(kinds) <= IN_MISERE) == case.misere


def check_hints(brute: BruteForce, most: int = 250) -> Counter[str]:
    """Look at the hints of so many positions, in the long run of all; how many of each kind.

    Positions that differ only in the names of the players are looked at once.
    """
    kinds: Counter[str] = Counter()
    once = {position.key: (state, position) for state, position in brute.pairs}
    for state, position in sample([*once.values()], most):
        if position.outcome is None:
            hint = hint_for(position)
            CHECKS[hint.kind](brute, state, hint)
            check_area(hint)
            check_line(brute, state, hint)
            assert hint.value.result == brute.value(state)[0]
            words = [sentence(hint, step) for step in range(1, STEPS + 1)]
            assert all(words)
            assert "declare:" not in "".join(words), "the notation of records is not for players"
            kinds[hint.kind] += 1
    return kinds


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_every_explanation_is_true_under_every_rule(case: Written) -> None:
    """In the positions of the books that use the whole language."""
    kinds = check_hints(brute_force(case), 80)
    assert sum(kinds.values()) > 20
    assert not case.misere or set(kinds) <= IN_MISERE


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        open_rules((3, 6)),
        with_turns(open_rules((3, 5))),
        with_turns(declared_rules((3, 4))),
        with_turns(ordered_rules((3, 4))),
        with_limits(open_rules((3, 6))),
        with_limits(with_turns(open_rules((3, 5)))),
        with_limits(declared_rules((3, 5))),
    ],
)
@given(data=st.data())
@settings(max_examples=examples(5))
def test_explanations_under_rules_no_book_has(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """Openings, swaps, passes, limits: each position has an explanation, and a true one."""
    both = data.draw(rules)
    assume(both.naive.asks_from is None or naive.wins(both.naive, both.naive.pool))
    check_hints(BruteForce(Drawn(Game(both.engine), both.naive)), 80)
