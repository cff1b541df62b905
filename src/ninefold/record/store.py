"""Records on disk: one file a game, appended and synced move by move, locked while it is played."""

import fcntl
import os
import time
from collections.abc import Callable, Iterable

from ninefold.record.errors import NoSuchRecord, RecordBusy
from ninefold.record.text import (
    MAX_BYTES,
    UNFINISHED,
    Header,
    Record,
    format_fact,
    format_header,
    format_result,
    parse_record,
)
from ninefold.referee.events import FACTS, Ended, Event

SUFFIX = ".ninefold"


class Recorder:
    """Writes one game down. A disk that fails is reported once, and the game goes on without it."""

    def __init__(self, path: str, descriptor: int | None, warn: Callable[[str], None]) -> None:
        self.path = path
        self._descriptor = descriptor
        self._warn = warn

    @property
    def recording(self) -> bool:
        """Whether what happens is still being written down."""
        return self._descriptor is not None

    def write(self, events: Iterable[Event], plies: int) -> None:
        """Append the facts among the events and sync; ``plies`` counts the moves that stand."""
        text = ""
        for event in events:
            if isinstance(event, FACTS):
                text += format_fact(event, plies)
            elif isinstance(event, Ended):
                text += format_result(event.outcome)
        self._append(text)

    def set_aside(self) -> None:
        """Close an unfinished record properly; playing on takes the mark away again."""
        self._append(f"{UNFINISHED}\n")
        self.close()

    def close(self) -> None:
        """Stop writing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _append(self, text: str) -> None:
        if self._descriptor is None or not text:
            return
        end = None
        try:
            end = os.lseek(self._descriptor, 0, os.SEEK_END)
            _write_all(self._descriptor, text)
        except OSError as error:
            self._give_up(error, end)

    def _give_up(self, error: OSError, end: int | None) -> None:
        """Take half a line back if possible, warn once, and record no more."""
        if self._descriptor is not None and end is not None:
            try:
                os.ftruncate(self._descriptor, end)
            except OSError:
                pass  # an unterminated last line is dropped by every reader
        self.close()
        self._warn(_cannot_record(error))


class Lock:
    """Held by the one process that plays a game or match; given up when the process ends."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise RecordBusy(
                "busy", "This game is being played in another window; finish or leave it there."
            ) from None

    def release(self) -> None:
        """Let another process play on."""
        os.close(self._descriptor)


class Store:
    """The folder of records."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder or default_folder()

    def create(
        self, header: Header, name: str, warn: Callable[[str], None]
    ) -> tuple[Recorder, Lock | None]:
        """Begin a record; it appears in the folder complete with its tags, and locked."""
        path = self.path(name)
        draft = f"{path}.new"
        try:
            os.makedirs(self.folder, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            descriptor = os.open(draft, flags, 0o644)
            try:
                _write_all(descriptor, format_header(header))
                lock = Lock(draft)
                os.rename(draft, path)
                _sync_folder(self.folder)
            except BaseException:
                os.close(descriptor)
                os.unlink(draft)
                raise
        except OSError as error:
            warn(_cannot_record(error))
            return Recorder(path, None, warn), None
        return Recorder(path, descriptor, warn), lock

    def reopen(self, record: Record, path: str, warn: Callable[[str], None]) -> Recorder:
        """Go on with a record, behind its last complete move."""
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
            os.ftruncate(descriptor, record.length)
        except OSError as error:
            warn(_cannot_record(error))
            return Recorder(path, None, warn)
        return Recorder(path, descriptor, warn)

    def path(self, name: str) -> str:
        """Where the record of this name is kept."""
        return os.path.join(self.folder, name + SUFFIX)

    def names(self) -> list[str]:
        """The names of all records, the oldest first."""
        try:
            files = os.listdir(self.folder)
        except OSError:
            return []
        return sorted((file[: -len(SUFFIX)] for file in files if file.endswith(SUFFIX)), key=_age)

    def find(self, wanted: str) -> str:
        """The path of the record meant: a file, a name, or the unmistakable part of one."""
        if os.sep in wanted or wanted.endswith(SUFFIX) or os.path.isfile(wanted):
            return wanted
        names = self.names()
        matches = [wanted] if wanted in names else [name for name in names if wanted in name]
        if len(matches) == 1:
            return self.path(matches[0])
        found = f"{len(matches)} games match" if matches else "There is no game"
        raise NoSuchRecord("no-such-record", f'{found} "{wanted}"; ninefold games lists them.')


def read_record(path: str) -> Record:
    """The record in this file; raises NoSuchRecord, RecordError."""
    try:
        with open(path, "rb") as file:
            return parse_record(file.read(MAX_BYTES + 1), os.path.basename(path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise NoSuchRecord("no-such-record", f"Cannot read {path}: {reason}.") from None


def save_copy(recorder: Recorder, target: str) -> None:
    """Copy the record of an unfinished game to a new file; raises NoSuchRecord, OSError."""
    if not recorder.recording:
        raise NoSuchRecord("not-recorded", "This game is not recorded, so it cannot be saved.")
    record = read_record(recorder.path)
    with open(recorder.path, "rb") as file:
        text = file.read(record.length).decode() + f"{UNFINISHED}\n"
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        _write_all(descriptor, text)
    finally:
        os.close(descriptor)


def default_folder() -> str:
    """The folder for records under the user's data directory."""
    from platformdirs import user_data_dir

    return os.path.join(user_data_dir("ninefold", appauthor=False), "games")


def new_name() -> str:
    """A fresh name for a record: the moment, in letters below the second, and two random letters.

    Names sort by age, and the last four letters are enough to tell most games apart.
    """
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    now = time.time()
    high, low = divmod(int(now % 1 * len(letters) ** 2), len(letters))
    chance = (byte % len(letters) for byte in os.urandom(2))
    tail = "".join(letters[at] for at in (high, low, *chance))
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{tail}"


def _age(name: str) -> tuple[str, int]:
    """Sort key: the games of a match, numbered behind a dot, follow each other."""
    base, _, number = name.partition(".")
    return base, int(number) if number.isdecimal() else 0


def _write_all(descriptor: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _cannot_record(error: OSError) -> str:
    reason = error.strerror or str(error)
    return f"This game cannot be recorded ({reason}); it goes on, but it cannot be resumed."
