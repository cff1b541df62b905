"""What the pages for playing ask for: choices, what stays the same in a game, reviews, play on."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from unit.web.server.live import Client, live
from unit.web.server.tables import ANN, BOB, EVE, begin, on_server, play, refusal

from ninefold.core.errors import NinefoldError
from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.web.server import reviews
from ninefold.web.server.actions import Action
from ninefold.web.server.choices import Times, clock_text, duration, match_text
from ninefold.web.server.games import Games
from ninefold.web.server.reviews import Reviews

RESIGN = Action("resign")


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """The port of a server with an empty database."""
    with live(str(tmp_path / "games.sqlite")) as found:
        yield found


@pytest.mark.parametrize(
    ("times", "text"),
    [
        (Times(), "No clock"),
        (Times(60), "1 minute per turn"),
        (Times(90), "90 seconds per turn"),
        (Times(0.5), "0.5 seconds per turn"),
        (Times(86_400), "1 day per turn"),
        (Times(None, 300, 5), "5 minutes each, 5 seconds more per turn"),
        (Times(None, 7200, 0), "2 hours each"),
        (Times(10, 60, None), "1 minute each, 10 seconds per turn"),
    ],
)
def test_clocks_are_told_in_words(times: Times, text: str) -> None:
    """The largest unit that fits, and nothing about what does not apply."""
    assert clock_text(times) == text


def test_matches_and_times_are_told_in_words() -> None:
    """One second, several wins."""
    assert (duration(1), match_text(3), match_text(1)) == (
        "1 second",
        "First to 3 wins",
        "First to 1 win",
    )


@pytest.mark.slow
def test_the_form_gets_what_it_needs_in_one_answer(port: int) -> None:
    """How each variant differs and how each opponent plays; every clock and match can be asked."""
    client = Client(port)
    books = client.get("/api/books")
    (builder,) = [game for game in books["games"] if game["id"] == "pattern-builder"]
    assert builder["reading"] == "automatic"
    assert builder["readings"][1] == {
        "name": "declare",
        "summary": "A player must declare the sequence to win.",
    }
    assert [one["kind"] for one in books["opponents"]][:3] == ["friend", "anyone", "level:1"]
    assert {*books["computers"]} == {one["kind"] for one in books["opponents"][2:]}
    for clock in books["clocks"]:
        wanted = {name: value for name, value in clock.items() if name != "label"}
        begun = client.post("/api/games", game="magic-fifteen", **wanted)
        assert begun["terms"] == ([] if clock["label"] == "No clock" else [clock["label"]])
    assert [one["wins"] for one in books["matches"]] == [None, 2, 3, 5]


@pytest.mark.slow
def test_what_stays_the_same_in_a_game_is_asked_for_once(port: int) -> None:
    """The rules in paragraphs, the letters of the players, and who is a person."""
    client = Client(port)
    game = client.post("/api/games", game="sequence-capture", opponent="level:1", wins=3)["id"]
    about = client.get(f"/api/games/{game}/about")
    assert about["goal"] == "Claim four consecutive numbers. Numbers: 1 to 10."
    assert about["terms"] == ["First to 3 wins"]
    assert about["book"] == {"game": "sequence-capture", "reading": "default", "changes": []}
    assert (about["markers"], about["people"], about["listed"]) == (
        ["X", "O"],
        [True, False],
        False,
    )
    assert {"text", "is_heading"} == {*about["rules"][0]}
    assert client.ask("GET", "/api/games/nowhere/about").status == 404


@pytest.mark.slow
def test_the_review_is_told_to_each_player_and_to_spectators(port: int) -> None:
    """You are you; to a stranger, both have names. Before the end, there is none."""
    ann, bob, eve = Client(port), Client(port), Client(port)
    ann.post("/api/me", name="Ann")
    bob.post("/api/me", name="Bob")
    game = ann.post("/api/games", game="magic-fifteen")["id"]
    bob.post(f"/api/games/{game}/join")
    address = f"/api/games/{game}/review"
    for at, move in enumerate((5, 1, 2, 3, 8)):
        refused = ann.ask("GET", address)
        assert (refused.status, refused.json["code"]) == (409, "not-over")
        (ann, bob)[at % 2].post(f"/api/games/{game}/act", type="move", move=str(move))
    said = [_review(client, address)["moves"][1]["text"] for client in (ann, bob, eve)]
    assert [text.partition(":")[0] for text in said] == ["Bob took 1", "You took 1", "Bob took 1"]
    found = _review(eve, address)
    assert [one["hands"] for one in found["positions"]][-2:] == [
        [[5, 2], [1, 3]],
        [[5, 2, 8], [1, 3]],
    ]
    assert found["lit"] == [2, 5, 8]
    mistake = found["moves"][1]
    assert mistake["mistake"] and mistake["steps"][0]["text"] == "Bob takes 2"
    assert len(mistake["steps"]) == len(mistake["line"])
    assert found["legend"] == ("After each move, for Ann: + winning, = drawn, - losing, ! mistake")


def _review(client: Client, address: str) -> dict[str, Any]:
    """The review, once it is there."""
    while (found := client.get(address))["review"] is None:
        assert found["progress"] is None or found["progress"]["of"] == 5
    review: dict[str, Any] = found["review"]
    return review


def test_a_review_is_made_once_for_all_and_a_few_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits too long is told how far it is; after a failure, it is tried again."""
    monkeypatch.setattr(reviews, "MAX_KEPT", 2)
    monkeypatch.setattr(reviews, "WAIT", 0.01)

    async def work(games: Games) -> None:
        ready, asked = asyncio.Event(), list[int]()

        async def run(_name: str, given: Any, _client: str, progress: Any) -> str:
            asked.append(given["reader"])
            progress({"move": 1, "of": 5})
            await ready.wait()
            if len(asked) == 1:
                raise NinefoldError("failed", "It failed.")
            return f"for {given['reader']}"

        monkeypatch.setattr(games.workers, "run", run)
        table, kept = await begin(games), Reviews(games.workers)
        assert await refusal(kept.find(table.game, 1, "")) == "not-over"
        await table.act(ANN.who, RESIGN)
        waiting = {"review": None, "progress": {"move": 1, "of": 5}}
        assert await kept.find(table.game, 1, "") == waiting
        assert await kept.find(table.game, 1, "") == waiting
        ready.set()
        assert await refusal(kept.find(table.game, 1, "")) == "failed"
        for reader in (1, 1, 2, 0, 2, 1):
            found = await kept.find(table.game, reader, "")
            assert found == {"review": f"for {reader}", "progress": None}
        assert asked == [1, 1, 2, 0, 1], "the first was forgotten for the third"

    on_server(str(tmp_path / "games.sqlite"), work)


def test_a_game_can_be_played_on_by_a_link(database: str) -> None:
    """Whoever asks has the seat they had; the moves, the clock and who began are the same."""

    async def work(games: Games) -> str:
        table = await begin(games, game_time=100, increment=1)
        assert await refusal(games.play_on(table.game.row.id, 1, BOB)) == "not-over"
        await play(table, 5, 1, 4)
        await table.act(ANN.who, RESIGN)
        game = table.game.row.id
        assert await refusal(games.play_on(game, 4, BOB)) == "no-such-position"
        again = await games.play_on(game, 3, BOB)
        assert again.game.row.state == "open" and again.game.seat_of(BOB.who) == 1
        await games.join(again.game.row.id, EVE)
        assert again.game.settings.players == ("Bob", "Eve")
        assert [entry.text for entry in again.game.log] == [
            "After these moves of another game: 5, 1, 4.",
            "Bob moves next.",
        ]
        assert again.game.referee.position.hands == ((1,), (5, 4))
        await again.act(BOB.who, Action("move", "6", again.game.seq, "k"))
        assert again.game.referee.moves == (5, 1, 4, 6)
        return again.game.row.id

    async def after(games: Games) -> None:
        table = await games.find(game)
        assert table.game.referee.moves == (5, 1, 4, 6)
        record = parse_record((await table.record()).encode(), "test")
        assert record.settings.given == 3 and Replay(record).run().moves == (5, 1, 4, 6)
        await table.act(EVE.who, RESIGN)
        for who in (BOB, EVE):
            await table.act(who.who, Action("rematch"))
        following = await games.find(table.game.next_game or "")
        assert following.game.settings.given is None and following.game.referee.moves == ()

    game = on_server(database, work)
    on_server(database, after)


def test_a_game_is_played_on_against_the_same_computer(tmp_path: Path) -> None:
    """At once, by whoever asks; from the start if that is wanted."""

    async def work(games: Games) -> None:
        table = await begin(games, opponent="level:1", first=1)
        await table.act(ANN.who, RESIGN)
        again = await games.play_on(table.game.row.id, 0, EVE)
        assert again.game.row.state == "playing"
        assert again.game.settings.players == ("Eve", "Level 1")
        assert (again.game.settings.seats, again.game.settings.given) == (
            ("human", "level:1"),
            None,
        )

    on_server(str(tmp_path / "games.sqlite"), work)
