"""Games on the server: what players can do, what everybody sees, and what a restart changes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from unit.web.server.tables import ANN, BOB, EVE, Eyes, begin, on_server, play, refusal, serving

from ninefold.core.errors import NinefoldError
from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.web.server.actions import Action
from ninefold.web.server.fields import read_field
from ninefold.web.server.games import Games
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.requests import read_new_game
from ninefold.web.server.routes import ID
from ninefold.web.server.series import new_id
from ninefold.web.server.store import Changes
from ninefold.web.server.table import Table, _Lock

pytestmark = pytest.mark.xdist_group("postgres")
UNDO, ACCEPT, DECLINE, RESIGN, REMATCH = (
    Action(name) for name in ("undo", "accept-undo", "decline-undo", "resign", "rematch")
)


def test_a_game_with_a_friend_from_the_link_to_the_end(database: str) -> None:
    """Both players and a spectator see the same game, each in their own words."""

    async def work(games: Games) -> None:
        table = await games.begin(ANN, read_new_game({"game": "magic-fifteen"}))
        ann, bob, eve = Eyes(ANN), Eyes(BOB), Eyes(EVE)
        await table.watch(ann, ANN.who, 0)
        assert ann.view["status"] == "Waiting for an opponent."
        await table.watch(bob, BOB.who, 0)
        assert bob.view["actions"] == [{"action": "join", "label": "Join"}]
        await games.join(table.game.row.id, BOB)
        await table.watch(eve, EVE.who, 0)
        statuses = [one.view["status"] for one in (ann, bob, eve)]
        assert statuses == ["Your turn", "Ann's turn", "Ann's turn"]
        await play(table, 5, 1, 4, 2, 6)
        assert [one.view["status"] for one in (ann, bob, eve)] == [
            "You win!",
            "Ann wins.",
            "Ann wins.",
        ]
        assert ann.view["over"] == {"winner": 1, "text": bob.view["over"]["text"]}
        lit = [tile["number"] for tile in eve.view["tiles"] if tile.get("lit")]
        assert lit == [4, 5, 6]
        assert [event["seq"] for message in eve.seen for event in message["events"]] == [
            *range(1, 7)
        ]
        record = await table.record()
        assert (
            Replay(parse_record(record.encode(), "test")).run().outcome
            == table.game.referee.outcome
        )

    on_server(database, work)


def test_a_game_goes_on_after_a_restart(database: str) -> None:
    """Everything that was acknowledged is there; a key that is repeated adds nothing."""

    async def before(games: Games) -> str:
        table = await begin(games)
        assert await table.act(ANN.who, Action("move", "5", 1, "key")) == 2
        return table.game.row.id

    async def after(games: Games) -> None:
        table = await games.find(game)
        assert await table.act(ANN.who, Action("move", "5", 1, "key")) == 2
        await play(table, 1, first=2)
        assert table.game.referee.moves == (5, 1)

    game = on_server(database, before)
    on_server(database, after)


def test_only_the_player_to_move_can_move(database: str) -> None:
    """Spectators, the other player, taken numbers, unreadable moves, and stale positions."""

    async def work(games: Games) -> None:
        table = await begin(games)
        assert await refusal(table.act(EVE.who, Action("move", "5"))) == "not-a-player"
        assert await refusal(table.act(BOB.who, Action("move", "5"))) == "not-your-turn"
        await play(table, 5)
        assert await refusal(table.act(BOB.who, Action("move", "5"))) == "taken"
        assert await refusal(table.act(BOB.who, Action("move", "x"))) == "unreadable"
        assert await refusal(table.act(BOB.who, Action("move", "pass"))) == "no-pass"
        assert await refusal(table.act(BOB.who, Action("move", "1", 1))) == "stale"
        await table.act(BOB.who, Action("move", "1", 2, "key"))
        assert await refusal(table.act(EVE.who, Action("move", "1", 2, "key"))) == "not-a-player"
        assert await table.act(ANN.who, Action("move", "2", 3, "key")) == 4
        assert await refusal(games.join(table.game.row.id, EVE)) == "not-open"
        await games.join(table.game.row.id, BOB)
        assert await refusal(games.join(table.game.row.id, ANN)) == "own-game"
        assert await refusal(games.find("nowhere")) == "no-such-game"

    on_server(database, work)


def test_undo_needs_the_consent_of_the_other_player(database: str) -> None:
    """Asked, declined, asked again, accepted; a move answers the question, too.

    It goes back to the turn of whoever asked, so the answer of the other player goes, too.
    """

    async def work(games: Games) -> None:
        table = await begin(games)
        assert await refusal(table.act(ANN.who, UNDO)) == "nothing-to-undo"
        await play(table, 5)
        bob = Eyes(BOB)
        await table.watch(bob, BOB.who, 2)
        await table.act(ANN.who, UNDO)
        assert [one["action"] for one in bob.view["actions"]] == [
            "accept-undo",
            "decline-undo",
            "resign",
        ]
        assert bob.seen[-1]["events"][-1]["text"] == "Ann asks to take back a move."
        assert await refusal(table.act(ANN.who, UNDO)) == "asked-already"
        assert await refusal(table.act(ANN.who, ACCEPT)) == "not-asked"
        await table.act(BOB.who, DECLINE)
        assert table.game.referee.moves == (5,)
        await table.act(ANN.who, UNDO)
        await table.act(BOB.who, Action("move", "1", 2))
        assert await refusal(table.act(BOB.who, ACCEPT)) == "not-asked"
        await table.act(ANN.who, UNDO)
        await table.act(BOB.who, ACCEPT)
        assert bob.seen[-1]["events"][-1]["text"] == "Undone: Ann chooses again."
        assert [*table.game.referee.moves] == []
        await play(table, 5)
        assert await refusal(table.act(BOB.who, UNDO)) == "nothing-to-undo"

    on_server(database, work)


def test_resignation_rematch_and_match(database: str) -> None:
    """The next game begins when both want it; starts alternate, and the score is kept."""

    async def work(games: Games) -> None:
        table = await begin(games, wins=2)
        assert await refusal(table.act(ANN.who, REMATCH)) == "not-over"
        await table.act(BOB.who, RESIGN)
        eyes = Eyes(ANN)
        await table.watch(eyes, ANN.who, 0)
        assert eyes.view["score"] == [1, 0] and eyes.view["match"] == {"wins": 2, "over": False}
        assert eyes.view["actions"] == [{"action": "rematch", "label": "Next game"}]
        await table.act(ANN.who, REMATCH)
        assert table.game.next_game is None
        assert await refusal(table.act(ANN.who, REMATCH)) == "asked-already"
        await table.act(BOB.who, REMATCH)
        following = await games.find(eyes.seen[-1]["next"])
        assert following.game.settings.first == 2
        assert following.game.seat_of(BOB.who) == 2
        await play(following, 5, first=2)
        await following.act(BOB.who, RESIGN)
        await following.watch(eyes, ANN.who, 0)
        assert eyes.view["score"] == [2, 0] and eyes.view["match"] == {"wins": 2, "over": True}
        await following.act(ANN.who, REMATCH)
        await following.act(BOB.who, REMATCH)
        again = await games.find(following.game.next_game or "")
        assert again.game.row.winners == "" and again.game.settings.first == 1

    on_server(database, work)


@pytest.mark.slow
def test_a_computer_plays_in_another_process(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It moves first, answers, agrees to undo and to a rematch, and goes on after a restart."""

    async def before(games: Games) -> str:
        table = await begin(games, opponent="perfect", first=2)
        ann = Eyes(ANN)
        await table.watch(ann, ANN.who, 0)
        await ann.until(lambda message: message["view"]["turn"] == 1)
        taken = table.game.referee.moves[0]
        mine = 1 if taken == 5 else 5
        await table.act(ANN.who, Action("move", str(mine)))
        await ann.until(lambda message: len(message["view"]["moves"]) == 3)
        await table.act(ANN.who, UNDO)
        assert table.game.referee.moves == (taken,)
        # The server stops before the computer has decided, however quick that is.
        monkeypatch.setattr(games.workers, "run", lambda *_: asyncio.Event().wait())
        await table.act(ANN.who, Action("move", str(mine)))
        return table.game.row.id

    async def after(games: Games) -> None:
        assert game in games.tables, "it is the computer's turn, so nobody has to ask"
        table = await games.find(game)
        ann = Eyes(ANN)
        await table.watch(ann, ANN.who, 0)
        await ann.until(lambda message: len(message["view"]["moves"]) == 3)
        await table.act(ANN.who, RESIGN)
        await table.act(ANN.who, REMATCH)
        following = await games.find(table.game.next_game or "")
        assert following.game.settings.first == 1

    game = on_server(database, before)
    on_server(database, after)


@pytest.mark.slow
def test_a_computer_that_could_not_think_tries_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it is while too many games think at once."""

    async def work(games: Games) -> None:
        run, refused = games.workers.run, list[str]()

        async def run_later(name: str, *given: Any) -> Any:
            if not refused:
                refused.append(name)
                raise NinefoldError("busy", "Too many wait.")
            return await run(name, *given)

        monkeypatch.setattr("ninefold.web.server.table.THINK_AGAIN", 0.0)
        monkeypatch.setattr(games.workers, "run", run_later)
        table = await begin(games, opponent="level:1", first=2)
        ann = Eyes(ANN)
        await table.watch(ann, ANN.who, 0)
        await ann.until(lambda message: message["view"]["turn"] == 1)
        assert refused == ["think"]

    on_server(database, work)


def test_the_clock_runs_out_without_anybody_asking(database: str) -> None:
    """Both players are told who lost, and the game stays lost."""

    async def work(games: Games) -> None:
        table = await begin(games, game_time=1)
        ann = Eyes(ANN)
        await table.watch(ann, ANN.who, 0)
        ended = await ann.until(lambda message: message["state"] == "over")
        assert ended["view"]["over"]["winner"] == 2
        assert ended["clocks"]["running"] == 0
        assert await refusal(table.act(ANN.who, Action("move", "5"))) == "game-over"
        loaded = await games.store.load(table.game.row.id)
        assert loaded and loaded[0].state == "over" and loaded[0].wake is None

    on_server(database, work)


def test_downtime_is_not_charged(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour later, the clock goes on where it stopped; then the time that passes counts."""
    wall = [1_000_000_000]
    monkeypatch.setattr("ninefold.web.server.store.wall_time", lambda: wall[0])

    async def before(games: Games) -> str:
        table = await begin(games, game_time=60, increment=2)
        wall[0] += 10_000
        await play(table, 5)
        wall[0] += 5_000
        await games.store.beat()
        return table.game.row.id

    async def after(games: Games) -> None:
        table = games.tables[game]
        assert table.game.clocks(games.store.now()) == {
            "running": 2,
            "limit": None,
            "left": [52.0, 55.0],
            "deadline": 55.0,
        }
        wall[0] += 55_000
        await games.store.beat()
        assert await refusal(table.act(BOB.who, Action("move", "1"))) == "game-over"
        outcome = table.game.referee.outcome
        assert outcome is not None and (outcome.winner, outcome.reason) == (1, "timeout")

    game = on_server(database, before)
    wall[0] += 3_600_000
    on_server(database, after)


def test_a_late_move_is_judged_after_the_lapse(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn was lost, so it is the other player's turn: what was sent is no move."""
    wall = [1_000_000_000]
    monkeypatch.setattr("ninefold.web.server.store.wall_time", lambda: wall[0])

    async def work(games: Games) -> None:
        table = await begin(games, time_limit=10, on_timeout="lose-turn")
        wall[0] += 10_000
        assert await refusal(table.act(ANN.who, Action("move", "5", 1))) in (
            "not-your-turn",
            "stale",
        )
        assert await table.act(BOB.who, Action("move", "5", 2)) == 3
        assert await refusal(table.act(BOB.who, Action("move", "1"))) == "not-your-turn"

    on_server(database, work)


def test_everybody_sees_every_event_in_order(tmp_path: Path) -> None:
    """However many watch; players before spectators."""

    async def work(games: Games) -> None:
        table = await begin(games)
        crowd = [Eyes(EVE) for _ in range(250)]
        for eyes in crowd:
            await table.watch(eyes, EVE.who, 0)
        await play(table, 5, 1, 4)
        for eyes in crowd:
            await eyes.until(lambda message: message["seq"] == 4)
            assert [message["seq"] for message in eyes.seen] == [1, 2, 3, 4]

    on_server(str(tmp_path / "games.sqlite"), work)


@pytest.mark.slow
def test_who_joined_elsewhere_can_move_here(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that does not know yet looks again before it refuses."""

    async def work(one: Games) -> None:
        async with serving(postgres) as other:
            there = await other.begin(ANN, read_new_game({"game": "magic-fifteen", "first": 2}))
            here = await one.find(there.game.row.id)
            monkeypatch.setattr(one, "reported", lambda _: None)
            await other.join(there.game.row.id, BOB)
            assert await here.act(BOB.who, Action("move", "5")) == 2
            assert await there.act(ANN.who, Action("move", "1", 2)) == 3

    on_server(postgres, work)


def test_lists_of_games_for_players(database: str) -> None:
    """The lobby shows open challenges only; a list of mine shows all."""

    async def work(games: Games) -> None:
        table = await begin(games)
        wanted = read_new_game({"game": "sequence-capture", "opponent": "anyone", "time_limit": 30})
        challenge = await games.begin(ANN, wanted)
        (listed,) = (await games.lobby.games(None))["games"]
        assert listed["id"] == challenge.game.row.id and listed["time_limit"] == 30
        mine = await games.games_of(ANN.who)
        assert [(one["id"], one["status"], one["turn"]) for one in mine] == [
            (challenge.game.row.id, "Waiting for an opponent.", 0),
            (table.game.row.id, "Your turn", 1),
        ]
        await table.act(ANN.who, RESIGN)
        for who, status in ((ANN, "Bob wins."), (BOB, "You win!")):
            ended = (await games.games_of(who.who))[-1]
            assert (ended["id"], ended["winner"], ended["status"]) == (table.game.row.id, 2, status)
        await games.join(challenge.game.row.id, EVE)
        assert (await games.lobby.games(None))["games"] == []

    on_server(database, work)


def test_games_that_nobody_needs_leave_the_memory(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are loaded again when somebody asks; one whose clock runs out soon stays."""
    monkeypatch.setattr("ninefold.web.server.games.MAX_IDLE", 2)
    monkeypatch.setattr("ninefold.web.server.games.AHEAD", 2_000.0)

    async def work(games: Games) -> None:
        watched, timed = await begin(games), await begin(games, game_time=1000)
        await watched.watch(Eyes(ANN), ANN.who, 0)
        others = [await begin(games) for _ in range(4)]
        ids = [table.game.row.id for table in (watched, timed, others[-1])]
        assert {*games.tables} == {*ids}
        again = await games.find(others[0].game.row.id)
        assert again is not others[0] and again.game.seq == 1

    on_server(database, work)


@pytest.mark.slow
def test_two_processes_share_a_game(postgres: str) -> None:
    """A move at one is shown at the other; of two moves at once, one is judged again."""

    async def work(one: Games) -> None:
        async with serving(postgres) as other:
            here = await begin(one)
            game = here.game.row.id
            there, eyes = await other.find(game), Eyes(BOB)
            await there.watch(eyes, BOB.who, 0)
            await here.act(ANN.who, Action("move", "5"))
            await eyes.until(lambda message: message["seq"] == 2)
            answers = await asyncio.gather(
                there.act(BOB.who, Action("move", "1", 2, "a")),
                here.act(BOB.who, Action("move", "1", 2, "a")),
                here.act(BOB.who, Action("move", "2", 2, "b")),
                return_exceptions=True,
            )
            assert sorted(map(str, answers))[:2] == ["3", "3"]
            stored = await one.store.load(game)
            assert stored is not None
            assert [event.body for event in stored[1]] == ["", "1. 5", "2. 1"]

    on_server(postgres, work)


def test_who_hears_of_a_new_game_first_gets_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot may look for its game before the server has answered whoever began it."""

    async def work(games: Games) -> None:
        write, found = games.store.write, list[Table]()

        async def write_and_find(changes: Changes) -> bool:
            is_stored = await write(changes)
            found.extend([await games.find(row.id) for row in changes.begun])
            return is_stored

        monkeypatch.setattr(games.store, "write", write_and_find)
        assert [await begin(games, opponent="random")] == found

    on_server(str(tmp_path / "games.sqlite"), work)


def test_games_with_a_clock_need_not_stay_in_memory(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are; each ends when its time is over, also after a restart."""
    wall = [1_000_000_000]
    monkeypatch.setattr("ninefold.web.server.store.wall_time", lambda: wall[0])
    monkeypatch.setattr("ninefold.web.server.games.MAX_IDLE", 3)
    monkeypatch.setattr("ninefold.web.server.games.SWEEP_SECONDS", 0.02)

    async def before(games: Games) -> list[str]:
        ids = [(await begin(games, time_limit=3_600)).game.row.id for _ in range(12)]
        assert len(games.tables) < 6
        first = await games.find(ids[0])
        assert await first.act(ANN.who, Action("move", "5")) == 2
        wall[0] += 3_000_000
        await games.store.beat()
        return ids

    async def after(games: Games) -> None:
        assert len(games.tables) == 0
        wall[0] += 601_000
        while await games.store.to_wake():
            await asyncio.sleep(0.01)
        loaded = [await games.store.load(game) for game in ids]
        assert [one and (one[0].state, one[0].winner) for one in loaded] == [
            ("over", 1),
            *[("over", 2)] * 11,
        ]

    ids = on_server(database, before)
    on_server(database, after)


def test_a_game_is_read_again_only_if_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever looks at a long game again and again makes little work, also with a shared store."""
    loads = list[str]()

    async def work(games: Games) -> None:
        table, real = await begin(games), games.store.load
        await play(table, 5, 1, 9)

        def load(game: str) -> Any:
            loads.append(game)
            return real(game)

        monkeypatch.setattr(type(games.store), "is_shared", True)
        monkeypatch.setattr(games.store, "load", load)
        for _ in range(3):
            await table.message(ANN.who)
        assert loads == []
        same = Hosted(*(await real(table.game.row.id) or ()))
        other = Table(games.store, games.workers, same, print, set())
        await other.act(BOB.who, Action("move", "2"))
        assert "Bob takes 2." in await table.message(ANN.who)
        assert loads == [table.game.row.id]
        monkeypatch.undo()

    on_server(str(tmp_path / "games.sqlite"), work)


def test_computers_think_for_whoever_began_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many games of one address wait for each other, and not everybody else for them."""
    clients = list[str]()

    async def work(games: Games) -> None:
        async def run(_job: str, _wanted: object, client: str) -> str:
            clients.append(client)
            return "5" if len(clients) == 1 else "4"

        monkeypatch.setattr(games.workers, "run", run)
        wanted = read_new_game({"game": "magic-fifteen", "opponent": "random", "first": 2})
        table, eyes = await games.begin(ANN, wanted, "1.2.3.4"), Eyes(ANN)
        await table.watch(eyes, ANN.who, 0)
        await eyes.until(lambda it: len(it["view"]["moves"]) == 1)
        await table.act(ANN.who, Action("resign"))
        again = await games.play_on(table.game.row.id, 0, ANN, "1.2.3.4")
        await again.watch(eyes, ANN.who, 0)
        await eyes.until(lambda it: it["game"] == again.game.row.id and it["view"]["turn"] == 1)

    on_server(str(tmp_path / "games.sqlite"), work)
    assert clients == ["1.2.3.4", "1.2.3.4"]


def test_everybody_sees_whose_turn_it_is_and_what_was_taken_last(tmp_path: Path) -> None:
    """After every move, each from their own side; in the end, what decided the game."""

    def marked(eyes: Eyes, mark: str) -> list[int]:
        return [tile["number"] for tile in eyes.view["tiles"] if tile.get(mark)]

    async def work(games: Games) -> None:
        table, ann, bob, eve = await begin(games), Eyes(ANN), Eyes(BOB), Eyes(EVE)
        for eyes in (ann, bob, eve):
            await table.watch(eyes, eyes.who, 0)
        seen = []
        for at, number in enumerate((5, 1, 2, 3)):
            await table.act((ANN, BOB)[at % 2].who, Action("move", str(number)))
            seen.append([eyes.view["status"] for eyes in (ann, bob, eve)])
            assert marked(eve, "last") == [number] and marked(eve, "lit") == []
        theirs, mine = ["Bob's turn", "Your turn", "Bob's turn"], ["Your turn", *["Ann's turn"] * 2]
        assert seen == [theirs, mine, theirs, mine]
        await table.act(ANN.who, Action("move", "8"))
        assert marked(bob, "lit") == [2, 5, 8] and marked(bob, "last") == [8]

    on_server(str(tmp_path / "games.sqlite"), work)


def test_nobody_is_told_to_choose_after_the_end(tmp_path: Path) -> None:
    """What is left of the pool is no advice then."""

    async def work(games: Games) -> None:
        table = await begin(games)
        await play(table, 5, 1, 2, 3, 8)
        with pytest.raises(NinefoldError) as caught:
            await table.act(BOB.who, Action("move", "4"))
        assert caught.value.message == "The game is over."

    on_server(str(tmp_path / "games.sqlite"), work)


def test_a_game_does_not_go_on_forever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people who take back moves again and again would fill the memory."""
    monkeypatch.setattr("ninefold.web.server.actions.MAX_EVENTS", 7)

    async def work(games: Games) -> None:
        table = await begin(games)
        for _ in range(2):
            await play(table, 5)
            await table.act(ANN.who, UNDO)
            await table.act(BOB.who, ACCEPT)
        assert table.game.seq == 7
        assert await refusal(play(table, 5)) == "too-long"
        assert await refusal(table.act(ANN.who, UNDO)) == "too-long"
        assert await table.act(ANN.who, RESIGN) == 8

    on_server(str(tmp_path / "games.sqlite"), work)


def test_games_that_begin_one_after_the_other_are_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their ids sort by time, so a group of moves changes few pages; the rest is random."""
    wall = [1_700_000_000_000]
    monkeypatch.setattr("ninefold.web.server.series.wall_time", lambda: wall[0])
    found = []
    for _ in range(200):
        found.append(new_id())
        wall[0] += 60_000
    assert found == sorted(found)
    assert len({new_id()[6:] for _ in range(200)}) == 200
    assert all(read_field(ID, "id", each) == each for each in found)


def test_a_table_is_used_by_one_at_a_time_in_order() -> None:
    """Also if somebody who waited, or whose turn it was, has given up."""

    async def run() -> None:
        lock, done = _Lock(), list[int]()

        async def use(number: int) -> None:
            async with lock:
                await asyncio.sleep(0)
                done.append(number)

        async with lock:
            tasks = [asyncio.create_task(use(number)) for number in range(5)]
            await asyncio.sleep(0)
            tasks[1].cancel()
        tasks[0].cancel()  # it was told that it is its turn, and has not begun
        late = asyncio.create_task(use(5))
        await asyncio.gather(*tasks, late, return_exceptions=True)
        assert done == [2, 3, 4, 5] and not lock.is_taken

    asyncio.run(run())
