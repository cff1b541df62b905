"""Records: written strictly, and read back as they were written."""

from hypothesis import given
from hypothesis import strategies as st
from unit.record.records import GAME, SETTINGS, WON, record_text, refusal, replay

from ninefold.core.moves import LOST, declare
from ninefold.core.outcome import Outcome
from ninefold.players import Chance
from ninefold.record.replay import Replay
from ninefold.record.text import format_fact, format_result, format_settings, parse_record
from ninefold.referee.events import Forfeited, Moved, TakenBack
from ninefold.referee.settings import GameSettings


def test_the_written_form() -> None:
    """The format is an interface: tags in order, an empty line, numbered moves, the result."""
    assert format_settings(SETTINGS).splitlines() == [
        '[Game "sequence-capture"]',
        '[Reading "default"]',
        f'[Rules "{SETTINGS.rules}"]',
        '[Date "2026-01-02T03:04:05Z"]',
        '[Player1 "Ann \\"the \\\\ Great\\""]',
        '[Player2 "Bob"]',
        '[Seat1 "human"]',
        '[Seat2 "random"]',
        '[First "1"]',
        '[TimeLimit "-"]',
        '[OnTimeout "lose"]',
        '[Seed "42"]',
        '[Match "-"]',
        '[Round "1"]',
        '[Wins "-"]',
        '[MaxGames "-"]',
        '[Changes "-"]',
        "",
    ]
    assert format_fact(Moved(1, 5), 1) == "1. 5\n"
    assert format_fact(Moved(1, 5, "timeout"), 3) == "3. timeout 5\n"
    assert format_fact(Moved(1, LOST, "timeout"), 3) == "3. timeout lost\n"
    assert format_fact(Moved(1, LOST, "invalid", 7), 3) == "3. invalid:7 lost\n"
    assert format_fact(Moved(1, declare([9, 7, 5])), 6) == "6. declare:5:7:9\n"
    assert format_fact(TakenBack(2), 2) == "undo:2\n"
    assert format_fact(Forfeited(2, "resignation"), 4) == "resign:2\n"
    assert format_fact(Forfeited(1, "timeout"), 4) == "timeout:1\n"
    sets = ((1, 2, 3), (1, 3, 5))
    assert format_result(Outcome(2, "arithmetic", sets)) == "{arithmetic; 1 2 3; 1 3 5} 0-1\n"
    assert format_result(Outcome(None, "draw")) == "{draw} 1/2-1/2\n"


@given(
    st.builds(
        GameSettings,
        game=st.text(st.characters(blacklist_categories=["C", "Z"])),
        reading=st.just("default"),
        rules=st.text("0123456789abcdef"),
        date=st.just("2026-01-02T03:04:05Z"),
        player1=st.text(st.sampled_from('ab"\\[]{} ')).map("A{}".format),
        player2=st.text(st.characters(whitelist_categories=["L", "N", "P", "S"])).map("B{}".format),
        seat1=st.just("human"),
        seat2=st.just("human"),
        first=st.sampled_from([1, 2]),
        time_limit=st.none() | st.floats(0.001, 86_400),
        on_timeout=st.sampled_from(["lose", "lose-turn", "random"]),
        seed=st.integers(-(2**63), 2**63),
        match=st.just("20260102-030405-abcd"),
        round=st.integers(1, 1000),
        wins=st.integers(1, 1000),
        max_games=st.none() | st.integers(1, 1000),
        changes=st.none() | st.just("pool=1-15; wins.geometric=false"),
        file=st.none() | st.text(st.characters(blacklist_categories=["C", "Z"])),
        book=st.none() | st.text("0123456789abcdef", min_size=32, max_size=32),
        given=st.none() | st.integers(1, 10**6),
        game_time=st.floats(0.001, 86_400),
        increment=st.none() | st.floats(0, 86_400),
    )
)
def test_every_setting_reads_back_as_it_was_written(settings: GameSettings) -> None:
    """Names with quotes and backslashes, odd time limits, big seeds."""
    without_clock = settings._replace(game_time=None, increment=None)
    for written in (settings, settings._replace(match=None, wins=None), without_clock):
        assert parse_record(format_settings(written).encode(), "test").settings == written


def test_a_finished_game_is_judged_again() -> None:
    """The moves lead to the result."""
    assert replay(GAME + WON).referee.outcome == Outcome(1, "consecutive", ((2, 3, 4, 5),))


def test_moves_may_stand_on_one_line_and_carry_comments() -> None:
    """What a person edited by hand is as good, as long as it is right."""
    text = "1. 5 {centre} 2. 6 3. 4 {a; b}\n4. 7 5. 3 6. 8 7. 2 {so there} 1-0\n"
    assert replay(text).referee.outcome == Outcome(1, "consecutive", ((2, 3, 4, 5),))


def test_an_unterminated_last_line_is_dropped() -> None:
    """It was never shown: a move is shown after its line is complete."""
    record = parse_record(record_text(GAME + "7. 2"), "test")
    assert record.plies == 6
    assert not record.finished
    assert record.length == len(record_text(GAME))


@given(st.data())
def test_a_record_cut_anywhere_is_a_shorter_record(data: st.DataObject) -> None:
    """Cut behind the tags, every prefix is a valid record of a prefix of the moves."""
    whole = record_text(GAME + "undo:4\n5. 2\n6. 8\n7. 3\n{consecutive; 2 3 4 5} 1-0\n")
    start = len(format_settings(SETTINGS).encode())
    cut = parse_record(whole[: data.draw(st.integers(start, len(whole)))], "test")
    moves = Replay(cut).run().moves
    assert moves in [
        *[(5, 6, 4, 7, 3, 8)[:plies] for plies in range(7)],
        *[(5, 6, 4, 7, 2, 8, 3)[:plies] for plies in range(8)],
    ]


def test_what_the_clock_did_is_judged_again() -> None:
    """The number that was drawn is the one the seed draws."""
    timed = {"time_limit": 9.0, "seat2": "human", "on_timeout": "random"}
    drawn = Chance(42).draw(range(1, 11), 0)
    assert replay(f"1. timeout {drawn}\n", **timed).referee.moves == (drawn,)
    other = 1 if drawn != 1 else 2
    assert "the rules lead to something else" in refusal(f"1. timeout {other}\n", **timed)
    lost = replay("1. timeout lost\n2. 5\n", **{**timed, "on_timeout": "lose-turn"})
    assert lost.referee.moves == (LOST, 5)
    assert replay("timeout:1\n0-1\n", **{**timed, "on_timeout": "lose"}).referee.outcome


def test_a_replayed_game_has_no_clock_running() -> None:
    """Whoever resumes it gets a full turn."""
    game = replay("1. 5\n", time_limit=600.0, seat2="human").referee
    assert game.deadline is None
