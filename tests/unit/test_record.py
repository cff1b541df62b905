"""Records: written strictly, read back strictly, and never believed without a judge."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import LOST, declare
from ninefold.core.outcome import Outcome
from ninefold.players import Chance
from ninefold.record.errors import NoSuchRecord, RecordBusy, RecordError
from ninefold.record.format import Header, format_fact, format_header, format_result
from ninefold.record.parse import parse_record, read_record
from ninefold.record.replay import Replay
from ninefold.record.store import Lock, Recorder, Store, new_name
from ninefold.referee.events import Ended, Expired, Moved, Resigned, TakenBack

HEADER = Header(
    game="sequence-capture",
    reading="default",
    rules=books.load("sequence-capture").game.fingerprint,
    date="2026-01-02T03:04:05Z",
    player1='Ann "the \\ Great"',
    player2="Bob",
    seat1="human",
    seat2="random",
    first=1,
    time_limit=None,
    on_timeout="lose",
    seed=42,
)
GAME = "1. 5\n2. 6\n3. 4\n4. 7\n5. 3\n6. 8\n"
WON = "7. 2\n{consecutive; 2 3 4 5} 1-0\n"


def record_text(moves: str, **tags: object) -> bytes:
    """A record of this header, with some tags changed, and these lines of moves."""
    return (format_header(HEADER._replace(**tags)) + moves).encode()  # type: ignore[arg-type]


def replay(moves: str, **tags: object) -> Replay:
    """The record with these moves, replayed to its end."""
    made = Replay(parse_record(record_text(moves, **tags), "test"))
    made.run()
    return made


def refusal(moves: str, **tags: object) -> str:
    """Why a record with these moves is refused."""
    with pytest.raises(RecordError) as caught:
        replay(moves, **tags)
    return caught.value.message


def test_the_written_form() -> None:
    """The format is an interface: tags in order, an empty line, numbered moves, the result."""
    assert format_header(HEADER).splitlines() == [
        '[Game "sequence-capture"]',
        '[Reading "default"]',
        f'[Rules "{HEADER.rules}"]',
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
    assert format_fact(Resigned(2), 4) == "resign:2\n"
    assert format_fact(Expired(1), 4) == "timeout:1\n"
    sets = ((1, 2, 3), (1, 3, 5))
    assert format_result(Outcome(2, "arithmetic", sets)) == "{arithmetic; 1 2 3; 1 3 5} 0-1\n"
    assert format_result(Outcome(None, "draw")) == "{draw} 1/2-1/2\n"


@given(
    st.builds(
        Header,
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
    )
)
def test_every_header_reads_back_as_it_was_written(header: Header) -> None:
    """Names with quotes and backslashes, odd time limits, big seeds."""
    for written in (header, header._replace(match=None, wins=None)):
        assert parse_record(format_header(written).encode(), "test").header == written


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
    start = len(format_header(HEADER).encode())
    cut = parse_record(whole[: data.draw(st.integers(start, len(whole)))], "test")
    moves = Replay(cut).run().moves
    assert moves in [
        *[(5, 6, 4, 7, 3, 8)[:plies] for plies in range(7)],
        *[(5, 6, 4, 7, 2, 8, 3)[:plies] for plies in range(8)],
    ]


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (GAME + "7. 6\n", "test, line 25: impossible: 6 is already taken."),
        (GAME + "7. 11\n", "test, line 25: impossible: 11 is not in the pool."),
        (GAME + "7. lost\n", "test, line 25: impossible: a turn cannot be given away"),
        (GAME + "8. 2\n", "test, line 25: move 7 is expected, not 8"),
        (
            GAME + "7. invalid:9 lost\n",
            "test, line 25: impossible: something else follows",
        ),
        (GAME + "2\n", "test, line 25: '2' cannot be read here"),
        (GAME + "7. two\n", "test, line 25: 'two' is not a move."),
        (GAME + "7.\n", "test, line 25: '' is not a move."),
        (GAME + "undo:6\n", "test, line 25: there is no move 7 to take back"),
        (GAME + "timeout:1\n", "test, line 25: impossible: there is no time limit for this player"),
        (GAME + WON + "8. 9\n", "test, line 27: '8.' stands behind the result"),
        (GAME + "7. 2\n8. 9\n", "test, line 26: impossible: the game was already over"),
        (GAME + "1-0\n", "test, line 24: the result is 1-0, but the game is not over"),
        (GAME + "7. 2\n0-1\n", "test, line 25: the result is 0-1, but the moves say 1-0"),
    ],
)
def test_an_impossible_record_is_refused_with_the_place(moves: str, reason: str) -> None:
    """Nothing is guessed and nothing is repaired."""
    assert refusal(moves).startswith(reason)


@pytest.mark.parametrize(
    ("moves", "tags"),
    [
        ("1. timeout 5\n", {"time_limit": 9.0}),
        ("1. timeout lost\n", {"time_limit": 9.0}),
        ("1. timeout 5\n", {"time_limit": 9.0, "on_timeout": "lose-turn"}),
        ("1. timeout 5\n1. 6\n", {"time_limit": 9.0, "on_timeout": "random"}),
        ("1. 5\n2. timeout 6\n", {"time_limit": 9.0, "on_timeout": "random"}),
        ("1. 5\ntimeout:1\n", {"time_limit": 9.0}),
        ("1. 5\ntimeout:2\n", {"time_limit": 9.0}),
        ("1. invalid:5 5\n", {}),
        ("1. 05\n", {}),
        ("1. +5\n", {}),
        ("1. 5\n2. 6\nundo:1\n", {}),
        ("1. 5\n2. 6\n3. 4\nundo:1\n", {}),
    ],
)
def test_what_the_players_cannot_have_done_is_refused(moves: str, tags: dict[str, object]) -> None:
    """Seat 2 is a computer here: it has no clock, and nobody goes back to its turn."""
    assert refusal(moves, **tags)


def test_what_the_clock_did_is_judged_again() -> None:
    """The number that was drawn is the one the seed draws."""
    timed = {"time_limit": 9.0, "seat2": "human", "on_timeout": "random"}
    drawn = Chance(42).draw(range(1, 11), 0)
    assert replay(f"1. timeout {drawn}\n", **timed).referee.moves == (drawn,)
    other = 1 if drawn != 1 else 2
    assert "something else follows" in refusal(f"1. timeout {other}\n", **timed)
    lost = replay("1. timeout lost\n2. 5\n", **{**timed, "on_timeout": "lose-turn"})
    assert lost.referee.moves == (LOST, 5)
    assert replay("timeout:1\n0-1\n", **{**timed, "on_timeout": "lose"}).referee.outcome


def test_a_replayed_game_has_no_clock_running() -> None:
    """Whoever resumes it gets a full turn."""
    game = replay("1. 5\n", time_limit=600.0, seat2="human").referee
    assert game.deadline is None


@pytest.mark.parametrize(
    ("tag", "value", "reason"),
    [
        ("rules", "0123456789abcdef", "the rules of sequence-capture (default) have changed"),
        ("game", "chess", "There is no game 'chess'"),
        ("reading", "sideways", "sequence-capture has no reading 'sideways'"),
        ("seat1", "oracle", "There is no player 'oracle'"),
        ("first", 3, "First cannot be '3'"),
        ("time_limit", -1.0, "TimeLimit cannot be '-1'"),
        ("time_limit", float("nan"), "TimeLimit cannot be 'nan'"),
        ("on_timeout", "cry", "OnTimeout cannot be 'cry'"),
        ("player1", "a\x1bb", "Player1 cannot be"),
    ],
)
def test_a_record_with_wrong_tags_is_refused(tag: str, value: object, reason: str) -> None:
    """Also one of a book whose rules have changed since."""
    assert reason in refusal(GAME, **{tag: value})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"[Game",
        b'[Game "x"]\n',
        b'[Game "x"]\n\n',
        b"\xff\xfe\n\n",
        b'[Game "x"]\n[Game "x"]\n\n',
        record_text("").replace(b"[Seed", b"[Sead"),
        b"x" * (2 << 20),
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    """Empty, cut off, binary, misspelt or huge."""
    with pytest.raises(RecordError):
        parse_record(data, "test")


@given(st.binary(max_size=200), st.integers(0, 600))
@settings(max_examples=300)
def test_no_bytes_make_the_reader_fail_otherwise(noise: bytes, at: int) -> None:
    """Any damage gives a record or a refusal."""
    whole = record_text(GAME + WON)
    for data in (noise, whole[:at] + noise + whole[at:], whole[:at] + noise + whole[at + 20 :]):
        try:
            Replay(parse_record(data, "test")).run()
        except NinefoldError as error:
            assert error.code == "bad-record"


def recorder(folder: Path, warnings: list[str]) -> Recorder:
    """A recorder of a new game in this folder."""
    return Store(str(folder)).recorder("game", HEADER, warnings.append)


def test_a_recorder_writes_facts_and_the_result(tmp_path: Path) -> None:
    """Each write is complete on disk before it returns; undo and resignation are facts too."""
    warnings: list[str] = []
    made = recorder(tmp_path, warnings)
    assert not list(tmp_path.iterdir())
    made.write([Moved(1, 5)], 1)
    path = tmp_path / "game.ninefold"
    assert path.read_bytes() == record_text("1. 5\n")
    made.write([TakenBack(0)], 0)
    made.write([Resigned(1), Ended(Outcome(2, "resignation"))], 0)
    assert path.read_bytes() == record_text("1. 5\nundo:0\nresign:1\n{resignation} 0-1\n")
    assert Replay(read_record(str(path))).run().outcome == Outcome(2, "resignation")
    assert warnings == []


def test_a_game_set_aside_ends_with_an_asterisk_that_goes_when_it_is_resumed(
    tmp_path: Path,
) -> None:
    """The result is always the last token, and moves follow moves."""
    made = recorder(tmp_path, [])
    made.write([Moved(1, 5)], 1)
    made.set_aside()
    path = tmp_path / "game.ninefold"
    assert path.read_bytes() == record_text("1. 5\n*\n")
    record = read_record(str(path))
    again = Store(str(tmp_path)).reopen(str(path), record.length, print)
    again.write([Moved(2, 6)], 2)
    assert path.read_bytes() == record_text("1. 5\n2. 6\n")


def test_a_finished_record_is_not_set_aside(tmp_path: Path) -> None:
    """Leaving while the end is being shown adds nothing behind the result."""
    made = recorder(tmp_path, [])
    made.write([Resigned(1), Ended(Outcome(2, "resignation"))], 0)
    made.set_aside()
    assert (tmp_path / "game.ninefold").read_bytes() == record_text("resign:1\n{resignation} 0-1\n")


def test_a_draft_left_by_a_kill_is_in_nobodys_way(tmp_path: Path) -> None:
    """The next process that begins the same game uses another name for its draft."""
    (tmp_path / "game.ninefold.1.new").write_text("half")
    warnings: list[str] = []
    recorder(tmp_path, warnings).write([Moved(1, 5)], 1)
    assert warnings == []
    assert Store(str(tmp_path)).names() == ["game"]


def test_every_write_is_synced_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the tags and the folder, then each move."""
    synced: list[str] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").resolve().name)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    made = recorder(tmp_path, [])
    made.write([Moved(1, 5)], 1)
    draft = f"game.ninefold.{os.getpid()}.new"
    assert synced == [draft, tmp_path.name, "game.ninefold"]
    made.write([Moved(2, 6)], 2)
    assert synced[3:] == ["game.ninefold"]


def test_a_folder_that_cannot_be_made_gives_one_warning(tmp_path: Path) -> None:
    """The game goes on; every later write is silent."""
    (tmp_path / "file").write_text("")
    warnings: list[str] = []
    made = recorder(tmp_path / "file" / "games", warnings)
    made.write([Moved(1, 5)], 1)
    made.write([Moved(2, 6)], 2)
    made.save_copy(str(tmp_path / "copy"))
    assert (tmp_path / "copy").read_bytes() == record_text("1. 5\n2. 6\n*\n")
    assert warnings == ["This game cannot be recorded (Not a directory), but it goes on."]
    assert not made.saved


def test_a_full_disk_gives_one_warning_and_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a line is taken back; what was shown before stays readable."""
    warnings: list[str] = []
    made = recorder(tmp_path, warnings)
    made.write([Moved(1, 5)], 1)
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) > 1:
            return real(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    made.write([Moved(2, 6)], 2)
    made.write([Moved(1, 7)], 3)
    monkeypatch.undo()
    assert (tmp_path / "game.ninefold").read_bytes() == record_text("1. 5\n")
    assert warnings == [
        "From here on this game cannot be recorded (No space left on device), but it goes on."
    ]
    assert made.saved
    assert not made.complete


def test_a_new_record_never_replaces_another(tmp_path: Path) -> None:
    """The other game stays as it is; this one goes on without a record."""
    path = tmp_path / "game.ninefold"
    path.write_text("another game")
    warnings: list[str] = []
    recorder(tmp_path, warnings).write([Moved(1, 5)], 1)
    assert path.read_text() == "another game"
    assert len(warnings) == 1
    assert [*tmp_path.iterdir()] == [path]


def test_a_game_being_played_is_locked(tmp_path: Path) -> None:
    """Until the recorder lets go, nobody else gets the lock."""
    made = recorder(tmp_path, [])
    made.write([Moved(1, 5)], 1)
    path = str(tmp_path / "game.ninefold")
    with pytest.raises(RecordBusy):
        Lock(path)
    made.close()
    with pytest.raises(RecordBusy):
        Lock(path)
    made.release()
    Lock(path).release()


def test_records_are_found_by_part_of_their_name(tmp_path: Path) -> None:
    """As long as it is the part of one name only."""
    store = Store(str(tmp_path))
    for name in ("20260101-000000-abcd", "20260102-000000-abce", "20260102-000000-abce.2"):
        (tmp_path / f"{name}.ninefold").write_text("")
    assert store.find("abcd") == store.path("20260101-000000-abcd")
    assert store.find("20260102-000000-abce") == store.path("20260102-000000-abce")
    assert store.find("abce") == store.path("20260102-000000-abce")
    assert store.find("abce.2") == store.path("20260102-000000-abce.2")
    for wanted in ("abc", "zzz"):
        with pytest.raises(NoSuchRecord):
            store.find(wanted)
    assert store.find("some/file") == "some/file"


def test_names_sort_by_age() -> None:
    """Also within one second, and the games of a match in their order."""
    names = [new_name() for _ in range(5)]
    assert [name[:17] for name in names] == sorted(name[:17] for name in names)
    assert len({len(name) for name in names}) == 1
