"""Python code and saved agents at the terminal; no record and no other command imports code."""

from pathlib import Path

import pytest
from e2e.program import Ninefold
from unit.players.test_python_players import weights_for

import ninefold as package
from ninefold.books.rules import format_game
from ninefold.players.saved import save_agent

MODULE = """from pathlib import Path
Path("mark").touch()

class Lowest:
    def __call__(self, position):
        return position.picks[0]

def lost(position):
    raise LookupError("no idea")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a module that leaves a mark, and a saved agent."""
    (tmp_path / "my_agents.py").write_text(MODULE)
    game = package.load("magic-fifteen")
    with (tmp_path / "highest.npz").open("wb") as file:
        save_agent(file, game, weights_for(game))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_code_and_a_saved_agent_play_each_other(ninefold: Ninefold) -> None:
    """In a match that anybody can watch, with their names."""
    seats = ("--p1", "python:my_agents:Lowest", "--p2", "agent:highest.npz")
    result = ninefold.run("watch", "magic-fifteen", *seats, "--wins", "1", "--max-games", "2")
    assert (result.returncode, result.stderr) == (0, "")
    assert "Lowest takes 1." in result.stdout and "highest takes 9." in result.stdout
    shown = ninefold.json("show", ninefold.records()[0].stem)
    assert shown["moves"][:4] == ["1", "9", "2", "8"]


@pytest.mark.usefixtures("folder")
def test_code_that_breaks_down_loses_and_the_record_says_why(ninefold: Ninefold) -> None:
    """As a program that crashes does."""
    result = ninefold.run("play", "magic-fifteen", "--p2", "python:my_agents:lost", typed="5\n")
    assert result.returncode == 0
    assert "LookupError: no idea (my_agents.py:9)" in result.stdout
    assert "forfeit:2:crash" in ninefold.records()[0].read_text()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("python:nowhere:x", "Cannot load python:nowhere:x: there is no module nowhere."),
        ("python:my_agents", "Write python:MODULE:NAME"),
        ("agent:nowhere.npz", "Cannot load the agent nowhere.npz: there is no such file"),
        ("agent:my_agents.py", "Cannot load the agent my_agents.py: it is not a saved agent"),
    ],
)
def test_what_cannot_play_is_refused_before_the_game(
    ninefold: Ninefold, who: str, said: str
) -> None:
    """Exit code 2, one message, no traceback."""
    result = ninefold.run("play", "magic-fifteen", "--p2", who, typed="5\n")
    assert result.returncode == 2
    assert said in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr


def test_no_record_imports_code_unless_that_was_agreed_to(ninefold: Ninefold, folder: Path) -> None:
    """Neither in the store nor in a stranger's file, by any command that reads records."""
    ninefold.run("play", "magic-fifteen", "--p2", "python:my_agents:Lowest", typed="5\n")
    path, mark = ninefold.records()[0], folder / "mark"
    stranger = folder / "stranger.ninefold"
    stranger.write_text(path.read_text())
    assert mark.exists()
    mark.unlink()
    ninefold.run("games")
    for record in (path.stem, str(stranger)):
        for command in (["show"], ["review"], ["review", "--annotate"], ["resume"]):
            result = ninefold.run(*command, record, typed="9\n")
        assert result.returncode == 2
        assert "would run: python:my_agents:Lowest." in result.stderr.replace("\n", " ")
        assert f"resume --run-programs {record}" in result.stderr.replace("\n", " ")
    assert not mark.exists()
    resumed = ninefold.run("resume", path.stem, "--run-programs", typed="9\nquit\n")
    assert mark.exists()
    assert "Player 2 takes 2." in resumed.stdout


def test_a_game_against_a_saved_agent_is_resumed_at_once(ninefold: Ninefold, folder: Path) -> None:
    """Its file holds no code; without the file, the error says so and the record stays."""
    ninefold.run("play", "magic-fifteen", "--p2", "agent:highest.npz", typed="5\n")
    name = ninefold.records()[0].stem
    assert "takes 8." in ninefold.run("resume", name, typed="1\nquit\n").stdout
    (folder / "highest.npz").unlink()
    result = ninefold.run("resume", name, typed="6\n")
    assert result.returncode == 2
    assert "there is no such file" in result.stderr.replace("\n", " ")
    assert ninefold.json("show", name)["moves"] == ["5", "9", "1", "8"]


@pytest.mark.usefixtures("folder")
def test_agents_are_served_over_the_go_text_protocol(ninefold: Ninefold) -> None:
    """Saved or in Python; another game is refused, and a breakdown is an answer."""
    typed = "play b 5\ngenmove w\nninefold-game {}\ngenmove w\nquit\n"
    saved = ninefold.run("gtp", "magic-fifteen", "--player", "agent:highest.npz", typed=typed)
    first, second, third, *_ = saved.stdout.split("\n\n")
    assert (first, second) == ("=", "= 9")
    assert third.startswith("?")
    other = format_game(package.load("sequence-duel-sum"))
    typed = f"ninefold-game {other}\ngenmove b\n"
    refused = ninefold.run("gtp", "magic-fifteen", "--player", "agent:highest.npz", typed=typed)
    assert "was trained on another game" in refused.stdout
    assert refused.stdout.split("\n\n")[1] == "= 9"  # still the game that it knows
    broken = ninefold.run(
        "gtp", "magic-fifteen", "--player", "python:my_agents:lost", typed="genmove b\nname\n"
    )
    assert broken.stdout.split("\n\n")[:2] == [
        "? cannot move: it raised LookupError: no idea (my_agents.py:9).",
        "= Ninefold",
    ]
