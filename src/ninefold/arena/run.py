"""Runs a tournament in a folder, from wherever an earlier run has stopped."""

import os
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from ninefold.arena.crew import Alone, Crew, Processes
from ninefold.arena.formats import FORMATS, Pairing, Results, Verdict
from ninefold.arena.formats.sequential import SEQUENTIAL
from ninefold.arena.game import Limits
from ninefold.arena.results import DamagedResults, Writer, read_rows
from ninefold.arena.schedule import BLOCK, Chunk, Schedule
from ninefold.arena.seats import seat_for
from ninefold.arena.tournament import OBJECT, Tournament, dump, read_tournament
from ninefold.books.sources import read_text
from ninefold.core.errors import NinefoldError
from ninefold.players import PROGRAM, PYTHON, SAVED, PlayStopped, Who, split_kind

TOURNAMENT = "tournament.toml"
# Seconds that a chunk should take: the rest of it is lost if somebody pulls the plug.
CHUNK_SECONDS = 1.0
MOST_PAIRS = 1 << 16


class Progress(NamedTuple):
    """How far a tournament is; ``most`` is how many games it can have at most."""

    played: int
    most: int
    left: float | None  # seconds, estimated


class Finished(NamedTuple):
    """A tournament at its end: where it is, its games, and what a sequential test found."""

    folder: str
    games: int
    new: int
    verdict: Verdict | None


Report = Callable[[Progress], None]


class Done:
    """The games that were played before, by their ids, in a few bytes each."""

    def __init__(self) -> None:
        self._pairs = array("Q"), array("Q")  # of the first and second games of pairs

    def add(self, row: dict[str, Any]) -> None:
        """Note the game of a row; raises ValueError."""
        pair, seat = row["id"].split("-")
        self._pairs[int(seat) - 1].append(int(pair, 16))

    def sort(self) -> None:
        """To be called before anything is looked up; raises ValueError if a game is there twice."""
        self._pairs = tuple(array("Q", sorted(one)) for one in self._pairs)  # type: ignore[assignment]
        for pairs in self._pairs:
            if any(one == two for one, two in pairwise(pairs)):
                raise ValueError("twice")

    def __len__(self) -> int:
        return sum(map(len, self._pairs))

    def of(self, pair: str) -> list[str]:
        """The games of this pair that were played."""
        number, found = int(pair, 16), []
        for seat, pairs in enumerate(self._pairs, 1):
            at = bisect_left(pairs, number)
            if at < len(pairs) and pairs[at] == number:
                found.append(f"{pair}-{seat}")
        return found


def prepare(folder: Path, tournament: Tournament) -> None:
    """Write the tournament into the folder, or find the same one there; raises NinefoldError."""
    text, path = dump(tournament), folder / TOURNAMENT
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            if read_text(str(path)) != text:
                reason = f"Another tournament is in {folder}."
                advice = "Choose another folder with -o, or resume that one."
                raise NinefoldError("other-tournament", reason, advice)
            return
        draft = folder / f".{TOURNAMENT}.{os.getpid()}"
        with open(draft, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        reason = f"Cannot write the tournament to {folder}: {error.strerror}."
        raise NinefoldError("unwritable", reason) from None


def open_folder(folder: Path, objects: dict[str, Who] | None = None) -> Tournament:
    """The tournament in this folder; raises NinefoldError."""
    path = folder / TOURNAMENT
    if not path.is_file():
        reason = f"There is no tournament in {folder}."
        raise NinefoldError("no-tournament", reason, "Start one with: ninefold arena run")
    return read_tournament(str(path), objects)


def check_players(tournament: Tournament) -> dict[int, int]:
    """How many games each entrant plays at a time, 0 for any number; raises UnknownPlayer."""
    limits, found = Limits(tournament.time_limit), dict[int, int]()
    for at, entrant in enumerate(tournament.players):
        scheme = split_kind(entrant.who)[0] if isinstance(entrant.who, str) else PYTHON
        found[at] = int(scheme != "")
        if scheme not in ("", PROGRAM):
            for played in tournament.games:
                with closing(seat_for(entrant.who, played.game, limits)) as seat:
                    found[at] = seat.concurrency if seat.is_apart else 0
    return found


def make_crew(tournament: Tournament, folder: Path, workers: int, on: str) -> Crew:
    """Who plays: a cluster, this process, or several; raises NinefoldError."""
    kept = str(folder.resolve()) if has_models(tournament) else ""
    if on:
        from ninefold.arena.cluster import Cluster

        return Cluster(tournament, kept, on, workers)
    if workers == 1:
        return Alone(tournament, kept)
    return Processes(tournament, kept, workers)


def has_models(tournament: Tournament) -> bool:
    """Whether somebody plays who keeps transcripts, and whose answers may cost money."""
    schemes = {split_kind(entrant.spec)[0] for entrant in tournament.players}
    return bool(schemes - {"", SAVED, PYTHON, PROGRAM})


def run(
    folder: Path,
    tournament: Tournament,
    workers: int = 1,
    on: str = "",
    report: Report = lambda _: None,
) -> Finished:
    """Play what has not been played yet; raises NinefoldError, and KeyboardInterrupt on Ctrl-C."""
    if on:
        from ninefold.arena.cluster import check_cluster

        check_cluster(on)
    objects = [entrant.name for entrant in tournament.players if entrant.spec == OBJECT]
    if objects and (workers > 1 or on):
        _check_objects(tournament)
    if not (folder / TOURNAMENT).exists():
        check_players(tournament)  # a misspelled name must not leave a folder behind
    prepare(folder, tournament)
    with Writer(folder) as writer:
        runner = _Runner(tournament, folder, writer, report)
        verdict = runner.run(lambda: make_crew(tournament, folder, workers, on))
    return Finished(str(folder), runner.played, runner.new, verdict)


def _check_objects(tournament: Tournament) -> None:
    """Objects go to other processes only if they can be pickled; raises NinefoldError."""
    import pickle

    for entrant in tournament.players:
        try:
            pickle.dumps(entrant.who)
        except Exception as error:  # noqa: BLE001 - whatever somebody's object raises
            reason = f"{entrant.name} cannot be sent to other processes: {error}"
            raise NinefoldError("not-picklable", reason, "Use workers=1.") from None


class _Runner:
    """The rounds of a tournament, one after the other, and their chunks."""

    def __init__(
        self,
        tournament: Tournament,
        folder: Path,
        writer: Writer,
        report: Report,
    ) -> None:
        self.tournament, self._writer, self._report = tournament, writer, report
        self._apart: dict[int, int] = {}  # known once somebody plays
        self._schedule, self._format = Schedule(tournament), FORMATS[tournament.format]
        self._results = Results({one.name: at for at, one in enumerate(tournament.players)})
        self._done, spent = _read_done(folder, self._results)
        if has_models(tournament):
            from ninefold.players.llm.ledger import SPENT, Ledger

            Ledger(str(folder / SPENT)).open(*spent)
        self.played, self.new, self._began = len(self._done), 0, monotonic()
        pairs = sum(map(tournament.pairs, range(len(tournament.games))))
        self._most = 2 * pairs * self._format.most_pairings(tournament)
        self._rates: dict[Any, float] = {}  # seconds per pair, by who plays

    def run(self, hire: Callable[[], Crew]) -> Verdict | None:
        """Play all rounds; the crew is hired once there is something to do."""
        crew: Crew | None = None
        try:
            while pairings := self._format.next_round(self.tournament, self._results):
                if any(not self._is_done(pairing) for pairing in pairings):
                    if crew is None:
                        self._apart = check_players(self.tournament)
                        crew = hire()
                    self._play_round(pairings, crew)
                self._results.rounds += 1
        finally:
            if crew is not None:
                crew.close()
        if self.tournament.format != "sequential":
            return None
        return SEQUENTIAL.verdict(self.tournament, self._results)

    def _is_done(self, pairing: Pairing) -> bool:
        return all(len(self._done.of(pair)) == 2 for pair in self._schedule.pairs(pairing))

    def _play_round(self, pairings: Sequence[Pairing], crew: Crew) -> None:
        """Play all chunks of a round; raises PlayStopped."""
        chunks, going = self._chunks(pairings, crew.size), 0
        stopped: PlayStopped | None = None
        while True:
            while going < crew.size and (chunk := next(chunks, None)) is not None:
                crew.start(chunk)
                going += 1
            if stopped is not None and not going:
                raise stopped
            if not going:
                return
            news = crew.wait()
            self._write([row for one in news for row in one.rows])
            for chunk, _, seconds, error in news:
                if error is not None:
                    # Games that others have begun, and perhaps paid for, come to their ends.
                    if not isinstance(error, PlayStopped):
                        raise error
                    stopped, chunks = stopped or error, iter(())
                elif seconds is not None:
                    self._rates[self._kind(chunk.pairing)] = seconds / chunk.pairing.pairs
                going -= seconds is not None or error is not None
            self._tell()

    def _write(self, rows: list[str]) -> None:
        import json

        if not rows:
            return
        self._writer.write(rows)
        if self._format.needs_results:
            for row in rows:
                self._results.add(json.loads(row))
        self.played += len(rows)
        self.new += len(rows)

    def _tell(self) -> None:
        speed = self.new / max(monotonic() - self._began, 1e-6)
        left = (self._most - self.played) / speed if speed else None
        self._report(Progress(self.played, self._most, left))

    def _kind(self, pairing: Pairing) -> tuple[int, int, int]:
        return pairing.game, pairing.one, pairing.two

    def _chunks(self, pairings: Sequence[Pairing], size: int) -> Iterator[Chunk]:
        """What is left to play, in chunks that take about as long as they should."""
        for whole in pairings:
            first, end = whole.first, whole.first + whole.pairs
            while first < end:
                count = min(self._size(whole, size), end - first)
                part = whole._replace(first=first, pairs=count)
                first += count
                done = frozenset(
                    game
                    for pair in (self._schedule.pairs(part) if len(self._done) else ())
                    for game in self._done.of(pair)
                )
                if len(done) < 2 * count:
                    yield Chunk(part, done)

    def _size(self, pairing: Pairing, crew: int) -> int:
        """How many pairs: by how long the last ones took, and so that everybody has some."""
        at_once = max(self._apart[pairing.one], self._apart[pairing.two])
        step = 1 if at_once else BLOCK
        rate = self._rates.get(self._kind(pairing))
        wanted = 4 * step if rate is None else int(CHUNK_SECONDS / max(rate, 1e-9))
        share = -(-pairing.pairs // (2 * crew)) if crew > 1 else MOST_PAIRS
        wanted = min(wanted, share, MOST_PAIRS)
        # However slow they are, all games that can be played at once are.
        least = max(step, min(at_once, -(-pairing.pairs // crew)))
        return max(least, wanted - wanted % step)


def _read_done(folder: Path, results: Results) -> tuple[Done, tuple[int, float]]:
    """What was played before, and what it took in tokens and money.

    Raises DamagedResults if it cannot be of this tournament.
    """
    done, number, tokens, money = Done(), 0, 0, 0.0
    try:
        for number, row in enumerate(read_rows(folder), 1):  # noqa: B007 - named in the message
            done.add(row)
            results.add(row)
            tokens, money = tokens + sum(row.get("tokens", ())), money + sum(row.get("cost", ()))
        number = 0
        done.sort()
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError):
        where = f"Line {number}" if number else "A game that is there twice"
        reason = f"{where} of the file of games in {folder} is not of this tournament."
        advice = "Restore the file, or start in another folder."
        raise DamagedResults("damaged", reason, advice) from None
    return done, (tokens, money)
