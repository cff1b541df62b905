"""The terms of an examination: what is refused, and what can be told or demanded."""

import sys

import pytest
from environments.honest import actions_of
from unit.conform.conforming import DUEL, TESTS, check, seen, settings

from ninefold import books
from ninefold.conform.check import Terms, examine
from ninefold.conform.rewards import Rewards, parse_rewards
from ninefold.core.errors import NinefoldError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("beside_the_environments")]


@pytest.mark.parametrize(
    ("env", "fault", "code", "words"),
    [
        ("environments.faulty:Faulty", "opponent", "opponent-inside", "cannot be tested this way"),
        ("environments.faulty:Faulty", "zero-unused", "other-actions", "--offset 0"),
        ("environments.faulty:Faulty", "cannot-be-made", "env-make", "ValueError: no board"),
        ("environments.faulty:Faulty", "several", "env-kind", "only discrete actions"),
        ("environments.faulty:Faulty", "far-too-many", "env-kind", "1 to 1048576 are supported"),
        ("environments.faulty:Nobody", "", "env-name", "AttributeError"),
        ("environments.nowhere:Env", "", "env-import", "ModuleNotFoundError"),
        ("os:getcwd", "", "env-make", "TypeError"),
    ],
)
def test_what_cannot_be_played_is_refused(env: str, fault: str, code: str, words: str) -> None:
    """With a code, and the reason in words."""
    book = books.load_book(DUEL, None, ("pool=1-6",))
    with pytest.raises(NinefoldError) as refusal:
        examine(book, settings(env, fault=fault), Terms())
    assert refusal.value.code == code
    assert words in refusal.value.message


@pytest.mark.parametrize(
    ("env", "missing", "advice"),
    [
        ("nowhere_at_all:Env", "nowhere_at_all", "Run this in its folder, or name the interpreter"),
        (
            "environments.needy:Env",
            "no_such_library",
            f"Install it ({sys.executable} -m pip install no_such_library), or name the",
        ),
    ],
)
def test_a_module_that_is_missing_is_named_and_where_it_was_looked_for(
    env: str, missing: str, advice: str
) -> None:
    """Be it the environment itself, or something that it needs."""
    with pytest.raises(NinefoldError) as refusal:
        examine(books.load_book(DUEL), settings(env), Terms())
    assert f"ModuleNotFoundError: No module named '{missing}'." in refusal.value.message
    assert f"Searched in {TESTS} and the module path of {sys.executable}" in refusal.value.message
    assert advice in refusal.value.message


@pytest.mark.parametrize("env", ["nothing", "NoEnvironment"])
def test_what_is_no_environment_is_refused(env: str) -> None:
    """There must be a step and a reset."""
    with pytest.raises(NinefoldError, match="it is not an environment"):
        examine(books.load_book(DUEL), settings(f"environments.faulty:{env}"), Terms())


def test_a_pool_of_another_size_is_refused() -> None:
    """Before anything is played."""
    book = books.load_book(DUEL, None, ("pool=1-7",))
    with pytest.raises(NinefoldError, match="The game needs actions 0 to 6") as refusal:
        examine(book, settings("environments.faulty:Faulty"), Terms())
    assert refusal.value.code == "too-few-actions"


def test_conventions_can_be_told() -> None:
    """What is a fault without them is none with them."""
    assert seen(check("to-player-1")) != []
    assert seen(check("to-player-1", rewards=Rewards(to="player1"))) == []
    ten = parse_rewards("win=10,loss=-10,step=-1,illegal=-1", "mover")
    assert seen(check("ten", rewards=ten)) == []
    assert seen(check("ten", rewards=ten._replace(step=None, illegal=None))) == [
        ("illegal-reward", "1 1 (illegal)")
    ]
    assert seen(check("zero-unused", offset=0)) == []
    assert seen(check("zero-unused", actions="1=1 2 3 4 5 6")) == []


@pytest.mark.parametrize("policy", ["raise", "lose", "refuse"])
def test_the_treatment_of_illegal_actions_can_be_demanded(policy: str) -> None:
    """One of the three is right, the others are not."""
    for fault, treatment in (("raise", "raise"), ("", "lose"), ("refuse", "refuse")):
        kinds = [kind for kind, _ in seen(check(fault, illegal=policy))]
        assert kinds == ([] if treatment == policy else ["illegal"])


def test_every_action_stands_for_one_move() -> None:
    """And every move has an action."""
    book = books.load_book("pattern-builder", "declare", ("pool=1-6",))
    where = settings("environments.honest:Honest", game=book.id, reading="declare", size=6)
    actions = actions_of(book.id, "declare", 6)
    assert seen(examine(book, where, Terms(actions=actions, games=20))) == []
    for wrong, words in (
        ("1 2 3 4 5 6", "No action stands for the move declare:"),
        ("1 2 3 4 5", "No action stands for the number 6"),
        ("1 2 3 4 5 6 6", "'6' appears twice"),
        ("1 2 3 4 5 6=x", "'6=x' has no valid action number"),
        ("1 2 3 4 5 six", "'six' is not a move"),
    ):
        with pytest.raises(NinefoldError, match=words):
            examine(book, where, Terms(actions=wrong))


@pytest.mark.parametrize(
    ("rule", "example"),
    [("pie=true", "1 2 3 4 5 6 swap=6"), ("passing=true", "1 2 3 4 5 6 pass=6")],
)
def test_the_move_without_an_action_is_the_one_in_the_example(rule: str, example: str) -> None:
    """It can be copied as it is, but for the number of the action."""
    book = books.load_book(DUEL, None, ("pool=1-6", rule))
    with pytest.raises(NinefoldError, match=rf'--actions "{example}"'):
        examine(book, settings("environments.faulty:Faulty"), Terms())


@pytest.mark.parametrize("text", ["win", "win=", "gain=1", "win=1,win=2", "win=nan", "draw=x"])
def test_bad_rewards_are_refused(text: str) -> None:
    """With an example of good ones."""
    with pytest.raises(NinefoldError, match="--rewards win=1"):
        parse_rewards(text, "mover")
