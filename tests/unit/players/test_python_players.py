"""Python code and saved agents as players: what they may return, and when they are loaded."""

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy
import pytest

import ninefold
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.encoding import encoding_for
from ninefold.players import Chance, NoMove, Player, UnknownPlayer, make, name_of
from ninefold.players.saved import load_agent, save_agent

GAME = ninefold.load("magic-fifteen")


def lowest(position: Position) -> int:
    """The first free number."""
    return position.picks[0]


def first_action(_: Any, masks: Any) -> Any:
    """The first legal action of each."""
    return masks.argmax(axis=1)


class Lowest(Player):
    """Overrides the choice itself."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:  # noqa: ARG002
        """The first free number."""
        return position.picks[0]


class Batched:
    """An object that can be called."""

    def __call__(self, observations: Any, masks: Any, temperature: float = 0.0) -> Any:  # noqa: ARG002
        """The first legal action of each."""
        return masks.argmax(axis=1)


class WithGames:
    """An agent that is told which games it is asked about."""

    def __call__(self, _: Any, masks: Any, games: Any) -> Any:
        """The first legal action of each."""
        assert games.tolist() == [0]
        return masks.argmax(axis=1)


@pytest.mark.parametrize(
    "who",
    [
        lowest,
        first_action,
        Lowest,
        Lowest(),
        Batched,
        Batched(),
        WithGames(),
        lambda: lowest,
        lambda position: str(position.picks[0]),
        lambda position: numpy.int64(position.picks[0]),
        lambda position: {position.picks[0]: 1.0, 9: 0.0},
        lambda _, masks: numpy.eye(9)[masks.argmax(axis=1)],
        lambda _, masks: masks.argmax(axis=1).tolist(),
    ],
)
def test_whatever_can_choose_is_a_player(who: Any) -> None:
    """Functions, classes, objects and factories play the same game as the first free number."""
    played = ninefold.play_game(GAME, who, lowest)
    assert played.moves == (1, 2, 3, 4, 5, 6, 7)
    assert (played.outcome.winner, played.fault) == (1, "")


@pytest.mark.parametrize("who", [3, None, object(), lambda a, b, c, d: 1, lambda: 5, max, "nobody"])  # noqa: ARG005
def test_whatever_cannot_choose_is_refused(who: Any) -> None:
    """The error says what would be a player."""
    with pytest.raises(UnknownPlayer, match=r"is not a player|There is no player"):
        ninefold.play_game(GAME, who, "random")


@pytest.mark.parametrize(
    ("who", "reason", "fault"),
    [
        (lambda _: None, "unreadable-answer", "a move such as 5 or 'pass'"),
        (lambda _: 2.5, "unreadable-answer", "not 2.5"),
        (lambda _: "five", "unreadable-answer", "not 'five'"),
        (lambda _: 12, "illegal-answer", "12 is not in the pool"),
        (lambda _: {1: 0.4, 2: 0.4}, "unreadable-answer", "add up to 1"),
        (lambda _: {1: 2.0, 2: -1.0}, "unreadable-answer", "from 0 to 1, not 2.0"),
        (lambda _, masks: (masks.argmax(axis=1), None), "unreadable-answer", "a tuple of 2"),
        (lambda _, masks: masks, "unreadable-answer", "1 x 9 of integers"),
        (lambda _, __: 3, "unreadable-answer", "a single value of integers"),
        (lambda _, __: numpy.array([numpy.nan] * 9)[None], "unreadable-answer", "add up to 1"),
        (lambda _, __: numpy.array([9]), "illegal-answer", "9 is not a valid action"),
        (
            lambda position: position.picks[99],
            "crash",
            "it raised IndexError: tuple index out of range (test_",
        ),
    ],
)
def test_a_wrong_answer_loses_and_says_what_was_expected(who: Any, reason: str, fault: str) -> None:
    """Code from outside that makes no legal move forfeits the game."""
    played = ninefold.play_game(GAME, who, "random")
    assert (played.outcome.winner, played.outcome.reason) == (2, reason)
    assert fault in played.fault


def test_probabilities_of_illegal_actions_are_refused() -> None:
    """Even in a batch of which most is right."""
    even = numpy.full((1, 9), 1 / 9)
    played = ninefold.play_game(GAME, lambda _, __: even, "perfect")
    assert (len(played.moves), played.outcome.reason) == (2, "unreadable-answer")
    assert "probabilities of legal actions" in played.fault


def test_a_policy_is_drawn_from_by_the_seed() -> None:
    """As often as it says, and the same for the same seed."""
    player = make(lambda _: {1: 0.75, 2: 0.25})
    assert player is not None
    drawn = [player.choose(GAME.start(), 0, Chance(seed)) for seed in range(400)]
    assert drawn == [player.choose(GAME.start(), 0, Chance(seed)) for seed in range(400)]
    assert 270 < drawn.count(1) < 330


def test_what_each_player_says_about_its_choice() -> None:
    """Built-in players are even between their candidates, one that chooses is asked."""
    position, chance = GAME.play("5 1"), Chance(1)
    for who, expected in (
        ("random", dict.fromkeys((2, 3, 4, 6, 7, 8, 9), 1 / 7)),
        (lowest, {2: 1.0}),
        (Lowest(), {2: 1.0}),
        (lambda _: {"2": 0.5, 3: 0.5}, {2: 0.5, 3: 0.5}),
    ):
        player = make(who)
        assert player is not None
        assert player.policy(position, 2, chance) == expected


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module in the current folder that leaves a mark when it is imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_agents", raising=False)
    mark = tmp_path / "mark"
    code = f"""open({str(mark)!r}, "w").close()
def lowest(position): return position.picks[0]
class Shelf:
    class Lowest:
        def __call__(self, position): return position.picks[0]
broken = None
"""
    (tmp_path / "my_agents.py").write_text(code)
    return mark


@pytest.mark.parametrize("name", ["lowest", "Shelf.Lowest"])
def test_a_module_is_imported_when_the_game_begins(module: Path, name: str) -> None:
    """From the current folder; naming the player runs nothing, and neither does asking it."""
    player = make(f"python:my_agents:{name}", GAME)
    assert player is not None
    with pytest.raises(NoMove, match="it was not loaded"):
        player.choose(GAME.start(), 0, Chance(1))
    player.close()
    assert not module.exists()
    player.begin(GAME, None)
    assert module.exists()
    assert player.choose(GAME.start(), 0, Chance(1)) == 1


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("my_agents:broken", "None is not a player"),
        ("my_agents:nothing", "my_agents has no nothing"),
        ("no_such_module:x", "there is no module no_such_module"),
    ],
)
def test_what_cannot_be_loaded_is_named(spec: str, said: str) -> None:
    """In one line, when the game begins."""
    player = make(f"python:{spec}")
    assert player is not None
    with pytest.raises(UnknownPlayer, match=said):
        player.begin(GAME, None)


@pytest.mark.parametrize("spec", ["", "my_agents", "my_agents:", ":x", "a b:c", "os;x:y", "a:b()"])
def test_a_name_that_is_none_is_refused_at_once(spec: str) -> None:
    """Before anything is imported."""
    with pytest.raises(UnknownPlayer, match="Write python:MODULE:NAME"):
        make(f"python:{spec}")


def test_players_from_outside_have_names() -> None:
    """What follows the last colon, or the file."""
    assert name_of("python:my.agents:League.best") == "League.best"
    assert name_of("agent:runs/sum-3.npz") == "sum-3"


def weights_for(game: Game) -> list[Any]:
    """A network of one layer that prefers high numbers."""
    planes, size = encoding_for(game).shape
    actions = len(encoding_for(game).actions)
    bias = numpy.linspace(0, 1, actions, dtype=numpy.float32)
    return [numpy.zeros((planes * size, actions), numpy.float32), bias]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved agent that takes the highest number."""
    path = tmp_path / "highest.npz"
    with path.open("wb") as file:
        save_agent(file, GAME, weights_for(GAME))
    return path


def test_a_saved_agent_plays(saved: Path) -> None:
    """Its file is all it needs."""
    played = ninefold.play_game(GAME, f"agent:{saved}", lowest)
    assert played.moves == (9, 1, 8, 2, 7, 3, 6, 4, 5)
    agent = load_agent(str(saved))
    assert ninefold.play_game(GAME, agent, lowest) == played


def test_a_saved_agent_plays_no_other_game(saved: Path) -> None:
    """Its actions would mean something else."""
    other = ninefold.load("sequence-duel-sum")
    with pytest.raises(UnknownPlayer, match="was trained on another game: magic-fifteen"):
        ninefold.play_game(other, f"agent:{saved}", lowest)


def test_the_copy_of_an_agent_with_other_shapes_is_refused(tmp_path: Path) -> None:
    """It says that it is for these rules, but its network is not."""
    path = tmp_path / "odd.npz"
    with path.open("wb") as file:
        save_agent(file, GAME, weights_for(ninefold.load("magic-fifteen", changes="pool=1-8")))
    with pytest.raises(UnknownPlayer, match="was trained on another game"):
        ninefold.play_game(GAME, f"agent:{path}", lowest)


def _pickle(_: Path) -> bytes:
    file = BytesIO()
    arrays: Any = {"about": numpy.array([Evil()], object)}
    numpy.savez(file, **arrays)
    return file.getvalue()


def _no_layers(_: Path) -> bytes:
    file = BytesIO()
    save_agent(file, GAME, [])
    return file.getvalue()


class Evil:
    """Would end the tests if anybody unpickled it."""

    def __reduce__(self) -> Any:
        return sys.exit, (3,)


@pytest.mark.parametrize(
    "content",
    [lambda _: b"", lambda _: b"PK", lambda path: path.read_bytes()[:-40], _pickle, _no_layers],
)
def test_a_damaged_or_hostile_agent_is_refused(
    saved: Path, content: Callable[[Path], bytes]
) -> None:
    """Nothing in the file is run."""
    saved.write_bytes(content(saved))
    with pytest.raises(NinefoldError, match="it is not a saved agent"):
        load_agent(str(saved))


@pytest.mark.parametrize("path", ["/dev/zero", "nowhere.npz", "."])
def test_only_regular_files_are_opened(path: str) -> None:
    """A device would never end."""
    with pytest.raises(UnknownPlayer, match="there is no such file"):
        load_agent(path)
