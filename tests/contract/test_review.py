"""Every verdict of a review is what brute force says."""

from __future__ import annotations

import random

import pytest
from effort import examples

from contract import naive
from contract.brute import BruteForce, brute_force
from contract.defences import best_defences
from contract.language import WRITTEN, Written
from contract.walks import READINGS, Case, engine_move, on_few_numbers, sample
from ninefold.coach.review import Judgement, Review, judge, review_game
from ninefold.coach.review_words import remarks, report
from ninefold.core.moves import Move

MEANING = {
    "only": (True, {"win", "draw"}),
    "kept": (True, {"win"}),
    "even": (True, {"draw"}),
    "threw": (False, {"win"}),
    "slipped": (False, {"draw"}),
    "lost": (True, {"loss"}),
}


def results(brute: BruteForce, state: naive.State) -> tuple[str, dict[Move, str]]:
    """Win, draw or loss: the state for the player to act, and each move for its maker."""
    values = brute.values(state).items()
    return brute.value(state)[0], {engine_move(move): value[0] for move, value in values}


def check(before: str, values: dict[Move, str], item: Judgement) -> None:
    """What a move kept or gave away, that the better moves kept it, and that only means only."""
    after = values[item.move]
    kept, possible = MEANING[item.verdict]
    assert (before == after, before in possible) == (kept, True)
    assert (item.before.result, item.after.result) == (before, after)
    keeping = [option for option, value in values.items() if value == before]
    alone = keeping == [item.move] and len(values) > 1 and before != "loss"
    assert (item.verdict == "only") == alone
    assert set(item.better) == (set() if kept else set(keeping))
    assert (item.line[:1] == ()) == kept
    assert set(item.line[:1]) <= set(keeping)


@pytest.mark.parametrize("case", on_few_numbers(READINGS, 7), ids=str)
def test_the_verdict_on_every_move(case: Case) -> None:
    """Positions that differ only in the names of the players are looked at once."""
    assert verdicts_of(case) >= {"only", "kept", "threw", "lost"}


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_the_verdict_on_every_move_under_every_rule(case: Written) -> None:
    """In the positions of the books that use the whole language."""
    assert verdicts_of(case, 120) <= set(MEANING)


def verdicts_of(case: Case | Written, most: int = 400) -> set[str]:
    """Judge every move in so many positions, in the long run in all; the verdicts there were."""
    brute = brute_force(case)
    verdicts: set[str] = set()
    once = {position.key: (state, position) for state, position in brute.pairs}
    for state, position in sample([*once.values()], most):
        if position.outcome is None:
            before, values = results(brute, state)
            for move in values:
                item = judge(position, move, 1)
                check(before, values, item)
                best = best_defences(brute, state) if item.verdict == "lost" else {}
                assert set(item.best) == set(best)
                verdicts.add(item.verdict)
    return verdicts


@pytest.mark.parametrize("case", [*on_few_numbers(READINGS, 7), *WRITTEN], ids=str)
def test_a_review_judges_each_move_of_a_game(case: Case | Written) -> None:
    """Random games: the judgements are those of their moves, and the result is decided once."""
    brute, chance = brute_force(case), random.Random(1)
    for _ in range(examples(6)):
        states, moves = [naive.start(1)], list[naive.Move]()
        while naive.result(brute.rules, states[-1]) is None and len(moves) < 40:
            moves.append(chance.choice(brute.moves(states[-1])))
            states.append(naive.play(brute.rules, states[-1], moves[-1]))
        played: list[Move] = [engine_move(move) for move in moves]
        judged = review_game(case.game, played)
        assert [item.move for item in judged.judgements] == played
        for state, item in zip(states, judged.judgements, strict=False):
            check(*results(brute, state), item)
        for state, item in zip(states[1:], judged.judgements, strict=True):
            over = naive.result(brute.rules, state)
            assert item.standing == (over.winner if over else leader(brute, state))
            assert item.proved
        for reader in (None, 1, 2):
            check_texts(judged, reader)
        result = naive.result(brute.rules, states[-1])
        if result is not None:
            leaders = [leader(brute, state) for state in states[:-1]] + [result.winner]
            assert judged.decided is not None
            assert set(leaders[judged.decided :]) == {result.winner}
            assert judged.decided == 0 or leaders[judged.decided - 1] != result.winner


def check_texts(judged: Review, reader: int | None) -> None:
    """No notation of records; the reader is you; each mistake names something better."""
    names = ("Anna", "Ben")
    text, each = report(judged, names, reader), remarks(judged, names, reader)
    assert len(each) == len(judged.judgements)
    assert "declare:" not in text
    assert reader is None or names[reader - 1] not in text
    assert (reader is None) == ("you" not in text.casefold())
    mistakes = [item.verdict in ("threw", "slipped") for item in judged.judgements]
    assert mistakes == ["better: " in said for said in each]
    chances = ["back in" in said for said in each]
    threw = [item.verdict == "threw" for item in judged.judgements]
    assert all(given <= lost for given, lost in zip(chances, threw, strict=True))


def leader(brute: BruteForce, state: naive.State) -> int | None:
    """Who wins from an unfinished state under best play."""
    winners = {"win": state.turn, "loss": naive.other(state.turn)}
    return winners.get(brute.value(state)[0])
