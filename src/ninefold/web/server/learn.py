"""Learning: positions and puzzles that are worked out beside the server, and what is due for whom.

What is the same for everyone is kept, as long as there is room.
"""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from ninefold.books import names
from ninefold.coach.practice import Answer, day_of, missed_books, parse_answers
from ninefold.web.server.book_store import BookStore
from ninefold.web.server.practice import PracticeStore
from ninefold.web.server.view import Json
from ninefold.web.server.work.given import BookSpec
from ninefold.web.server.work.pool import Workers
from ninefold.web.server.work.puzzles import PuzzleSpec

# What all results that are kept may take together, in characters: some thousand positions.
MAX_KEPT = 16 << 20


class Learner(NamedTuple):
    """Somebody who learns, perhaps without an identity yet, and the address that waits for it."""

    who: str
    client: str


class Learn:
    """What people learn from; every method raises NinefoldError."""

    def __init__(self, store: PracticeStore, books: BookStore, workers: Workers) -> None:
        self._store = store
        self._books = books
        self._workers = workers
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._size = 0

    async def about(self, book: BookSpec, client: str) -> str:
        """What does not change while somebody looks at positions of a book, as JSON."""
        return await self._run("about", {"book": book}, client)

    async def analyse(self, position: PuzzleSpec, seconds: float, client: str) -> str:
        """The analysis of a position, as JSON."""
        wanted = {**position, "seconds": seconds}
        return await self._run("analyse", wanted, client, lambda found: found["proved"])

    async def line(self, position: PuzzleSpec, line: list[str], client: str) -> Json:
        """A line of play from a position on."""
        return {"frames": await self._workers.run("line", {**position, "line": line}, client)}

    async def daily(self, day: str | None, learner: Learner) -> Json:
        """The puzzle of a day, and whether this person has solved it then."""
        wanted = {"day": day or date.today().isoformat()}
        found = json.loads(await self._run("daily", wanted, learner.client))
        given = (await self._answers_of(learner)).get(found["identity"], [])
        then = [one.solved for one in given if str(day_of(one.moment)) == found["day"]]
        return {**found, "solved": then[0] if then else None}

    async def puzzles(self, wanted: Mapping[str, Any], learner: Learner) -> Json:
        """Some puzzles of a book, those that this person has not answered first."""
        wanted = {**wanted, "answered": [*await self._answers_of(learner)]}
        found: Json = await self._workers.run("puzzles", wanted, learner.client)
        return found

    async def answer(self, puzzle: PuzzleSpec, move: str, attempt: str, learner: Learner) -> Json:
        """Whether a number is right; the first answer of an attempt counts."""
        return await self._try("answer", {"puzzle": puzzle, "move": move}, attempt, learner)

    async def hint(self, puzzle: PuzzleSpec, step: int, attempt: str, learner: Learner) -> Json:
        """A step of the hint; from the second on, the attempt counts as missed."""
        return await self._try("help", {"puzzle": puzzle, "step": step}, attempt, learner)

    async def lessons(self, learner: Learner) -> Json:
        """What this person missed in their games and puzzles, and when it is due."""
        games = await self._store.games_of(learner.who)
        log = await self._store.answers_of(learner.who)
        # The newest first: if there are many, those are used.
        named = [game.book for game in reversed(games)] + missed_books(_parse(log))
        stored = [name for name in dict.fromkeys(named) if name and name not in names()]
        copies = await self._books.copies(stored)
        wanted = {
            "games": [
                {"name": game.id, "seat": game.seat, "record": game.record, "book": game.book}
                for game in games
                if game.book is None or game.book in copies
            ],
            "log": log,
            "copies": copies,
        }
        found: Json = await self._workers.run("lessons", wanted, learner.client)
        return found

    async def _try(
        self, job: str, wanted: Mapping[str, Any], attempt: str, learner: Learner
    ) -> Json:
        """The result of a job about a puzzle, after what counts is stored."""
        found: Json = await self._workers.run(job, wanted, learner.client)
        line = found.pop("log")
        if line is not None:
            await self._store.add(learner.who, attempt, line)
        return found

    async def _answers_of(self, learner: Learner) -> dict[str, list[Answer]]:
        return _parse(await self._store.answers_of(learner.who))

    async def _run(
        self,
        job: str,
        wanted: Mapping[str, Any],
        client: str,
        is_final: Callable[[Json], bool] = lambda _: True,
    ) -> str:
        """The result of a job as JSON; one that is final is kept."""
        key = sha256(json.dumps([job, wanted]).encode()).hexdigest()  # a book can be long
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        found = await self._workers.run(job, wanted, client)
        text = json.dumps(found)
        if is_final(found):
            self._keep(key, text)
        return text

    def _keep(self, key: str, text: str) -> None:
        """Keep a result, and forget those that nobody asked for longest."""
        self._size += len(key) + len(text) if key not in self._kept else 0
        self._kept[key] = text
        while self._size > MAX_KEPT:
            old, lost = self._kept.popitem(last=False)
            self._size -= len(old) + len(lost)


def _parse(log: Iterable[str]) -> dict[str, list[Answer]]:
    return parse_answers("\n".join(log))
