"""Who wins by force, how, and what the pie rule makes of it: always what the solver says."""

import re
from typing import Any

import pytest
from unit.audit.auditing import audited, book_with, subject_of

from ninefold import books
from ninefold.audit import Audit, audit
from ninefold.audit.best_play import best_play
from ninefold.audit.fairness import change_lines, result_lines
from ninefold.audit.figures import PATTERN, Decider, deciders
from ninefold.audit.subject import Subject
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.pages.words import move_words
from ninefold.solver import Solver, Value

READINGS = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]


def pie_sentence(found: Audit) -> str:
    """What the report says about the pie rule."""
    return change_lines(found)[0].text.partition(". By chance")[0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_the_pie_sentence_is_what_the_solver_says(name: str, reading: str) -> None:
    """The winner, the shortest and the longest game over all openings, and a game without end."""
    said = pie_sentence(audited(name, reading))
    game = books.load_book(name, reading, ("pie=true",)).game
    solver = Solver(game)
    value, moves = solver.value(game.start()), solver.moves(game.start())
    plies = {format_move(item.move): item.plies for item in moves if item.result == value.result}
    if value.result == "draw":
        assert said.endswith("never ends" if value.plies is None else "drawn")
        return
    assert ("the second player wins" in said) == (value.result == "loss")
    lengths = [*map(int, re.findall(r"\d+(?= to| moves)", said))]
    assert lengths == sorted({min(plies.values()), max(plies.values())})  # type: ignore[type-var]
    if value.result == "loss" and len(lengths) > 1:
        longest = [move_words(move) for move in plies if plies[move] == max(lengths)]
        assert re.findall(r"\d+|losing the turn", said.partition("; ")[2]) == longest


def test_the_pie_sentence_of_three_books() -> None:
    """It once said 8 moves whatever the opening, and a draw where the game never ends."""
    assert pie_sentence(audited("sequence-duel-arithmetic", "default")) == (
        "The pie rule: whatever the first player opens with, the second player wins in 6 to 8 "
        "moves; 1, 2, 8 and 9 last longest"
    )
    assert pie_sentence(audited("sequence-duel-sum", "lose-turn")) == (
        "The pie rule: the first player would lose the turn, and with best play the game never "
        "ends."
    ).removesuffix(".")
    assert pie_sentence(audited("sequence-builder", "open-hand")).endswith("; 2 lasts longest")


HOW = {
    ("sequence-duel-arithmetic", "default"): "by a set, arithmetic (length 3)",
    ("sequence-capture", "default"): (
        "on the tie-break, longest-run (higher wins) or run-start (lower wins)"
    ),
    ("sequence-duel-sum", "retry"): "by a set, sum-triple",
    ("sequence-duel-sum", "lose-turn"): "by a set, sum-triple",
    ("sequence-builder", "open-hand"): ("by a set, arithmetic (length 3) or geometric (length 3)"),
    ("sequence-builder", "three-slots"): (
        "by a set, arithmetic (length 3) or geometric (length 3)"
    ),
    ("sequence-builder", "three-slots-in-order"): (
        "on the tie-break, hand-sum (higher wins) or last-pick (lower wins)"
    ),
    ("pattern-builder", "automatic"): "by a set, arithmetic (length 3) or geometric (length 3)",
    ("pattern-builder", "declare"): "by a set, arithmetic (length 3) or geometric (length 3)",
    ("magic-fifteen", "default"): None,
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_a_report_says_first_who_wins_how_fast_and_by_what(name: str, reading: str) -> None:
    """For every book, with the openings that lose."""
    found = audited(name, reading)
    lines = [line.text for line in result_lines(found)]
    assert lines[0].startswith("Best play: ")
    how = HOW[name, reading]
    assert lines[1] == (f"How: {how}." if how else "Neither player can force a win.")
    losing = [move_words(item.move) for item in found.openings if item.result == "loss"]
    (openings,) = [line for line in lines if line.startswith("Openings that lose")] or [""]
    assert re.findall(r"\d+|losing the turn", openings) == losing


def test_four_in_a_row_cannot_be_forced() -> None:
    """The report of sequence-capture says so, and gives a game of best play."""
    lines = [line.text for line in result_lines(audited("sequence-capture", "default"))]
    assert "The first player cannot force a set: the second player can always avoid it." in lines
    assert lines[-1].startswith("A game of best play: ")


def forced(game: Game, position: Position, seat: int, wanted: Any) -> float:
    """In how many moves this player can force a wanted end, by trying every move."""
    if position.outcome is not None:
        return 0 if position.outcome.winner == seat and wanted(deciders(position)) else float("inf")
    after = [forced(game, position.play(move), seat, wanted) for move in position.legal]
    return 1 + (min(after) if position.turn == seat else max(after))


THREE = {"arithmetic": {"length": 3}}
RUNS = [{"measure": "longest-run", "prefer": "higher"}, {"measure": "lowest", "prefer": "lower"}]
UP = [[one, two] for one in range(1, 5) for two in range(one + 1, 5)]
UP_OR_DOWN = {
    "up": {"family": "sets", "sets": UP},
    "down": {"family": "sets", "sets": [[two, one] for one, two in UP]},
}
SMALL: list[dict[str, Any]] = [
    {"pool": "1-6", "wins": THREE, "ending": [{"measure": "hand-sum", "prefer": "higher"}]},
    {"pool": "1-6", "wins": {"consecutive": {"length": 3}}, "ending": RUNS},
    {"pool": "1-6", "wins": {**THREE, "sum-triple": {}}, "otherwise": "first"},
    {"pool": "1-6", "wins": {"sum-triple": {}}, "misere": True, "ending": RUNS},
    {"pool": "1-5", "wins": THREE, "declare": True, "ending": RUNS},
    {"pool": "1-5", "ending": [{"measure": "last-pick", "prefer": "higher"}]},
    {"pool": "1-5", "wins": THREE, "passing": True, "otherwise": "second"},
    {"pool": "1-6", "wins": THREE, "picks-per-turn": 2, "ending": RUNS},
    # The same two numbers win by either pattern, in one order or the other.
    {"pool": "1-4", "wins": UP_OR_DOWN, "in-order": True, "hand-limit": 2},
]


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_what_can_be_forced_is_what_trying_every_move_says(rules: dict[str, Any]) -> None:
    """By each rule alone, by a set at all, and by the ending at all."""
    book = book_with(rules)
    game, found = book.game, best_play(subject_of(book))
    assert found is not None
    assert found.winner is not None

    def moves(wanted: Any) -> int | None:
        plies = forced(game, game.start(), found.winner or 0, wanted)
        return None if plies == float("inf") else int(plies)

    every = [Decider(PATTERN, at) for at in range(len(game.rules.wins))]
    every += [Decider("link", at) for at in range(len(game.rules.ending))]
    every += [Decider("other", 0, game.rules.otherwise)] * (game.rules.otherwise != "draw")
    assert [rule.plies for rule in found.rules] == [
        moves(lambda by, item=item: item in by) for item in every
    ]
    assert found.set_in == moves(lambda by: any(item.kind == PATTERN for item in by))
    assert found.ending_in == moves(lambda by: any(item.kind != PATTERN for item in by))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_a_forced_set_is_what_the_solver_finds_without_the_ending(name: str, reading: str) -> None:
    """In the game in which the winner has lost without a set."""
    book = books.load_book(name, reading)
    found = best_play(subject_of(book))
    assert found is not None
    if found.winner is None:
        return
    lost = {1: "second", 2: "first"}[found.winner]
    game = Game(book.game.rules._replace(ending=(), otherwise=lost))  # type: ignore[arg-type]
    result, plies = Solver(game).value(game.start())
    assert found.set_in == (plies if result == {1: "win", 2: "loss"}[found.winner] else None)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_the_game_of_best_play_is_one(name: str, reading: str) -> None:
    """Every move is one of the best, and it takes as long as the solver says."""
    found = audited(name, reading).best_play
    assert found is not None
    assert found.shown is not None
    positions, solver = found.shown.positions, Solver(found.shown.game)
    for position, move in zip(positions, found.shown.moves, strict=False):
        assert move in solver.best(position)
    assert positions[-1].outcome is not None
    assert positions[-1].outcome.winner == found.winner


def test_a_game_with_too_many_positions_still_says_whether_a_set_can_be_forced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only which rule decides is unknown then."""
    whole = best_play(subject_of(books.load_book("sequence-builder")))
    monkeypatch.setattr("ninefold.audit.best_play.MAX_POSITIONS", 10)
    found = audit(books.load_book("sequence-builder")).audits[0]
    assert whole is not None
    assert found.best_play is not None
    assert (found.best_play.set_in, found.best_play.rules) == (whole.set_in, ())
    lines = [line.text for line in result_lines(found)]
    assert lines[1:3] == [
        "Which rule decides: unknown (too many positions).",
        "The first player can force a set, in 5 moves.",
    ]


@pytest.mark.parametrize(
    "rules",
    [
        *SMALL,
        {"pool": "1-6", "wins": THREE, "pie": True, "ending": RUNS},
        {"pool": "1-7", "wins": THREE, "hand-limit": 3, "in-order": True, "ending": RUNS},
    ],
    ids=str,
)
def test_without_looking_at_all_positions_a_forced_set_is_the_same(
    rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the win comes too soon for the ending, or the game without the ending tells."""
    known = best_play(subject_of(book_with(rules)))
    monkeypatch.setattr("ninefold.audit.best_play.MAX_POSITIONS", 1)
    found = best_play(subject_of(book_with(rules)))
    assert known is not None
    assert found is not None
    assert (found.winner, found.set_in) == (known.winner, known.set_in)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("sequence-duel-arithmetic", 17, ["How: by a set, arithmetic (length 3)."]),
        (
            "sequence-builder",
            18,
            [
                "Which rule decides: unknown (too many positions).",
                "The first player can force a set, in 5 moves.",
            ],
        ),
    ],
)
def test_on_a_large_pool_a_win_before_any_ending_is_a_set(
    name: str, size: int, said: list[str]
) -> None:
    """The report once said that this was unknown."""
    found = audit(books.load_book(name, None, (f"pool=1-{size}",))).audits[0]
    assert [line.text for line in result_lines(found)][1 : len(said) + 1] == said


def test_on_a_large_pool_a_search_that_finds_nothing_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the game without its ending is not solved, nobody knows whether a set can be forced."""
    subject = subject_of(books.load_book("sequence-capture"))
    assert subject.value.result == "win"
    monkeypatch.setattr("ninefold.audit.best_play.MAX_POSITIONS", 1)
    for value in (Value("unknown", None), Value("win", None)):
        variant = subject_of(book_with({"pool": "1-3"}))
        variant.value = value
        monkeypatch.setattr(Subject, "variant", lambda *_, found=variant, **__: found)
        assert best_play(subject) is None


def test_how_a_large_game_is_won_is_unknown() -> None:
    """The report says so, instead of guessing from one line of play."""
    book = books.load_book("sequence-capture", None, ("pool=1-40",))
    found = audit(book, seconds=0.01).audits[0]
    assert found.best_play is None
    lines = [line.text for line in result_lines(found)]
    assert "How the win comes about: unknown (the time ran out)." in lines


def test_a_match_between_perfect_players_may_never_end() -> None:
    """If losing the turn is best for both, nobody ever wins and no game is drawn."""
    book = books.load_book("sequence-duel-sum", "lose-turn", ("pie=true",))
    found = audit(book).audits[0]
    assert result_lines(found)[0].text == "Best play: the game never ends."
    assert (
        "between perfect players no game ever ends, whoever starts." in change_lines(found)[1].text
    )
