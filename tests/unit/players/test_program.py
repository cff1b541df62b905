"""Programs in a seat: whatever they do, the turn ends with a move or a reason."""

import os
import sys
from pathlib import Path
from time import monotonic

import bots.faulty
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import is_gone, wait_until
from unit.record.records import settings_of

import ninefold
from ninefold import books
from ninefold.core.moves import LOST, Move
from ninefold.players import Chance, NoMove, UnknownPlayer, make, process
from ninefold.players.program import (
    ProgramPlayer,
    parse_response,
    response_length,
    split_command,
)
from ninefold.record.replay import Replay
from ninefold.record.store import Recorder
from ninefold.record.text import format_settings, parse_record
from ninefold.referee import MAX_LAPSES, Referee, take_turn
from ninefold.referee.events import FORFEITS, Ended, Forfeited, Moved, SetAside
from ninefold.referee.settings import GameSettings

BOT = [sys.executable, bots.faulty.__file__]
GAMES = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
# Long enough for a loaded machine to answer, and short for those who never will.
GENEROUS, SHORT = 60.0, 0.3


def settings(
    one: str, two: str, name: str = "magic-fifteen", reading: str = "default"
) -> GameSettings:
    """The tags of a game between these players."""
    return settings_of(books.load_book(name, reading), seat1=one, seat2=two)


def program(fault: str, limit: float | None = None, *rest: str) -> ProgramPlayer:
    """The faulty bot, ready for a game of magic-fifteen."""
    player = ProgramPlayer([*BOT, fault, *rest], GENEROUS)
    player.begin(ninefold.load("magic-fifteen"), limit)
    return player


def forfeit(fault: str, limit: float | None = None, *rest: str) -> tuple[str, str, str]:
    """The reason, what is said about it, and the record, when the bot answers the move 1."""
    tags = settings("human", "program:bot")
    referee = Referee(books.load_book("magic-fifteen").game, tags)
    recorder = Recorder(format_settings(tags), print)
    recorder.write(referee.move(1, 1, 0.0), 1)
    player = program(fault, limit, *rest)
    try:
        events = take_turn(referee, player, 0.0)
    finally:
        player.close()
    recorder.write(events, referee.plies)
    assert referee.outcome is not None
    assert referee.outcome.winner == 1
    detail = getattr(events[0], "detail", "")
    return referee.outcome.reason, detail, "".join(recorder._written)


FAULTS = [
    ("sleeps", "no-answer", "no complete answer to genmove in time."),
    ("no-empty-line", "no-answer", 'time: no empty line after "=5 2".'),
    ("exits", "crash", "on genmove, it exited with code 7. Its last error line: Traceback: "),
    ("killed", "crash", "on genmove, it was killed by signal 11."),
    ("closes", "crash", "on genmove, it closed its output."),
    (
        "garbage",
        "unreadable-answer",
        '"[2Jhello {there}" is not a response, which starts with = or ?.',
    ),
    ("noise", "unreadable-answer", '"= 1" does not repeat the id 5 of the command.'),
    ("wrong-id", "unreadable-answer", '"=6 1" does not repeat the id 5 of the command.'),
    ("no-ids", "unreadable-answer", "does not repeat the id 1 of the command."),
    ("floods", "unreadable-answer", "its answer to genmove never ends."),
    ("banner", "unreadable-answer", '"Welcome!" is not a response, which starts with = or ?.'),
    ("words", "unreadable-answer", '"the usual" is not a move.'),
    ("empty", "unreadable-answer", '"" is not a move.'),
    ("taken", "illegal-answer", "1 is already taken."),
    ("outside", "illegal-answer", "77 is not in the pool."),
    ("passes", "illegal-answer", "Passing is not allowed."),
    ("lost", "illegal-answer", "A turn cannot be given away."),
    ("declares", "illegal-answer", "There is nothing to declare: wins are detected for you."),
    ("refuses", "refusal", 'it refused genmove: "no idea".'),
    ("resigns", "resignation", ""),
]


@pytest.mark.parametrize(("fault", "reason", "detail"), FAULTS)
def test_every_fault_decides_the_game_with_its_reason(
    fault: str, reason: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is recorded, the record says so in words too, and judged again it says the same."""
    if fault == "no-empty-line":
        run_out_of_time_after(b"=5 2", monkeypatch)
    found, said, text = forfeit(fault, SHORT if fault == "sleeps" else GENEROUS)
    assert found == reason
    assert detail in said
    record = parse_record(text.encode(), "game")
    assert record.result == "1-0"
    outcome = Replay(record).run().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (1, reason)
    if reason in FORFEITS:
        line = text.splitlines()[-2]
        assert line.startswith(f"forfeit:2:{reason} {{")
        assert line.isprintable()


def run_out_of_time_after(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all the time run out as soon as this much of an answer has arrived, and not before."""
    arrived = bytearray()
    read = process._read

    def read_and_keep(descriptor: int) -> bytes:
        chunk = read(descriptor)
        arrived.extend(chunk)
        return chunk

    monkeypatch.setattr(process, "_read", read_and_keep)
    late = 2 * GENEROUS
    monkeypatch.setattr(process, "monotonic", lambda: monotonic() + late * (answer in arrived))


def test_every_reason_has_a_fault() -> None:
    """So none of them goes untested."""
    of_models = {"truncated-answer"}  # tests/unit/players/test_llm_player.py has these
    assert {reason for _, reason, _ in FAULTS} == {*FORFEITS, "resignation"} - of_models


def test_a_program_that_never_reads_runs_out_of_time() -> None:
    """At the very first command, and also when more is written than a pipe can hold."""
    player = ProgramPlayer([*BOT, "deaf"], SHORT, SHORT)
    player.begin(ninefold.load("magic-fifteen"), None)
    with pytest.raises(NoMove, match="no complete answer to list_commands") as late:
        player.choose(ninefold.load("magic-fifteen").start(), 0, Chance(1))
    assert late.value.code == "no-answer"
    player.begin(ninefold.load("magic-fifteen"), None)
    with pytest.raises(NoMove) as full:
        player._ask("x" * 2_000_000, SHORT)
    assert full.value.code == "no-answer"
    player.close()


def test_a_second_response_is_noticed_at_the_next_command() -> None:
    """Whoever answers twice cannot be trusted to answer what was asked."""
    game = ninefold.load("magic-fifteen")
    player = program("twice", GENEROUS)
    player.follow(1, ())
    assert player.choose(game.start(), 0, Chance(1)) == 1
    player.follow(1, (1, 2))
    with pytest.raises(NoMove) as caught:
        player.choose(game.play("1 2"), 2, Chance(1))
    assert caught.value.code == "unreadable-answer"
    player.close()


def test_chatter_on_standard_error_neither_blocks_nor_shows(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Far more of it than a pipe can hold."""
    game = ninefold.load("magic-fifteen")
    player = program("stderr", GENEROUS)
    player.follow(1, ())
    assert player.choose(game.start(), 0, Chance(1)) == 1
    player.close()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("fail", [False, True])
def test_nothing_outlives_the_game(tmp_path: Path, fail: bool) -> None:
    """Neither the program, though it ignores quit, end of input and SIGTERM, nor its child."""
    note = tmp_path / "pids"
    player = program("children", GENEROUS, str(note))
    player.follow(1, ())
    assert player.choose(ninefold.load("magic-fifteen").start(), 0, Chance(1)) == 1
    own, child = map(int, note.read_text().split())
    if fail:
        player._clock = 1e-9  # out of time at once
        player.follow(1, (1, 2))
        with pytest.raises(NoMove):
            player.choose(ninefold.load("magic-fifteen").play("1 2"), 2, Chance(1))
    else:
        player.close()
    wait_until(lambda: is_gone(own) and is_gone(child))
    with pytest.raises(ChildProcessError):
        os.waitpid(own, os.WNOHANG)


def test_a_program_that_failed_gets_a_fresh_start_in_the_next_game() -> None:
    """And one that did not plays on in the same process, on a cleared board."""
    game = ninefold.load("magic-fifteen")
    player = program("", GENEROUS)
    processes = set()
    for _ in range(3):
        player.begin(game, GENEROUS)
        player.follow(1, (1,))
        assert player.choose(game.play("1"), 1, Chance(1)) == 2
        processes.add(id(player._process))
    assert len(processes) == 1
    player._clock = 1e-9
    player.follow(1, (1, 2, 3))
    with pytest.raises(NoMove):
        player.choose(game.play("1 2 3"), 3, Chance(1))
    player.begin(game, GENEROUS)
    player.follow(1, (1,))
    assert player.choose(game.play("1"), 1, Chance(1)) == 2
    player.close()


@pytest.mark.parametrize("fault", ["", "refuses-undo", "unlists-undo"])
def test_a_program_follows_undo_and_resumed_games(fault: str) -> None:
    """Its board is that of the game, whatever was taken back, and even if it has no undo."""
    game = ninefold.load("magic-fifteen")
    player = program(fault, GENEROUS)
    courses: list[tuple[Move, ...]] = [(1, 2, 3), (1,), (5, 1, 2), (), (9, 8, 7, 5, 3)]
    for moves in courses:
        player.follow(1, moves)
        move = player.choose(game.play(moves), len(moves), Chance(1))
        assert move == min(set(game.pool).difference(moves))
    player.close()


def test_a_lost_turn_of_the_rules_is_lost_by_a_program_too() -> None:
    """In the reading lose-turn an unavailable number costs the turn; its board is put right."""
    tags = settings("human", "program:bot", "sequence-duel-sum", "lose-turn")
    referee = Referee(books.load_book("sequence-duel-sum", "lose-turn").game, tags)
    player = program("taken", GENEROUS)
    for number in (1, 3):
        referee.move(1, number, 0.0)
        events = take_turn(referee, player, 0.0)
        assert events == [Moved(2, LOST, "invalid", 1)]
    player.close()


def test_programs_that_only_give_turns_away_are_sent_home() -> None:
    """A game that would go on for ever is set aside."""
    tags = settings("program:a", "program:b", "sequence-duel-sum", "lose-turn")
    referee = Referee(books.load_book("sequence-duel-sum", "lose-turn").game, tags)
    players = [program("lost", GENEROUS), program("lost", GENEROUS)]
    for turn in range(MAX_LAPSES):
        events = take_turn(referee, players[turn % 2], 0.0)
    assert events[-1] == SetAside(MAX_LAPSES)
    for player in players:
        player.close()


def test_a_program_may_resign() -> None:
    """It is a resignation like any other."""
    referee = Referee(ninefold.load("magic-fifteen"), settings("program:bot", "human"))
    player = program("resigns", GENEROUS)
    events = take_turn(referee, player, 0.0)
    player.close()
    assert events[0] == Forfeited(1, "resignation")
    assert isinstance(events[1], Ended)


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_our_engine_plays_against_itself_to_the_end(name: str, reading: str) -> None:
    """Every book and reading, both ways of thinking, over real pipes."""
    book = books.load_book(name, reading)
    engine = [sys.executable, "-m", "ninefold", "gtp", "magic-fifteen"]
    players = [
        ProgramPlayer([*engine, "--player", kind, "--seed", "3"], GENEROUS)
        for kind in ("greedy", "level:2")
    ]
    tags = settings("program:a", "program:b", name, reading)
    referee = Referee(book.game, tags)
    for player in players:
        player.begin(book.game, 30.0)
    while referee.outcome is None:
        player = players[referee.position.turn - 1]
        events = take_turn(referee, player, 0.0)
        assert isinstance(events[0], Moved)
    for player in players:
        player.close()
    assert referee.outcome == referee.position.outcome


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "needs a command"),
        ("   ", "needs a command"),
        ("'open", "No closing quotation"),
        ("a\nb", "one line of up to"),
        ("x" * 2_000, "one line of up to"),
        ("ninefold-is-not-here", "There is no program 'ninefold-is-not-here'"),
        ("/", "There is no program '/'"),
        (f"{bots.faulty.__file__}", "chmod"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_game(command: str, message: str) -> None:
    """With what is wrong and what to do."""
    with pytest.raises(UnknownPlayer, match=message):
        make(f"program:{command}", ninefold.load("magic-fifteen"))


def test_a_file_that_is_no_program_is_refused_when_it_is_started(tmp_path: Path) -> None:
    """Executable, but the system cannot run it."""
    path = tmp_path / "bot"
    path.write_text("#!/no/such/interpreter\n")
    path.chmod(0o755)
    player = make(f"program:{path}")
    assert player is not None
    with pytest.raises(UnknownPlayer, match="does not start"):
        player.begin(ninefold.load("magic-fifteen"), None)


@given(st.binary(max_size=80) | st.text(alphabet="=?1 \n\r\t5x\x1b", max_size=30).map(str.encode))
def test_whatever_a_program_writes_is_a_response_or_none(data: bytes) -> None:
    """A response has a line of its own that begins with = or ?, and ends where it is measured."""
    length = response_length(data)
    assert 0 <= length <= len(data)
    response = parse_response(data[:length])
    if response is not None and length:
        assert data.lstrip()[:1] == (b"=" if response.ok else b"?") or b"\x1b" in data
        assert response_length(data[: length - 1]) == 0
        assert str(response).isprintable() or "\n" in response.text or "\t" in response.text


def test_a_command_is_split_but_never_run_by_a_shell() -> None:
    """Quotes group words; everything else is just text."""
    assert split_command("bot 'two words' $(id) ; rm *") == [
        "bot",
        "two words",
        "$(id)",
        ";",
        "rm",
        "*",
    ]
