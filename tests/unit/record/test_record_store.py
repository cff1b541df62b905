"""Records on disk: synced, locked, found, and nobody's lost when the disk is full."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from unit.record.records import SETTINGS, record_text

from ninefold.core.errors import NinefoldError
from ninefold.core.outcome import Outcome
from ninefold.record.replay import Replay
from ninefold.record.store import Recorder, Store, locked, new_name
from ninefold.record.text import read_record
from ninefold.referee.events import Ended, Forfeited, Moved, TakenBack

_made: list[Recorder] = []


@pytest.fixture(autouse=True)
def _release() -> Iterator[None]:
    """Whoever records lets go at the end."""
    yield
    while _made:
        _made.pop().release()


def recorder(folder: Path, warnings: list[str]) -> Recorder:
    """A recorder of a new game in this folder."""
    _made.append(Store(str(folder)).recorder("game", SETTINGS, warnings.append))
    return _made[-1]


def test_a_recorder_writes_facts_and_the_result(tmp_path: Path) -> None:
    """Each write is complete on disk before it returns; undo and resignation are facts too."""
    warnings: list[str] = []
    made = recorder(tmp_path, warnings)
    assert not list(tmp_path.iterdir())
    made.write([Moved(1, 5)], 1)
    path = tmp_path / "game.ninefold"
    assert path.read_bytes() == record_text("1. 5\n")
    made.write([TakenBack(0)], 0)
    made.write([Forfeited(1, "resignation"), Ended(Outcome(2, "resignation"))], 0)
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
    again.release()
    assert path.read_bytes() == record_text("1. 5\n2. 6\n")


def test_a_finished_record_is_not_set_aside(tmp_path: Path) -> None:
    """Leaving while the end is being shown adds nothing behind the result."""
    made = recorder(tmp_path, [])
    made.write([Forfeited(1, "resignation"), Ended(Outcome(2, "resignation"))], 0)
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
    assert warnings == ["This game cannot be recorded (Not a directory). You can play on."]
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
        "The rest of this game cannot be recorded (No space left on device). You can play on."
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
    busy = "This game is open in another window"
    with pytest.raises(NinefoldError, match=busy), locked(path):
        pass
    made.set_aside()
    with pytest.raises(NinefoldError, match=busy), locked(path):
        pass
    made.release()
    with locked(path), pytest.raises(NinefoldError, match=busy), locked(path):
        pass


def test_records_are_found_by_part_of_their_name(tmp_path: Path) -> None:
    """As long as it is the part of one name only."""
    store = Store(str(tmp_path))
    for name in ("20260101-000000-abcd", "20260102-000000-abce", "20260102-000000-abce.2"):
        (tmp_path / f"{name}.ninefold").write_text("")
    assert store.find("abcd") == store.path("20260101-000000-abcd")
    assert store.find("20260102-000000-abce") == store.path("20260102-000000-abce")
    assert store.find("abce") == store.path("20260102-000000-abce")
    assert store.find("abce.2") == store.path("20260102-000000-abce.2")
    for wanted, refused in (("abc", "2 games match"), ("zzz", "There is no game")):
        with pytest.raises(NinefoldError, match=refused):
            store.find(wanted)
    assert store.find("some/file") == "some/file"


def test_names_sort_by_age() -> None:
    """Also within one second, and the games of a match in their order."""
    names = [new_name() for _ in range(5)]
    assert [name[:17] for name in names] == sorted(name[:17] for name in names)
    assert len({len(name) for name in names}) == 1
