"""Records on disk: one file a game, appended and synced move by move, locked while it is played."""

import fcntl
import os
import time
from collections.abc import Callable, Iterable

from ninefold.record.errors import NoSuchRecord, RecordBusy
from ninefold.record.format import (
    UNFINISHED,
    Header,
    format_fact,
    format_header,
    format_result,
)
from ninefold.referee.events import FACTS, Ended, Event

SUFFIX = ".ninefold"


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


class Recorder:
    """Writes one game down. A disk that fails is reported once, and the game goes on without it.

    ``begin`` makes the file when there is something to write: a game nobody plays leaves none.
    """

    def __init__(
        self,
        path: str,
        warn: Callable[[str], None],
        begin: Callable[[], tuple[int, Lock]] | None = None,
        descriptor: int | None = None,
    ) -> None:
        self.path = path
        self.saved = False
        self._warn = warn
        self._begin = begin
        self._descriptor = descriptor
        self._lock: Lock | None = None

    def write(self, events: Iterable[Event], plies: int) -> None:
        """Append the facts among the events and sync; ``plies`` counts the moves that stand."""
        text = ""
        for event in events:
            if isinstance(event, FACTS):
                text += format_fact(event, plies)
            elif isinstance(event, Ended):
                text += format_result(event.outcome)
        if text:
            self._append(text)

    def set_aside(self) -> None:
        """Close an unfinished record properly; playing on takes the mark away again."""
        self._append(f"{UNFINISHED}\n")
        self.close()

    def save_copy(self, target: str) -> None:
        """Copy the record of this unfinished game to a new file; raises NoSuchRecord, OSError."""
        self._append("")
        if not self.saved:
            raise NoSuchRecord("not-recorded", "This game is not recorded, so it cannot be saved.")
        with open(self.path, "rb") as file:
            text = file.read().decode() + f"{UNFINISHED}\n"
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            _write_all(descriptor, text)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Stop writing; the game stays locked."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def release(self) -> None:
        """Let another process play on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _append(self, text: str) -> None:
        end = None
        try:
            if self._begin is not None:
                begin, self._begin = self._begin, None
                self._descriptor, self._lock = begin()
            if self._descriptor is not None:
                end = os.lseek(self._descriptor, 0, os.SEEK_END)
                _write_all(self._descriptor, text)
                self.saved = True
        except OSError as error:
            self._give_up(error, end)

    def _give_up(self, error: OSError, end: int | None) -> None:
        """Take half a line back if possible, warn once, and record no more."""
        self.saved = False
        if self._descriptor is not None and end is not None:
            try:
                os.ftruncate(self._descriptor, end)
            except OSError:
                pass  # an unterminated last line is dropped by every reader
        self.close()
        self._warn(_cannot_record(error))


class Store:
    """The folder of records."""

    def __init__(self, folder: str | None = None) -> None:
        self._folder = folder

    @property
    def folder(self) -> str:
        """Where the records are: under the user's data directory, unless told otherwise."""
        if self._folder is None:
            from platformdirs import user_data_dir

            self._folder = os.path.join(user_data_dir("ninefold", appauthor=False), "games")
        return self._folder

    def recorder(
        self, name: str, header: Callable[[], Header], warn: Callable[[str], None]
    ) -> Recorder:
        """The recorder of a new game; its file appears complete with its tags, and locked."""

        def begin() -> tuple[int, Lock]:
            os.makedirs(self.folder, exist_ok=True)
            recorder.path = self.path(name)
            draft = f"{recorder.path}.new"
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            try:
                _write_all(descriptor, format_header(header()))
                lock = Lock(draft)
                os.rename(draft, recorder.path)
                _sync_folder(self.folder)
            except BaseException:
                os.close(descriptor)
                os.unlink(draft)
                raise
            return descriptor, lock

        recorder = Recorder("", warn, begin)
        return recorder

    def reopen(self, path: str, length: int, warn: Callable[[str], None]) -> Recorder:
        """Go on with a record behind its first ``length`` bytes: its last complete move."""
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
            os.ftruncate(descriptor, length)
        except OSError as error:
            warn(_cannot_record(error))
            return Recorder(path, warn)
        return Recorder(path, warn, descriptor=descriptor)

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
