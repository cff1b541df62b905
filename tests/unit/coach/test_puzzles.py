"""Choosing puzzles, and finding one's own mistakes."""

from pathlib import Path
from typing import Any

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.coach.card import text
from ninefold.coach.mistakes import Mistake, find_mistakes
from ninefold.coach.puzzle import Puzzle, choose, difficulty, puzzle_at, puzzles
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import parse_moves
from ninefold.record.store import Store
from ninefold.record.text import format_fact, format_settings
from ninefold.referee.events import Moved, TakenBack
from ninefold.solver import is_small

CAPTURE = books.load_book("sequence-capture").game
DUEL = books.load_book("sequence-duel-arithmetic").game


def test_chosen_puzzles_are_of_every_rating_the_easiest_first() -> None:
    """Five of five ratings; of six, the sixth is a hard one; the seed decides which."""
    chosen = choose(puzzles(CAPTURE), 5, seed=1)
    assert [puzzle.rating for puzzle in chosen] == [1, 2, 3, 4, 5]
    assert [puzzle.rating for puzzle in choose(puzzles(CAPTURE), 6, 1)] == [1, 2, 3, 4, 5, 5]
    assert choose(puzzles(CAPTURE), 5, seed=1) == chosen
    assert choose(puzzles(CAPTURE), 5, seed=2) != chosen


def test_no_puzzle_is_chosen_twice_and_none_is_left_out() -> None:
    """Asking for more than there are gives all of them, in order."""
    few = puzzles(CAPTURE)[::100]
    chosen = choose(few, 1000, seed=3)
    assert [difficulty(puzzle) for puzzle in chosen] == [difficulty(puzzle) for puzzle in few]
    assert {puzzle.identity for puzzle in chosen} == {puzzle.identity for puzzle in few}


def test_few_positions_are_a_small_game_however_many_numbers_there_are() -> None:
    """Under restrictions and caps, positions are counted instead of numbers."""
    rules = {
        "pool": "1-12",
        "restrictions": [{"must": "divisor-or-multiple", "compared-with": "last"}],
        "caps": [{"total": "sum", "of": "taken", "at-most": 40}],
        "ending": [{"measure": "last-pick", "prefer": "higher"}],
    }
    game = books.read_book({"rules": rules}, stem="road").game
    assert is_small(game)
    assert puzzles(game)
    assert strategy_for(game.start()).goal == "win"
    del rules["caps"]
    assert not is_small(books.read_book({"rules": {**rules, "pool": "1-16"}}, stem="road").game)


def test_a_card_tells_winning_sets_from_losing_ones() -> None:
    """To complete a losing set would be the wrong number to take."""
    rules = {"pool": "1-8", "wins": {"sum": {"count": 3, "equals": 15}}}
    plain = books.read_book({"rules": rules}, stem="basket").game
    losing = {**rules, "losses": {"consecutive": {"length": 2}}}
    for game, words in (
        (plain, "completes a set for you"),
        (books.read_book({"rules": losing}, stem="basket").game, "completes a winning set for you"),
    ):
        card = strategy_for(game.start(), 1)
        assert words in text(card, "", verify_card(card))


def test_a_position_that_is_no_puzzle() -> None:
    """Several numbers win, none does, only one is left, or the game is over."""
    assert puzzle_at(DUEL.start()) is None
    assert puzzle_at(DUEL.play("5")) is None
    assert puzzle_at(DUEL.play("4 9 5 8 6")) is None
    assert puzzle_at(CAPTURE.play("1 10 8 5 7 6 3 9 4")) is None


def test_a_puzzle_and_its_identity() -> None:
    """The same position is the same puzzle, however it was reached and whoever is to move."""
    found = puzzle_at(DUEL.play("9"))
    assert found is not None
    assert (found.answer, found.plies, found.rating) == (5, 7, 4)
    other = puzzle_at(DUEL.play("9", first=2))
    assert other is not None
    assert other.identity == found.identity == f"{DUEL.fingerprint}::9"
    one, two = (puzzle_at(DUEL.play(moves)) for moves in ("9 8 1", "1 8 9"))
    assert one is not None
    assert two is not None
    assert one.identity == two.identity


def test_the_order_counts_in_the_identity_where_it_counts_in_the_game() -> None:
    """In order, two orders are two puzzles."""
    game = books.load_book("sequence-builder", "three-slots-in-order").game
    identities = {puzzle.identity for puzzle in puzzles(game)}
    assert len(identities) == len(puzzles(game))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reading", "most"),
    [
        ("sequence-capture", "default", 11),
        ("sequence-builder", "three-slots-in-order", 9),
        ("pattern-builder", "declare", 9),
    ],
)
def test_a_game_too_large_is_refused(name: str, reading: str, most: int) -> None:
    """With the number of numbers that would do, and does."""
    rules = books.load_book(name, reading).game.rules
    for size in (most + 1, 15):
        with pytest.raises(NinefoldError, match=f"puzzles: with these rules, up to {most} numbers"):
            puzzles(Game(rules._replace(pool=tuple(range(1, size + 1)))))
    assert puzzles(Game(rules._replace(pool=tuple(range(1, most + 1)))))


def test_the_number_of_numbers_told_is_one_that_can_be_known_too() -> None:
    """Declaring allows nine, but with two numbers a turn only seven can be known."""
    rules = books.load_book("pattern-builder", "declare").game.rules._replace(picks_per_turn=2)
    with pytest.raises(NinefoldError, match="up to 7 numbers"):
        puzzles(Game(rules))


def record(store: Store, name: str, moves: str, lines: str = "", **tags: Any) -> None:
    """A recorded game of sequence-duel-arithmetic, with more lines behind its moves."""
    settings = settings_of(books.load_book("sequence-duel-arithmetic"), **tags)
    text = format_settings(settings)
    for plies, move in enumerate(parse_moves(moves), 1):
        text += format_fact(Moved(0, move), plies)
    Path(store.path(name)).write_text(text + lines)


def found_in(store: Store) -> list[tuple[object, ...]]:
    """Where the mistakes are, and what was played."""
    return [(item.game, item.ply, item.played) for item in find_mistakes(store)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty folder of records."""
    return Store(str(tmp_path))


def test_a_missed_win_is_found(store: Store) -> None:
    """After 9, only 5 wins, and Bob took 8."""
    record(store, "a", "9 8 1 5")
    (mistake,) = find_mistakes(store)
    assert isinstance(mistake, Mistake)
    assert (mistake.puzzle.answer, mistake.played, mistake.ply) == (5, 8, 2)
    assert (mistake.game, mistake.date, mistake.names) == (
        "a",
        "2026-01-02T03:04:05Z",
        ("Ann", "Bob"),
    )
    assert mistake.puzzle.position.hands == ((9,), ())
    assert mistake.puzzle.moves == (9,)


def test_a_computer_makes_no_mistakes_here(store: Store) -> None:
    """Only people practise; who started is respected."""
    record(store, "a", "9 8", seat2="random")
    record(store, "b", "9 8", seat1="random", first=2)
    record(store, "c", "9 8", seat1="random")
    assert found_in(store) == [("c", 2, 8)]


def test_a_move_taken_back_is_forgiven(store: Store) -> None:
    """What counts is the move that stood."""
    undo = format_fact(TakenBack(1), 1)
    record(store, "a", "9 8", undo + "2. 5\n")
    assert found_in(store) == []
    record(store, "a", "9 5", undo + "2. 7\n")
    assert found_in(store) == [("a", 2, 7)]


def test_moves_taken_over_from_another_game_count_only_there(store: Store) -> None:
    """Or playing on from a review would make old mistakes new."""
    record(store, "a", "9 8 1", given=2)
    assert found_in(store) == []
    record(store, "a", "9 8 1", given=1)
    assert found_in(store) == [("a", 2, 8)]


def test_a_move_of_the_clock_is_nobodys_mistake(store: Store) -> None:
    """A number drawn when time was up."""
    record(store, "a", "9", "2. timeout lost\n", time_limit=9.0, on_timeout="lose-turn")
    assert found_in(store) == []


def test_the_same_mistake_twice_is_one_with_the_later_date(store: Store) -> None:
    """So that it comes back."""
    record(store, "a", "9 8")
    record(store, "b", "9 7", date="2026-02-02T03:04:05Z")
    assert [(item.game, item.date[:7]) for item in find_mistakes(store)] == [("b", "2026-02")]


def test_damaged_and_large_records_are_in_nobodys_way(store: Store) -> None:
    """Both are reported, the rest is read."""
    record(store, "a", "9 8")
    record(store, "b", "9 9")
    changed = "pool=1-30"
    large = books.load_book("sequence-duel-arithmetic", None, (changed,)).game
    record(store, "c", "9 8", changes=changed, rules=large.fingerprint)
    said: list[str] = []
    found = find_mistakes(store, warn=said.append)
    assert [item.game for item in found] == ["a"]
    damaged, left_out = said
    assert "b.ninefold, line" in damaged
    assert left_out == (
        "Skipped 1 game that is too large to solve: with these rules, up to 14 numbers."
    )


def test_every_puzzle_can_be_reached_by_its_moves() -> None:
    """The moves lead to the position."""
    for puzzle in puzzles(CAPTURE)[::50]:
        assert isinstance(puzzle, Puzzle)
        assert CAPTURE.play(puzzle.moves, puzzle.first) == puzzle.position


def test_too_many_numbers_for_puzzles_are_refused_with_the_most_there_can_be() -> None:
    """One more with passing than where order counts, one less than where turns are plain."""
    for changes, most in (("passing=true", 10), ("picks-per-turn=2", 11), ("pie=true", 11)):
        game = books.load_book("magic-fifteen", None, (f"pool=1-{most + 1}", changes)).game
        with pytest.raises(NinefoldError) as refused:
            puzzles(game)
        assert refused.value.code == "too-large"
        assert f"up to {most} numbers." in str(refused.value)
