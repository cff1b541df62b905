"""Records on disk: one file per game, synced after every move and locked while it is played."""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from io import FileIO

from ninefold.core.errors import NinefoldError
from ninefold.record.lock import Busy, Lock, remove_unused
from ninefold.record.text import UNFINISHED, Record, format_fact, format_result, format_settings
from ninefold.referee.events import Ended, Event, Fact
from ninefold.referee.settings import GameSettings

SUFFIX = ".ninefold"
# The folder for copies of the rule books of games from files, next to the records.
BOOKS = "books"
MAX_BOOK = 1 << 24
_OLD_REMARK = re.compile(r" ?\{review: [^{}]*\}")


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Be the one process that plays this game or match; raises NinefoldError."""
    lock = _lock(path)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def _lock(path: str) -> Lock | None:
    """The lock of a record; None for one that nobody can write to. Raises NinefoldError."""
    try:
        return Lock(path)
    except Busy:
        reason = "This game is open in another window. Finish or leave it there first."
        raise NinefoldError("busy", reason) from None
    except OSError as error:
        if not os.access(path, os.W_OK):
            return None
        reason = f"Cannot make sure that {path} is open only here: {error.strerror or error}."
        advice = "Copy it to a folder that you can write to."
        raise NinefoldError("no-lock", reason, advice) from None


class Recorder:
    """Records one game. If the disk fails, it warns once, and the game continues unrecorded."""

    def __init__(
        self, text: str, warn: Callable[[str], None], begin: Callable[[str], FileIO] | None = None
    ) -> None:
        self.saved = False  # whether anything is on disk
        self.complete = begin is not None  # whether everything is
        self._warn = warn
        self._begin = begin  # opens the file once there is a fact to write
        self._written = [text]  # all of it, so that a copy can be saved whatever the disk does
        self.finished = False
        self._file: FileIO | None = None
        self.lock: Lock | None = None

    def write(self, events: Iterable[Event], plies: int) -> None:
        """Append the facts among the events and sync; ``plies`` is the number of moves in force."""
        text = ""
        for event in events:
            if isinstance(event, Fact):
                text += format_fact(event, plies)
            elif isinstance(event, Ended):
                text += format_result(event.outcome)
                self.finished = True
        if text:
            self._append(text)

    def set_aside(self) -> None:
        """Mark a record that was begun and not finished as such; resuming removes the mark."""
        if self.saved and not self.finished:
            self._append(f"{UNFINISHED}\n")

    def save_copy(self, target: str) -> None:
        """Write this unfinished game to a new file; raises OSError and leaves no partial file."""
        _write_new(target, "".join([*self._written, f"{UNFINISHED}\n"]))

    def release(self) -> None:
        """Stop writing, and let another process play on."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    def _append(self, text: str) -> None:
        self._written.append(text)
        end = None
        try:
            if self._begin is not None:
                begin, self._begin = self._begin, None
                self._file = begin(self._written[0])
                self.saved = True
            if self._file is not None and self.complete:
                end = self._file.seek(0, os.SEEK_END)
                write_all(self._file, text)
        except OSError as error:
            self.complete = False
            if self._file is not None and end is not None:
                with suppress(OSError):  # every reader drops an unterminated last line
                    self._file.truncate(end)
            what = "The rest of this game" if self.saved else "This game"
            self._warn(f"{what} cannot be recorded ({error.strerror or error}). You can play on.")


class Store:
    """The folder of records, in the user's data directory by default."""

    def __init__(self, folder: str | None = None) -> None:
        self.folder = folder or data_path("games")

    def recorder(
        self,
        name: str,
        settings: GameSettings,
        warn: Callable[[str], None],
        book: str = "",
        given: str = "",
    ) -> Recorder:
        """The recorder of a new game, whose file appears locked, with all its tags and given moves.

        Nothing is written before the first move that is not given.
        """
        path = self.path(name)

        def begin(text: str) -> FileIO:
            os.makedirs(self.folder, exist_ok=True)
            if settings.book is not None and self.read_book(settings.book) is None:
                copy = self.book_path(settings.book)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                _replace_file(copy, book)
            try:
                if settings.match is None or settings.round == 1:
                    # The whole match is held from its first game on.
                    recorder.lock = Lock(self.path(settings.match or name))
                    remove_unused(self.folder, SUFFIX)
                if os.path.exists(path):
                    raise FileExistsError(EEXIST, "A game of this name exists")
                _replace_file(path, text)
                return FileIO(path, "r+")
            except BaseException:
                recorder.release()
                raise

        recorder = Recorder(format_settings(settings) + given, warn, begin)
        return recorder

    def reopen(self, path: str, length: int, warn: Callable[[str], None]) -> Recorder:
        """The recorder that continues a record after its first ``length`` bytes."""

        def begin(_: str) -> FileIO:
            file = FileIO(path, "r+")
            file.truncate(length)
            return file

        with open(path, "rb") as file:
            text = file.read(length).decode(errors="replace")  # it may have changed since
        recorder = Recorder(text, warn, begin)
        recorder.saved = True
        return recorder

    def path(self, name: str) -> str:
        """The file of the record of this name."""
        return os.path.join(self.folder, name + SUFFIX)

    def book_path(self, digest: str) -> str:
        """The file of the copy of a rule book."""
        return os.path.join(self.folder, BOOKS, f"{digest}.json")

    def read_book(self, digest: str) -> str | None:
        """The copy of a rule book; None if it is missing or was changed."""
        from ninefold.books.book import digest_of
        from ninefold.books.sources import BookFileError, read_text

        try:
            copy = read_text(self.book_path(digest), MAX_BOOK)
        except BookFileError:
            return None
        return copy if digest_of(copy) == digest else None

    def names(self) -> list[str]:
        """The names of all records, the oldest first."""
        try:
            files = os.listdir(self.folder)
        except OSError:
            return []
        return sorted((file[: -len(SUFFIX)] for file in files if file.endswith(SUFFIX)), key=_age)

    def find(self, wanted: str) -> str:
        """The path of a record, given as a file, a name, or a unique part of one."""
        if os.path.dirname(wanted) or wanted.endswith(SUFFIX) or os.path.isfile(wanted):
            return wanted
        names = self.names()
        if wanted in names:
            return self.path(wanted)
        matches = {name.partition(".")[0]: name for name in reversed(names) if wanted in name}
        if len(matches) == 1:
            return self.path(*matches.values())
        found = f"{len(matches)} games match" if matches else "There is no game"
        raise NinefoldError("no-such-record", f'{found} "{wanted}". See: ninefold games')


def data_path(name: str) -> str:
    """A file or folder in the user's data directory."""
    from platformdirs import user_data_dir

    return os.path.join(user_data_dir("ninefold", appauthor=False), name)


def annotate(path: str, record: Record, remarks: list[str]) -> None:
    """Write a remark after each fact, in place of an earlier review's; raises OSError."""
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    lines = [_OLD_REMARK.sub("", line) for line in lines]
    for entry, remark in zip(record.entries, remarks, strict=True):
        if remark:
            lines[entry.line - 1] += f" {{review: {remark}}}"
    _replace_file(path, "".join(f"{line}\n" for line in lines))


def new_name() -> str:
    """A new name for a record; names sort by age, and the last four letters identify most games."""
    letters = "23456789abcdefghjkmnpqrstuvwxyz"
    now = time.time()
    high, low = divmod(int(now % 1 * len(letters) ** 2), len(letters))
    chance = (byte % len(letters) for byte in os.urandom(2))
    tail = "".join(letters[at] for at in (high, low, *chance))
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(now))}-{tail}"


def _age(name: str) -> tuple[str, int]:
    """Sort key: the games of a match, numbered after a dot, follow each other."""
    base, _, number = name.partition(".")
    return base, int(number) if number.isdecimal() else 0


def _replace_file(path: str, text: str) -> None:
    """Write the complete file or nothing; raises OSError."""
    draft = f"{path}.{os.getpid()}.new"
    with suppress(FileNotFoundError):
        os.unlink(draft)  # of a process that was killed
    _write_new(draft, text)
    try:
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise
    _sync_folder(os.path.dirname(path) or os.curdir)


def _write_new(path: str, text: str) -> None:
    """Write a file that must not exist yet; raises OSError and leaves no partial file."""
    with FileIO(path, "x") as file:
        try:
            write_all(file, text)
        except BaseException:
            file.close()
            os.unlink(path)
            raise


def write_all(file: FileIO, text: str) -> None:
    """Write all of it and sync; raises OSError."""
    data = text.encode()
    while data:
        data = data[os.write(file.fileno(), data) :]
    os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    """Make sure that the names of new files are on disk, where the system can do that."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
