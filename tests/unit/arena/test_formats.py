"""Formats: who meets whom, and when a sequential test knows."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as some

from ninefold.arena.formats import FORMATS, Results
from ninefold.arena.formats.sequential import (
    Hypotheses,
    explain,
    judge,
    likelihood_ratio,
    score_of,
)
from ninefold.arena.formats.swiss import pair_up
from ninefold.arena.tournament import Tournament, make_tournament

NAMES = [f"p{at}" for at in range(7)]


def tournament(players: int, format_: str, **fields: object) -> Tournament:
    """A tournament of random players."""
    entrants = [{"player": "random", "name": name} for name in NAMES[:players]]
    data = {"players": entrants, "games": [{"game": "magic-fifteen"}], "format": format_}
    return make_tournament({**data, **fields})


def test_everybody_meets_everybody_or_the_first() -> None:
    """Once."""
    for name, expected in (
        ("round-robin", [*combinations(range(5), 2)]),
        ("gauntlet", [(0, 1), (0, 2), (0, 3), (0, 4)]),
    ):
        pairings = FORMATS[name].next_round(tournament(5, name), Results({}))
        assert [(pairing.one, pairing.two) for pairing in pairings] == expected
        assert {pairing.pairs for pairing in pairings} == {50}


@pytest.mark.parametrize("players", [2, 5, 6, 7])
def test_swiss_pairs_nobody_twice_and_lets_everybody_sit_out_at_most_once(players: int) -> None:
    """As long as there is somebody left to meet; neighbours in the ranking meet."""
    rounds = players - 1
    swiss = tournament(players, "swiss", **{"swiss-rounds": rounds})
    results, met, rested = (
        Results({name: at for at, name in enumerate(NAMES)}),
        Counter[object](),
        Counter[int](),
    )
    chance = Random(players)
    for number in range(1, rounds + 1):
        pairings = FORMATS["swiss"].next_round(swiss, results)
        playing = [at for pairing in pairings for at in (pairing.one, pairing.two)]
        assert len(playing) == len({*playing}) == players // 2 * 2
        rested.update({*range(players)} - {*playing})
        for pairing in pairings:
            assert pairing.round == number
            met[pairing.one, pairing.two] += 1
            for seat in (1, 2):
                names = [NAMES[pairing.one], NAMES[pairing.two]]
                row = {
                    "pair": f"{number}{pairing}",
                    "round": number,
                    "players": names[:: 3 - 2 * seat],
                }
                results.add({**row, "winner": chance.choice((1, 2, None))})
        results.rounds += 1
    if players % 2 == 0 and players < 6:
        assert max(met.values()) == 1
    assert max(rested.values(), default=0) <= 1
    assert not FORMATS["swiss"].next_round(swiss, results)


def test_swiss_pairs_neighbours_who_have_not_met() -> None:
    """The first with the best who is left; if all have met, they meet again."""
    assert pair_up([3, 1, 0, 2], set(), []) == [(1, 3), (0, 2)]
    assert pair_up([3, 1, 0, 2], {(1, 3)}, []) == [(0, 3), (1, 2)]
    assert pair_up([0, 1], {(0, 1)}, []) == [(0, 1)]
    assert pair_up([0, 1, 2], set(), []) == [(0, 1)]
    assert pair_up([0, 1, 2], set(), [2]) == [(0, 2)]


def test_swiss_does_not_look_at_a_round_that_is_not_complete() -> None:
    """Or the pairings would depend on which games end first."""
    swiss = tournament(4, "swiss")
    results = Results({name: at for at, name in enumerate(NAMES)})
    first = FORMATS["swiss"].next_round(swiss, results)
    for seat in (1, 2):
        names = ["p1", "p0"][:: 3 - 2 * seat]
        results.add({"pair": "x", "round": 1, "players": names, "winner": seat})
    assert FORMATS["swiss"].next_round(swiss, results) == first


TEST = Hypotheses(0.5, score_of(20))


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        ({4: 200}, "better"),
        ({0: 200}, "not better"),
        ({2: 3000}, "not better"),
        ({4: 1}, "open"),
        ({}, "open"),
        ({0: 100, 4: 100}, "open"),
        ({3: 400}, "better"),
        ({4: 10**9}, "better"),
        ({0: 10**9}, "not better"),
    ],
)
def test_a_test_survives_all_wins_all_losses_and_all_draws(
    counts: dict[int, int], decision: str
) -> None:
    """Nothing is divided by a variance of nothing."""
    assert judge(Counter(counts), TEST).decision == decision


def test_the_ratio_is_that_of_the_likelihoods() -> None:
    """For wins and losses alone it is known in closed form; for many pairs, nearly so."""
    from math import log

    wins, losses, s0, s1 = 60, 40, 0.5, 0.55
    exact = wins * log(s1 / s0) + losses * log((1 - s1) / (1 - s0))
    assert likelihood_ratio([losses, 0, 0, 0, wins], s0, s1) == pytest.approx(exact, abs=0.02)
    counts = [1000, 2000, 4000, 2200, 1100]
    mean = sum(at / 4 * many for at, many in enumerate(counts)) / sum(counts)
    spread = sum((at / 4 - mean) ** 2 * many for at, many in enumerate(counts)) / sum(counts)
    normal = sum(counts) * 0.005 * (2 * mean - 1.005) / (2 * spread)
    assert likelihood_ratio(counts, 0.5, 0.505) == pytest.approx(normal, rel=0.02)


@settings(max_examples=examples(50))
@given(some.lists(some.integers(0, 10**6), min_size=5, max_size=5), some.floats(0.1, 0.8))
def test_both_sides_of_a_test_agree(counts: list[int], score: float) -> None:
    """From the other player's side, the ratio has the other sign."""
    ratio = likelihood_ratio(counts, score, score + 0.1)
    mirrored = likelihood_ratio(counts[::-1], 1 - score, 0.9 - score)
    assert ratio == pytest.approx(mirrored, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("elo", "expected"), [(0.0, "not better"), (60.0, "better")])
def test_a_test_errs_as_seldom_as_it_promises(elo: float, expected: str) -> None:
    """Of 60 tests at 5%, more than 9 wrong ones are less likely than one in a thousand."""
    test, chance = Hypotheses(0.5, score_of(60), batch=8), Random(int(elo) + 5)
    share = score_of(elo)
    right = 0
    for _ in range(60):
        counts = Counter[int]()
        while (verdict := judge(counts, test)).decision == "open":
            counts.update(
                2 * (chance.random() < share) + 2 * (chance.random() < share) for _ in range(8)
            )
        right += verdict.decision == expected
    assert right >= 51


def test_the_verdict_is_said_in_plain_words() -> None:
    """Who is better, and by which figures."""
    text = explain(judge(Counter({4: 90, 2: 10}), TEST), TEST, ("new", "old"))
    assert text.startswith("new is better than old. After 100 pairs of games it has 95.0% of the")
    text = explain(judge(Counter({0: 90}), TEST), TEST, ("new", "old"))
    assert text.startswith("new is not better than old, or not by as much as was asked.")
    loss = Hypotheses(0.45, 0.5)  # has it become worse?
    text = explain(judge(Counter({0: 90}), loss), loss, ("new", "old"))
    assert text.startswith("new is worse than old.")
    text = explain(judge(Counter({4: 90}), loss), loss, ("new", "old"))
    assert text.startswith("new is not worse than old, or not by as much as was asked.")
    text = explain(judge(Counter({2: 1}), TEST), TEST, ("new", "old"))
    assert text.startswith("It is not known yet whether new is better than old.")
