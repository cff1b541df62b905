"""The referee: inputs in, events out, and nothing a player types costs more than it should."""

from collections.abc import Sequence

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.core.errors import Illegal
from ninefold.core.moves import LOST, PASS, declare
from ninefold.core.outcome import Outcome
from ninefold.players import Chance
from ninefold.referee import MAX_LAPSES, Referee
from ninefold.referee.events import (
    Command,
    Ended,
    Event,
    Forfeited,
    Moved,
    Refused,
    SetAside,
    TakenBack,
)


def referee(name: str, reading: str | None = None, **tags: object) -> Referee:
    """A referee of this book whose clock has been started at time 0; people play unless told."""
    book = books.load_book(name, reading)
    made = Referee(book.game, settings_of(book, **tags))
    made.begin_turn(0)
    return made


def declaring(wins: dict[str, object]) -> Referee:
    """A referee of a game on 1 to 9 in which these sets must be declared."""
    rules = {"pool": "1-9", "wins": wins, "declare": True}
    book = books.read_book({"id": "sets", "title": "Sets", "rules": rules})
    return Referee(book.game, settings_of(book))


def type_in(game: Referee, *lines: str) -> list[Event]:
    """The events of the last of these lines, each typed by whoever is to act."""
    events: list[Event] = []
    for line in lines:
        events = game.submit(game.position.turn, line, 0)
    return events


def refusal(events: Sequence[Event]) -> str:
    """The code of the one refusal among the events."""
    (event,) = events
    assert isinstance(event, Refused)
    return event.error.code


def test_a_move_and_the_end_it_brings_are_two_events() -> None:
    """The winning pick is reported as a move, then as the end."""
    game = referee("sequence-duel-arithmetic")
    events = type_in(game, "4", "pick 6", "5", "7", "3")
    outcome = Outcome(1, "arithmetic", ((3, 4, 5),))
    assert events == [Moved(1, 3), Ended(outcome)]
    assert game.outcome == outcome


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("5", "taken"),
        ("10", "not-in-pool"),
        ("x", "unreadable"),
        ("", "empty"),
        ("pass", "no-pass"),
    ],
)
def test_bad_input_costs_nothing_by_default(text: str, code: str) -> None:
    """The same player is asked again, and the position is the same."""
    game = referee("sequence-duel-sum")
    type_in(game, "5")
    before = game.position
    assert refusal(type_in(game, text)) == code
    assert game.position is before


def test_an_unavailable_number_loses_the_turn_where_the_reading_says_so() -> None:
    """Taken and outside alike; text that is no number does not."""
    game = referee("sequence-duel-sum", "lose-turn")
    type_in(game, "5")
    assert type_in(game, "5") == [Moved(2, LOST, "invalid", 5)]
    assert game.position.turn == 1
    assert type_in(game, "99") == [Moved(1, LOST, "invalid", 99)]
    assert refusal(type_in(game, "five")) == "unreadable"
    assert game.position.turn == 2


def test_only_the_player_to_act_may_move() -> None:
    """A move from the other seat is refused."""
    game = referee("sequence-capture")
    assert refusal(game.submit(2, "5", 0)) == "not-your-turn"
    assert refusal(game.move(2, 5, 0)) == "not-your-turn"
    assert game.move(1, 5, 0) == [Moved(1, 5)]


def test_commands_are_handed_to_the_front_end() -> None:
    """Help, board, rules, save and quit change nothing here."""
    game = referee("sequence-capture")
    for text in ("help", "board", "rules", "quit"):
        assert type_in(game, text) == [Command(text)]
    assert type_in(game, "save a b") == [Command("save", "a b")]


def test_resigning_ends_the_game_for_the_other_player() -> None:
    """Either seat may resign at any time."""
    game = referee("sequence-capture")
    outcome = Outcome(1, "resignation")
    assert game.resign(2) == [Forfeited(2, "resignation"), Ended(outcome)]
    assert refusal(game.resign(1)) == "game-over"
    assert refusal(game.undo(1, 0)) == "game-over"
    assert refusal(game.submit(1, "5", 0)) == "game-over"


def test_undo_between_people_takes_back_one_move() -> None:
    """Whoever types it, the last move goes."""
    game = referee("sequence-capture")
    type_in(game, "5", "6", "4")
    assert type_in(game, "undo") == [TakenBack(2)]
    assert game.moves == (5, 6)
    assert type_in(game, "undo", "undo") == [TakenBack(0)]
    assert refusal(type_in(game, "undo")) == "nothing-to-undo"


def test_undo_against_a_computer_goes_back_to_ones_own_turn() -> None:
    """The computer's answer goes with the move it answered."""
    game = referee("sequence-capture", seat2="random")
    for seat, number in ((1, 5), (2, 6), (1, 4), (2, 7)):
        game.move(seat, number, 0)
    assert game.undo(1, 0) == [TakenBack(2)]
    assert game.position.turn == 1
    assert game.undo(1, 0) == [TakenBack(0)]
    assert refusal(game.undo(1, 0)) == "nothing-to-undo"


def test_the_question_of_the_declare_reading() -> None:
    """From the third number on: declare, or pass; a wrong claim costs nothing."""
    game = referee("pattern-builder", "declare")
    type_in(game, "5", "4", "7", "6")
    assert type_in(game, "9") == [Moved(1, 9)]
    assert game.position.asking
    assert refusal(type_in(game, "1")) == "asked"
    assert refusal(type_in(game, "declare 4 5 6")) == "not-in-hand"
    assert refusal(type_in(game, "declare 5 7")) == "not-a-set"
    assert refusal(type_in(game, "declare 5 5 5")) == "not-a-set"
    assert type_in(game, "") == [Moved(1, PASS)]
    type_in(game, "1", "")
    outcome = Outcome(1, "arithmetic", ((5, 7, 9),))
    assert type_in(game, "declare 9 7 5") == [Moved(1, declare([5, 7, 9])), Ended(outcome)]


@pytest.mark.parametrize("typed", ["9 7 5", "5,7,9", "declare:5:7:9", "declare 5,7,9"])
def test_numbers_alone_answer_the_question(typed: str) -> None:
    """And only there: elsewhere one number is taken at a time."""
    game = referee("pattern-builder", "declare")
    type_in(game, "5", "4", "7", "6")
    assert refusal(type_in(game, "5 7 9")) == "unreadable"
    type_in(game, "9")
    outcome = Outcome(1, "arithmetic", ((5, 7, 9),))
    assert type_in(game, typed) == [Moved(1, declare([5, 7, 9])), Ended(outcome)]


def test_a_set_may_be_a_single_number_and_declared_by_it() -> None:
    """Then a number alone is an answer, too; any other one leaves the question open."""
    game = declaring({"sum": {"count": 1, "equals": 2}})
    type_in(game, "2")
    assert refusal(type_in(game, "4")) == "asked"
    assert type_in(game, "2")[0] == Moved(1, declare([2]))


def test_the_sizes_of_a_set_are_told_in_one_phrase() -> None:
    """Not each as if it were the only one."""
    game = declaring({"arithmetic": {"length": 3}, "sum": {"count": 2, "equals": 8}})
    type_in(game, "1", "3", "2")
    (event,) = type_in(game, "declare 2")
    assert isinstance(event, Refused)
    assert event.error.reason == "2 does not win: it takes exactly 2 or 3 numbers."


def test_the_last_pick_is_still_followed_by_the_question() -> None:
    """Only when it is passed does the first completer win."""
    game = referee("pattern-builder", "declare")
    type_in(game, "7", "8", "1", "4", "9", "", "6", "", "3", "", "5", "", "2")
    assert game.outcome is None
    assert game.position.asking
    outcome = Outcome(2, "first-complete", ((4, 6, 8),))
    assert type_in(game, "") == [Moved(1, PASS), Ended(outcome)]


def test_running_out_of_time_loses_the_game() -> None:
    """The default, exactly at the deadline and not before."""
    game = referee("sequence-capture", time_limit=30)
    assert game.tick(29.9) == []
    assert game.tick(30) == [Forfeited(1, "timeout"), Ended(Outcome(2, "timeout"))]


def test_running_out_of_time_loses_the_turn_if_agreed() -> None:
    """The other player's clock starts at that moment."""
    game = referee("sequence-capture", time_limit=30, on_timeout="lose-turn")
    assert game.tick(31) == [Moved(1, LOST, "timeout")]
    assert game.deadline == 61
    assert game.position.turn == 2


def test_running_out_of_time_draws_a_number_if_agreed() -> None:
    """The number is an available one, drawn with the seed of the game."""
    game = referee("sequence-capture", time_limit=30, on_timeout="random", seed=7)
    numbers = [*range(1, 11)]
    for ply, seat in enumerate((1, 2)):
        drawn = Chance(7).draw(numbers, ply)
        assert game.tick(30 * (ply + 1)) == [Moved(seat, drawn, "timeout")]
        numbers.remove(drawn)


def test_an_answer_that_comes_too_late_is_not_a_move() -> None:
    """The time is looked at before the text is."""
    game = referee("sequence-capture", time_limit=30, on_timeout="lose-turn")
    assert game.submit(1, "5", 30) == [Moved(1, LOST, "timeout")]
    assert game.position.hands == ((), ())


@pytest.mark.parametrize("policy", ["lose-turn", "random"])
def test_a_question_that_runs_out_of_time_is_passed(policy: str) -> None:
    """The number has been claimed in time, so nothing more is lost."""
    game = referee("pattern-builder", "declare", time_limit=30, on_timeout=policy)
    type_in(game, "5", "4", "7", "6", "9")
    assert game.tick(30) == [Moved(1, PASS, "timeout")]
    assert game.outcome is None


def test_a_question_that_runs_out_of_time_loses_the_game_by_default() -> None:
    """Running out of time is running out of time."""
    game = referee("pattern-builder", "declare", time_limit=30)
    type_in(game, "5", "4", "7", "6", "9")
    assert game.tick(30) == [Forfeited(1, "timeout"), Ended(Outcome(2, "timeout"))]


def test_a_turn_cannot_be_given_away_where_the_reading_does_not_say_so() -> None:
    """A program may send the move lost only where a player could choose it."""
    assert refusal(referee("sequence-duel-sum").move(1, LOST, 0)) == "no-pass"
    assert referee("sequence-duel-sum", "lose-turn").move(1, LOST, 0) == [Moved(1, LOST)]


def test_undo_restarts_the_clock() -> None:
    """The player who chooses again has a full turn."""
    game = referee("sequence-capture", time_limit=30)
    game.submit(1, "5", 10)
    game.undo(1, 25)
    assert game.deadline == 55


def test_a_computer_takes_nothing_back() -> None:
    """Only a person does."""
    game = referee("sequence-capture", seat2="random")
    game.move(1, 5, 0)
    assert refusal(game.undo(2, 0)) == "computer"


def test_nonsense_from_a_programmer_is_an_error() -> None:
    """A misspelt policy and a third seat are not taken for something else."""
    with pytest.raises(ValueError, match="on_timeout must be one of"):
        referee("sequence-capture", on_timeout="lose-trun")
    with pytest.raises(ValueError, match="a seat is 1 or 2, not 3"):
        referee("sequence-capture").resign(3)


def test_a_computer_has_no_clock() -> None:
    """Only people run out of time."""
    game = referee("sequence-capture", time_limit=30, seat1="random")
    assert game.deadline is None
    game.move(1, 5, 10)
    assert game.deadline == 40


def test_a_table_nobody_sits_at_is_set_aside() -> None:
    """Turn after turn lapses; a single move starts the count anew."""
    game = referee("sequence-capture", time_limit=1, on_timeout="lose-turn")
    for now in range(1, MAX_LAPSES):
        assert SetAside(now) not in game.tick(now)
    game.submit(game.position.turn, "5", MAX_LAPSES - 0.5)
    start = game.deadline
    assert start is not None
    for late in range(MAX_LAPSES - 1):
        assert len(game.tick(start + late)) == 1
    assert game.tick(start + MAX_LAPSES)[-1] == SetAside(MAX_LAPSES)
    assert game.outcome is None


def test_a_full_hand_is_skipped_after_a_lost_turn() -> None:
    """With three slots, a lost turn lets one hand fill early; the other player plays on alone."""
    game = referee("sequence-builder", "three-slots", time_limit=1, on_timeout="lose-turn")
    type_in(game, "1", "4", "2")
    game.tick(1)
    assert [game.position.turn, game.moves[-1]] == [1, LOST]
    game.submit(1, "6", 1)
    assert game.position.turn == 2
    game.submit(2, "5", 1)
    assert game.position.turn == 2
    game.submit(2, "9", 1)
    assert game.outcome == Outcome(2, "hand-sum")


@pytest.mark.parametrize(
    "fact",
    [
        Moved(0, LOST),
        Moved(0, 5, "timeout"),
        Moved(0, LOST, "timeout"),
        Moved(0, 11),
        Moved(0, PASS),
        TakenBack(0),
        Forfeited(1, "timeout"),
    ],
)
def test_a_recorded_fact_that_cannot_have_happened_is_refused(fact: object) -> None:
    """Without a clock nobody runs out of time, and nobody loses a turn in this book."""
    with pytest.raises(Illegal):
        referee("sequence-capture").replay(fact)  # type: ignore[arg-type]
