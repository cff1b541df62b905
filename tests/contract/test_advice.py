"""Advice: what is called proved is true, and what limits allow, players and coach respect."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import PATIENCE

from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from contract.walks import sample
from ninefold import load
from ninefold.coach.hint import Hint, hint_for, winner_of
from ninefold.coach.review import judge
from ninefold.coach.strategy import NoCard, strategy_for
from ninefold.coach.verify import verify_card
from ninefold.coach.words import STEPS, sentence
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Declare
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Criterion, Restriction, Rules
from ninefold.players import LEVELS, GreedyPlayer
from ninefold.solver import Solver, Value, advice
from ninefold.solver.breadth_first import BreadthFirst, legal_steps
from ninefold.solver.deepen import deepen
from ninefold.solver.scores import plies_of, result_of

SUM_OF_THREE = Pattern("sum", (("count", 3), ("multiple-of", 4)))
SUM_OF_TWO = Pattern("sum", (("count", 2), ("multiple-of", 5)))
SHARED = Pattern("sum", (("shared", True), ("multiple-of", 7)))


@st.composite
def with_losses(draw: st.DrawFn, rules: st.SearchStrategy[Twins]) -> Twins:
    """These rules with a set that loses, and perhaps a total of both hands that wins."""
    both = draw(rules)
    wins = (*both.engine.wins, SHARED) if draw(st.booleans()) else both.engine.wins
    losses = draw(st.sampled_from(((SUM_OF_TWO,), (SUM_OF_THREE,), (SHARED,))))
    return both._replace(engine=both.engine._replace(wins=wins, losses=losses, misere=False))


LIMITED = with_limits(with_turns(open_rules((2, 5))))
ANY_RULES = [
    open_rules((2, 6)),
    with_turns(declared_rules((3, 4))),
    with_turns(ordered_rules((3, 4))),
    LIMITED,
    with_losses(LIMITED),
]


def unfinished(game: Game) -> Iterator[Position]:
    """Some positions that can be reached, each once."""
    walk = BreadthFirst(game.start(), legal_steps, lambda position: (position.key, position.turn))
    for _ in walk:
        pass
    yield from (node for node in sample(walk.nodes) if node.outcome is None)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ANY_RULES)
@given(data=st.data())
@settings(max_examples=examples(4))
def test_what_is_proved_is_true(rules: st.SearchStrategy[Twins], data: st.DataObject) -> None:
    """By a look ahead of any size: wins and losses with their lengths, draws, and the position."""
    game, work = Game(data.draw(rules).engine), data.draw(st.integers(0, 200_000))
    solver = Solver(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice, "WORK", work)
        for position in unfinished(game):
            found = advice._estimated(position, [], Value("unknown", None))
            assert [item.move for item in found.moves] == position.legal == [*found.scores]
            for item in found.moves:
                score = solver.move_score(position, item.move)
                if item.result != "unknown":
                    assert item.result == result_of(score)
                    assert item.plies == (plies_of(score) if score else None)
            exact = solver.score(position)
            assert found.value.result in ("unknown", result_of(exact))
            if found.value.result != "unknown":
                assert {*found.best} <= {*solver.best(position)}


@pytest.mark.slow
@pytest.mark.parametrize("rules", ANY_RULES)
@given(data=st.data())
@settings(max_examples=examples(4))
def test_a_level_sees_the_same_in_a_large_game(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """A look ahead finds the wins and losses that tables have, and nothing beyond its sight."""
    game, sight = Game(data.draw(rules).engine), data.draw(st.sampled_from([*LEVELS.values()][:4]))
    solver = Solver(game)
    for position in unfinished(game):
        seen, _ = advice.look_ahead(position, sight)
        exact = solver.seen(position, sight)
        best = max(exact.values())
        if best > 0:  # it does not look for slower wins
            assert [move for move in seen if seen[move] == best] == [
                move for move in exact if exact[move] == best
            ]
        else:
            assert seen == exact


def check_partial(hint: Hint, solver: Solver) -> None:
    """What a hint of a game that is not solved states is true, and so is its line."""
    position = hint.position
    exact = {move: result_of(solver.move_score(position, move)) for move in position.legal}
    winning = [move for move, result in exact.items() if result == "win"]
    assert hint.value.result in ("unknown", result_of(solver.score(position)))
    if hint.kind in ("completes", "double-threat", "corners", "forced", "declare"):
        assert {*hint.moves} <= {*winning}
    elif hint.kind == "only":
        assert [*hint.moves] == winning
    elif hint.kind == "stops":
        others = [exact[move] for move in position.picks if move not in hint.moves]
        assert {*others} <= {"loss"}
    elif hint.kind in ("keeps", "holds", "even"):
        assert {exact[move] for move in hint.moves} == {"draw"}
    elif hint.kind == "defends":
        assert {*exact.values()} == {"loss"}
    assert (hint.kind == "estimate") <= (hint.value.result == "unknown")
    winner = winner_of(hint.value, position.turn)
    assert not hint.line or winner is not None
    for move in hint.line:
        assert position.turn != winner or solver.move_score(position, move) > 0
        position = position.play(move)
    if position.outcome is not None:
        assert position.outcome.winner == winner


@pytest.mark.slow
@pytest.mark.parametrize("rules", ANY_RULES)
@given(data=st.data())
@settings(max_examples=examples(4))
def test_hints_and_verdicts_of_a_large_game_claim_only_what_is_proved(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """As if the solver never finished; an estimate says so in words."""
    game, work = Game(data.draw(rules).engine), data.draw(st.integers(0, 20_000))
    solver = Solver(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice, "WORK", work)
        patch.setattr(advice, "is_small", lambda _: False)
        patch.setattr(Solver, "knows", lambda *_: False)
        patch.setattr(Solver, "value", lambda *_: Value("unknown", None))
        for position in unfinished(game):
            hint = hint_for(position, PATIENCE)
            check_partial(hint, solver)
            words = [sentence(hint, step) for step in range(1, STEPS + 1)]
            assert ("estimate" in words[-1]) == (hint.kind == "estimate")
            for move in position.legal:
                item = judge(position, move, 1, 0)
                if item.verdict == "unproved":
                    assert "unknown" in (item.before.result, item.after.result)
                    continue
                exact = (
                    result_of(solver.score(position)),
                    result_of(solver.move_score(position, move)),
                )
                assert (item.before.result, item.after.result) == exact


@pytest.mark.parametrize("moves", ["5", "1 2 6 5", "9 1 8 3"])
def test_deepening_finds_what_every_move_is_worth(
    monkeypatch: pytest.MonkeyPatch, moves: str
) -> None:
    """Given time, all of it; given none, nothing that is not so. What was proved stays."""
    game = load("magic-fifteen")
    position = game.play(moves)
    exact = {item.move: item.result for item in Solver(game).moves(position)}
    monkeypatch.setattr(advice, "is_small", lambda _: False)
    monkeypatch.setattr(advice, "WORK", 0)
    monkeypatch.setattr(Solver, "knows", lambda *_: False)
    with monkeypatch.context() as patch:
        patch.setattr(Solver, "value", lambda *_: Value("unknown", None))
        before = advice.advise(position, PATIENCE)
        nothing = deepen(position, before, 0)
    assert before.moves == nothing.moves
    assert any(item.result == "unknown" for item in before.moves)
    after = deepen(position, before, PATIENCE)
    assert {item.move: item.result for item in after.moves} == exact
    assert after.value.result == Solver(game).value(position).result
    assert after.best == after.with_result(after.value.result)[: len(after.best)]


def test_the_line_after_a_defence_begins_with_its_whole_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if the game is not solved and a turn has two numbers."""
    monkeypatch.setattr(advice, "is_small", lambda _: False)
    monkeypatch.setattr(Solver, "knows", lambda *_: False)
    monkeypatch.setattr(Solver, "value", lambda *_: Value("unknown", None))
    three = Pattern("arithmetic", (("length", 3),))
    rules = Rules(
        (1, 2, 3),
        (three,),
        (Criterion("lowest", "higher"),),
        picks_per_turn=2,
        pie=True,
    )
    hints = [hint_for(position, PATIENCE) for position in unfinished(Game(rules))]
    lost = [(hint.defence.turn, hint) for hint in hints if hint.defence and hint.line]
    assert any(len(turn) > 1 for turn, _ in lost)
    for turn, hint in lost:
        assert hint.line[: len(turn)] == turn
        assert sentence(hint, STEPS)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LIMITED, with_losses(LIMITED)])
@given(data=st.data())
@settings(max_examples=examples(4))
def test_greedy_respects_limits_and_losses(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """It picks what is allowed, wins at once if a pick can, and loses at once only if all do."""
    game = Game(data.draw(rules).engine)
    for position in unfinished(game):
        chosen = GreedyPlayer().candidates(position)
        assert chosen
        assert {*chosen} <= {*position.legal}
        if isinstance(chosen[0], Declare) or position.asking:
            continue
        seat = position.turn

        def winner(move: int, before: Position = position) -> int | None:
            outcome = before.play(move).outcome
            return None if outcome is None else outcome.winner

        ends = {move: winner(move) for move in position.picks}
        numbers = [move for move in chosen if isinstance(move, int)]
        if game.picks.limited_later or game.rules.losses:
            if seat in ends.values():
                assert {ends[number] for number in numbers} == {seat}
            elif {*ends.values()} != {3 - seat}:
                assert 3 - seat not in {ends[number] for number in numbers}


@pytest.mark.slow
@pytest.mark.parametrize("rules", [LIMITED, with_losses(with_limits(open_rules((3, 5))))])
@given(data=st.data())
@settings(max_examples=examples(4))
def test_a_card_under_limits_keeps_its_promise_or_is_refused(
    rules: st.SearchStrategy[Twins], data: st.DataObject
) -> None:
    """Whatever may be taken, the card is followed against every reply."""
    start = Game(data.draw(rules).engine).start()
    winner = Solver(start.game).score(start)
    try:
        card = strategy_for(start)
    except NoCard:
        return
    verify_card(card)
    assert card.goal == ("win" if winner else "draw")


def test_a_threat_is_a_number_that_may_be_taken_and_does_not_lose() -> None:
    """1 and 2 wait for 3: barred after 8, and lost if it also completes a losing set."""
    three = Pattern("arithmetic", (("length", 3),))
    pool = tuple(range(1, 9))
    near = Game(Rules(pool, (three,), restrictions=(Restriction("within", "last", by=4),)))
    assert near.play("1 5 2 4").threats(1) == (3,)
    assert near.play("1 5 2 6 8").threats(1) == ()
    bust = Pattern("sum", (("count", 2), ("equals", 5)))
    losing = Game(Rules(pool, (three,), losses=(bust,)))
    assert losing.play("1 5 2 7").threats(1) == ()
    assert 3 not in GreedyPlayer().candidates(losing.play("1 5 2 7"))


def test_being_stuck_is_used_and_avoided() -> None:
    """Whoever cannot move loses: greedy and the hint take the number that leaves none."""
    last = (Criterion("last-pick", "higher"),)
    divides = (Restriction("divisor-or-multiple", "last"),)
    game = Game(Rules(tuple(range(1, 8)), (), last, restrictions=divides))
    position = game.play("2 6 3")
    assert position.picks == (1,)
    assert game.play("2 4").picks == (1,)
    opening = game.play("1")
    assert GreedyPlayer().candidates(opening) == [5, 7]
    assert hint_for(opening).moves == (5, 7)


def test_a_strategy_of_a_game_that_is_not_solved_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In one sentence that says why."""
    monkeypatch.setattr("ninefold.coach.strategy.SECONDS", 0)
    with pytest.raises(NinefoldError) as refused:
        strategy_for(Game(Rules(tuple(range(1, 17)), (SUM_OF_THREE,))).start())
    assert refused.value.code == "too-large"
    assert "too large to solve in 0 seconds, and a card must be proved" in refused.value.message


def test_a_line_that_is_plain_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its search may have to be compiled first, which takes half a minute."""
    game = load("sequence-duel-arithmetic", changes="pool=1-20")
    monkeypatch.setattr("ninefold.coach.hint.solver_for", None)
    monkeypatch.setattr("ninefold.coach.defence.solver_for", None)
    monkeypatch.setattr(advice, "solver_for", None)
    found = hint_for(game.play("1"), PATIENCE)
    assert (found.kind, found.value) == ("defends", ("loss", 4))
    assert len(found.line) == 4
