"""Each place where a rule book contradicts itself, stated and shown by the engine."""

from itertools import combinations

import ninefold
from ninefold import books
from ninefold.core.game import Game


def example(book: str, name: str) -> dict[str, object]:
    """What the book asserts in the example of this name."""
    return dict(next(item for item in books.load_book(book).examples if item["name"] == name))


def splits_without_a_set(game: Game) -> list[tuple[set[int], set[int]]]:
    """Every way to share out the whole pool so that nobody holds a winning set."""
    pool = set(game.pool)
    halves = (set(half) for size in range(len(pool) + 1) for half in combinations(game.pool, size))
    return [
        (half, pool - half)
        for half in halves
        if not any(set(line) <= half or set(line) <= pool - half for line in game.sets)
    ]


def smaller(game: Game) -> Game:
    """The same rules on the numbers 1 to 8."""
    return Game(game.rules._replace(pool=tuple(range(1, 9))))


def test_arithmetic_example_2_is_over_after_five_moves() -> None:
    """The book goes on to nine moves and lets Player 2 win; Player 1 has won with 2 4 6."""
    told = example("sequence-duel-arithmetic", "Example 2")
    assert told["says"] == {"winner": 2, "reason": "last-pick"}
    moves = str(told["moves"]).split()
    outcome = ninefold.load("sequence-duel-arithmetic").play(" ".join(moves[:5])).outcome
    assert outcome == ninefold.Outcome(1, "arithmetic", ((2, 4, 6),))


def test_arithmetic_last_pick_rule_cannot_be_used_on_nine_numbers() -> None:
    """Every way to share out 1-9 holds a progression; 1-8 has ways that do not."""
    game = ninefold.load("sequence-duel-arithmetic")
    assert splits_without_a_set(game) == []
    assert ({1, 2, 5, 6}, {3, 4, 7, 8}) in splits_without_a_set(smaller(game))


def test_sum_has_no_draws_but_not_because_the_pool_is_finite() -> None:
    """On 1-9 somebody always has a sum; 1-8 is just as finite and can be drawn."""
    game = ninefold.load("sequence-duel-sum")
    assert splits_without_a_set(game) == []
    assert ({1, 2, 4, 8}, {3, 5, 6, 7}) in splits_without_a_set(smaller(game))
    assert smaller(game).play("1 3 2 5 4 6 8 7").outcome == ninefold.Outcome(None, "draw")


def test_pattern_builder_has_no_draws_but_not_because_of_its_reason() -> None:
    """Five of nine numbers prove nothing: on 1-8, with four of eight, there is a draw."""
    game = ninefold.load("pattern-builder")
    assert splits_without_a_set(game) == []
    assert smaller(game).play("1 3 2 4 5 7 6 8").outcome == ninefold.Outcome(None, "draw")


def test_builder_scenario_2_is_won_before_any_sum_is_compared() -> None:
    """Player 1's 1 4 7 is itself an arithmetic progression, in every reading."""
    told = example("sequence-builder", "Scenario 2")
    assert told["hands"] == [[1, 4, 7], [2, 5, 6]]
    for reading in books.load_book("sequence-builder").readings:
        outcome = ninefold.load("sequence-builder", reading).play("1 2 4 5 7").outcome
        assert outcome == ninefold.Outcome(1, "arithmetic", ((1, 4, 7),))


def test_builder_scenario_3_fears_a_set_player_2_cannot_hold() -> None:
    """After 2 4 the 2 is Player 1's, so a 6 gives Player 2 nothing."""
    told = example("sequence-builder", "Scenario 3")
    fear = {"after": 2, "player": 2, "with": 6, "could-form": [2, 4, 6]}
    assert fear in told["statements"]  # type: ignore[operator]
    for reading in books.load_book("sequence-builder").readings:
        position = ninefold.load("sequence-builder", reading).play("2 4")
        assert 6 not in position.threats(2)
        assert 2 in position.hands[0]


def test_builder_sample_interaction_announces_a_number_nobody_picked() -> None:
    """The book announces 3 5 7 for a hand of 3 9 5; nobody has won."""
    told = example("sequence-builder", "Sample interaction")
    assert told["says"] == {"winner": 1, "reason": "arithmetic", "set": [3, 5, 7]}
    for reading in books.load_book("sequence-builder").readings:
        position = ninefold.load("sequence-builder", reading).play("3 6 9 2 5")
        assert position.hands[0] == (3, 9, 5)
        assert position.outcome is None


def test_all_other_examples_are_right() -> None:
    """What the remaining examples assert is what the engine says."""
    wrong = {
        ("sequence-duel-arithmetic", "Example 2"),
        ("sequence-builder", "Scenario 2"),
        ("sequence-builder", "Sample interaction"),
    }
    checked = 0
    for name in books.names():
        book = books.load_book(name)
        for told in book.examples:
            if (name, told["name"]) in wrong:
                continue
            outcome = book.game.play(told["moves"]).outcome
            says = told["says"]
            assert (outcome.winner or 0 if outcome else 0) == says["winner"]
            if "set" in says:
                assert outcome
                assert outcome.reason == says["reason"]
                assert outcome.sets[0] == tuple(says["set"])
            checked += 1
    assert checked == 11
