"""The public Python API, as a notebook would use it."""

import doctest
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy
import pytest

import ninefold


def test_the_example_in_the_package_docstring_is_true() -> None:
    """It is run, not believed."""
    results = doctest.testmod(ninefold)
    assert results.attempted >= 4
    assert results.failed == 0


def test_a_game_reads_well() -> None:
    """Load, play, ask what is legal, who won, why, with which numbers."""
    game = ninefold.load("sequence-builder", "three-slots")
    position = game.start(first=2).play(4).play(1).play(6)
    assert position.turn == 1
    assert position.hands == ((1,), (4, 6))
    assert position.legal == [2, 3, 5, 7, 8, 9]
    assert position.threats(2) == (2, 5, 8, 9)
    outcome = position.play(3).play(9).outcome
    assert outcome is not None
    assert outcome.winner == 2
    assert outcome.reason == "geometric"
    assert outcome.sets == ((4, 6, 9),)


def test_errors_say_what_to_do() -> None:
    """A code for programs, a sentence for people."""
    position = ninefold.load("sequence-capture").play("5")
    with pytest.raises(ninefold.Illegal) as caught:
        position.play(5)
    assert caught.value.code == "taken"
    assert str(caught.value) == "5 is already taken. Choose one of: 1 2 3 4 6 7 8 9 10"


def test_a_pass_may_be_left_out_of_a_list_of_moves() -> None:
    """Picking on, or ending the list, answers the question with no."""
    game = ninefold.load("pattern-builder", "declare")
    assert game.play("5 4 7 6 9 1").hands == ((5, 7, 9), (4, 6, 1))
    nobody = game.play("7 8 1 4 9 6 3 5 2").outcome
    assert nobody == ninefold.Outcome(2, "first-complete", ((4, 6, 8),))
    last = game.play("7 8 1 4 9 6 3 5 2 declare:1:2:3").outcome
    assert last == ninefold.Outcome(1, "arithmetic", ((1, 2, 3),))


def test_a_written_list_means_the_same_everywhere() -> None:
    """An unavailable number is the lost turn that the reading makes of it."""
    game = ninefold.load("sequence-duel-sum", "lose-turn")
    assert game.play("5 5 4 99 9") == game.play("5 lost 4 lost 9")
    with pytest.raises(ninefold.Illegal):
        ninefold.load("sequence-duel-sum").play("5 5")


def test_the_smallest_set_is_announced_first_whatever_its_family() -> None:
    """1 2 4 is geometric, 2 4 6 arithmetic; one pick completes both."""
    outcome = ninefold.load("pattern-builder").play("2 9 6 7 1 3 4").outcome
    assert outcome == ninefold.Outcome(1, "geometric", ((1, 2, 4), (2, 4, 6)))


def test_positions_of_a_game_loaded_twice_are_equal() -> None:
    """A notebook can compare them."""
    one, two = ninefold.load("sequence-capture"), ninefold.load("sequence-capture")
    assert one.play("5 6") == two.play("5 6")


def test_every_public_name_is_there() -> None:
    """Names are imported on first use, tab completion shows them, a wrong one is refused."""
    assert dir(ninefold) == sorted(
        "Declare Game Illegal LOST Move NinefoldError Outcome PASS Position SWAP Unreadable "
        "__version__ audit_game games hint load play_game review solve".split()
    )
    for name in dir(ninefold):
        assert getattr(ninefold, name) is not None
    with pytest.raises(AttributeError):
        _ = ninefold.Nonsense


def test_changes_are_one_string_or_several() -> None:
    """One change needs no tuple; a path stands for a file."""
    assert ninefold.load("magic-fifteen", changes="pool=1-8").pool == tuple(range(1, 9))
    several = ninefold.load("magic-fifteen", changes=["pool=1-8", "pie=true"])
    assert several.start().play(5).play(ninefold.SWAP).hands == ((), (5,))
    gallery = Path(__file__).parents[2] / "docs" / "gallery"
    assert ninefold.load(gallery / "tic-tac-toe.toml").name == "tic-tac-toe"


def test_solve_tells_the_value_of_a_position_or_a_game() -> None:
    """A game stands for its start; a large one is unknown when time has run out."""
    game = ninefold.load("magic-fifteen")
    assert tuple(ninefold.solve(game)) == ("draw", 9)
    assert tuple(ninefold.solve(game.play("5 7"))) == ("win", 5)
    changes = ["pool=1-60", "wins.arithmetic.length=6"]
    large = ninefold.load("sequence-duel-arithmetic", changes=changes)
    assert ninefold.solve(large, seconds=0.1).result == "unknown"
    with pytest.raises(ninefold.NinefoldError, match=r"The game is over\."):
        ninefold.solve(game.play("5 1 4 2 6"))


def test_a_hint_reads_well() -> None:
    """Its moves as data, its sentences when printed."""
    hint = ninefold.hint(ninefold.load("sequence-duel-arithmetic").play("9 8"))
    assert hint.moves == (5,)
    assert str(hint).splitlines() == [
        "Look for a number that makes two threats at once.",
        "Take 5.",
        "After 5 you threaten 1 and 7; only one of them can be stopped.",
    ]
    assert ninefold.hint(ninefold.load("magic-fifteen")).kind == "even"


def test_a_review_of_moves_that_were_played() -> None:
    """A game or its name, and the moves in any form; a pass may be left out."""
    named = ninefold.review("sequence-duel-arithmetic", "1 5 9 6 2 4")
    game = ninefold.load("sequence-duel-arithmetic")
    assert ninefold.review(game, [1, 5, 9, 6, 2, 4]) == named
    assert [item.verdict for item in named.judgements] == "threw only lost kept lost kept".split()
    assert "Player 1 threw the win away." in str(named)
    asked = ninefold.load("pattern-builder", "declare")
    short = ninefold.review(asked, "5 4 7 6 9 1 2 declare:5:7:9")
    full = ninefold.review(asked, "5 4 7 6 9 pass 1 pass 2 declare:5:7:9")
    assert short == full
    with pytest.raises(TypeError, match="needs the moves"):
        ninefold.review(game)


def test_a_review_of_a_record(tmp_path: Path) -> None:
    """Without moves, a record is read: who began, the moves, how it ended."""
    from unit.record.records import settings_of

    from ninefold import books
    from ninefold.record.text import format_settings

    path = tmp_path / "game.ninefold"
    settings = settings_of(books.load_book("sequence-duel-arithmetic"), first=2)
    path.write_text(format_settings(settings) + "1. 1\n2. 5\n")
    review = ninefold.review(path)
    assert [(item.seat, item.move) for item in review.judgements] == [(2, 1), (1, 5)]


def test_a_game_a_book_or_a_name_can_be_audited() -> None:
    """All three mean the same; the readings and changes of a loaded game are kept."""
    from ninefold import books

    game = ninefold.load("sequence-duel-arithmetic")
    reports = [
        ninefold.audit_game(item)
        for item in (game, books.load_book("sequence-duel-arithmetic"), "sequence-duel-arithmetic")
    ]
    assert [len(report.audits[0].false_claims) for report in reports] == [2, 2, 2]
    changed = ninefold.load("sequence-duel-arithmetic", changes="pool=1-5")
    assert ninefold.audit_game(changed).audits[0].book.changes == ("pool=1-5",)
    reading = ninefold.load("sequence-builder", "three-slots")
    assert ninefold.audit_game(reading).audits[0].book.reading == "three-slots"


def test_a_game_made_in_python_is_audited_without_claims() -> None:
    """It has figures like any other."""
    rules = ninefold.load("sequence-duel-arithmetic").rules._replace(pool=(1, 2, 3, 4, 5))
    (audit,) = ninefold.audit_game(ninefold.Game(rules, "mine")).audits
    assert (audit.book.id, audit.claims, audit.examples) == ("mine", (), ())
    assert tuple(audit.value) == tuple(ninefold.solve(ninefold.Game(rules)))


def _handed_out(roots: list[object]) -> Iterator[object]:
    """Every object of ours that can be reached from these by the names tab completion shows."""
    seen: dict[int, object] = {}
    while roots:
        item = roots.pop()
        if id(item) in seen or isinstance(item, str | int | float | type | Callable):
            continue
        seen[id(item)] = item
        if type(item).__module__.startswith("ninefold."):
            yield item
            unknown = {"began"} if isinstance(item, ninefold.Position) else set()
            names = [name for name in dir(item) if not name.startswith("_")]
            roots += [getattr(item, name) for name in names if name not in unknown]
        elif isinstance(item, Mapping):
            roots += [*item, *item.values()]
        elif isinstance(item, Iterable):
            roots += [*item]


@pytest.mark.slow
def test_every_result_shows_itself_in_a_line_or_two_and_has_no_names_of_tuples() -> None:
    """Whatever a notebook prints by itself is short; tab completion offers what is its own."""
    from ninefold.coach import Review, puzzle_at, strategy_for, verify_card
    from ninefold.solver import Solver

    game = ninefold.load("sequence-capture")
    duel = ninefold.load("sequence-duel-arithmetic").play("9")
    asked = ninefold.load("pattern-builder", "declare").play("5 4 7 6 9")
    card = strategy_for(game.start())
    roots: list[object] = [ninefold.audit_game("sequence-builder", all_readings=True)]
    roots += [ninefold.review(game, "1 10 8 5 7 6 3 9 4 2"), card, verify_card(card)]
    roots += [ninefold.hint(duel), ninefold.hint(asked), puzzle_at(duel), game.state()]
    roots += [Solver(game).moves(game.start()), duel.play(1).play(5).play(2), asked.legal]
    found = [*_handed_out(roots)]
    assert {type(item).__name__ for item in found} >= set(
        "Audit BestPlay Book Card ClaimFinding Criterion Declare ExampleFinding Figures Game Hint "
        "Judgement MoveValue Outcome Pattern Position Puzzle Report Review RuleFinding Rules Value "
        "Words".split()
    )
    assert [type(item) for item in found if len(repr(item)) > 160 or "\n" in repr(item)] == []
    assert {type(item) for item in found if {"count", "index"} & {*dir(item)}} == {Review}
    review = next(item for item in found if isinstance(item, Review))
    assert review.count(1, "threw", "kept", "lost", "even", "only") == 5  # this one is its own


def test_a_short_repr_shows_every_field_and_a_long_one_the_start_of_each() -> None:
    """So the verdict is seen although the sentences are long."""
    from ninefold.audit.finding import ClaimFinding

    assert repr(ninefold.Outcome(1, "sum", ((1, 5, 9),))) == (
        "Outcome(winner=1, reason='sum', sets=((1, 5, 9),))"
    )
    assert repr(ClaimFinding("winner", "x" * 100, "y" * 100, "refuted", (), None)) == (
        f"ClaimFinding(kind='winner', says='{'x' * 33}…, because='{'y' * 30}…, "
        "verdict='refuted', evidence=(), reason=None)"
    )
    rules = ninefold.load("magic-fifteen").rules._replace(pool=tuple(range(60)), wins=())
    late = repr(ninefold.Game(rules, "long").play(range(59)))
    assert late.startswith("<long: [0, 2, 4, ")
    assert late.endswith("…>")
    assert len(late) == 160


@pytest.mark.parametrize("seat", [0, 3, -1, 7, "1"])
def test_a_seat_that_does_not_exist_is_refused_everywhere(seat: int) -> None:
    """Nothing is answered for somebody else."""
    from ninefold.coach import strategy_for
    from ninefold.encoding import encoding_for

    game = ninefold.load("sequence-duel-arithmetic")
    start, finished, encoding = game.start(), game.play("1 9 2 8 3"), encoding_for(game)
    review = ninefold.review(game, "1 5")
    for ask in (
        lambda: start.threats(seat),
        lambda: strategy_for(start, seat),
        lambda: encoding.reward(finished, seat),
        lambda: encoding.reward(start, seat),
        lambda: encoding.observe(start, seat),
        lambda: encoding.mask(start, seat),
        lambda: review.count(seat, "threw"),
    ):
        with pytest.raises(ValueError, match=f"a seat is 1 or 2, not {seat!r}"):
            ask()


def test_a_move_is_accepted_in_any_form_wherever_one_is_expected() -> None:
    """An integer of any kind or its notation, and nothing else."""
    import numpy

    from ninefold.coach import review_game
    from ninefold.layout import layout_for
    from ninefold.solver import Solver

    game = ninefold.load("sequence-duel-sum", "lose-turn")
    start, five = game.start(), (5, "5", " 5 ", numpy.int64(5))
    assert [start.attempt(move) for move in five] == [5] * 4
    assert [layout_for(game).action(move) for move in five] == [4] * 4
    assert [Solver(game).move_value(start, move).move for move in five] == [5] * 4
    assert {review_game(game, [move]).judgements[0].move for move in five} == {5}
    assert start.attempt("12") is start.attempt("lost") is ninefold.LOST
    assert layout_for(game).action("lost") == 9
    for ask in (start.attempt, layout_for(game).action, start.play):
        with pytest.raises(ninefold.Unreadable):
            ask("x")
        for wrong in (None, True, 5.0):
            with pytest.raises(TypeError, match="not a move"):
                ask(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [99, "pass", "swap", "declare:1:2:3"])
def test_a_move_that_has_no_action_is_illegal(move: int | str) -> None:
    """With the actions there are."""
    from ninefold.layout import layout_for

    with pytest.raises(ninefold.Illegal) as error:
        layout_for(ninefold.load("magic-fifteen")).action(move)
    reason = f"{move} is not an action of this game."
    assert error.value.message == f"{reason} Choose one of: 1, 2, 3, 4, 5, 6, 7, 8, 9."


def test_a_hint_names_the_fastest_win() -> None:
    """A set must still be declared, and passing wins at once."""
    changes = ["pool=1-6", "passing=true", 'otherwise="first"']
    game = ninefold.load("pattern-builder", "declare", changes)
    hint = ninefold.hint(game.play([4, 6, 1, ninefold.PASS]))
    assert (hint.kind, hint.moves, tuple(hint.value)) == ("tie-break", (ninefold.PASS,), ("win", 1))
    slower = ninefold.hint(game.play([4, 6, 1, 3]))
    assert (slower.kind, slower.moves, slower.value.plies) == ("completes", (2,), 2)


def test_importing_the_package_is_cheap() -> None:
    """No front end and no dependency comes along."""
    code = (
        "import sys, ninefold; ninefold.load('sequence-capture').play('5 6'); "
        "print([m for m in ('prompt_toolkit', 'platformdirs', 'argparse', 'ninefold.cli', "
        "'ninefold.line', 'dataclasses') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


def test_the_example_in_the_coach_docstring_is_true() -> None:
    """It is run, not believed."""
    import ninefold.coach

    results = doctest.testmod(ninefold.coach)
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_example_in_the_solver_docstring_is_true() -> None:
    """It is run, not believed."""
    import ninefold.solver

    results = doctest.testmod(ninefold.solver)
    assert results.attempted >= 5
    assert results.failed == 0


def test_a_refusal_comes_back_whole_from_another_process() -> None:
    """Its kind, code, words and number; whatever it was made with."""
    import pickle

    with pytest.raises(ninefold.Illegal) as refused:
        ninefold.load("magic-fifteen").play("5 5")
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is ninefold.Illegal
    assert (again.code, again.number) == (refused.value.code, 5)
    assert (str(again), again.message) == (str(refused.value), refused.value.message)


def test_the_name_of_a_game_will_do() -> None:
    """For its start, as the path of a file does; anything else is refused in words."""
    book = Path(__file__).parents[2] / "docs" / "gallery" / "tic-tac-toe.toml"
    assert ninefold.solve(book) == ninefold.solve(ninefold.load(book))
    assert ninefold.hint(book).kind == "even"
    assert ninefold.solve("magic-fifteen") == ("draw", 9)
    assert (
        ninefold.hint("magic-fifteen").moves == ninefold.hint(ninefold.load("magic-fifteen")).moves
    )
    with pytest.raises(
        TypeError, match="expected a position, a game or the name of a game, found 5"
    ):
        ninefold.solve(5)  # type: ignore[arg-type]


def test_a_set_is_declared_in_any_order_and_of_any_integers() -> None:
    """As a tuple or a list; what the outcome holds are plain integers."""
    asked = ninefold.load("pattern-builder", "declare").play("1 4 2 5 3")
    ways: list[Any] = [(3, 2, 1), [1, 2, 3], (numpy.int64(2), 1, 3), numpy.array([3, 1, 2])]
    for numbers in ways:
        outcome = asked.play(ninefold.Declare(numbers)).outcome
        assert outcome is not None
        assert outcome.sets == ((1, 2, 3),)
        assert {type(number) for number in outcome.sets[0]} == {int}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda game: game.play(5), "moves are a text such as '5 3' or a list, not 5"),
        (lambda game: game.play(b"5 3"), "moves are a text"),
        (lambda game: game.play({5, 3}), "moves are a text"),
        (lambda _: ninefold.load("magic-fifteen", 5), "a reading is a name, not 5"),  # type: ignore[arg-type]
        (lambda game: ninefold.review(game.start()), "expected a game, its name or a recorded"),
        (lambda game: ninefold.audit_game(game.start()), "expected a game, a book or a name"),
        (lambda game: ninefold.solve(game, seconds=-1), "seconds must be 0 or more, not -1"),
        (lambda game: ninefold.solve(game, seconds=float("nan")), "seconds must be 0 or more"),
        (lambda game: game.start().threats(1.0), "integer"),
    ],
)
def test_a_wrong_argument_is_told_in_a_sentence(call: Callable[[Any], object], says: str) -> None:
    """Not by an error from somewhere inside."""
    with pytest.raises((TypeError, ValueError), match=says):
        call(ninefold.load("magic-fifteen"))


def test_a_move_may_have_spaces_around_it() -> None:
    """As a line of input has."""
    assert ninefold.load("magic-fifteen").start().play(" 9 ").hands == ((9,), ())
