"""One process at a time, no lock of a dead process, and nothing left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from unit.record.records import SETTINGS

from ninefold.core.errors import NinefoldError
from ninefold.record.lock import Busy, Lock, remove_unused
from ninefold.record.store import SUFFIX, Store, locked
from ninefold.referee.events import Moved

HOLD = """
import sys
from ninefold.record.lock import Lock
lock = Lock(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""
TAKE_TURNS = """
import sys
from ninefold.record.lock import Lock
for _ in range(200):
    lock = Lock(sys.argv[1], 300)
    with open(sys.argv[1]) as file:
        number = int(file.read())
    with open(sys.argv[1], "w") as file:
        file.write(str(number + 1))
    lock.release()
"""


def test_another_process_waits_until_it_is_released_or_killed(tmp_path: Path) -> None:
    """A file that a killed process has left is in nobody's way."""
    path = str(tmp_path / "file")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(Busy):
            Lock(path)
        holder.kill()
    assert os.listdir(tmp_path) == ["file.lock"]
    lock = Lock(path)
    with pytest.raises(Busy):
        Lock(path)
    lock.release()
    assert os.listdir(tmp_path) == []


def test_without_locks_of_the_system_a_dead_process_is_in_nobodys_way(tmp_path: Path) -> None:
    """Some file systems have none; nobody is bothered with it."""
    script = f"import sys; sys.modules['fcntl'] = None{HOLD}"
    arguments = [sys.executable, "-c", script, str(tmp_path / "file")]

    def attempt() -> tuple[bytes, bytes]:
        tried = subprocess.run(arguments, input=b"", capture_output=True, check=False)
        return tried.stdout, tried.stderr

    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert attempt()[1].endswith(b"it is in use elsewhere\n")
        holder.kill()
    assert attempt() == (b"held\n", b"")


def test_it_is_removed_under_contention_without_ever_being_held_twice(tmp_path: Path) -> None:
    """Each of three processes adds one, two hundred times."""
    path = tmp_path / "file"
    path.write_text("0")
    adders = [subprocess.Popen([sys.executable, "-c", TAKE_TURNS, str(path)]) for _ in range(3)]
    assert [adder.wait() for adder in adders] == [0, 0, 0]
    assert path.read_text() == "600"
    assert os.listdir(tmp_path) == ["file"]


def test_a_file_has_one_lock_under_all_its_names(tmp_path: Path) -> None:
    """Through a link, too."""
    path, link = tmp_path / "game", tmp_path / "link"
    path.write_text("")
    link.symlink_to(path)
    busy = pytest.raises(NinefoldError, match="open in another window")
    with locked(str(link)), busy, locked(str(path)):
        pass


def test_unused_locks_are_removed_when_the_next_game_begins(tmp_path: Path) -> None:
    """Those of killed games, but not the one of a game that is being played."""
    for name in ("old.ninefold.lock", "other.lock"):
        (tmp_path / name).write_text("")
    held = Lock(str(tmp_path / "held.ninefold"))
    recorder = Store(str(tmp_path)).recorder("new", SETTINGS, print)
    recorder.write([Moved(1, 5)], 1)
    names = {"held.ninefold.lock", "new.ninefold", "new.ninefold.lock", "other.lock"}
    assert {*os.listdir(tmp_path)} == names
    assert Store(str(tmp_path)).names() == ["new"]
    recorder.release()
    held.release()
    remove_unused(str(tmp_path), SUFFIX)
    assert {*os.listdir(tmp_path)} == {"new.ninefold", "other.lock"}


def test_a_match_has_one_lock_from_its_first_game_to_its_last(tmp_path: Path) -> None:
    """Later games are held by the lock of the first."""
    store, settings = Store(str(tmp_path)), SETTINGS._replace(match="m", wins=2)
    first = store.recorder("m", settings._replace(round=1), print)
    first.write([Moved(1, 5)], 1)
    second = store.recorder("m.2", settings._replace(round=2), print)
    second.write([Moved(1, 5)], 1)
    second.release()
    with pytest.raises(NinefoldError, match="open in another window"), locked(store.path("m")):
        pass
    first.release()
    with locked(store.path("m")):
        pass


def test_what_cannot_be_locked_is_refused_if_it_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two could write at once; a file that nobody can write to needs no lock."""
    path = str(tmp_path / "game.ninefold")
    Path(path).write_text("")
    (tmp_path / "game.ninefold.lock").mkdir()
    refused = pytest.raises(NinefoldError, match="is open only here: Is a directory")
    with refused, locked(path):
        pass
    monkeypatch.setattr(os, "access", lambda *_: False)
    with locked(path):
        pass


def test_a_game_whose_lock_cannot_be_made_is_played_without_a_record(tmp_path: Path) -> None:
    """With one warning."""
    (tmp_path / "game.ninefold.lock").mkdir()
    warnings: list[str] = []
    recorder = Store(str(tmp_path)).recorder("game", SETTINGS, warnings.append)
    recorder.write([Moved(1, 5)], 1)
    recorder.write([Moved(2, 6)], 2)
    assert warnings == ["This game cannot be recorded (Is a directory). You can play on."]
    assert os.listdir(tmp_path) == ["game.ninefold.lock"]
