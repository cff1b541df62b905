"""Learning over the network: positions, puzzles, and what is due, on every kind of database."""

import asyncio
import json
from collections.abc import Iterator
from datetime import date
from typing import Any, cast

import pytest
from unit.web.server.conftest import new_database
from unit.web.server.live import Client, live

from ninefold import books
from ninefold.coach.hint import hint_for
from ninefold.coach.puzzle import puzzles
from ninefold.core.moves import format_moves
from ninefold.solver import solver_for
from ninefold.web.server import learn
from ninefold.web.server.book_store import BookStore
from ninefold.web.server.learn_api import ROUTES
from ninefold.web.server.practice import PracticeStore
from ninefold.web.server.work.given import load_spec
from ninefold.web.server.work.pool import Workers

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]
MAGIC = "magic-fifteen"
# 8 completes 1 + 6 + 8; nothing else wins.
PUZZLE = {"game": MAGIC, "moves": ["1", "2", "6", "5"]}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server on each kind of database, for all tests: every client is a person."""
    folder = tmp_path_factory.mktemp("learn")
    database = str(folder / "games.sqlite")
    if request.param == "postgres":
        database = new_database(request.getfixturevalue("postgres"), folder)
    with live(database) as found:
        yield found


def test_a_book_is_described(port: int) -> None:
    """Its rules, and the words on its board."""
    found = Client(port).post("/api/learn/about", game=MAGIC, changes=["pool=1-20"])
    assert (found["title"], found["solved"]) == ("Magic Fifteen · pool=1-20", False)
    assert found["words"]["free"] == "free"
    assert len(found["rules"]) > 3


def test_what_is_missed_in_a_puzzle_comes_back(port: int) -> None:
    """Only the first answer of an attempt counts; solved, it is due tomorrow."""
    ann, bob = Client(port), Client(port)
    wrong = ann.post("/api/learn/answer", **PUZZLE, move="3", attempt="a")
    assert wrong["right"] is False
    assert wrong["text"].startswith("3 loses: they take ")
    right = ann.post("/api/learn/answer", **PUZZLE, move="8", attempt="a")
    assert right == {
        "right": True,
        "text": "Right! 8 completes 1-6-8 and wins.",
        "line": ["8"],
        "line_words": "you take 8 and win",
    }
    found = ann.get("/api/learn/lessons")
    (lesson,) = found["due"]
    assert {name: lesson[name] for name in PUZZLE} == PUZZLE
    assert (lesson["origin"], lesson["record"]) == ("You missed this puzzle.", None)
    ann.post("/api/learn/answer", **PUZZLE, move="8", attempt="b")
    found = ann.get("/api/learn/lessons")
    assert found["counts"] == {"due": 0, "later": 1}
    assert date.fromisoformat(found["next"]) > date.fromisoformat(lesson["due"])
    assert bob.get("/api/learn/lessons")["counts"] == {"due": 0, "later": 0}


def test_a_second_hint_counts_as_missed(port: int) -> None:
    """The first does not."""
    ann = Client(port)
    one = ann.post("/api/learn/hint", **PUZZLE, step=1, attempt="a")
    assert (one["text"], one["moves"]) == ("You can complete a set now.", [])
    assert ann.get("/api/learn/lessons")["due"] == []
    two = ann.post("/api/learn/hint", **PUZZLE, step=2, attempt="a")
    assert (two["text"], two["moves"]) == ("Take 8.", ["8"])
    ann.post("/api/learn/answer", **PUZZLE, move="8", attempt="a")
    assert len(ann.get("/api/learn/lessons")["due"]) == 1


def test_a_win_that_was_missed_in_a_game_becomes_due(port: int) -> None:
    """For the player who missed it, once the game is over."""
    ann, bob = Client(port), Client(port)
    ann.post("/api/me", name="Ann")
    game = ann.post("/api/games", game=MAGIC)["id"]
    bob.post(f"/api/games/{game}/join")
    *before, last = *PUZZLE["moves"], "3", "8"  # Ann takes 3 instead of 8; then 8 wins for Bob
    for at, move in enumerate(before):
        (ann, bob)[at % 2].post(f"/api/games/{game}/act", type="move", move=move)
    assert ann.get("/api/learn/lessons")["due"] == []
    bob.post(f"/api/games/{game}/act", type="move", move=last)
    found = ann.get("/api/learn/lessons")
    assert [(one["record"], one["ply"], one["played"]) for one in found["due"]] == [(game, 5, "3")]
    assert found["due"][0]["moves"] == PUZZLE["moves"]
    assert found["due"][0]["view"]["names"] == ["You", "Opponent"]
    assert bob.get("/api/learn/lessons")["due"] == []


def test_the_puzzle_of_the_day_remembers_how_it_went(port: int) -> None:
    """For everybody who tried it on that day, and for nobody else."""
    ann, bob = Client(port), Client(port)
    today = ann.get("/api/learn/daily")
    assert (today["day"], today["solved"]) == (date.today().isoformat(), None)
    (answer,) = [
        puzzle.answer
        for puzzle in puzzles(books.load_book(today["game"], today["reading"]).game)
        if puzzle.identity == today["identity"]
    ]
    named = {name: today[name] for name in ("game", "reading", "moves", "first")}
    ann.post("/api/learn/answer", **named, move=str(answer), attempt="a")
    assert ann.get("/api/learn/daily") == {**today, "solved": True}
    assert bob.get("/api/learn/daily") == today
    other = ann.get("/api/learn/daily?day=2026-02-03")
    assert (other["day"], other["solved"]) == ("2026-02-03", None)
    refused = ann.ask("GET", "/api/learn/daily?day=2026-02-30")
    assert (refused.status, refused.json["message"]) == (409, "Write the day as 2026-01-31.")


def test_new_puzzles_come_first(port: int) -> None:
    """Those that somebody has answered are no longer counted as new."""
    ann = Client(port)
    found = ann.post("/api/learn/puzzles", game=MAGIC, rating=4, count=1)
    (puzzle,) = found["puzzles"]
    rated = {one["rating"]: one for one in found["ratings"]}
    assert rated[4]["new"] == rated[4]["count"]
    named = {name: puzzle[name] for name in ("game", "reading", "moves", "first")}
    free = next(tile["number"] for tile in puzzle["view"]["tiles"] if tile["free"])
    ann.post("/api/learn/answer", **named, move=str(free), attempt="a")
    again = ann.post("/api/learn/puzzles", game=MAGIC, rating=4, count=1)
    assert again["puzzles"] != [puzzle]
    assert {one["rating"]: one["new"] for one in again["ratings"]}[4] == rated[4]["count"] - 1


OWN = """
title = "Mine"
[rules]
pool = "1-7"
wins.arithmetic = { length = 3 }
[readings.four]
rules.wins.arithmetic = { length = 4 }
"""
# 4 completes 2-3-4; after anything else, 4 or 7 wins for the other player.
OWN_PUZZLE = ["1", "2", "5", "3", "6"]


def saved(client: Client, text: str = OWN) -> str:
    """The id of a rule book that this person has saved."""
    return str(client.post("/api/books", text=text)["id"])


@pytest.mark.parametrize("rules", [{}, {"reading": "four"}, {"changes": ["pool=1-8"]}])
def test_a_stored_book_is_analysed_like_a_built_in_one(port: int, rules: dict[str, Any]) -> None:
    """By whoever has its link, in any rules variant and with changes."""
    named = {"game": saved(Client(port)), **rules}
    eve, own = Client(port), load_spec({"text": OWN, **rules})  # type: ignore[typeddict-item]
    about = eve.post("/api/learn/about", **named)
    assert about["title"] == " · ".join(["Mine", own.reading, *own.changes])
    assert [one["name"] for one in about["book"]["readings"]] == ["default", "four"]
    found = eve.post("/api/learn/analysis", **named, moves=OWN_PUZZLE[:3])
    values = [(one["move"], one["value"], one["plies"]) for one in found["moves"]]
    exact = solver_for(own.game).moves(own.game.play([1, 2, 5]))
    assert values == [(str(one.move), one.result, one.plies) for one in exact]
    assert found == eve.post("/api/learn/analysis", **named, moves=OWN_PUZZLE[:3])
    line = eve.post("/api/learn/line", **named, moves=OWN_PUZZLE[:3], line=found["hint"]["line"])
    assert len(line["frames"]) == len(found["hint"]["line"]) + 1


def test_puzzles_of_a_stored_book_come_back(port: int) -> None:
    """To whoever missed them, as long as somebody has the book."""
    ann, eve = Client(port), Client(port)
    book = saved(ann, f"{OWN}# Ann's alone\n")
    found = eve.post("/api/learn/puzzles", game=book, changes=["pool=1-8"], count=3)
    assert {(one["game"], *one["changes"]) for one in found["puzzles"]} == {(book, "pool=1-8")}
    named = {"game": book, "moves": OWN_PUZZLE}
    assert eve.post("/api/learn/answer", **named, move="7", attempt="a")["right"] is False
    assert eve.post("/api/learn/hint", **named, step=1, attempt="b")["step"] == 1
    (lesson,) = eve.get("/api/learn/lessons")["due"]
    assert {name: lesson[name] for name in named} == named
    assert (lesson["view"]["title"], lesson["reading"]) == ("Mine · default", "default")
    again = {name: lesson[name] for name in ("game", "reading", "changes", "moves", "first")}
    assert eve.post("/api/learn/answer", **again, move="4", attempt="c")["right"] is True
    assert eve.get("/api/learn/lessons")["counts"] == {"due": 0, "later": 1}
    ann.ask("DELETE", f"/api/books/{book}")
    assert eve.get("/api/learn/lessons")["counts"] == {"due": 0, "later": 0}
    body = json.dumps({**again, "move": "4", "attempt": "d"}).encode()
    assert eve.ask("POST", "/api/learn/answer", body).json["code"] == "no-such-book"


@pytest.mark.parametrize("changes", [[], ["pool=1-8"]])
def test_a_win_that_was_missed_in_a_game_by_a_stored_book_becomes_due(
    port: int, changes: list[str]
) -> None:
    """With its changes; and the game says under which name its positions can be analysed."""
    ann, bob = Client(port), Client(port)
    ann.post("/api/me", name="Ann")
    book = saved(ann)
    game = ann.post("/api/games", book=book, changes=changes)["id"]
    bob.post(f"/api/games/{game}/join")
    for at, move in enumerate([*OWN_PUZZLE, "7", "4"]):  # Bob takes 7 instead of 4
        (ann, bob)[at % 2].post(f"/api/games/{game}/act", type="move", move=move)
    found = bob.get("/api/learn/lessons")
    (lesson,) = [one for one in found["due"] if one["ply"] == 6]
    assert (lesson["record"], lesson["played"], found["warnings"]) == (game, "7", [])
    named = {"game": book, "reading": "default", "changes": changes}
    assert {name: lesson[name] for name in named} == named
    assert bob.get(f"/api/games/{game}/about")["book"] == named
    right = bob.post("/api/learn/answer", **named, moves=lesson["moves"], move="4", attempt="a")
    assert right["text"] == "Right! 4 completes 2-3-4 and wins."
    assert 6 not in [one["ply"] for one in ann.get("/api/learn/lessons")["due"]]


def test_a_position_after_many_moves_is_analysed(port: int) -> None:
    """Whoever runs out of time often makes a game long."""
    found = Client(port).post("/api/learn/analysis", game=MAGIC, moves=["lost"] * 500)
    assert len(found["moves"]) == 9


REFUSED: list[tuple[str, dict[str, Any], int, str]] = [
    ("analysis", {"game": "chess"}, 404, "There is no such rule book."),
    ("puzzles", {"game": MAGIC, "changes": ["pool=1-12"]}, 413, "This game is too large to find"),
    ("analysis", {"game": MAGIC, "moves": ["5", "5"]}, 409, "5 is already taken"),
    ("analysis", {"game": MAGIC, "moves": "5"}, 400, "moves must be a list"),
    ("analysis", {"game": MAGIC, "moves": ["five"]}, 409, "'five' is not a move."),
    ("analysis", {"game": MAGIC, "reading": "other"}, 409, "magic-fifteen has no reading 'other'"),
    ("analysis", {"game": MAGIC, "changes": ["pool"]}, 409, "A change of the rules is not valid"),
    ("analysis", {"game": MAGIC, "seconds": 1e9}, 400, "seconds must be a number from 0 to 20"),
    ("line", {"game": MAGIC, "line": ["1", "1"]}, 409, "1 is already taken"),
    ("answer", {"game": MAGIC, "move": "5", "attempt": "a"}, 409, "This position is not a puzzle"),
    ("answer", {**PUZZLE, "move": "8"}, 400, "attempt must be a text"),
    ("hint", {**PUZZLE, "step": 4, "attempt": "a"}, 400, "step must be a whole number"),
    ("puzzles", {"game": MAGIC, "rating": 5}, 409, "This game has no puzzle rated 5."),
]


def test_refusals_say_what_is_wrong(port: int) -> None:
    """With a code that is declared for the route."""
    client, declared = Client(port), {route.path: route.errors for route in ROUTES}
    for path, given, status, expected in REFUSED:
        address = f"/api/learn/{path}"
        found = client.ask("POST", address, json.dumps(given).encode())
        assert (found.status, found.json["message"][: len(expected)]) == (status, expected)
        assert found.json["code"] in (*declared[address], "bad-request")


@pytest.mark.parametrize("name", books.names())
def test_an_analysis_has_the_values_of_the_solver(port: int, name: str) -> None:
    """With the reason and the best line, for the position after a move."""
    game = books.load_book(name).game
    position = game.play(game.start().legal[:1])
    found = Client(port).post(
        "/api/learn/analysis", game=name, moves=format_moves(game.start().legal[:1])
    )
    values = [tuple(one[key] for key in ("move", "value", "plies")) for one in found["moves"]]
    exact = solver_for(game).moves(position)
    assert values == [(str(one.move), one.result, one.plies) for one in exact]
    assert found["hint"]["line"] == format_moves(hint_for(position).line)
    assert found["view"]["hands"][0] == list(position.hands[0])


class Counting(Workers):
    """Workers that count their jobs instead of starting processes."""

    def __init__(self, size: int) -> None:
        super().__init__(1)
        self.jobs: list[str] = []
        self.result = "x" * size

    async def run(self, _name: str, arguments: Any, *_: Any) -> Any:
        """What was asked for, with a long text."""
        self.jobs.append(arguments["moves"][0])
        return {"proved": arguments["moves"][0] != "unknown", "text": self.result}


def test_only_what_is_proved_is_kept_and_never_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody has asked for longest is forgotten first."""
    monkeypatch.setattr(learn, "MAX_KEPT", 3_000)
    workers = Counting(800)

    async def ask(kept: learn.Learn, moves: str) -> None:
        for move in moves.split():
            await kept.analyse({"book": {"game": MAGIC}, "moves": [move]}, 0.0, "me")

    async def test() -> None:
        kept = learn.Learn(cast("PracticeStore", None), cast("BookStore", None), workers)
        await ask(kept, "1 1 unknown unknown 2 3 1 4 1 2")

    asyncio.run(test())
    assert workers.jobs == "1 unknown unknown 2 3 4 2".split()
