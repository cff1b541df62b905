"""The Gymnasium environments of one game."""

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.utils.env_checker import check_env

from ninefold import books
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.position import Position
from ninefold.envs import gym as registered
from ninefold.envs.gym.single import NinefoldEnv
from ninefold.envs.settings import ANY_BOOK, registered_arguments

IDS = [*registered_arguments()]
FIRST_IDS = {
    "ninefold/RuleBook-v0",
    "ninefold/SequenceCapture-v0",
    "ninefold/SequenceDuelSum-LoseTurn-v0",
    "ninefold/SequenceBuilder-ThreeSlotsInOrder-v0",
    "ninefold/PatternBuilder-Declare-v0",
}


def make(name: str, **arguments: Any) -> NinefoldEnv:
    """The bare environment of this id."""
    env = gymnasium.make(name, **arguments).unwrapped
    assert isinstance(env, NinefoldEnv)
    return env


def episode(env: NinefoldEnv, seed: int | None = None, **options: Any) -> dict[str, Any]:
    """A game with random legal actions; the last info, and the last reward in it."""
    _, info = env.reset(seed=seed, options=options)
    if seed is not None:
        env.action_space.seed(seed)
    while True:
        _, reward, terminated, truncated, info = env.step(
            env.action_space.sample(info["action_mask"])
        )
        if terminated or truncated:
            return {**info, "reward": reward, "truncated": truncated}
        assert reward == 0


def test_every_book_and_reading_has_an_id() -> None:
    """A reading is named behind the book; the default has the short name, too."""
    registered.register()  # once more does no harm
    assert set(IDS) >= FIRST_IDS
    assert len(IDS) == 1 + sum(1 + len(books.load_book(name).readings) for name in books.names())


@pytest.mark.parametrize("name", [name for name in IDS if name != ANY_BOOK])
def test_gymnasium_finds_nothing_to_complain_about(name: str) -> None:
    """Its own check passes against a player and against itself; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for opponent in ("greedy", "self"):
            for illegal in ("lose", "lose-turn"):
                arguments = {"opponent": opponent, "illegal": illegal, "seat": "alternate"}
                check_env(make(name, render_mode="rgb_array", **arguments))


@pytest.mark.parametrize("name", [name for name in IDS if name != ANY_BOOK])
@pytest.mark.parametrize("opponent", ["random", "greedy", "perfect", "self"])
def test_the_judge_says_the_same_of_every_game(name: str, opponent: str) -> None:
    """The recorded moves, judged again, end with the same winner and for the same reason."""
    env = make(name, opponent=opponent, seat="alternate")
    for number in range(12):
        info = episode(env, seed=number if number % 3 == 0 else None)
        position = env.game.start()
        for move in env.moves:
            assert position.outcome is None
            position = position.play(move)
        if info["truncated"]:
            assert position.outcome is None and len(env.moves) == 36
        else:
            assert position.outcome is not None
            assert info["winner"] == (position.outcome.winner or 0)
            assert info["reason"] == position.outcome.reason
            won = {0: 0, info["seat"]: 1}.get(info["winner"], -1)
            assert info["reward"] == won


SCRIPT = """
import gymnasium, ninefold.envs.gym
env = gymnasium.make("ninefold/PatternBuilder-v0", opponent="greedy", seat="alternate")
_, info = env.reset(seed=11)
env.action_space.seed(11)
for _ in range(300):
    *_, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
    if terminated:
        print(info["moves"])
        _, info = env.reset()
"""


def test_the_same_seed_is_the_same_trajectory_in_every_process() -> None:
    """Whatever the hash seed of Python: the opponent's moves and the seats are the same."""
    said = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(number)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in (1, 2)
    }
    assert len(said) == 1
    assert len(set(said.pop().splitlines())) > 50


def test_seats_alternate_and_can_be_chosen() -> None:
    """1, 2, 1, 2 from a seed on; an option settles one episode."""
    env = make("ninefold/MagicFifteen-v0", seat="alternate")
    seats = [env.reset(seed=5 if number == 0 else None)[1]["seat"] for number in range(4)]
    assert seats == [1, 2, 1, 2]
    assert env.reset(options={"seat": 2})[1]["seat"] == 2
    assert len(env.moves) == 1  # player 1 has begun


def test_a_game_can_begin_anywhere() -> None:
    """Moves are written as everywhere; one that is over already is refused."""
    env = make("ninefold/MagicFifteen-v0", opponent="self")
    observation, info = env.reset(options={"moves": "5 2 8 1"})
    assert observation[0].tolist() == [0, 0, 0, 0, 1, 0, 0, 1, 0]
    _, reward, terminated, _, info = env.step(1)
    assert (reward, terminated) == (-1.0, True)
    assert info["illegal_action"].startswith("2 is already taken.")
    with pytest.raises(NinefoldError, match="over after these moves"):
        env.reset(options={"moves": "5 1 8 3 2"})


def test_illegal_actions_are_never_silent() -> None:
    """They raise, lose the game or lose the turn, as was chosen, and the info tells it."""
    env = make("ninefold/MagicFifteen-v0", opponent="self", illegal="raise")
    env.reset(options={"moves": "5"})
    with pytest.raises(Illegal, match="5 is already taken"):
        env.step(4)
    assert env.step(3)[2] is False  # nothing had happened
    env = make("ninefold/MagicFifteen-v0", opponent="self", illegal="lose")
    env.reset(options={"moves": "5"})
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["winner"], info["reason"]) == (-1, True, 1, "illegal-action")
    with pytest.raises(Illegal, match="over"):
        env.step(0)
    env = make("ninefold/MagicFifteen-v0", opponent="self", illegal="lose-turn")
    env.reset(options={"moves": "5"})
    _, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["seat"]) == (0, False, 1)
    assert "taken" in info["illegal_action"]


def test_games_without_an_end_are_cut_off() -> None:
    """After four moves for each number, or as many as asked for: truncated, not terminated."""
    for limit, moves in ((None, 36), (7, 7)):
        env = make("ninefold/SequenceDuelSum-LoseTurn-v0", opponent="self", max_plies=limit)
        env.reset()
        for number in range(1, moves + 1):
            _, reward, terminated, truncated, _ = env.step(9)
            assert (reward, terminated, truncated) == (0, False, number == moves)


def test_a_program_that_makes_no_move_loses() -> None:
    """The agent wins, and is told why."""
    env = make("ninefold/MagicFifteen-v0", opponent=f"program:{sys.executable} -c pass")
    env.reset()
    _, reward, terminated, _, info = env.step(4)
    env.close()
    assert (reward, terminated, info["winner"], info["reason"]) == (1, True, 1, "forfeit")
    assert info["moves"] == "5" and info["forfeit"]


def test_any_program_can_be_the_opponent() -> None:
    """One that speaks the protocol plays game after game."""
    engine = f"program:{sys.executable} -m ninefold gtp magic-fifteen --player perfect"
    env = make("ninefold/MagicFifteen-v0", opponent=engine, seat="alternate")
    ends = [episode(env, seed=number) for number in range(2)]
    env.close()
    assert all(end["reward"] <= 0 and "forfeit" not in end for end in ends)


def test_wrong_settings_are_told_in_a_sentence() -> None:
    """Each names what is allowed."""
    for arguments, said in (
        ({"seat": 3}, "seat must be one of 1, 2, 'alternate', not 3."),
        ({"illegal": "ignore"}, "illegal must be one of 'raise', 'lose', 'lose-turn'"),
        ({"opponent": "human"}, "A person cannot be the opponent"),
        ({"opponent": "nobody"}, "Unknown opponent 'nobody'"),
        ({"opponent": None}, "the name of one, or 'self', not None."),
        ({"max_plies": -1}, "must not be negative"),
        ({"max_plies": 1.5}, "max_plies must be a whole number, not 1.5."),
        ({"changes": [3]}, "changes must be text"),
    ):
        with pytest.raises(NinefoldError, match=said):
            make("ninefold/MagicFifteen-v0", **arguments)
    with pytest.raises(NinefoldError, match="an option must be one of"):
        make("ninefold/MagicFifteen-v0").reset(options={"begin": 1})


def test_a_reset_that_is_refused_leaves_no_game_half_begun() -> None:
    """The next step says that there is none."""
    env = make("ninefold/MagicFifteen-v0", opponent="self")
    for moves in ("5 5", [5, 3], "5 1 8 3 2"):
        env.reset(seed=1)
        with pytest.raises(NinefoldError):
            env.reset(options={"moves": moves})
        with pytest.raises(Illegal, match=r"Call reset\(\)"):
            env.step(0)


def test_what_is_no_whole_number_is_no_action() -> None:
    """Nothing is rounded: a network's output by mistake is told, under every policy."""
    for illegal in ("raise", "lose", "lose-turn"):
        env = make("ninefold/MagicFifteen-v0", opponent="self", illegal=illegal)
        env.reset(seed=1)
        for action in (3.7, "4", None):
            with pytest.raises(TypeError):
                env.step(action)  # type: ignore[arg-type]
        assert env.moves == []
        env.step(numpy.int64(4))
        assert env.moves == [5]


def test_one_change_may_stand_alone_and_a_book_be_a_path(tmp_path: Path) -> None:
    """A text is one change, not its letters."""
    env = make("ninefold/MagicFifteen-v0", changes="pool=1-12")
    assert env.game.pool == tuple(range(1, 13))
    file = tmp_path / "mine.toml"
    file.write_text('extends = "magic-fifteen"\ntitle = "Mine"\n[rules]\npool = "1-10"\n')
    assert make(ANY_BOOK, book=file).game.pool == tuple(range(1, 11))


def test_any_book_needs_a_book() -> None:
    """None is not taken for another game; neither alone nor in a vector."""
    for build in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(NinefoldError, match="Which rule book"):
            build(ANY_BOOK)


def lowest(position: Position) -> int:
    """The first free number."""
    return position.picks[0]


def first_action(_: Any, masks: Any) -> Any:
    """The first legal action of each."""
    return masks.argmax(axis=1)


@pytest.mark.parametrize("opponent", [lowest, first_action, lambda: lowest])
def test_an_object_can_be_the_opponent(opponent: Any) -> None:
    """A function of a position, a batched agent or a factory."""
    env = make("ninefold/MagicFifteen-v0", opponent=opponent)
    env.reset(seed=1)
    env.step(8)
    env.step(7)
    assert env.moves == [9, 1, 8, 2]
    assert make("ninefold/MagicFifteen-v0", opponent=opponent, seat=2).reset(seed=1)


def test_an_illegal_reply_of_code_forfeits_and_a_breakdown_is_shown() -> None:
    """The first is part of the game, the second a mistake in the code."""
    env = make("ninefold/MagicFifteen-v0", opponent=lambda _: 12)
    env.reset(seed=1)
    *_, reward, terminated, _, info = env.step(4)
    assert (reward, terminated, info["reason"], info["winner"]) == (1.0, True, "forfeit", 1)
    env = make("ninefold/MagicFifteen-v0", opponent=lambda _, masks: (masks, None))
    env.reset(seed=1)
    with pytest.raises(NinefoldError, match="must return one array"):
        env.step(4)


@pytest.mark.parametrize("opponent", [3, None, ["random"]])
def test_what_cannot_play_is_refused(opponent: Any) -> None:
    """When the environment is made."""
    with pytest.raises(NinefoldError, match="opponent must be a player, a function"):
        make("ninefold/MagicFifteen-v0", opponent=opponent)


def test_the_text_and_the_picture_show_the_position() -> None:
    """The number line with the marks of both players; each box of the picture is its own."""
    env = make("ninefold/MagicFifteen-v0", opponent="self", render_mode="ansi")
    env.reset(options={"moves": "5 2"})
    assert env.render() == ("1 [O] 3 4 [X] 6 7 8 9\nPlayer 1 X: 5\nPlayer 2 O: 2\nPlayer 1 to move")
    env = make("ninefold/MagicFifteen-v0", opponent="self", render_mode="rgb_array")
    env.reset(options={"moves": "5 2"})
    image = env.render()
    assert image.shape == (64, 292, 3) and image.dtype == "uint8"
    width = 32
    boxes = [image[4:60, 4 + width * at : 4 + width * at + 28] for at in range(9)]
    assert len({box.tobytes() for box in boxes}) == 9
    colours = [tuple(box[4, 4].tolist()) for box in boxes]
    assert colours[4] == (150, 190, 245) and colours[1] == (250, 190, 120)
    assert {colours[at] for at in (0, 2, 3, 5, 6, 7, 8)} == {(255, 255, 255)}


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["level:2", "level:5", "perfect"])
@pytest.mark.parametrize("changes", ["pool=1-20", "pool=1-15"])
def test_levels_and_perfect_play_large_games(opponent: str, changes: str) -> None:
    """The same seed is the same game, and the first info says that there may be estimates."""
    env = make("ninefold/SequenceDuelArithmetic-v0", changes=changes, opponent=opponent, seat=2)
    _, info = env.reset(seed=3)
    text = (
        f"{opponent} may not solve this game in time. It then plays its best estimate, not a proof."
    )
    assert info.get("limitation") == (None if opponent == "level:2" else text)
    games = [episode(env, seed=3) for _ in range(2)]
    assert games[0]["moves"] == games[1]["moves"]
    assert games[0]["winner"] == 1
    assert "limitation" not in games[0]
