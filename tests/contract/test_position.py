"""What a position promises: it never changes, its key is honest, it names threats and refusals."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from effort import Effort

from contract import naive
from contract.language import WRITTEN, Written
from contract.walks import READINGS, WITH_LOST_TURNS, Case, engine_move, explored, on_few_numbers
from ninefold import books
from ninefold.core.errors import Illegal
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.position import Position

# Every move, refused or not, is tried in every position of these few numbers.
FEW = tuple(range(1, 7 if Effort.is_long else 6))

CASES = [
    *on_few_numbers([case for case in READINGS if case.reading != "three-slots-in-order"], 7),
    *(case._replace(pool=WITH_LOST_TURNS, lost=True) for case in READINGS),
]
# The order of the hands multiplies the positions of this reading: six numbers do for every day.
ONLY_LONG = [
    pytest.param(case, marks=pytest.mark.long)
    for case in READINGS
    if case.reading == "three-slots-in-order"
]
SMALL_CASES: list[Case | Written] = [
    *(case._replace(pool=FEW, lost=True) for case in READINGS),
    *(case._replace(lost=True) for case in WRITTEN if len(case.rules.pool) <= len(FEW)),
]

# Here a full hand may meet a shorter one when the numbers run out, and the sums may be equal.
SHORT_HAND = Case("sequence-builder", "three-slots", (1, 3, 4, 8), lost=True)
EVERY_CASE: list[Case | Written] = [*CASES, SHORT_HAND, *WRITTEN]


def snapshot(position: Position) -> tuple[object, ...]:
    """Everything a position shows."""
    return (
        *(position.hands, position.masks, position.turn, position.asking, position.available),
        *(position.legal, position.outcome, position.key),
        *(position.threats(1), position.threats(2), position.sets_of(1), position.sets_of(2)),
    )


def ending(position: Position, seat: int) -> object:
    """The outcome as a player sees it (won, lost or drawn, and why), or None."""
    outcome = position.outcome
    return outcome and (outcome.winner and outcome.winner == seat, outcome.reason)


@pytest.mark.parametrize("case", [*EVERY_CASE, *ONLY_LONG], ids=str)
def test_equal_keys_mean_equal_futures(case: Case | Written) -> None:
    """Unfinished positions with the same key have the same moves, to the same keys or endings."""
    futures: dict[object, object] = {}
    for place in explored(case):
        position = place.position
        after = {move: position.play(engine_move(move)) for move in place.leads_to}
        ahead = {move: ending(to, position.turn) or to.key for move, to in after.items()}
        assert position.outcome or futures.setdefault(position.key, ahead) == ahead


@pytest.mark.parametrize("case", [*EVERY_CASE, *ONLY_LONG], ids=str)
def test_equal_keys_mean_equal_endings(case: Case | Written) -> None:
    """Positions with the same key are all unfinished, or have all ended in the same way."""
    endings: dict[object, object] = {}
    for _, position, *_ in explored(case):
        end = ending(position, position.turn)
        assert endings.setdefault(position.key, end) == end


@pytest.mark.parametrize("case", SMALL_CASES, ids=str)
def test_a_key_holds_nothing_else(case: Case | Written) -> None:
    """Two ways to what the rules cannot tell apart lead to the same key."""
    keys: dict[object, object] = {}
    for place in explored(case):
        for move, what in place.leads_to.items():
            key = place.position.play(engine_move(move)).key
            assert keys.setdefault(what, key) == key


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_sets(case: Case | Written) -> None:
    """The winning sets either player holds are the naive ones."""
    rules = case.rules
    for state, position, *_ in explored(case):
        for seat in (1, 2):
            hands = state.hand(seat), state.hand(naive.other(seat))
            assert position.sets_of(seat) == tuple(naive.wins(rules, *hands))


@pytest.mark.parametrize("case", EVERY_CASE, ids=str)
def test_threats(case: Case | Written) -> None:
    """While the game goes on, the threats of either player are the naive ones."""
    rules = case.rules
    for state, position, *_ in explored(case):
        for seat in (1, 2) if position.outcome is None else ():
            expected = naive.threats(rules, state, seat)
            assert position.threats(seat) == tuple(sorted(expected))


@pytest.mark.parametrize("case", SMALL_CASES, ids=str)
def test_play_changes_nothing(case: Case | Written) -> None:
    """A position is what it was after every move was played from it."""
    todo = [case.game.start(first) for first in (1, 2)]
    seen = {position.key for position in todo}
    while todo:
        position = todo.pop()  # nobody has played from it yet
        before = snapshot(position)
        lost = not (position.outcome or position.asking)
        for move in {*position.legal, *[LOST] * lost}:
            after = position.play(move)
            if after.key not in seen:
                seen.add(after.key)
                todo.append(after)
        assert snapshot(position) == before
    assert len(seen) > 20


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_positions_are_frozen(case: Case) -> None:
    """No field of a position can be given another value."""
    position = case.game.start()
    for name in ("hands", "masks", "turn", "asking", "available", "legal", "outcome", "key"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)


def refusal(rules: naive.Rules, state: naive.State, move: Move) -> str | None:
    """The code a move is refused with while the game goes on, or None if it can be played."""
    if isinstance(move, Declare):
        return wrong_claim(rules, state, move.numbers)
    if move is PASS and (state.asking or rules.passing):
        return None
    if state.asking:
        return "asked"
    if isinstance(move, SpecialMove):
        allowed = move is LOST or (move is SWAP and naive.may_swap(rules, state))
        return None if allowed else "no-swap" if move is SWAP else "no-pass"
    if move in naive.choices(rules, state, state.turn):
        return None
    if move in naive.free(rules, state):
        is_first = rules.opening and not any(state.hands) and move not in rules.opening
        return "opening" if is_first else "restricted"
    return "taken" if move in rules.pool else "not-in-pool"


def wrong_claim(rules: naive.Rules, state: naive.State, numbers: naive.Numbers) -> str | None:
    """The code a declaration is refused with, or None if it wins."""
    hand = state.hand(state.turn)
    if not rules.asks_from:
        return "no-declaring"
    if not set(numbers) <= set(hand):
        return "not-in-hand"
    return None if numbers in naive.wins(rules, hand) else "not-a-set"


def refused_with(position: Position, move: Move) -> str | None:
    """The code the engine refuses a move with, or None if it plays it."""
    try:
        position.play(move)
    except Illegal as illegal:
        assert illegal.message
        return illegal.code
    return None


NEVER: list[Move] = [-1, 0, 11]  # in no pool that is tried
WORDS: list[Move] = [LOST, PASS, SWAP]
CLAIMS: list[Move] = [
    *(Declare(numbers) for numbers in ((), (2,), (2, 4), (1, 2, 3, 4), (1, 2, 9))),
    *(Declare(numbers) for numbers in combinations_with_replacement((1, 2, 3, 5), 3)),
]


def tried(rules: naive.Rules) -> list[Move]:
    """Picks, and claims: a few are enough where all of them are refused as claims."""
    return [*NEVER, *rules.pool, *WORDS, *(CLAIMS if rules.asks_from else CLAIMS[:6])]


@pytest.mark.parametrize("case", SMALL_CASES, ids=str)
def test_what_cannot_be_played_is_refused(case: Case | Written) -> None:
    """Each refusal carries its code and a sentence, and leaves the position as it was."""
    rules = case.rules
    moves = tried(rules)
    late = [moves[3], *WORDS, CLAIMS[0]]  # one of each kind, when the game is over
    for state, position, *_ in explored(case):
        before = snapshot(position)
        over = naive.result(rules, state)
        for move in late if over else moves:
            expected = "game-over" if over else refusal(rules, state, move)
            assert (move, refused_with(position, move)) == (move, expected)
        assert snapshot(position) == before


@pytest.mark.parametrize(
    ("book", "reading", "moves", "move", "code"),
    [
        ("sequence-duel-arithmetic", None, "4", 4, "taken"),
        ("sequence-duel-arithmetic", None, "4", 10, "not-in-pool"),
        ("sequence-duel-arithmetic", None, "4", PASS, "no-pass"),
        ("sequence-duel-arithmetic", None, "4 6 5 7 3", 1, "game-over"),
        ("sequence-duel-sum", "lose-turn", "4", 4, "taken"),
        ("pattern-builder", "automatic", "5 4 7 6", Declare((5, 7, 9)), "no-declaring"),
        ("pattern-builder", "declare", "5 4 7 6 9", 1, "asked"),
        ("pattern-builder", "declare", "5 4 7 6 9", LOST, "asked"),
        ("pattern-builder", "declare", "5 4 7 6 9", Declare((4, 5, 6)), "not-in-hand"),
        ("pattern-builder", "declare", "5 4 7 6 8", Declare((5, 7, 8)), "not-a-set"),
        ("pattern-builder", "declare", "5 4 7 6 9", Declare((5, 5, 5)), "not-a-set"),
        ("pattern-builder", "declare", "5 4 7 6", PASS, "no-pass"),
    ],
)
def test_one_refusal_of_each_kind(
    book: str, reading: str | None, moves: str, move: Move, code: str
) -> None:
    """These moves are refused with these codes."""
    position = books.load_book(book, reading).game.play(moves)
    with pytest.raises(Illegal) as refused:
        position.play(move)
    assert refused.value.code == code


def test_no_question_before_the_third_number() -> None:
    """In the reading declare nobody is asked before the third number, whatever the pool."""
    assert not Case("pattern-builder", "declare", (1, 2, 5)).game.start().play(1).asking
