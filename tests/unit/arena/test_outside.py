"""Players from outside play by the referee's rules, and their faults are part of the row."""

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Lock
from typing import Any, cast

import bots.faulty
import numpy
import pytest
from unit.arena.tournaments import BOOKS, rows_of

import ninefold
from ninefold.arena.results import count_games
from ninefold.arena.threads import play_in_threads
from ninefold.core.moves import Move, format_move
from ninefold.core.position import Position
from ninefold.players import Chance, Fault, NoMove, Player, PlayStopped, Report

DUEL = {"game": "sequence-duel-sum", "reading": "lose-turn"}


def lowest(position: Position) -> Move:
    """Take the lowest number, or answer the question."""
    return position.legal[0]


def same(row: Any, game: ninefold.Game, players: dict[str, Any]) -> bool:
    """Whether the game of a row is the one these players play by themselves."""
    one, two = (players[name] for name in row["players"])
    played = ninefold.play_game(game, one, two, seed=row["seed"])
    moves = " ".join(map(format_move, played.moves))
    return (moves, played.outcome.winner) == (row["moves"], row["winner"])


def first_legal(_: Any, masks: Any) -> Any:
    """A batched agent: the first legal action of each."""
    return masks.argmax(axis=1)


def evenly(_: Any, masks: Any) -> Any:
    """A batched agent: all legal actions with the same probability."""
    return masks / masks.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(("name", "reading"), BOOKS)
def test_functions_and_batched_agents_play_as_by_themselves(
    tmp_path: Path, name: str, reading: str
) -> None:
    """Against each other and against built-in players, in every reading."""
    players = {"lowest": lowest, "first": first_legal, "evenly": evenly, "level:1": "level:1"}
    games = [{"game": name, "reading": reading}]
    rows = rows_of(tmp_path, players, games, rounds=2)
    assert len(rows) == 24
    for row in rows:
        assert same(row, ninefold.load(name, reading), players), row
        assert ("seconds" in row) == (row["players"] != ["level:1"])


def test_a_batched_agent_is_asked_once_per_step(tmp_path: Path) -> None:
    """About all games at once, with their numbers if it wants them."""
    sizes: list[int] = []

    def agent(views: Any, masks: Any, games: Any) -> Any:
        assert views.shape == (len(masks), 3, 9)
        assert len({*games.tolist()}) == len(games)
        sizes.append(len(masks))
        return masks.argmax(axis=1)

    rows = rows_of(tmp_path, {"agent": agent, "random": "random"}, rounds=50)
    assert len(rows) == 100
    assert sizes[0] == 100  # also where the other player began
    assert len(sizes) <= 5


WRONG: dict[str, tuple[Callable[[Position], Any], str, str]] = {
    "illegal": (lambda _: 77, "illegal", "illegal-answer"),
    "unreadable": (lambda _: "what?", "unreadable", "unreadable-answer"),
    "crash": (lambda _: 1 // 0, "error", "crash"),
}


@pytest.mark.parametrize("what", [*WRONG])
def test_a_faulty_answer_forfeits_the_game(tmp_path: Path, what: str) -> None:
    """The reason is the kind of the fault; the row has no move for it."""
    function, kind, code = WRONG[what]
    row, other = rows_of(tmp_path, {"bad": function, "perfect": "perfect"}, rounds=1)
    assert (row["winner"], row["reason"], row["moves"]) == (2, kind, "")
    (fault,) = row["faults"]
    assert (fault["seat"], fault["ply"], fault["kind"], fault["code"]) == (1, 0, kind, code)
    assert fault["raw"]
    assert (other["winner"], other["reason"]) == (1, kind)
    assert len(other["moves"].split()) == len(other["before"]) == 1


def test_after_a_faulty_answer_it_may_try_again(tmp_path: Path) -> None:
    """As often as the tournament says; each fault is counted, and the game goes on."""
    answers: list[int] = []

    def second_try(position: Position) -> Any:
        answers.append(1)
        return 77 if len(answers) % 2 else position.legal[0]

    players = {"second": second_try, "random": "random"}
    row, _ = rows_of(tmp_path, players, rounds=1, retries=1)
    assert row["reason"] not in ("illegal", "error")
    assert len(row["faults"]) == len(row["moves"].split()[::2])
    assert {fault["kind"] for fault in row["faults"]} == {"illegal"}


def test_every_faulty_try_is_counted_before_the_forfeit(tmp_path: Path) -> None:
    """Three tries, three faults, although they are of one kind."""
    row, _ = rows_of(tmp_path, {"bad": lambda _: 77, "random": "random"}, rounds=1, retries=2)
    assert (row["winner"], row["reason"], row["moves"]) == (2, "illegal", "")
    assert [fault["kind"] for fault in row["faults"]] == ["illegal"] * 3


class ReportsItself(Player):
    """Takes a number that is not there, and says so, as a language model does."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Any:  # noqa: ARG002 - any
        """A number that no pool has."""
        return 77

    def take_report(self) -> Report:
        """The same fault every time."""
        return Report((Fault("illegal", "not-in-pool", "77"),))


def test_a_fault_that_the_player_reports_is_counted_once(tmp_path: Path) -> None:
    """Whether it costs the game or only the turn."""
    players = {"model": ReportsItself(), "random": "random"}
    row, _ = rows_of(tmp_path / "forfeit", players, rounds=1)
    assert [fault["code"] for fault in row["faults"]] == ["not-in-pool"]
    row, _ = rows_of(tmp_path / "lose-turn", players, [DUEL], rounds=1)
    lost = row["moves"].split().count("lost")
    assert lost and [fault["code"] for fault in row["faults"]] == ["not-in-pool"] * lost


def test_where_an_unavailable_number_loses_the_turn_it_does(tmp_path: Path) -> None:
    """It is a move of the game and a fault; nobody forfeits. In the end nobody is playing."""
    row, _ = rows_of(tmp_path, {"bad": lambda _: 77, "worse": lambda _: 99}, [DUEL], rounds=1)
    assert row["moves"] == "lost lost lost lost lost lost"
    assert (row["winner"], row["reason"]) == (None, "set-aside")
    assert [fault["code"] for fault in row["faults"]] == ["lost-turn"] * 6
    assert [fault["raw"] for fault in row["faults"]][:2] == ["77", "99"]
    played = ninefold.play_game(ninefold.load(**_named(DUEL)), lambda _: 77, lambda _: 99)
    assert (len(played.moves), played.outcome) == (6, (None, "set-aside", ()))


def _named(game: dict[str, str]) -> dict[str, str]:
    return {"name": game["game"], "reading": game["reading"]}


def test_an_endless_game_ends_at_the_limit(tmp_path: Path) -> None:
    """As a draw with a reason of its own, in the arena and by itself."""
    (row, _) = rows_of(tmp_path, {"one": lowest, "two": "random"}, rounds=1, most_moves=3)
    assert (len(row["before"]), row["winner"], row["reason"]) == (3, None, "move-limit")
    played = ninefold.play_game("magic-fifteen", "random", "random", most_moves=3)
    assert (len(played.moves), played.outcome.reason) == (3, "move-limit")


def test_one_wrong_answer_of_a_batch_forfeits_one_game(tmp_path: Path) -> None:
    """The others are asked about again, one by one."""

    def refuses_five(views: Any, masks: Any) -> Any:
        if (views[:, 1, 4] == 1).any():  # the opponent has taken the 5
            raise RuntimeError("not the 5")
        return masks.argmax(axis=1)

    rows = rows_of(tmp_path, {"agent": refuses_five, "random": "random"}, rounds=20)
    lost = [row for row in rows if row["reason"] == "error"]
    assert 0 < len(lost) < len(rows)
    for row in lost:
        assert "5" in row["moves"].split()
        assert "not the 5" in row["faults"][0]["raw"]


def test_an_illegal_action_of_a_batch_forfeits_its_game(tmp_path: Path) -> None:
    """Whether it is taken already, or no action at all."""
    for action in (4, 99):

        def always(_: Any, masks: Any, action: int = action) -> Any:
            return numpy.full(len(masks), action)

        rows = rows_of(tmp_path / str(action), {"agent": always, "level:1": "level:1"}, rounds=1)
        assert {row["reason"] for row in rows} == {"illegal"}


class Counting(Player):
    """Reports tokens and faults, and is closed by nobody but its owner."""

    closed = 0

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """Any move."""
        return chance.draw(position.legal, ply)

    def take_report(self) -> Report:
        """Seven tokens per move."""
        return Report(tokens=7, cost=0.25)

    def close(self) -> None:
        """Count."""
        self.closed += 1


def test_reports_of_players_are_part_of_the_row(tmp_path: Path) -> None:
    """Tokens and cost by seat."""
    player = Counting()
    row, other = rows_of(tmp_path, {"counting": player, "random": "random"}, rounds=1)
    moves = len(row["moves"].split()[::2])
    assert (row["tokens"], row["cost"]) == ([7 * moves, 0], [0.25 * moves, 0])
    assert other["tokens"][0] == 0
    assert player.closed == 0


def test_a_player_that_resigns_loses(tmp_path: Path) -> None:
    """There is no second try."""

    def resigns(_: Position) -> Move:
        raise NoMove("resign", "it resigns.")

    row, _ = rows_of(tmp_path, {"one": resigns, "two": "random"}, rounds=1, retries=5)
    assert (row["winner"], row["reason"], len(row["faults"])) == (2, "resign", 1)


class Slow(Player):
    """Plays several games at a time: nobody moves first until three games have begun."""

    concurrency = 3
    together = Barrier(3)

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """Wait for the others before the first move."""
        if ply < 2:
            self.together.wait(60)
        return chance.draw(position.legal, ply)


def test_players_that_can_play_many_games_at_once_do(tmp_path: Path) -> None:
    """Each game in a thread, with a player of its own."""
    rows = rows_of(tmp_path, {"slow": Slow, "random": "random"}, rounds=3)
    assert len(rows) == 6
    again = rows_of(tmp_path / "again", {"slow": Counting, "random": "random"}, rounds=3)
    assert [row["moves"] for row in rows] == [row["moves"] for row in again]


def test_a_player_that_cannot_go_on_stops_the_tournament(tmp_path: Path) -> None:
    """Nobody loses for it; what was played is kept, and the rest is played later."""
    left = [5]

    def poor(position: Position) -> Move:
        if not left[0]:
            raise PlayStopped("budget", "There is no money left.")
        left[0] -= 1
        return lowest(position)

    players = {"poor": poor, "random": "random"}
    with pytest.raises(PlayStopped, match="no money left"):
        rows_of(tmp_path, players, rounds=5)
    left[0] = 10_000
    rows = rows_of(tmp_path, players, rounds=5)
    assert (len(rows), [row for row in rows if row["faults"]]) == (10, [])


class Poor(Slow):
    """Three games begin; then the first who is asked again has no money left."""

    together, left = Barrier(3), Lock()

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """Wait for the others before the first move, then stop or play on."""
        if ply < 2:
            self.together.wait(60)
            if self.left.acquire(blocking=False):
                raise PlayStopped("budget", "There is no money left.")
        return chance.draw(position.legal, ply)


def test_games_that_were_begun_are_played_to_their_ends_before_it_stops(tmp_path: Path) -> None:
    """Somebody may have paid for them; no other game begins."""
    with pytest.raises(PlayStopped, match="no money left"):
        rows_of(tmp_path, {"poor": Poor, "random": "random"}, rounds=3)
    assert count_games(tmp_path)[0] == 2


def test_threads_end_with_their_next_move_if_nobody_wants_their_games() -> None:
    """As after Ctrl-C; what they wait for is not waited for."""
    asked, answer, ended = Event(), Event(), Event()

    def play(start: Any, is_over: Callable[[], bool]) -> str:
        if start == 1:
            return "a row"
        asked.set()
        answer.wait(60)
        if is_over():
            ended.set()
        return ""

    rows = play_in_threads(play, cast(Any, [1, 2, 3]), 2)
    assert next(rows) == ["a row"]
    assert asked.wait(60)
    cast(Any, rows).close()
    assert not ended.is_set()
    answer.set()
    assert ended.wait(60)


@pytest.mark.slow
def test_programs_play(tmp_path: Path) -> None:
    """One that behaves, and one that names a number twice."""
    bot = f"program:{sys.executable} {bots.faulty.__file__}"
    players = {"good": bot, "bad": f"{bot} outside", "random": "random"}
    rows = rows_of(tmp_path, players, rounds=1)
    assert len(rows) == 6
    for row in rows:
        culprits = [row["players"][fault["seat"] - 1] for fault in row["faults"]]
        assert culprits == ["bad"] * ("bad" in row["players"])
        assert (row["reason"] == "illegal") == ("bad" in row["players"])
        assert all(seconds >= 0 for seconds in row["seconds"])
