"""The list of open games: live, for everybody who watches it, at a bounded cost."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from unit.web.server.tables import ANN, BOB, EVE, Eyes, on_server, refusal, serving

from ninefold.web.server import lobby
from ninefold.web.server.actions import Action
from ninefold.web.server.games import Games
from ninefold.web.server.requests import read_new_game
from ninefold.web.server.table import Table

pytestmark = pytest.mark.xdist_group("postgres")
WITHDRAW = Action("withdraw")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "PAUSE", 0.01)


async def challenge(games: Games, opponent: str = "anyone") -> Table:
    """An open game of Ann."""
    return await games.begin(ANN, read_new_game({"game": "magic-fifteen", "opponent": opponent}))


def ids(message: dict[str, Any]) -> list[str]:
    """The games of a list."""
    return [game["id"] for game in message["games"]]


def test_the_list_is_shown_now_and_whenever_it_changes(database: str) -> None:
    """A challenge, another one, one that is joined, one that is withdrawn."""

    async def work(games: Games) -> None:
        first = (await challenge(games)).game.row.id
        ann, bob = Eyes(ANN), Eyes(BOB)
        games.lobby.watch(ann)
        games.lobby.watch(bob)
        found = await ann.until(lambda message: ids(message) == [first])
        assert found["type"] == "lobby" and found["mine"] == [first]
        table = await challenge(games)
        second = table.game.row.id
        found = await bob.until(lambda message: {*ids(message)} == {first, second})
        assert found["mine"] == [] and found["games"][0]["title"] == "Magic Fifteen"
        await games.join(first, BOB)
        await bob.until(lambda message: ids(message) == [second])
        await table.act(ANN.who, WITHDRAW)
        await bob.until(lambda message: ids(message) == [])
        games.lobby.leave(bob)
        third = (await challenge(games)).game.row.id
        await ann.until(lambda message: ids(message) == [third])
        assert ids(bob.seen[-1]) == []
        games.lobby.watch(bob)
        await bob.until(lambda message: ids(message) == [third])

    on_server(database, work)


def test_many_changes_are_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a message, nobody hears of changes until the pause is over."""
    monkeypatch.setattr(lobby, "PAUSE", 3_600)

    async def work(games: Games) -> None:
        bob = Eyes(BOB)
        games.lobby.watch(bob)
        await bob.until(lambda message: ids(message) == [])
        for _ in range(10):
            await challenge(games)
        assert len(bob.seen) == 1

    on_server(str(tmp_path / "games.sqlite"), work)


def test_nothing_is_sent_that_has_been_seen(tmp_path: Path) -> None:
    """A change elsewhere is no message, and somebody new is none for the others."""

    async def work(games: Games) -> None:
        ann, bob = Eyes(ANN), Eyes(BOB)
        games.lobby.watch(ann)
        await ann.until(lambda message: ids(message) == [])
        games.lobby.changed()
        games.lobby.watch(bob)
        await bob.until(lambda message: ids(message) == [])
        await challenge(games, "friend")
        last = (await challenge(games)).game.row.id
        for eyes in (ann, bob):
            await eyes.until(lambda message: ids(message) == [last])
            assert [ids(message) for message in eyes.seen] == [[], [last]]

    on_server(str(tmp_path / "games.sqlite"), work)


def test_everybody_is_told_however_many_watch(tmp_path: Path) -> None:
    """Some at a time; who has left meanwhile is not."""

    async def work(games: Games) -> None:
        crowd = [Eyes(BOB) for _ in range(250)]
        for eyes in crowd:
            games.lobby.watch(eyes)
        games.lobby.leave(crowd[200])
        await crowd[-1].until(lambda message: ids(message) == [])
        assert [len(eyes.seen) for eyes in crowd] == [1] * 200 + [0] + [1] * 49

    on_server(str(tmp_path / "games.sqlite"), work)


@pytest.mark.slow
def test_other_processes_are_told(postgres: str) -> None:
    """Begun there, seen here; joined here, gone there."""

    async def work(one: Games) -> None:
        async with serving(postgres) as other:
            here, there = Eyes(EVE), Eyes(EVE)
            one.lobby.watch(here)
            other.lobby.watch(there)
            game = (await challenge(one)).game.row.id
            for eyes in (here, there):
                await eyes.until(lambda message: game in ids(message))
            await other.join(game, BOB)
            for eyes in (here, there):
                while game in ids(eyes.seen[-1]):
                    await asyncio.sleep(0.01)

    on_server(postgres, work)


def test_the_database_may_be_away_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The list is shown when it is back."""
    from ninefold.web.server.database import StoreDown

    async def work(games: Games) -> None:
        def fail(_limit: int) -> None:
            monkeypatch.undo()
            raise StoreDown("test")

        monkeypatch.setattr(games.store, "open_games", fail)
        bob = Eyes(BOB)
        games.lobby.watch(bob)
        await bob.until(lambda message: ids(message) == [])
        assert "The database does not answer" in caplog.text

    on_server(str(tmp_path / "games.sqlite"), work)


def test_only_the_creator_can_withdraw_an_open_game(database: str) -> None:
    """Nobody can join it afterwards; everybody who looks at it is told."""

    async def work(games: Games) -> None:
        for opponent in ("anyone", "friend"):
            table = await challenge(games, opponent)
            game = table.game.row.id
            ann, eve = Eyes(ANN), Eyes(EVE)
            await table.watch(ann, ANN.who, 0)
            await table.watch(eve, EVE.who, 0)
            assert ann.view["actions"] == [{"action": "withdraw", "label": "Withdraw"}]
            assert await refusal(table.act(EVE.who, WITHDRAW)) == "not-a-player"
            assert await refusal(table.act(None, WITHDRAW)) == "not-a-player"
            assert await refusal(table.act(ANN.who, Action("resign"))) == "not-begun"
            assert await table.act(ANN.who, Action("withdraw", key="k")) == 1
            assert await table.act(ANN.who, Action("withdraw", key="k")) == 1
            for one in (ann, eve):
                assert one.seen[-1]["state"] == "withdrawn" and one.view["actions"] == []
                assert one.view["status"] == "This challenge was withdrawn."
                (event,) = one.seen[-1]["events"]
                assert event["text"] == "Ann has withdrawn this challenge."
            assert await refusal(table.act(ANN.who, WITHDRAW)) == "withdrawn"
            assert await refusal(table.act(ANN.who, Action("move", "5"))) == "withdrawn"
            assert await refusal(games.join(game, BOB)) == "withdrawn"
            assert game not in [one["id"] for one in await games.games_of(ANN.who)]

    on_server(database, work)


def test_a_game_that_has_begun_cannot_be_withdrawn(database: str) -> None:
    """Neither by the creator nor by the opponent, neither now nor after a restart."""

    async def begin(games: Games) -> str:
        table = await challenge(games)
        await games.join(table.game.row.id, BOB)
        for who in (ANN, BOB):
            assert await refusal(table.act(who.who, WITHDRAW)) == "not-open"
        withdrawn = await challenge(games)
        await withdrawn.act(ANN.who, WITHDRAW)
        await table.act(ANN.who, Action("resign"))
        assert await refusal(table.act(ANN.who, WITHDRAW)) == "not-open"
        return withdrawn.game.row.id

    async def look(games: Games) -> None:
        assert await refusal(games.join(game, BOB)) == "withdrawn"

    game = on_server(database, begin)
    on_server(database, look)


@pytest.mark.slow
def test_a_game_is_either_joined_or_withdrawn(postgres: str) -> None:
    """By two processes at once: one of the two is refused."""

    async def work(one: Games) -> None:
        async with serving(postgres) as other:
            for _ in range(10):
                here = await challenge(one)
                game = here.game.row.id
                answers = await asyncio.gather(
                    here.act(ANN.who, WITHDRAW), other.join(game, BOB), return_exceptions=True
                )
                refused = [str(one) for one in answers if isinstance(one, Exception)]
                assert refused in (
                    ["This challenge was withdrawn."],
                    ["Only an open challenge can be withdrawn."],
                )

    on_server(postgres, work)
