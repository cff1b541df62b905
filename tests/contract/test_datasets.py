"""Datasets: every position, what the solver knows of it, and where random players come to."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from io import BytesIO, StringIO
from math import isclose
from random import Random
from typing import Any

import numpy
import pytest
from effort import examples
from pyarrow import parquet

from contract.test_encoding import load
from contract.test_oracle import SIGNS
from contract.test_vector import RARE, READINGS
from ninefold.core.game import Game
from ninefold.core.moves import parse_moves
from ninefold.core.position import Position
from ninefold.datasets.card import Counts
from ninefold.datasets.formats import GROUP, write_csv, write_parquet
from ninefold.datasets.rows import COLUMNS, Row, Rows, random_play, visits_of
from ninefold.encoding import encoding_for
from ninefold.layout import Layout
from ninefold.oracle import ENDLESS, oracle_for
from ninefold.players import RandomPlayer
from ninefold.reachable import Reached, TooLarge, after
from ninefold.solver import solver_for
from ninefold.state_table import OPEN, state_table_for

SMALL: list[tuple[str, str | None]] = [
    *RARE,
    ("magic-fifteen", "pool=1-6 passing=true ending=[{measure='last-pick',prefer='lower'}]"),
    ("magic-fifteen", "pool=1-7 misere=true"),
    ("sequence-duel-sum", "pool=1-6 invalid='lose-turn'"),
    ("pattern-builder", "pool=1-5 declare=true passing=true"),
]
# The other readings are walked through in the long run; their rules are those of the small games.
GAMES = [
    *(pytest.param(*game, marks=[pytest.mark.long] * (game[1] != "default")) for game in READINGS),
    *SMALL,
]


@lru_cache(maxsize=4)
def rows_of(name: str, reading: str | None) -> list[Row]:
    """All rows of a case, made once for the tests of it."""
    return list(Rows(load(name, reading)))


def played(game: Game, moves: str) -> Position:
    """The position after these moves, all of them written out."""
    position = game.start()
    for move in parse_moves(moves):
        position = position.play(move)
    return position


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), SMALL)
def test_rows_are_what_judge_and_solver_say(name: str, reading: str | None) -> None:
    """Of the position that the row's moves lead to: who acts, hands, observation, values."""
    game = load(name, reading)
    encoding, solver = encoding_for(game), solver_for(game)
    for row in rows_of(name, reading):
        position = played(game, row.moves)
        assert row.ply == len(row.moves.split())
        assert row.observation == encoding.observe(position, row.player).ravel().tolist()
        assert (row.hand_1, row.hand_2) == tuple(
            position.order_of(seat) or tuple(sorted(position.hands[seat - 1])) for seat in (1, 2)
        )
        assert row.legal == numpy.flatnonzero(encoding.mask(position)).tolist()
        if position.outcome is None:
            result, plies = solver.value(position)
            assert (row.player, row.over, row.winner) == (position.turn, False, None)
            assert (row.value, row.distance) == (SIGNS[result], plies)
            best = {encoding.action(move) for move in solver.best(position)}
            assert row.optimal == sorted(best)
        else:
            assert (row.over, row.winner) == (True, position.outcome.winner or 0)
            assert (row.value, row.distance) == (encoding.reward(position, row.player), 0)
            assert (row.reason, row.optimal) == (position.outcome.reason, [])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_rows_and_oracle_agree_and_nothing_is_missing(name: str, reading: str | None) -> None:
    """Every state of the environments' table is there, with the oracle's answers."""
    game = load(name, reading)
    rows = [row for row in rows_of(name, reading) if not row.over]
    shape = encoding_for(game).shape
    answers = oracle_for(game).ask(
        numpy.array([row.observation for row in rows], numpy.int8).reshape(-1, *shape)
    )
    assert [row.value for row in rows] == answers.values.tolist()
    distances = [ENDLESS if row.distance is None else row.distance for row in rows]
    assert distances == answers.distances.tolist()
    for row, mask in zip(rows, answers.optimal, strict=True):
        assert row.optimal == numpy.flatnonzero(mask).tolist()
    table = state_table_for(game)
    assert len({tuple(row.observation) for row in rows}) == int((table.ends == OPEN).sum())
    assert len({(row.player, *row.observation) for row in rows}) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_visits_add_up_to_one_at_every_ply(name: str, reading: str | None) -> None:
    """Exactly, together with the games that have ended before; and all games end."""
    graph = Rows(load(name, reading)).graph()
    gone = Fraction(0)
    for layer in random_play(graph):
        assert gone + sum(layer.values()) == 1
        gone += sum(chance for at, chance in layer.items() if over(graph.nodes[at]))
    assert gone == 1
    rows = rows_of(name, reading)
    assert sum(Fraction(row.visit_fraction) for row in rows if row.over) == 1
    assert all(row.visit_probability == float(Fraction(row.visit_fraction)) for row in rows)


def over(node: Reached) -> bool:
    """Whether the game is over there."""
    return node.position.outcome is not None


def test_the_rows_of_one_ply_add_up_to_one() -> None:
    """In a book whose positions have one ply each, as they stand in the file."""
    rows = rows_of("magic-fifteen", None)
    for ply in range(10):
        here = sum(Fraction(row.visit_fraction) for row in rows if row.ply == ply)
        before = (Fraction(row.visit_fraction) for row in rows if row.ply < ply and row.over)
        assert here + sum(before) == 1


def test_the_counts_are_those_of_tic_tac_toe() -> None:
    """Its 5,478 positions, 958 of them finished, are known from elsewhere."""
    counts = Counts()
    assert sum(1 for _ in counts.watch(Rows(load("magic-fifteen", None)))) == counts.rows == 5478
    assert counts.finished.total() == 958
    assert (counts.results[1], counts.results[2], counts.results[0]) == (626, 316, 16)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), [SMALL[2], SMALL[-1], ("magic-fifteen", "pool=1-7")])
def test_visits_are_what_random_games_come_to(name: str, reading: str | None) -> None:
    """Thousands of games, and no position is visited much more or less often than it should."""
    rows, count, chance = Rows(load(name, reading)), examples(3_000), Random(3)
    graph, player, met = rows.graph(), RandomPlayer(), Counter[Any]()
    for _ in range(count):
        node = graph.nodes[0]
        met[rows.key(node)] += 1
        while not over(node):
            node = after(node.position, chance.choice(player.candidates(node.position)))
            met[rows.key(node)] += 1
    visits = {rows.key(graph.nodes[at]): share for at, share in visits_of(graph).items()}
    assert met.keys() <= visits.keys()
    for key, expected in visits.items():
        spread = (count * float(expected) * (1 - float(expected))) ** 0.5
        assert abs(met[key] - count * expected) <= 6 * spread + 2


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), SMALL)
def test_the_layout_is_the_encoding(name: str, reading: str | None) -> None:
    """What plain Python tells of a position is what the arrays hold, for either viewer."""
    game = load(name, reading)
    layout, encoding = Layout(game), encoding_for(game)
    assert (layout.actions, layout.planes) == (encoding.actions, encoding.planes)
    for position, _ in Rows(game).graph().nodes:
        for viewer in (1, 2):
            flat = encoding.observe(position, viewer).ravel().tolist()
            assert layout.flat(position, viewer) == flat
        legal = layout.moves(position)
        assert list(legal) == numpy.flatnonzero(encoding.mask(position)).tolist()
        assert all(encoding.move(position, action) == legal[action] for action in legal)


def written(game: Game, rows: Iterable[Row], kind: str) -> bytes:
    """The dataset of a game, as a file holds it."""
    file = BytesIO()
    if kind == "csv":
        write_csv(rows, file)
    else:
        width = len(Layout(game).planes) * len(game.pool)
        write_parquet(rows, file, width, {"book": "x"})
    return file.getvalue()


def as_text(value: Any) -> str:
    """A value of a Parquet file, as CSV writes it."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return str(int(value))
    return "" if value is None else str(value)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), SMALL)
def test_csv_and_parquet_agree(name: str, reading: str | None) -> None:
    """Cell by cell, and with the rows they were made of."""
    game, rows = load(name, reading), rows_of(name, reading)
    text, binary = written(game, rows, "csv"), written(game, rows, "parquet")
    header, *lines = csv.reader(StringIO(text.decode()))
    assert header == list(COLUMNS) == list(Row._fields)
    table = parquet.read_table(BytesIO(binary))
    assert table.column_names == header
    assert table.schema.metadata[b"ninefold.book"] == b"x"
    found = table.to_pylist()
    assert lines == [[as_text(value) for value in row.values()] for row in found]
    for row, read in zip(rows, found, strict=True):
        plain = {name: list(v) if isinstance(v, tuple) else v for name, v in row._asdict().items()}
        assert plain == read


def test_the_same_game_gives_the_same_bytes() -> None:
    """Made again from nothing, in either format."""
    game = load(*SMALL[0])
    for kind in ("csv", "parquet"):
        assert written(game, Rows(game), kind) == written(game, Rows(game), kind)


@pytest.mark.slow
def test_rows_are_written_as_they_are_made() -> None:
    """A group of them at a time is asked for, never all."""
    rows, asked = list(Rows(load("magic-fifteen", "pool=1-5"))), 0

    class Sink(BytesIO):
        """Notes how many rows had been made whenever something was written."""

        def __init__(self) -> None:
            super().__init__()
            self.seen: list[int] = []

        def write(self, data: Any) -> int:
            """Take the data, and a note."""
            self.seen.append(asked)
            return super().write(data)

    def source() -> Any:
        nonlocal asked
        for _ in range(3 * GROUP // len(rows)):
            for row in rows:
                asked += 1
                yield row

    sink = Sink()
    write_parquet(source(), sink, 15, {})
    assert min(at for at in sink.seen if at) == GROUP
    assert parquet.ParquetFile(sink).num_row_groups == 3
    asked, sink = 0, Sink()
    write_csv(source(), sink)
    assert min(at for at in sink.seen if at) < GROUP


def test_too_many_rows_are_refused_with_advice() -> None:
    """At once for far too many numbers; else as soon as there is one row too many."""
    for name, reading in (("magic-fifteen", "pool=1-7"), SMALL[-2]):
        game, count = load(name, reading), len(rows_of(name, reading))
        assert sum(1 for _ in Rows(game, most=count)) == count
        reason = rf"more than {count - 1:,} positions\. Use fewer numbers, for example"
        with pytest.raises(TooLarge, match=reason):
            list(Rows(game, most=count - 1))
    with pytest.raises(TooLarge, match="17 numbers are too many"):
        list(Rows(load("magic-fifteen", "pool=1-17")))


def test_positions_that_only_lost_turns_lead_to_are_there() -> None:
    """Random players never give a turn away, so they never come to them."""
    rows = rows_of("sequence-duel-sum", "pool=1-6 invalid='lose-turn'")
    never = [row for row in rows if row.visit_fraction == "0"]
    assert never and all("lost" in row.moves for row in never)
    assert all("lost" not in row.moves for row in rows if row.visit_fraction != "0")
    length = sum(row.visit_probability for row in rows if not row.over)
    assert isclose(length, float(sum(Fraction(r.visit_fraction) for r in rows if not r.over)))
