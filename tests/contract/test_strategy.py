"""Strategy cards, followed to the letter in the naive definition: no code of the engine judges."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from contract import naive
from contract.language import WRITTEN, Written
from contract.walks import READINGS, Case, engine_move, naive_move, observed
from ninefold import books
from ninefold.coach import BadCard, Card, Line, strategy_for, verify_card
from ninefold.coach.card import Reply
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Move
from ninefold.core.position import Position
from ninefold.solver import solver_for

# How many lines a card takes on paper; a change that makes one longer should be noticed.
LINES = {
    "sequence-capture default": 3,
    "magic-fifteen default 2": 4,
}

# The one reading in which players are asked.
(DECLARED,) = (case for case in READINGS if case.game.rules.declare)


class Reader:
    """Someone who knows the naive rules, holds the card, and plays all games with it."""

    def __init__(self, rules: naive.Rules, card: Card) -> None:
        self.rules = rules
        self.card = card
        self.met: set[object] = set()

    def succeeds(self, state: naive.State, line: Line, turn: tuple[naive.Move, ...] = ()) -> bool:
        """Whether every game from here, in the middle of this turn, ends as the card promises."""
        result = naive.result(self.rules, state)
        if result is not None:
            drawn = result.winner is None and self.card.goal == "draw"
            return drawn or result.winner == self.card.player
        met = (observed(self.rules, state), id(line), turn)
        if met in self.met:
            return True
        self.met.add(met)
        mine = state.turn == self.card.player
        moves = self.told(state, line) if mine else naive.legal(self.rules, state)
        return bool(moves) and all(self.goes_on(state, line, turn, move) for move in moves)

    def goes_on(
        self, state: naive.State, line: Line, turn: tuple[naive.Move, ...], move: naive.Move
    ) -> bool:
        """Whether all is well after this move, with the card turned to the right line."""
        after = naive.play(self.rules, state, move)
        if state.turn == self.card.player:
            return self.succeeds(after, line)
        turn = turn if state.asking else (*turn, move)
        if after.asking or (after.turn == state.turn and after.taken):
            return self.succeeds(after, line, turn)
        return self.succeeds(after, below(line, self.reply(turn)) if turn else line)

    def reply(self, turn: tuple[naive.Move, ...]) -> Reply:
        """A turn as a card names it: its numbers, and how it ended."""
        numbers = [move for move in turn if isinstance(move, int)]
        words = [engine_move(move) for move in turn if not isinstance(move, int)]
        ordered = self.rules.in_order or self.rules.sees_order or self.rules.limits
        return (*(numbers if ordered else sorted(numbers)), *words)

    def told(self, state: naive.State, line: Line) -> list[naive.Move]:
        """What the card says: every number a rule allows, or the first that the line can do."""
        held = list(naive.wins(self.rules, state.hand(state.turn)))
        if state.asking:
            return [*held] or [naive.PASS]
        if held and "declare" in self.card.rules:
            return [*held]
        free = naive.choices(self.rules, state, state.turn)
        stops = naive.threats(self.rules, state, naive.other(state.turn)) & set(free)
        for rule, numbers in (("complete", self.finishing(state)), ("stop", stops)):
            if numbers and rule in self.card.rules:
                return [*numbers]
        can = naive.legal(self.rules, state)
        said = [move for move in map(naive_move, line.numbers) if move in can][:1]
        return said or [*(free if len(free) == 1 else ())]

    def finishing(self, state: naive.State) -> set[int]:
        """The numbers that complete a set, or with which more of this turn can complete one."""
        found = naive.threats(self.rules, state, state.turn)
        for number in naive.choices(self.rules, state, state.turn) if self.rules.picks > 1 else ():
            after = naive.play(self.rules, state, number)
            after = naive.play(self.rules, after, naive.PASS) if after.asking else after
            same = after.turn == state.turn and after.taken and not naive.result(self.rules, after)
            if same and self.finishing(after):
                found.add(number)
        return found


def below(line: Line, reply: Reply) -> Line:
    """The line for this reply; the same one if there is none."""
    for candidate in line.then:
        if reply in candidate.replies or not candidate.replies:
            return candidate
    return line


def keeps_its_promise(case: Case | Written, card: Card, moves: tuple[Move, ...] = ()) -> bool:
    """Whether the card works from the position after these moves."""
    state = naive.start(1)
    for move in moves:
        state = naive.play(case.rules, state, naive_move(move))
    return Reader(case.rules, card).succeeds(state, card.root)


def is_verified(card: Card) -> bool:
    """What the project's own verifier says."""
    try:
        return verify_card(card).positions > 0
    except BadCard:
        return False


def all_lines(line: Line) -> Iterator[Line]:
    """A line and everything below it."""
    yield line
    for lower in line.then:
        yield from all_lines(lower)


def replaced(line: Line, old: Line, new: Line) -> Line:
    """The card with one line exchanged."""
    if line is old:
        return new
    return line._replace(then=tuple(replaced(lower, old, new) for lower in line.then))


@cache
def cards_of(case: Case | Written) -> list[Card]:
    """The winner's card, or both where nobody wins."""
    start = case.game.start()
    if solver_for(case.game).value(start).result == "draw":
        return [strategy_for(start, seat) for seat in (1, 2)]
    return [strategy_for(start)]


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_a_card_for_every_reading(case: Case) -> None:
    """It is complete, both checks say so, and it is as short as it was."""
    for card in cards_of(case):
        assert keeps_its_promise(case, card)
        assert is_verified(card)
        lines = [line for line in all_lines(card.root) if line.numbers]
        known = LINES.get(f"{case} {card.player}", LINES.get(str(case), 1))
        assert len(lines) == known


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_a_card_under_every_rule(case: Written) -> None:
    """Also where turns are passed, swapped, or of several picks, there is a complete card.

    Whatever a card promises is kept in the naive definition.
    """
    for card in cards_of(case):
        assert is_verified(card)
        assert keeps_its_promise(case, card)


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_a_card_without_a_line_is_refused(case: Case) -> None:
    """Whichever line is blank, somebody needs it."""
    for card in cards_of(case):
        for line in all_lines(card.root):
            if line.numbers:
                blank = card._replace(root=replaced(card.root, line, line._replace(numbers=())))
                assert not is_verified(blank)
                assert not keeps_its_promise(case, blank)


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_a_changed_answer_is_refused_exactly_where_it_fails(case: Case) -> None:
    """Each number of a card exchanged for each other: the verifier and the naive reader agree."""
    verdicts = []
    for card in cards_of(case):
        changed = [
            card._replace(
                root=replaced(
                    card.root,
                    line,
                    line._replace(numbers=(*line.numbers[:at], number, *line.numbers[at + 1 :])),
                )
            )
            for line in all_lines(card.root)
            for at in range(len(line.numbers))
            for number in case.game.pool
            if number != line.numbers[at]
        ]
        for mutant in changed[:: 1 + len(changed) // 40]:
            verdicts.append(is_verified(mutant))
            assert verdicts[-1] == keeps_its_promise(case, mutant)
    assert False in verdicts


@pytest.mark.parametrize("case", READINGS, ids=str)
def test_cards_from_the_middle_of_games(case: Case) -> None:
    """From wherever random games lead, whoever does not lose has a card, and only they."""
    chance = random.Random(5)
    for _ in range(12):
        position, moves = case.game.start(), list[Move]()
        for _ in range(chance.randrange(1, 5)):
            moves.append(chance.choice(position.legal))
            position = position.play(moves[-1])
            if position.outcome is not None:
                break
        if position.outcome is None:
            check_cards_from(case, position, tuple(moves))


def check_cards_from(case: Case, position: Position, moves: tuple[Move, ...]) -> list[Card]:
    """Each player who does not lose here has a card that works, and only they; these cards."""
    result, cards = solver_for(case.game).value(position).result, []
    for seat in (1, 2):
        lost = result == ("loss" if seat == position.turn else "win")
        if lost:
            with pytest.raises(NinefoldError, match="loses against best play"):
                strategy_for(position, seat)
        else:
            card = strategy_for(position, seat)
            assert card.goal == ("draw" if result == "draw" else "win")
            assert is_verified(card)
            assert keeps_its_promise(case, card, moves)
            cards.append(card)
    return cards


def asking_positions(case: Case, picks: int) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    """Random positions after so many picks in which a player is asked, and how they were reached.

    Whoever holds a set has not declared it when asked before.
    """
    chance = random.Random(picks)
    for _ in range(25):
        position, moves = case.game.start(), list[Move]()
        while sum(map(len, position.hands)) < picks:
            moves.append(PASS if position.asking else chance.choice(position.available))
            position = position.play(moves[-1])
        if position.asking:
            yield position, tuple(moves)


@pytest.mark.parametrize("picks", [5, 6, 7, 8])
def test_cards_while_a_player_is_asked(picks: int) -> None:
    """Both for the one who is asked and for the one who waits; each kind is met."""
    positions = list(asking_positions(DECLARED, picks))
    cards = [card for where in positions for card in check_cards_from(DECLARED, *where)]
    assert {card.player == card.start.turn for card in cards} == {True, False}


@pytest.mark.parametrize("picks", [(9, 5, 2, 8, 7), (1, 7, 6, 4, 8), (1, 4, 8, 7, 6)])
def test_the_card_of_whoever_waits_for_a_pass_begins_behind_it(picks: tuple[int, ...]) -> None:
    """A pass is no reply, so no line of the card hangs on it."""
    position = DECLARED.game.play(picks)
    (card,) = check_cards_from(DECLARED, position, picks)
    assert position.asking
    assert position.turn != card.player
    assert card.root == Line((), (3,))


def test_where_only_lost_turns_hold_the_card_says_so() -> None:
    """Nobody wants to take the next number."""
    rules = books.load_book("sequence-builder", "three-slots-in-order").game.rules
    for size in (6, 7):
        game = Game(rules._replace(pool=tuple(range(1, size + 1)), invalid="lose-turn"))
        card = strategy_for(game.start(), 2)
        assert any(LOST in line.numbers for line in all_lines(card.root))
        assert is_verified(card)


def test_a_card_that_would_go_round_in_circles_is_not_written() -> None:
    """Where turns can be lost for ever, no line below a line might be the last."""
    changes = ("pool=1-6", "invalid=lose-turn", "pie=true")
    with pytest.raises(NinefoldError, match="No card was found"):
        strategy_for(books.load_book("sequence-capture", None, changes).game.start())


def test_a_win_that_need_never_come_is_no_win() -> None:
    """The opponent of a full hand may give turns away for ever: not lost, but not won either."""
    rules = books.load_book("magic-fifteen").game.rules
    game = Game(rules._replace(hand_limit=4, invalid="lose-turn"))
    card = strategy_for(game.start(), 2)
    assert card.goal == "draw"
    assert is_verified(card)
    assert not is_verified(card._replace(goal="win"))


def test_past_all_reason_a_card_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """How large the game is, and what to do; whatever the machine, at the same place."""
    monkeypatch.setattr("ninefold.coach.strategy.MOST_EFFORT", 100)
    with pytest.raises(NinefoldError) as refused:
        strategy_for(books.load_book("sequence-capture", None, ("pie=true",)).game.start())
    assert refused.value.code == "too-large"
    assert "10 numbers" in refused.value.message
    assert "--moves" in str(refused.value)
