"""The same games with any number of processes and interruptions; damaged files are refused."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from unit.arena.tournaments import lines_of, rows_of

from ninefold.arena import run_tournament
from ninefold.arena.results import GAMES, Writer, count_games, read_rows
from ninefold.arena.run import Progress, open_folder
from ninefold.core.errors import NinefoldError

PLAYERS = ["random", "greedy", "level:2", "perfect"]
FORMATS: dict[str, dict[str, Any]] = {
    "round-robin": {"rounds": 20, "openings": "all", "opening_moves": 1},
    "swiss": {"rounds": 5, "swiss_rounds": 3},
    "sequential": {"rounds": 400, "batch": 8, "elo1": 100},
}


def play(folder: Path, format_: str, **more: Any) -> Any:
    """A tournament of this format."""
    players = ["level:1", "random"] if format_ == "sequential" else PLAYERS
    games = ["magic-fifteen", "sequence-duel-sum"]
    return run_tournament(players, games, folder, format=format_, **FORMATS[format_], **more)


@pytest.mark.slow
def test_rows_are_the_same_with_any_number_of_processes(tmp_path: Path) -> None:
    """To the byte."""
    for workers in (1, 2, 3):
        play(tmp_path / str(workers), "round-robin", workers=workers)
    one, two, three = (lines_of(tmp_path / str(workers)) for workers in (1, 2, 3))
    assert len(one) == 2 * 20 * 6 * 2
    assert one == two == three


@pytest.mark.parametrize("format_", [*FORMATS])
def test_an_interrupted_tournament_has_the_same_games_in_the_end(
    tmp_path: Path, format_: str
) -> None:
    """Wherever the file of games was cut, even within a line: nothing is lost or doubled."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    finished, chance = play(whole, format_), Random(4)
    data = (whole / GAMES).read_bytes()
    assert finished.games == finished.new == len(data.splitlines())
    for at in (0, 1, len(data) // 3, chance.randrange(len(data)), len(data) - 1):
        play(cut, format_)  # complete, and then no longer
        (cut / GAMES).write_bytes(data[:at])
        again = play(cut, format_)
        assert (again.games, again.verdict) == (finished.games, finished.verdict)
        assert again.new == finished.games - data[:at].count(b"\n")
        assert lines_of(cut) == sorted(data.decode().splitlines())


def test_games_are_counted_and_those_without_the_other_of_their_pair(tmp_path: Path) -> None:
    """A torn last line does not count; an empty folder has none."""
    rows = [f'{{"id":"{name}","pair":"x"}}\n' for name in ("aa-1", "bb-2", "aa-2", "cc-1")]
    assert count_games(tmp_path) == (0, 0)
    (tmp_path / GAMES).write_text("".join(rows) + '{"id":"bb-1"')
    assert count_games(tmp_path) == (4, 2)


def test_single_games_of_pairs_are_completed(tmp_path: Path) -> None:
    """Also of a batched agent, which is given the same batches again."""
    sizes: list[list[int]] = [[]]

    def agent(views: Any, masks: Any) -> Any:
        sizes[-1].append(len(views))
        return masks.argmax(axis=1)

    players = {"agent": agent, "random": "random"}
    before = rows_of(tmp_path, players, rounds=20)
    lines = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join(lines[::3]))
    sizes.append([])
    after = rows_of(tmp_path, players, rounds=20)
    assert sizes[0] == sizes[1]
    assert [row["moves"] for row in before] == [row["moves"] for row in after]


def test_a_sequential_test_stops_as_soon_as_it_knows(tmp_path: Path) -> None:
    """Perfect play against random moves is decided early, in either order."""
    for players, decision in (
        (["perfect", "random"], "better"),
        (["random", "perfect"], "not better"),
    ):
        folder = tmp_path / decision
        finished = run_tournament(players, ["magic-fifteen"], folder, format="sequential")
        assert finished.verdict is not None
        assert finished.verdict.decision == decision
        assert finished.games <= 2 * 128  # of at most 20,000


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    """Nothing is changed."""
    rows = rows_of(tmp_path, ["random", "greedy"], rounds=1)
    with pytest.raises(NinefoldError, match="Another tournament is in"):
        rows_of(tmp_path, ["random", "greedy"], rounds=2)
    assert [*read_rows(tmp_path)] == rows


def test_two_processes_cannot_write_the_same_games(tmp_path: Path) -> None:
    """The second one is told."""
    rows_of(tmp_path, ["random", "greedy"], rounds=1)
    with Writer(tmp_path), pytest.raises(NinefoldError, match="Another process is playing"):
        rows_of(tmp_path, ["random", "greedy"], rounds=1)


@pytest.mark.parametrize(
    "line",
    [
        "what?",
        "[]",
        "{}",
        '{"id": 3, "moves": ""}',
        '{"id": "x-1", "moves": ""}',
        '{"id": "00-3", "moves": "", "players": ["random", "greedy"]}',
        '{"id": "00-1", "moves": "", "players": ["random", "else"], "winner": 1, "pair": "00"}',
        '{"id": "fffffffffffffffff-1", "moves": "", "players": ["random", "greedy"]}',
        "\udcff",
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, line: str) -> None:
    """With the number of the line."""
    rows_of(tmp_path, ["random", "greedy"], rounds=1)
    path = tmp_path / GAMES
    path.write_bytes(path.read_bytes() + line.encode(errors="surrogateescape") + b"\n")
    with pytest.raises(NinefoldError, match=r"Line 3 of .* is not"):
        rows_of(tmp_path, ["random", "greedy"], rounds=1)


def test_a_game_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """It cannot be of one tournament."""
    rows_of(tmp_path, ["random", "greedy"], rounds=1)
    path = tmp_path / GAMES
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    with pytest.raises(NinefoldError, match="twice"):
        rows_of(tmp_path, ["random", "greedy"], rounds=1)


def test_changed_rules_are_refused(tmp_path: Path) -> None:
    """A tournament is resumed under the rules it began with, or not at all."""
    book = tmp_path / "mine.toml"
    book.write_text('extends = "magic-fifteen"\n[rules]\npool = "1-8"\n')
    rows_of(tmp_path / "t", ["random", "greedy"], [str(book)], rounds=1)
    assert open_folder(tmp_path / "t").games[0].book == "mine"
    book.write_text('extends = "magic-fifteen"\n[rules]\npool = "1-7"\n')
    with pytest.raises(NinefoldError, match="the rules of this game have changed"):
        open_folder(tmp_path / "t")


def test_objects_that_cannot_be_sent_are_refused(tmp_path: Path) -> None:
    """Before any process is started."""
    players = {"mine": lambda position: position.legal[0], "random": "random"}
    with pytest.raises(NinefoldError, match="mine cannot be sent to other processes"):
        rows_of(tmp_path, players, workers=2)


def test_a_player_that_cannot_play_is_named_before_any_game(tmp_path: Path) -> None:
    """Not after an hour."""
    with pytest.raises(NinefoldError, match="Cannot load python:no_such_module:player"):
        rows_of(tmp_path, ["perfect", "python:no_such_module:player"])
    assert not [*tmp_path.iterdir()]  # so the right name can be tried in the same folder


def test_progress_is_reported(tmp_path: Path) -> None:
    """Up to the last game."""
    told: list[Progress] = []
    rows_of(tmp_path, ["random", "greedy"], rounds=300, report=told.append)
    assert (told[-1].played, told[-1].most) == (600, 600)
    assert all(one.left is not None and one.left >= 0 for one in told)


def test_rows_are_compact_json_in_a_fixed_order(tmp_path: Path) -> None:
    """As Python's own writer would write them."""
    rows_of(tmp_path, {"é": "random", 'q"': "greedy"}, rounds=1)
    for line in lines_of(tmp_path):
        assert json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")) == line
