"""Tournaments from files: complete, bounded, and all faults at once; nothing is run."""

from pathlib import Path
from typing import Any

import pytest
from unit.arena.tournaments import FIFTEEN

import ninefold
from ninefold.arena.openings import find_openings
from ninefold.arena.tournament import Tournament, dump, make_tournament, read_tournament
from ninefold.books.faults import BookError
from ninefold.core.errors import NinefoldError
from ninefold.solver import solver_for

TWO = [{"player": "random"}, {"player": "level:2", "name": "second"}]
GAMES = [{"game": name} for name in FIFTEEN]


def made(**fields: Any) -> Tournament:
    """A tournament with these fields."""
    return make_tournament({"players": TWO, "games": GAMES, **fields})


def faults_of(**fields: Any) -> list[str]:
    """What is wrong with a tournament."""
    with pytest.raises(BookError) as caught:
        made(**fields)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"openings": "balanced", "seed": 2**53, "retries": 3, "time-limit": 2.5},
        {"openings": "all", "opening-moves": 1, "rounds": 7},
        {"format": "swiss", "swiss-rounds": 3},
        {"format": "sequential", "elo0": -5, "elo1": 5.5, "batch": 8},
        {"games": [{"game": "capture", "changes": ["pool=1-8"]}, {"game": "magic-fifteen"}]},
        {"players": [{"player": "random", "name": 'a "quoted" name'}, {"player": "greedy"}]},
    ],
)
def test_what_is_written_is_read_back(tmp_path: Path, fields: dict[str, Any]) -> None:
    """In full, so that the same text is the same tournament."""
    tournament, path = made(**fields), tmp_path / "tournament.toml"
    path.write_text(dump(tournament), "utf-8")
    again = read_tournament(str(path))
    assert dump(again) == dump(tournament)
    assert again.key == tournament.key
    assert again.key != made(seed=17).key


def test_all_faults_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    """With the line, what was expected, what was found, and a hint."""
    path = tmp_path / "wrong.toml"
    path.write_text(
        'format = "swis"\nrounds = -3\nopenings = "balanced"\nround = 5\n'
        '[[players]]\nplayer = "level:9"\n[[players]]\nname = "x"\n'
        '[[games]]\ngame = "magic-fiften"\n'
    )
    with pytest.raises(BookError) as caught:
        read_tournament(str(path))
    text = caught.value.message
    assert text.startswith(f"{path} is not a valid tournament:")
    for said in (
        "line 4: round: unknown field (did you mean rounds?)",
        'line 1: format: must be one of round-robin, gauntlet, swiss, sequential; found "swis"',
        "line 2: rounds: must be a whole number from 0 to 1,000,000; found -3",
        "line 6: players[0].player: There is no player 'level:9'",
        "line 7: players[1].player: missing; it must be a player, such as level:2",
        "line 10: games[0].game: There is no game 'magic-fiften'; did you mean magic-fifteen?",
    ):
        assert said in text, text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"players": TWO[:1]}, "players: must be at least two players"),
        ({"players": [*TWO, {"player": "greedy"}], "format": "sequential"}, "exactly two players"),
        ({"players": [*TWO, {"player": "random"}]}, "players[2].player: is there twice"),
        ({"players": [*TWO, {"player": "human"}]}, "a person cannot play in an arena"),
        ({"players": [*TWO, {"player": "object"}]}, "cannot play in an arena"),
        ({"players": [*TWO, {"player": "random", "name": "a\nb"}]}, "players[2].name: must be"),
        ({"players": 3}, "players: must be a list of tables"),
        ({"games": []}, "games: must be at least one game"),
        ({"games": [*GAMES, *GAMES]}, "magic-fifteen has the same rules as an earlier game"),
        ({"games": [{"game": "magic-fifteen", "rules": "0"}]}, "the rules of this game have chang"),
        ({"games": [{"game": "magic-fifteen", "reading": "none"}]}, "games[0].game: "),
        ({"games": [{"game": "magic-fifteen", "changes": "pool=1-9"}]}, "changes: must be a list"),
        ({"seed": True}, "seed: must be a whole number"),
        ({"time-limit": 0}, "time-limit: must be a number from 0.001"),
        (
            {"rounds": 10**6, "players": [{"player": f"level:{n}"} for n in (1, 2, 3, 4)]},
            "5,000,000",
        ),
        ({"openings": "none", "opening-moves": 2}, "opening-moves: must be 1 or more"),
        ({"openings": "all", "opening-moves": 9}, "from 0 to 8"),
        ({"format": "sequential", "elo0": 5, "elo1": 5}, "elo1: must be more than elo0"),
        ({"format": "sequential", "elo1": 5, "score1": 0.6}, "elo1: must not be there together"),
        ({"format": "sequential", "alpha": 0}, "alpha: must be a number"),
        ({"version": "ninefold-arena-9"}, "this file is for another version"),
        ({"rounds": 10**30}, "rounds: must have at most 18 digits"),
    ],
)
def test_a_wrong_tournament_is_refused(fields: dict[str, Any], said: str) -> None:
    """With a sentence about the field."""
    assert any(said in fault for fault in faults_of(**fields)), faults_of(**fields)


def test_a_strangers_file_cannot_take_long() -> None:
    """Hundreds of players and games are refused before they are looked at."""
    many = [{"player": "random", "name": str(at)} for at in range(5_000)]
    assert "at most 200 players" in faults_of(players=many)[0]
    games = [{"game": "magic-fifteen", "changes": [f"pool=1-{at}"]} for at in range(5_000)]
    assert "at most 64 games" in faults_of(games=games)[0]
    large = [{"game": "sequence-duel-sum", "changes": ["pool=1-60"]}]
    assert "too many openings" in faults_of(games=large, openings="all", **{"opening-moves": 8})[0]
    assert "too large to solve" in faults_of(games=large, openings="balanced")[0]


def test_a_player_with_a_long_name_is_called_by_its_beginning() -> None:
    """As a model with many options: nobody must invent a name for it."""
    long = f"llm:{'m' * 90}?temperature=0"
    entrant = made(players=[{"player": long}, {"player": "random"}]).players[0]
    assert (len(entrant.name), entrant.name[:60], entrant.spec) == (80, long[:60], long)


def test_naming_code_does_not_run_it(tmp_path: Path) -> None:
    """A file is read without importing or starting anything."""
    path, mark = tmp_path / "t.toml", tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(mark)!r}, 'w')\n")
    specs = f'"python:evil:player"\n[[players]]\nplayer = "program:touch {mark}"\n'
    path.write_text(f"[[players]]\nplayer = {specs}[[games]]\ngame = 'magic-fifteen'\n")
    tournament = read_tournament(str(path))
    assert tournament.commands == ["python:evil:player", f"program:touch {mark}"]
    assert not mark.exists()


@pytest.mark.parametrize("text", ["", "players = ", "[[players]]\n" * 9, "\0", "a.b = 1\na = 2"])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    """Kindly."""
    path = tmp_path / "t.toml"
    path.write_text(text)
    with pytest.raises(NinefoldError, match="is not a valid tournament"):
        read_tournament(str(path))
    with pytest.raises(NinefoldError, match="Cannot read the tournament"):
        read_tournament(str(tmp_path / "none.toml"))


def test_books_in_files_are_found_beside_the_tournament(tmp_path: Path) -> None:
    """Their path is relative to it."""
    (tmp_path / "mine.toml").write_text('extends = "magic-fifteen"\n[rules]\npool = "1-8"\n')
    path = tmp_path / "t.toml"
    path.write_text(
        '[[players]]\nplayer = "random"\n[[players]]\nplayer = "greedy"\n'
        '[[games]]\ngame = "./mine.toml"\n'
    )
    (played,) = read_tournament(str(path)).games
    assert (played.book, played.source) == ("mine", str(tmp_path / "mine.toml"))
    assert played.game.pool == tuple(range(1, 9))


def test_all_openings_are_every_position_after_so_many_moves() -> None:
    """Each once: 9 first numbers, and 72 ways to take two."""
    game = ninefold.load("magic-fifteen")
    assert find_openings(game, "none", 0, 0) == ("",)
    assert len(find_openings(game, "all", 1, 0)) == 9
    assert len(find_openings(game, "all", 2, 0)) == 72
    assert len({game.play(line).key for line in find_openings(game, "all", 4, 0)}) == 756
    assert len(find_openings(game, "all", 4, 50)) == 50


@pytest.mark.parametrize("name", ninefold.games())
def test_balanced_openings_leave_something_at_stake(name: str) -> None:
    """And they are drawn, if any opening is."""
    game = ninefold.load(name)
    lines = find_openings(game, "balanced", 2, 50)
    assert 0 < len(lines) <= 50
    results = set()
    for line in lines:
        position = game.play(line)
        values = {value.result for value in solver_for(game).moves(position)}
        assert len(values) > 1
        results.add(solver_for(game).value(position).result)
    everything = [solver_for(game).value(game.play(line)).result for line in _all(game)]
    assert results == {"draw"} or "draw" not in everything or len(everything) == 0


def _all(game: ninefold.Game) -> tuple[str, ...]:
    lines = find_openings(game, "all", 2, 0)
    return tuple(
        line
        for line in lines
        if len({value.result for value in solver_for(game).moves(game.play(line))}) > 1
    )
