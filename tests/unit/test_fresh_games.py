"""Rule books drawn at random: valid, new, and full of decisions."""

import json
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest

from ninefold import books
from ninefold.books.check import examine_text
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.fresh_games import tree_digest
from ninefold.fresh_games.book_file import format_rule_book
from ninefold.fresh_games.drawing import (
    BUILT_IN_TREES,
    draw_books,
    figures_of,
    without_dead_rules,
)
from ninefold.solver.graph import Graph

CHEAP = [("magic-fifteen", "default"), ("sequence-duel-sum", "retry")]


@pytest.mark.slow
def test_drawn_books_keep_their_promises() -> None:
    """No remark of the check, enough decisions in both seats, a tree that is new, no dead rule."""
    drawn = [*islice(draw_books("tests", 0.3), 2)]
    assert len({one.tree for one in drawn} | {*BUILT_IN_TREES.values()}) == 2 + len(
        {*BUILT_IN_TREES.values()}
    )
    for one in drawn:
        report = examine_text(one.text, f"{one.id}.toml")
        assert (report.faults, report.warnings) == ([], [])
        assert report.book is not None and report.book.generated
        assert report.book.game.fingerprint == one.game.fingerprint
        assert min(one.figures.decisions) >= 0.3
        assert one.figures == figures_of(Graph(report.book.game.start()))
        assert one.figures.plies is None or one.figures.plies >= 4
        assert without_dead_rules(one.game) is one.game
        json.dumps(one.as_data())


@pytest.mark.slow
def test_a_seed_repeats_its_books() -> None:
    """Another seed gives others."""
    first, again, other = (next(draw_books(seed)) for seed in ("tests", "tests", "2026-11"))
    assert (first.text, first.tree) == (again.text, again.tree)
    assert other.tree != first.tree


def test_a_share_that_no_game_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of drawing for ever."""
    monkeypatch.setattr("ninefold.fresh_games.drawing.MOST_TRIES", 3)
    with pytest.raises(NinefoldError, match="Ask for a smaller share"):
        next(draw_books("x", 1.0))


@pytest.mark.parametrize("name", CHEAP)
def test_the_trees_of_built_in_books_are_those_kept(name: tuple[str, str]) -> None:
    """A sample; all of them in the long run."""
    assert BUILT_IN_TREES[name] == tree_digest(books.load_book(*name).game)


@pytest.mark.long
def test_the_trees_of_all_built_in_books_are_those_kept() -> None:
    """By book and reading."""
    readings = [(name, one) for name in books.names() for one in books.load_book(name).readings]
    assert {one: tree_digest(books.load_book(*one).game) for one in readings} == BUILT_IN_TREES


def naive_decisions(game: Game) -> tuple[Fraction, Fraction]:
    """The share of decisions by the definition: minimax and random play, both written out."""

    @cache
    def value(position: Position) -> int:
        """1, 0 or -1 for player 1."""
        if position.outcome is not None:
            return {1: 1, 2: -1, None: 0}[position.outcome.winner]
        best = max if position.turn == 1 else min
        return best(value(position.play(number)) for number in position.available)

    moves, decisions = [Fraction(), Fraction()], [Fraction(), Fraction()]

    def follow(position: Position, chance: Fraction) -> None:
        if position.outcome is not None:
            return
        after = [position.play(number) for number in position.available]
        moves[position.turn - 1] += chance
        decisions[position.turn - 1] += chance * (len({*map(value, after)}) > 1)
        for child in after:
            follow(child, chance / len(after))

    follow(game.start(), Fraction(1))
    return decisions[0] / moves[0], decisions[1] / moves[1]


@pytest.mark.parametrize("change", ["wins.sum.equals=9", "misere=true", "wins.sum.count=2"])
def test_the_share_of_decisions_is_what_it_says(change: str) -> None:
    """Compared with the definition, on five numbers."""
    rules = ("pool=1-5", "wins.sum.equals=8", change)
    game = books.load_book("magic-fifteen", None, rules).game
    expected = tuple(round(float(share), 6) for share in naive_decisions(game))
    assert figures_of(Graph(game.start())).decisions == expected
    assert any(expected)


def test_a_dead_rule_is_found_and_left_out() -> None:
    """Counting even numbers decides nothing where all are odd."""
    rules = {
        "pool": [1, 3, 5, 7, 9],
        "wins": {"arithmetic": {"length": 3}},
        "ending": [{"measure": "count", "kind": "even", "prefer": "higher"}],
        "otherwise": "second",
    }
    game = books.read_book({"rules": rules}, stem="odd").game
    simpler = without_dead_rules(game)
    assert simpler.rules.ending == ()
    assert tree_digest(simpler) == tree_digest(game)


def test_a_written_book_has_the_same_rules() -> None:
    """Whatever fields a book uses, and without what is default anyway."""
    rules = {
        "pool": "1-8",
        "wins": {"sum": {"count": 3, "equals": 12}},
        "losses": {"chain": {"length": 3}},
        "ending": [{"measure": "distance", "prefer": "lower", "target": 9, "exceeding": False}],
        "otherwise": "first",
        "values": {"1": 4, "8": 0},
        "restrictions": [
            {"must-not": "difference", "by": 1, "compared-with": "last", "except": [4]}
        ],
        "caps": [{"total": "sum", "of": "own", "at-most": 20}],
        "stuck": "skip",
        "pie": True,
    }
    game = books.read_book({"rules": rules}, stem="all").game
    text = format_rule_book('A "title"', game)
    assert books.load_text(text, "all.toml").game.rules == game.rules
    assert "retry" not in text and "misere" not in text
