"""The clock of a whole game: what each player has left, and what happens when it runs out."""

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.outcome import Outcome
from ninefold.record.replay import Replay
from ninefold.record.text import (
    RecordError,
    format_fact,
    format_settings,
    parse_fact,
    parse_record,
)
from ninefold.referee import MAX_LAPSES, Referee
from ninefold.referee.events import Ended, Fact, Forfeited, Moved, SetAside, TakenBack


def timed(reading: str | None = None, **tags: object) -> Referee:
    """A game of magic fifteen with 60 seconds for each player, begun at time 0."""
    book = books.load_book("magic-fifteen", reading)
    made = Referee(book.game, settings_of(book, **{"game_time": 60.0, **tags}))
    made.begin_turn(0)
    return made


def left(game: Referee, now: float) -> tuple[float | None, float | None]:
    """What both players have left."""
    return game.clock.left(1, now), game.clock.left(2, now)


def test_only_the_time_of_the_player_to_act_runs() -> None:
    """A move stops one clock and starts the other."""
    game = timed()
    assert left(game, 10) == (50, 60)
    assert game.choose(1, 5, 10) == [Moved(1, 5, left=50)]
    assert left(game, 25.5) == (50, 44.5)
    assert game.choose(2, 1, 25.5) == [Moved(2, 1, left=44.5)]
    assert game.deadline == 75.5


def test_the_increment_is_added_after_each_turn() -> None:
    """It may exceed the time at the beginning."""
    game = timed(increment=2.0)
    assert game.choose(1, 5, 0.5) == [Moved(1, 5, left=61.5)]


def test_a_turn_of_two_numbers_has_one_increment() -> None:
    """It comes after the second number."""
    book = books.load_book("sequence-capture", None, ("picks-per-turn=2",))
    game = Referee(book.game, settings_of(book, game_time=60.0, increment=2.0))
    game.begin_turn(0)
    assert game.choose(1, 5, 1) == [Moved(1, 5, left=59)]
    assert game.choose(1, 8, 2) == [Moved(1, 8, left=60)]


def test_who_runs_out_of_time_for_the_game_loses_it() -> None:
    """Whatever the penalty for a turn is; a move at the deadline is too late."""
    game = timed(on_timeout="lose-turn")
    assert game.tick(59.999) == []
    assert game.choose(1, 5, 60) == [Forfeited(1, "timeout"), Ended(Outcome(2, "timeout"))]
    assert left(game, 99) == (60, 60)


def test_the_limit_of_a_turn_and_the_time_of_the_game_go_together() -> None:
    """The turn is lost at its limit; the game once no time is left."""
    game = timed(game_time=25.0, time_limit=10.0, on_timeout="lose-turn")
    for at in (10, 20, 30, 40):
        assert isinstance(game.tick(at)[0], Moved)
    assert left(game, 40) == (5, 5) and game.deadline == 45
    assert game.tick(45) == [Forfeited(1, "timeout"), Ended(Outcome(2, "timeout"))]


def test_a_computer_is_not_on_the_clock() -> None:
    """It has no time left to show, and no deadline."""
    game = timed(seat1="perfect")
    assert game.deadline is None and left(game, 1) == (None, 60)
    assert game.choose(1, 5, 100) == [Moved(1, 5)]
    assert game.deadline == 160


def test_undo_puts_the_clocks_back() -> None:
    """Both show what they showed before the move that was undone."""
    game = timed()
    game.choose(1, 5, 10)
    game.choose(2, 1, 20)
    assert game.undo(1, 30) == [TakenBack(1)]
    assert left(game, 30) == (50, 60) and game.deadline == 90


def test_nobody_is_on_the_clock_once_the_game_is_set_aside() -> None:
    """The next move starts it again."""
    game = timed(game_time=None, time_limit=1.0, on_timeout="lose-turn")
    for at in range(1, MAX_LAPSES):
        game.tick(at)
    assert isinstance(game.tick(MAX_LAPSES)[-1], SetAside)
    assert game.deadline is None and game.tick(1_000) == []
    game.choose(game.position.turn, 5, 2_000)
    assert game.deadline == 2_001


def played(game: Referee) -> list[tuple[float, Fact]]:
    """Times and facts of a game with everything a clock can do."""
    inputs = [(3.25, 5), (8.5, 1), (14.0, None), (20.125, 2), (21.0, 8), (30.0, 3)]
    facts: list[tuple[float, Fact]] = []
    for at, number in inputs:
        turn = game.position.turn
        events = game.undo(turn, at) if number is None else game.choose(turn, number, at)
        facts += [(at, event) for event in events if isinstance(event, Moved | TakenBack)]
    events = game.tick(1_000)
    return [*facts, *((1_000.0, event) for event in events if isinstance(event, Forfeited))]


def test_a_game_replays_with_its_times_to_the_same_clocks() -> None:
    """What happened when is enough; every fact is judged again, the time that was left too."""
    first, again = timed(increment=1.0), timed(increment=1.0)
    facts = played(first)
    assert isinstance(facts[-1][1], Forfeited) and len(facts) == 7
    for at, fact in facts:
        again.replay(fact, at)
        assert again.deadline is None or again.deadline > at
    assert left(again, 30) == left(first, 30) and again.made == first.made


@pytest.mark.parametrize(
    ("fact", "at"),
    [
        (Moved(1, 5, left=0.0), 60.0),
        (Forfeited(1, "timeout"), 59.0),
        (Moved(1, 5, left=58.0), 1.0),
        (Moved(1, 5), 1.0),
    ],
)
def test_a_fact_at_an_impossible_time_is_refused(fact: Fact, at: float) -> None:
    """Too late, too early, or with another time left than there was."""
    with pytest.raises(Illegal):
        timed().replay(fact, at)


def test_a_record_keeps_the_time_that_was_left() -> None:
    """Read back, the clocks stand where they stood; they run again with the next turn."""
    game = timed(increment=1.5)
    text = format_settings(game.settings)
    for at, number in ((3.25, 5), (8.5, 1), (14.0, 2)):
        (fact,) = game.choose(game.position.turn, number, at)
        assert isinstance(fact, Moved)
        line = format_fact(fact, game.plies)
        assert parse_fact(line, game.plies - 1) == fact._replace(seat=0)
        text += line
    assert '[GameTime "60"]\n[Increment "1.5"]\n' in text
    assert text.endswith("1. 5 left:58.25\n2. 1 left:56.25\n3. 2 left:54.25\n")
    again = Replay(parse_record(text.encode(), "test")).run()
    assert again.made == game.made and again.deadline is None
    again.begin_turn(100)
    assert left(again, 101) == (54.25, 55.25)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ("left:5\n", "the time left stands once, after a move"),
        ("1. 5 left:5 left:4\n", "the time left stands once, after a move"),
        ("1. 5 left:61\n", "impossible: more time is left than there was"),
        ("1. 5 left:-1\n", "unexpected 'left:-1'"),
    ],
)
def test_a_record_with_impossible_times_is_refused(moves: str, reason: str) -> None:
    """Nothing in a record is trusted."""
    text = format_settings(timed().settings) + moves
    with pytest.raises(RecordError, match=reason):
        Replay(parse_record(text.encode(), "test")).run()


def test_an_increment_alone_is_refused() -> None:
    """It needs a clock to be added to."""
    text = format_settings(timed(game_time=None, increment=1.0).settings)
    with pytest.raises(RecordError, match="an Increment needs a GameTime"):
        parse_record(text.encode(), "test")


@pytest.mark.parametrize("line", ["resign:1 left:5", "1. 5 left:x", "1. 5 2. 6", "x"])
def test_one_line_has_one_fact(line: str) -> None:
    """Anything else is refused."""
    with pytest.raises(NinefoldError):
        parse_fact(line, 0)
