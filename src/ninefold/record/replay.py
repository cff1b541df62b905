"""Replays a record and judges every move again: nothing in it is trusted."""

import os
from collections.abc import Iterator

from ninefold import books, players
from ninefold.books import Book
from ninefold.core.errors import NinefoldError
from ninefold.core.position import Position
from ninefold.record.store import Store
from ninefold.record.text import RESULTS, UNFINISHED, Record, RecordError
from ninefold.referee import Referee
from ninefold.referee.events import Event


class Replay:
    """A record, its book, and a referee for its facts; raises RecordError if the rules changed.

    The book is looked for in the user's files, unless it is given.
    """

    def __init__(self, record: Record, book: Book | None = None) -> None:
        self.record = record
        settings = record.settings
        try:
            self.book = book or _book_of(record)
            for kind in settings.seats:
                players.make(kind)
            self.referee = Referee(self.book.game, settings)
        except NinefoldError as error:
            raise RecordError(record.source, 0, error.message) from None
        now = self.book.game.fingerprint
        if now != settings.rules:
            game = f"{settings.file or settings.game} ({settings.reading})"
            versions = f"(then {settings.rules}, now {now})"
            reason = f"the rules of {game} have changed since this game was recorded {versions}"
            raise RecordError(record.source, 0, reason)

    def steps(self) -> Iterator[tuple[Position, list[Event]]]:
        """The position before each fact, and its events; raises RecordError if it is impossible."""
        line = 0
        for fact, line in self.record.entries:
            try:
                yield self.referee.position, self.referee.replay(fact)
            except NinefoldError as error:
                reason = f"impossible: {error.reason}"
                raise RecordError(self.record.source, line, reason) from None
        outcome, result = self.referee.outcome, self.record.result
        told = UNFINISHED if outcome is None else RESULTS[outcome.winner]
        if self.record.finished and told != result:
            found = "the game is not over" if outcome is None else f"the moves say {told}"
            reason = f"the result is {result}, but {found}"
            raise RecordError(self.record.source, line, reason)

    def run(self) -> Referee:
        """The referee at the end of the record; raises RecordError."""
        for _ in self.steps():
            pass
        return self.referee


def _book_of(record: Record) -> Book:
    """The book of a game, its copy before its file, which may differ; raises NinefoldError."""
    settings = record.settings
    if settings.book is None:
        return books.load_book(settings.game, settings.reading, settings.all_changes)
    own = Store()
    for store in (Store(record.folder) if record.folder else own, own):
        copy = store.read_book(settings.book)
        if copy is not None:
            named = settings.file or settings.game
            return books.load_copy(copy, named, settings.reading, settings.all_changes)
    if settings.file is None or not os.path.exists(settings.file):
        missing = f"{settings.file or 'its file'} and the copy {own.book_path(settings.book)}"
        raise NinefoldError("book-gone", f"the rule book of this game is gone: {missing}")
    return books.load_book(settings.file, settings.reading, settings.all_changes)
