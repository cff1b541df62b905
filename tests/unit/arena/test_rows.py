"""What a row says about a game is what the referee, the judge and the solver say."""

from pathlib import Path
from typing import Any

import pytest
from effort import examples
from unit.arena.tournaments import BOOKS, rows_of

import ninefold
from ninefold.core.game import Game
from ninefold.core.moves import LOST, format_move, parse_moves
from ninefold.solver import Solver
from ninefold.solver.scores import plies_of, sign_of

PLAYERS = ["random", "greedy", "level:2", "perfect"]
KEYS = (
    "id pair round book reading changes rules players first seed opening moves winner reason "
    "before after depth worst good legal regret faults"
).split()


def check_values(game: Game, solver: Solver, row: dict[str, Any]) -> None:
    """Every value of a row, asked again of another solver."""
    position, regret = game.play(row["opening"]), [0.0, 0.0]
    columns = [row[name] for name in ("before", "after", "depth", "worst", "good", "legal")]
    for move, *told in zip(parse_moves(row["moves"]), *columns, strict=True):
        scores = {each: solver.move_score(position, each) for each in position.legal}
        best = max(scores.values())
        chosen = [sign_of(scores[each]) for each in scores if each is not LOST]
        before, after = sign_of(best), sign_of(scores[move])
        depth = plies_of(best) if best else None
        expected = [before, after, depth, min(chosen), chosen.count(before), len(chosen)]
        assert told == expected
        regret[position.turn - 1] += (before - after) / 2
        position = position.play(move)
    assert row["regret"] == regret
    assert position.outcome is not None
    assert (row["winner"], row["reason"]) == (position.outcome.winner, position.outcome.reason)


def check_all(folder: Path, name: str, reading: str, rounds: int) -> int:
    """Play a tournament from the start and from openings, and check all its rows."""
    game, count = ninefold.load(name, reading), 0
    solver = Solver(game)
    for openings in ("none", "all"):
        games = [{"game": name, "reading": reading}]
        settings = {"openings": openings, "rounds": rounds, "seed": 3}
        for row in rows_of(folder / openings, PLAYERS, games, **settings):
            count += 1
            assert [*row] == KEYS
            check_values(game, solver, row)
            if openings == "none":
                one, two = row["players"]
                played = ninefold.play_game(game, one, two, seed=row["seed"], first=row["first"])
                assert " ".join(map(format_move, played.moves)) == row["moves"]
                assert played.outcome[:2] == (row["winner"], row["reason"])
    return count


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reading"), BOOKS)
def test_rows_replay_and_have_the_values_of_the_solver(
    tmp_path: Path, name: str, reading: str
) -> None:
    """Move for move, from the seed of the row; in every book and reading."""
    rounds = examples(10)
    assert check_all(tmp_path, name, reading, rounds) == 2 * 2 * 6 * rounds


@pytest.mark.long
@pytest.mark.parametrize(("name", "reading"), BOOKS)
def test_a_hundred_thousand_games_have_the_values_of_the_solver(
    tmp_path: Path, name: str, reading: str
) -> None:
    """Ten thousand in each of the ten readings."""
    assert len(BOOKS) == 10
    assert check_all(tmp_path, name, reading, 417) >= 10_000


def test_both_games_of_a_pair_have_the_same_opening_and_their_own_chance(tmp_path: Path) -> None:
    """The seats are exchanged, so that no seat is favoured; no game is played twice."""
    rows = rows_of(tmp_path, ["random", "perfect"], openings="all", opening_moves=1)
    pairs: dict[str, list[Any]] = {}
    for row in rows:
        pairs.setdefault(row["pair"], []).append(row)
    assert len(pairs) == 9  # one per first number
    for one, two in pairs.values():
        assert one["players"] == two["players"][::-1]
        assert one["opening"] == two["opening"]
        assert one["seed"] != two["seed"]
    assert {row["opening"] for row in rows} == set("123456789")


def test_two_random_players_do_not_play_the_same_game_in_both_seats(tmp_path: Path) -> None:
    """With one seed for both, the second game of a pair would say nothing new."""
    rows = rows_of(tmp_path, ["random", "greedy"], rounds=20)
    same = sum(one["moves"] == two["moves"] for one, two in zip(rows[::2], rows[1::2], strict=True))
    assert same < 5


def test_large_games_are_played_with_unknown_values(tmp_path: Path) -> None:
    """What nobody knows is null; late positions are known."""
    games = [{"game": "sequence-duel-arithmetic", "changes": ["pool=1-18"]}]
    (row, _) = rows_of(tmp_path, ["random", "greedy"], games, rounds=1)
    assert row["before"][0] is row["depth"][0] is row["good"][0] is None
    assert row["legal"][:2] == [18, 17]
    assert row["regret"] == [0, 0] or None not in row["before"][-1:]
