"""A tournament: who plays whom, at which games, from which openings, how often. Nothing is run.

It is read from a TOML file within bounds, with all its faults reported at once, or made from
options; ``dump`` writes it out in full, so that the same text is the same tournament.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from ninefold import books
from ninefold.arena.formats import FORMATS, Hypotheses
from ninefold.arena.openings import MOST_OPENINGS, OPENINGS, find_openings
from ninefold.books.faults import BookError, Fault, Table, Values, nearest
from ninefold.books.locations import with_places
from ninefold.books.safety import UNREADABLE, is_readable, shown
from ninefold.books.sources import (
    BookFileError,
    Source,
    check_bounds,
    is_path,
    parse,
    read_text,
)
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.players import HUMAN, MAX_NAME, UnknownPlayer, Who, make, runs_code

T = TypeVar("T")
VERSION: Final = "ninefold-arena-1"
# Limits for a stranger's tournament.
MOST_PLAYERS, MOST_GAMES, MOST_ROUNDS, MOST_IN_ALL = 200, 64, 1_000_000, 5_000_000
MOST_SEED = 2**53
DEFAULT_ROUNDS, DEFAULT_OF_TEST = 50, 10_000
OBJECT = "object"
VERDICT = "is not a valid tournament"
FIELDS: Final = (
    *("version", "format", "seed", "rounds", "openings", "opening-moves", "most-openings"),
    *("time-limit", "retries", "most-moves", "swiss-rounds", "batch", "players", "games"),
    *("elo0", "elo1", "score0", "score1", "alpha", "beta"),
)


class Entrant(NamedTuple):
    """A player of a tournament: its name in tables and rows, and who it is."""

    name: str
    who: Who

    @property
    def spec(self) -> str:
        """How it is written in a file; an object has no name there."""
        return self.who if isinstance(self.who, str) else OBJECT


class Played(NamedTuple):
    """A game of a tournament: a book, the variant of its rules, changes, and the openings."""

    book: str
    source: str  # its file, if it is not built in
    reading: str
    changes: tuple[str, ...]
    game: Game
    openings: tuple[str, ...]

    @property
    def label(self) -> str:
        """What it is called in messages."""
        return " ".join(filter(None, (self.book, self.reading, *self.changes)))


class Tournament(NamedTuple):
    """Everything that decides which games are played; equal texts are equal tournaments."""

    players: tuple[Entrant, ...]
    games: tuple[Played, ...]
    format: str = "round-robin"
    seed: int = 0
    rounds: int = 0  # pairs of games per pairing and game; 0: one per opening
    openings: str = "none"
    opening_moves: int = 0
    most_openings: int = 0
    time_limit: float | None = None
    retries: int = 0
    most_moves: int = 1_000
    swiss_rounds: int = 0
    test: Hypotheses = Hypotheses()

    def pairs(self, game: int) -> int:
        """How many pairs of games each pairing plays at this game."""
        return self.rounds or len(self.games[game].openings)

    @property
    def commands(self) -> list[str]:
        """The players that run somebody's code."""
        return [entrant.spec for entrant in self.players if runs_code(entrant.spec)]

    @property
    def key(self) -> str:
        """A digest of everything: the same for the same tournament."""
        return sha256(dump(self).encode()).hexdigest()


def dump(tournament: Tournament) -> str:
    """The tournament as TOML, with every default written out."""
    one = tournament
    fields: dict[str, Any] = {
        "version": VERSION,
        "format": one.format,
        "seed": one.seed,
        "rounds": one.rounds,
        "openings": one.openings,
        "opening-moves": one.opening_moves,
        "most-openings": one.most_openings,
        **({} if one.time_limit is None else {"time-limit": one.time_limit}),
        "retries": one.retries,
        "most-moves": one.most_moves,
        **({"swiss-rounds": one.swiss_rounds} if one.format == "swiss" else {}),
        **(one.test.fields() if one.format == "sequential" else {}),
    }
    lines = [_line(*field) for field in fields.items()]
    for entrant in one.players:
        lines += ["", "[[players]]", _line("name", entrant.name), _line("player", entrant.spec)]
    for played in one.games:
        lines += ["", "[[games]]", _line("game", played.source), _line("reading", played.reading)]
        lines += [_line("changes", [*played.changes]), _line("rules", played.game.fingerprint)]
    return "\n".join(lines) + "\n"


def _line(key: str, value: Any) -> str:
    """A field of a TOML file; JSON writes these values in the same way."""
    import json

    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def read_tournament(path: str, players: Mapping[str, Who] | None = None) -> Tournament:
    """The tournament in a file; raises NinefoldError with all its faults and their places.

    ``players`` are objects for entrants that a file cannot name.
    """
    try:
        text = read_text(path)
    except BookFileError as error:
        reason = error.reason.replace("the rule book", "the tournament")
        raise NinefoldError("no-such-file", reason) from None
    name = shown(path, 200)
    try:
        data = parse(text, name)
    except BookError as error:
        raise BookError(name, error.faults, VERDICT) from None
    try:
        return make_tournament(data, os.path.dirname(path), players or {})
    except BookError as error:
        source = Source(path, os.path.realpath(path), text, data)
        raise BookError(name, with_places(error.faults, [source], ""), VERDICT) from None


def make_tournament(
    data: Values, folder: str = "", objects: Mapping[str, Who] | None = None
) -> Tournament:
    """The tournament that these fields describe; raises BookError with all their faults.

    Rule books in files are relative to ``folder``.
    """
    faults: list[Fault] = []
    check_bounds(data, faults)
    table = Table(dict(data), (), faults)
    table.allow(*FIELDS)
    made = _Reader(table, folder, objects or {}).read()
    if faults or made is None:
        raise BookError("This", faults, VERDICT)
    return made


class _Reader:
    """Reads the fields of a tournament, and notes what is wrong with them."""

    def __init__(self, table: Table, folder: str, objects: Mapping[str, Who]) -> None:
        self.table, self.folder, self.objects = table, folder, objects

    def read(self) -> Tournament | None:
        """The tournament; None, with faults, if it is wrong."""
        table, whole = self.table, self._whole
        if table.data.get("version", VERSION) != VERSION:
            table.wrong("version", f'"{VERSION}"', "this file is for another version")
        format_ = self._choice("format", FORMATS, "round-robin")
        openings = self._choice("openings", OPENINGS, "none")
        length = whole("opening-moves", 0, 8, 0 if openings == "none" else 2)
        if (length == 0) != (openings == "none"):
            table.fault("opening-moves", 'must be 1 or more, or openings must be "none"')
        most = whole("most-openings", 0, MOST_OPENINGS, 50 if openings == "balanced" else 0)
        usual = (
            DEFAULT_OF_TEST if format_ == "sequential" else DEFAULT_ROUNDS * (openings == "none")
        )
        rounds = whole("rounds", 0, MOST_ROUNDS, 0) or usual
        players = self._players(format_)
        games = self._games(openings, length, most)
        limit = self._number("time-limit", 0.001, 86_400) if "time-limit" in table.data else None
        swiss = whole("swiss-rounds", 1, 200, max(1, (len(players) - 1).bit_length() + 1))
        test = Hypotheses.read(table) if format_ == "sequential" else Hypotheses()
        more = (whole("retries", 0, 100, 0), whole("most-moves", 1, 100_000, 1_000))
        seed = whole("seed", 0, MOST_SEED, 0)
        if table.faults:
            return None
        chosen = (openings, length, most, limit, *more)
        rest = (swiss if format_ == "swiss" else 0, test)
        made = Tournament(players, games, format_, seed, rounds, *chosen, *rest)
        self._check_size(made)
        return made

    def _check_size(self, made: Tournament) -> None:
        pairs = sum(map(made.pairs, range(len(made.games))))
        pairings = FORMATS[made.format].most_pairings(made)
        if 2 * pairs * pairings > MOST_IN_ALL:
            said = f"the tournament has {2 * pairs * pairings:,} games, more than {MOST_IN_ALL:,}"
            self.table.fault("rounds", said, "play fewer rounds, or fewer players")

    def _whole(self, key: str, least: int, most: int, default: int) -> int:
        if key not in self.table.data:
            return default
        expected = f"a whole number from {least:,} to {most:,}"
        return self.table.get(key, int, expected, lambda it: least <= it <= most) or 0

    def _number(self, key: str, least: float, most: float) -> float:
        value: Any = self.table.data.get(key)
        if type(value) not in (int, float) or not least <= value <= most:
            self.table.wrong(key, f"a number from {least:g} to {most:g}")
            return least
        return float(value)

    def _choice(self, key: str, choices: Iterable[str], default: str) -> str:
        value, words = self.table.data.get(key, default), [*choices]
        if value in words:
            return str(value)
        hint = nearest(value, words) if isinstance(value, str) else ""
        self.table.wrong(key, f"one of {', '.join(words)}", hint)
        return default

    def _players(self, format_: str) -> tuple[Entrant, ...]:
        """The entrants, each with a name of its own."""
        table, found = self.table, list[Entrant]()
        for below in table.tables("players", MOST_PLAYERS):
            below.allow("name", "player")
            found += self._player(below, [entrant.name for entrant in found])
        least, expected = FORMATS[format_].players
        listed = table.data.get("players", [])
        count = len(listed) if isinstance(listed, list) else least
        if not least <= count <= (2 if format_ == "sequential" else MOST_PLAYERS):
            table.fault("players", f"must be {expected} for the format {format_}")
        return tuple(found)

    def _player(self, table: Table, taken: Sequence[str]) -> list[Entrant]:
        spec = table.get("player", str, "a player, such as level:2")
        if spec is None:
            return []
        short = spec if len(spec) <= 2 * MAX_NAME else f"{spec[: 2 * MAX_NAME - 1]}…"
        name = table.data.get("name", short)
        if not isinstance(name, str) or not 0 < len(name) <= 2 * MAX_NAME or not is_readable(name):
            table.wrong("name", f"a text of 1 to {2 * MAX_NAME} characters", UNREADABLE)
            return []
        if name in taken:
            hint = "give one of them another name"
            table.fault("name" if "name" in table.data else "player", "is there twice", hint)
        who: Who = self.objects.get(name, spec)
        try:
            if who == OBJECT or make(who) is None:
                what = "a person" if who == HUMAN else "an object, which a file cannot hold,"
                table.fault("player", f"{what} cannot play in an arena")
        except UnknownPlayer as error:
            table.fault("player", error.message)
        return [Entrant(name, who)]

    def _games(self, openings: str, length: int, most: int) -> tuple[Played, ...]:
        table = self.table
        found = [
            one
            for below in table.tables("games", MOST_GAMES)
            if (one := self._game(below, openings, length, most)) is not None
        ]
        if not table.data.get("games"):
            table.wrong("games", "at least one game", '[[games]] and game = "magic-fifteen"')
        for at, one in enumerate(found):
            if one.game.fingerprint in [other.game.fingerprint for other in found[:at]]:
                table.fault("games", f"{one.label} has the same rules as an earlier game")
        return tuple(found)

    def _game(self, table: Table, openings: str, length: int, most: int) -> Played | None:
        """One game with its openings; None, with a fault, if there is no such game."""
        before = len(table.faults)
        table.allow("game", "reading", "changes", "rules")
        name = table.get("game", str, "a game, such as magic-fifteen")
        reading, changes = table.data.get("reading", ""), table.data.get("changes", [])
        if not isinstance(reading, str):
            table.wrong("reading", "the name of a reading")
        if not isinstance(changes, list) or not all(isinstance(one, str) for one in changes):
            table.wrong("changes", 'a list of changes, such as ["pool=1-12"]')
        if name is None or len(table.faults) > before:
            return None
        try:
            path = os.path.join(self.folder, name) if is_path(name) else name
            book = books.load_book(path, reading or None, tuple(changes))
            if "rules" in table.data and table.data["rules"] != book.game.fingerprint:
                table.fault("rules", "the rules of this game have changed since", _CHANGED)
            found = find_openings(book.game, openings, length, most)
        except NinefoldError as error:
            table.fault("game", error.message)
            return None
        source = book.file or book.id
        return Played(book.id, source, reading, tuple(changes), book.game, found)


_CHANGED = "start the tournament again in another folder"
