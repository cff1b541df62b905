"""Scores equal what the audit computed, and what a plain loop over the rows finds."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from unit.arena.rows import A_GAME, FIFTEEN, row, whole_game, write

from ninefold import load
from ninefold.arena import run_tournament
from ninefold.arena.results import MOST_BYTES, read_rows
from ninefold.arena.scores import Scores, score
from ninefold.arena.scores.table import read_table
from ninefold.audit import audit
from ninefold.solver.graph import Graph


@cache
def real_games(folder: Path) -> Scores:
    """The scores of a small tournament of built-in players, played once."""
    games = ["magic-fifteen", "sequence-duel-sum"]
    run_tournament(["random", "level:1", "perfect"], games, folder, rounds=12, seed=3)
    return score(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Scores]:
    """A tournament and its scores."""
    folder = tmp_path_factory.mktemp("arena") / "played"
    return folder, real_games(folder)


def figures(scores: Scores, name: str) -> Any:
    """The figures of an entrant."""
    return scores.figures[scores.table.names.index(name)]


def test_perfect_keeps_exactly_everything(played: tuple[Path, Scores]) -> None:
    """Value kept is 1.000, regret and blunders are 0, from both seats and in every game."""
    scores = played[1]
    perfect = figures(scores, "perfect")
    assert [one.value for one in perfect.kept] == [1.0, 1.0, 1.0]
    assert (perfect.regret.value, perfect.blunders.value) == (0.0, 0.0)
    assert (perfect.only_wins.value, perfect.only_draws.value) == (1.0, 1.0)
    at = scores.table.names.index("perfect")
    kept = [one.kept.both for (who, _), one in scores.by_cell.items() if who == at]
    assert [one and one.value for one in kept] == [1.0, 1.0]
    assert scores.entrants[0] == at


def all_random_games(name: str, changes: str) -> Iterator[dict[str, Any]]:
    """Every order of the numbers is as likely as any other in random play."""
    game = load(name, changes=changes)
    for number, order in enumerate(permutations(game.pool)):
        moves = whole_game(game, order)
        yield row(game, ("a", "b"), moves, 2 * number, changes=(changes,), book=name)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("sequence-duel-sum", "pool=1-5"),
        ("magic-fifteen", "pool=2-7"),
        pytest.param("magic-fifteen", "pool=2-8", marks=pytest.mark.long),
    ],
)
def test_the_blunders_of_all_random_games_are_those_of_the_audit(
    name: str, changes: str, tmp_path: Path
) -> None:
    """Over the whole tree, the arena's rate is the audit's number: exactly, not by chance."""
    found = score(write(tmp_path, all_random_games(name, changes)))
    rates = [found.figures[at].blunders for at in (0, 1)]
    thrown = sum(rate.value * rate.n for rate in rates if rate)
    expected = audit(load(name, changes=changes)).audits[0].figures.blunders
    assert expected is not None
    assert thrown / sum(rate.n for rate in rates if rate) == pytest.approx(expected, abs=1e-12)


def test_random_against_random_blunders_as_often_as_the_audit_says(tmp_path: Path) -> None:
    """From the start position, twice the interval holds the audit's number, whatever the seed."""
    players = {"one": "random", "two": "random"}
    run_tournament(players, ["magic-fifteen"], tmp_path, rounds=300, seed=1)
    expected = audit(FIFTEEN).audits[0].figures.blunders
    assert expected is not None
    for one in score(tmp_path).figures.values():
        assert one.blunders is not None
        width = one.blunders.high - one.blunders.low
        assert abs(one.blunders.value - expected) <= width < 0.08


def naive(folder: Path, name: str, cell: str = "") -> dict[str, float]:
    """The same figures by a plain loop over the rows, with the turns of alternating players."""
    kept = available = lost = stake = blunders = chances = only = found = 0.0
    for game in read_rows(folder):
        if cell and game["book"] != cell:
            continue
        for at, before in enumerate(game["before"]):
            after, worst = game["after"][at], game["worst"][at]
            if game["players"][at % 2] != name:
                continue
            chances += before >= 0
            blunders += after < before
            if worst < before:
                kept, available = kept + after - worst, available + before - worst
                lost, stake = lost + (before - after) / 2, stake + 1
                if game["good"][at] == 1 and before == 1:
                    only, found = only + 1, found + (after == 1)
    return {
        "kept": kept / available,
        "regret": lost / stake,
        "blunders": blunders / chances,
        "only": found / only,
        "stake": stake,
    }


@pytest.mark.parametrize("name", ["random", "level:1"])
def test_figures_are_those_of_a_plain_loop(name: str, played: tuple[Path, Scores]) -> None:
    """Value kept, regret, blunders and only moves, in all games and in each."""
    folder, scores = played
    player = scores.table.names.index(name)
    cells = {"": scores.figures[player]}
    cells |= {one.book: scores.by_cell[player, at] for at, one in enumerate(scores.table.cells)}
    for cell, one in cells.items():
        assert one.kept.both and one.regret and one.blunders and one.only_wins
        expected = naive(folder, name, cell)
        assert one.kept.both.value == pytest.approx(expected["kept"])
        assert one.regret.value == pytest.approx(expected["regret"])
        assert one.blunders.value == pytest.approx(expected["blunders"])
        assert one.only_wins.value == pytest.approx(expected["only"])
        assert one.at_stake == one.regret.n == expected["stake"]
        by_move = one.regret_by_move.values()
        total = sum(part.value * part.n for part in by_move)
        assert total == pytest.approx(expected["regret"] * expected["stake"])


@pytest.mark.parametrize("changes", ["picks-per-turn=2", "declare=true", "passing=true"])
def test_every_move_is_its_players_whatever_a_turn_is(changes: str, tmp_path: Path) -> None:
    """In each game, what an entrant lost is what its row says by seat, however turns go."""
    game = {"game": "sequence-duel-sum", "changes": ["pool=1-7", changes]}
    run_tournament(["random", "level:1"], [game], tmp_path, rounds=15)
    table, lost = read_table(tmp_path), 0.0
    rows = table.decisions
    for at, one in enumerate(read_rows(tmp_path)):
        for name, expected in zip(one["players"], one["regret"], strict=True):
            own = (rows["game"] == at) & (rows["player"] == table.names.index(name))
            assert (rows["before"] - rows["after"])[own].sum() / 2 == expected
            lost += expected
    assert lost > 0


def test_a_forfeit_is_a_loss_but_no_lack_of_skill(tmp_path: Path) -> None:
    """It counts in results, ratings and faults; value kept, regret and blunders stay."""
    games = [row(FIFTEEN, ("a", "b"), whole_game(FIFTEEN, order), at) for at, order in _ORDERS]
    fault = {"seat": 1, "ply": 0, "kind": "illegal", "code": "illegal-answer", "raw": "12"}
    lost = row(FIFTEEN, ("b", "a"), "", len(games), forfeit="illegal", faults=[fault, fault])
    fine, faulty = score(write(tmp_path / "1", games)), score(write(tmp_path / "2", [*games, lost]))
    for name in ("a", "b"):
        before, after = figures(fine, name), figures(faulty, name)
        assert after.kept.both.value == before.kept.both.value
        assert after.regret == before.regret
    b, a = figures(faulty, "b"), figures(faulty, "a")
    assert b.results.forfeits.value == pytest.approx(1 / 5)
    losses = figures(fine, "b").results.losses.value
    assert b.results.losses.value == pytest.approx((4 * losses + 1) / 5)
    assert b.faults["illegal"].value == pytest.approx(1 / (b.decisions + 1))
    assert b.faults["timeout"].value == a.faults["illegal"].value == 0
    assert fine.ratings_without_forfeits is None
    assert faulty.ratings_without_forfeits is not None
    assert faulty.ratings_without_forfeits.entrants[0].games == 4


_ORDERS = [*enumerate([(5, 1, 9, 2, 4, 6), (1, 5, 9, 2, 8, 7, 3, 4, 6)] * 2)]
_ORDERS = [(at, (*order, *(set(range(1, 10)) - {*order}))) for at, order in _ORDERS]


def test_unknown_values_are_left_out_and_counted(tmp_path: Path) -> None:
    """What the solver does not know changes no figure of skill."""
    known = row(FIFTEEN, ("a", "b"), whole_game(FIFTEEN, (1, 5, 9, 2, 8, 7, 3, 4, 6)))
    dark = row(FIFTEEN, ("b", "a"), whole_game(FIFTEEN, (1, 2, 3, 4, 5, 6, 7, 8, 9)), 1)
    for name in ("before", "after", "depth", "worst", "good"):
        dark[name] = [None] * len(dark[name])
    one = figures(score(write(tmp_path / "1", [known])), "a")
    both = figures(score(write(tmp_path / "2", [known, dark])), "a")
    assert one.unknown == 0
    assert both.unknown == len(dark["moves"].split()) // 2
    assert (both.decisions, both.kept.both.value) == (one.decisions, one.kept.both.value)


def test_tokens_seconds_and_cost_belong_to_their_player(tmp_path: Path) -> None:
    """They follow the entrant when seats are exchanged."""
    spent = {"tokens": [30, 10], "cost": [0.5, 3.5]}
    one = row(FIFTEEN, ("a", "b"), A_GAME, forfeit="resign", more=spent)
    two = row(FIFTEEN, ("b", "a"), A_GAME, 1, forfeit="resign", more={"seconds": [0.5, 2.0]})
    scores = score(write(tmp_path, [one, two]))
    assert figures(scores, "a").costs == (30, 2.0, 0.5)
    assert figures(scores, "b").costs == (10, 0.5, 3.5)


GOOD = row(FIFTEEN, ("a", "b"), A_GAME, forfeit="resign")


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"players": ["a"]}, "players must be two names, not ['a']"),
        ({"players": ["a", "b\x1b[31m"]}, "is not the name of a player"),
        ({"players": ["a", "b" * 81]}, "is not the name of a player"),
        ({"winner": 3}, "winner must be 1, 2 or null, not 3"),
        ({"first": True}, "first must be 1 or 2, not True"),
        ({"before": [0]}, "before must be a list with an entry for each of 6 moves"),
        ({"after": [7] * 6}, "after has an entry that is not a value"),
        ({"worst": [True] * 6}, "worst has an entry that is not a value"),
        ({"before": [[0]] * 6}, "before has an entry that is not a value"),
        ({"worst": [{}] * 6}, "worst has an entry that is not a value"),
        ({"depth": [10**9] * 6}, "depth has an entry that is not a value"),
        ({"moves": "5 1 9 3 4 4"}, "4 is already taken"),
        ({"moves": "5 1 9 3 4 x"}, "'x' is not a move"),
        ({"moves": [5]}, "moves must be a text of moves"),
        ({"faults": [{"seat": 3}]}, "a fault must have a seat, 1 or 2"),
        ({"faults": [{"seat": 1.0, "kind": "illegal"}]}, "a fault must have a seat, 1 or 2"),
        ({"changes": ["\x1b[31m"]}, "changes must be a list of short texts"),
        ({"rules": "gone", "opening": "\x1b[31m"}, "opening must be a text of moves"),
        ({"rules": "gone", "moves": "1 2 3 4 5 \x9b"}, "moves must be a text of moves"),
        ({"faults": [{"seat": 1, "kind": []}]}, "is not a kind of fault"),
        ({"tokens": ["1", 2]}, "tokens must be two numbers"),
        ({"cost": [0, float("nan")]}, "cost must be two numbers"),
        ({"cost": 4.0}, "cost must be two numbers"),
        ({"id": None}, "id must be a short text, not None"),
    ],
)
def test_a_damaged_row_is_named_by_its_line(
    change: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    """It is left out, with the reason; nothing of it is counted."""
    table = read_table(write(tmp_path, [GOOD, {**GOOD, "id": "other", "pair": "p", **change}]))
    ((number, why),) = table.damaged
    assert (number, len(table.games["cell"]), table.names) == (2, 1, ("a", "b"))
    assert fault in why


def test_lines_that_are_no_rows_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    """Garbage, nesting, a line without an end, a game that is there twice, and a torn last line."""
    more = [json.dumps(GOOD) + "\n", "garbage\n", "[" * 5000 + "\n", "x" * (MOST_BYTES + 5) + "\n"]
    later = {**GOOD, "id": "later"}
    table = read_table(write(tmp_path, [*more, GOOD, later, json.dumps(GOOD)[:-9]]))
    assert [number for number, _ in table.damaged] == [2, 3, 4]
    assert table.damaged[2][1] == f"it is longer than {MOST_BYTES:,} bytes"
    assert (len(table.games["cell"]), table.doubled) == (2, 1)
    assert list(table.games["line"]) == [1, 6]


def test_a_game_whose_rules_are_not_here_counts_by_its_result(tmp_path: Path) -> None:
    """Nobody can tell whose move each was, so its play is not judged, and that is said."""
    away = [{**GOOD, "book": "gone", "id": "1"}, {**GOOD, "rules": "0" * 16, "id": "2"}]
    scores = score(write(tmp_path, away))
    assert [*scores.table.unjudged.values()][1] == "its rules have changed since"
    one = figures(scores, "a")
    assert (one.games, one.decisions, one.kept.both) == (2, 0, None)
    assert one.results.score.value == 0.0 or one.results.score.value == 1.0


@pytest.mark.parametrize(
    "text", ["games = 5\n", "games = [[1]]\n", "a" + ".a" * 300_000 + " = 1\n", "x = [" * 9_999]
)
def test_the_games_are_scored_whatever_stands_in_the_settings(text: str, tmp_path: Path) -> None:
    """Wrong types, a key that would take hours to parse, and nesting are no settings at all."""
    folder = write(tmp_path, [GOOD])
    (folder / "tournament.toml").write_text(text)
    assert score(folder).figures[0].games == 1


def test_the_winner_must_be_the_judges(tmp_path: Path) -> None:
    """A finished game cannot have another winner than its moves lead to."""
    game = row(FIFTEEN, ("a", "b"), whole_game(FIFTEEN, (1, 5, 9, 2, 8, 7, 3, 4, 6)))
    table = read_table(write(tmp_path, [{**game, "winner": {1: 2, 2: 1, None: 1}[game["winner"]]}]))
    assert table.damaged == ((1, "its winner is not the one that its moves lead to"),)


def test_head_to_head_counts_the_games_between_two(played: tuple[Path, Scores]) -> None:
    """The score of each pairing is that of its own games, and p-values are corrected."""
    folder, scores = played
    for one in scores.comparisons:
        names = {scores.table.names[one.one], scores.table.names[one.two]}
        games = [game for game in read_rows(folder) if {*game["players"]} == names]
        own = scores.table.names[one.one]
        ends = [game["winner"] and game["players"][game["winner"] - 1] for game in games]
        points = sum(0.5 if winner is None else winner == own for winner in ends)
        assert one.score and one.kept and one.score_p is not None
        assert one.games == len(games)
        assert one.score.value == pytest.approx(points / len(games))
        assert one.score_p <= (one.score_corrected or 0) <= 1
        assert one.kept.p <= one.kept.corrected <= 1


def test_the_graph_has_the_games_used_here() -> None:
    """The trees above are whole: no position of the small game is left out by the orders."""
    game = load("sequence-duel-sum", changes="pool=1-5")
    ends = {frozenset(whole_game(game, order)) for order in permutations(game.pool)}
    graph = Graph(game.start())
    found = {frozenset((*node.hands[0], *node.hands[1])) for node in graph.nodes if node.outcome}
    assert ends == found
