"""An environment with one fault: what is found, in which game, and that nothing is left behind."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from environments.honest import actions_of

from ninefold import books
from ninefold.conform.answer import parse_answer
from ninefold.conform.check import Terms, examine
from ninefold.conform.link import Settings
from ninefold.conform.report import Report
from ninefold.conform.rewards import Rewards, parse_rewards
from ninefold.core.errors import NinefoldError

TESTS = Path(__file__).resolve().parents[1]
DUEL = "sequence-duel-arithmetic"


@pytest.fixture(autouse=True)
def _beside_the_environments(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are found because they are here."""
    monkeypatch.chdir(TESTS)
    yield
    with pytest.raises(ChildProcessError):  # nobody is left
        os.waitpid(-1, os.WNOHANG)


def settings(env: str, **kwargs: Any) -> Settings:
    """With patience for a busy machine."""
    return Settings(env, kwargs, "", None, None, 2 << 30, 30.0, 300.0, 1)


def check(fault: str = "", env: str = "Faulty", **terms: Any) -> Report:
    """The report on the faulty environment."""
    book = books.load(DUEL, None, ("pool=1-6",))
    return examine(book, settings(f"environments.faulty:{env}", fault=fault), Terms(**terms))


def seen(report: Report) -> list[tuple[str, str]]:
    """The kind of each difference, and the game that shows it."""
    return [(row["kind"], row["game"]) for row in report.as_data()["differences"]]


@pytest.mark.parametrize(
    "habit",
    [
        "",
        "old-api",
        "raise",
        "refuse",
        "no-list",
        "no-turn",
        "mask-in-info",
        "mask-in-observation",
        "masks",
        "masked",
        "legal-actions",
        "available",
        "from-one",
        "pair",
        "no-copy",
        "shared-state",
    ],
)
def test_habits_are_no_faults(habit: str) -> None:
    """Whatever the usual ways of telling things are, the game is the same."""
    report = check(habit)
    assert seen(report) == []
    assert report.complete
    assert report.positions == 1 + 6 + 30 + 60 + 90 + 14 * 3  # 14 of 20 triples do not win


def test_agents_take_turns_as_in_pettingzoo() -> None:
    """With a mask in the observation, and a reward for each."""
    assert seen(check(env="Agents")) == []
    assert seen(check("missed-end", env="Agents")) == [("missed-end", "1 2 3 4 5")]


@pytest.mark.parametrize(
    ("fault", "kind", "game", "judge", "environment"),
    [
        (
            "missed-end",
            "missed-end",
            "1 2 3 4 5",
            "Player 1 wins (arithmetic: 1 3 5)",
            "the game goes on, reward 0",
        ),
        (
            "early-end",
            "early-end",
            "2 1 4",
            "the game goes on, it is the turn of Player 2",
            "the game is over, reward 1",
        ),
        (
            "full-first",
            "reward",
            "1 2 5 4 6 3",
            "Player 2 wins (arithmetic: 2 3 4): reward 1",
            "reward -1",
        ),
        ("nan", "no-number", "1 2 3 4 5", "a reward is one finite number", "reward nan"),
        ("none", "no-number", "1 2 3 4 5", "a reward is one finite number", "reward None"),
        ("array", "no-number", "1 2 3 4 5", "a reward is one finite number", "reward [1, 2, 3]"),
        ("text", "no-number", "1 2 3 4 5", "a reward is one finite number", "reward '1'"),
        (
            "huge",
            "no-number",
            "1 2 3 4 5",
            "a reward is one finite number",
            f"reward 1{'0' * 58}…",
        ),
        (
            "endless",
            "no-number",
            "1 2 3 4 5",
            "a reward is one finite number",
            "reward <int without a repr: ValueError: Exceeds the limit (4300 di…",
        ),
        ("raises", "exception", "1 2 3 4 5", "the move is legal", "KeyError: 'board'"),
        ("exits", "exception", "1 2 3 4 5", "the move is legal", "SystemExit: goodbye"),
        (
            "memory",
            "exception",
            "1 2 3 4 5",
            "the move is legal",
            "MemoryError: it needs more memory than --memory allows",
        ),
        (
            "three-values",
            "exception",
            "1",
            "the move is legal",
            "step() returns ([(1,), ()], 0.0, False), not 4 or 5 values",
        ),
        ("truncates", "truncated", "1 2 3 4 5", "terminated", "truncated"),
        ("lacks", "legal", "1 2 3 5", "legal are 4 6", "valid_moves lacks 6"),
        ("lists-all", "legal", "1", "legal are 2 3 4 5 6", "valid_moves also lists 1"),
        (
            "turn-stays",
            "turn",
            "1 2 3",
            "it is the turn of Player 2 (-1)",
            "it is the turn of Player 1 (1)",
        ),
        (
            "accepts",
            "accepted",
            "1 1 (illegal)",
            "the action is illegal",
            "accepts it, reward -1; it changes whose turn it is",
        ),
        (
            "mixed",
            "illegal",
            "3 3 (illegal)",
            "the action is illegal: the environment ends the game (as it did before)",
            "raises ValueError: illegal",
        ),
        (
            "rewarded",
            "illegal-reward",
            "1 1 (illegal)",
            "an illegal action loses: reward at most -1",
            "reward 0",
        ),
    ],
)
def test_one_fault_is_one_difference(
    fault: str, kind: str, game: str, judge: str, environment: str
) -> None:
    """In the shortest game that shows it, with what each of them says."""
    (row,) = check(fault).as_data()["differences"]
    assert (row["kind"], row["game"]) == (kind, game)
    assert (row["judge"], row["environment"]) == (judge, environment)


def test_the_order_of_picks_matters_to_an_environment() -> None:
    """Though it does not to the judge, both orders are played: 1 5 3 is missed, 1 3 5 is not."""
    found = dict(seen(check("order")))
    *_, third, _, fifth = found["missed-end"].split()
    first = found["missed-end"].split()[0]
    assert [first, third, fifth] != sorted([first, third, fifth])


def test_a_turn_that_passes_unseen_shows_in_the_next_move() -> None:
    """Nothing it says of itself has changed after the illegal action, yet the game has."""
    assert ("early-end", "1 4 3 3 (illegal) 5") in seen(check("silent"))


@pytest.mark.parametrize(
    ("fault", "kind", "why"),
    [
        ("leaves", "crash", "it ended with exit code 3."),
        ("dies", "crash", "it ended by signal 11."),
        ("writes", "crash", 'something else wrote into its answer: "5"'),
        ("hangs", "timeout", "no answer within 1 s"),
    ],
)
def test_an_environment_that_ends_or_hangs_is_a_finding(fault: str, kind: str, why: str) -> None:
    """The very action is named: the third number of player 1."""
    book = books.load(DUEL, None, ("pool=1-6",))
    where = settings("environments.faulty:Faulty", fault=fault)._replace(seconds=1.0)
    report = examine(book, where, Terms())
    (row,) = report.as_data()["differences"]
    assert (row["kind"], row["environment"], len(row["actions"])) == (kind, why, 5)
    assert report.notes == ("stopped, because it ended or hung too often.",)


@pytest.mark.parametrize(
    "forged",
    [
        "{}",
        '{"at": {}, "tries": [{}]}',
        '{"broken": 1}',
        '{"at": {"digest": 1, "legal": 7}, "tries": [{"reward": {}}], "printed": ""}',
        '{"at": {"digest": 1}, "tries": [], "printed": ""}',
        "[" * 30_000,
    ],
)
def test_a_forged_answer_is_no_answer(forged: str) -> None:
    """Nor does the line behind it count: the environment is to blame for both."""
    book = books.load(DUEL, None, ("pool=1-6",))
    report = examine(
        book, settings("environments.faulty:Faulty", fault=f"forges {forged}"), Terms()
    )
    (row,) = report.as_data()["differences"]
    assert row["kind"] == "crash"
    assert row["environment"].startswith('something else wrote into its answer: "')


STATE = {"digest": 1, "legal": [[0, 1], "nothing"], "turn": "one"}
MADE = {"reward": 0.5, "ended": "", **STATE}
HELLO = {"actions": 6, "start": 0, "sources": ["a"], "turn": None, "opponent": "", "at": STATE}


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        (HELLO, None),
        ({"refused": "make", "why": "no"}, None),
        ({"broken": "no", "printed": ""}, [1]),
        ({"at": STATE, "tries": [MADE], "printed": ""}, [1]),
        ({"at": STATE, "tries": [{"raised": "no", "digest": None}], "printed": ""}, [1]),
        ({"at": STATE, "tries": [{**MADE, "reward": [1, -1]}, MADE], "printed": ""}, [1, 2]),
        ({"at": STATE, "tries": [{**MADE, "then": MADE}], "printed": ""}, [1]),
    ],
)
def test_an_answer_is_taken_whole_and_with_its_token(
    answer: dict[str, Any], tries: list[int] | None
) -> None:
    """Without it, or without any of its fields but those that may be absent, it is none."""
    line = json.dumps(answer).encode()
    assert parse_answer(b"abc " + line, "abc", tries) == answer
    optional = {"actions", "turn"}
    wrong = [{**answer, name: {}} for name in answer]
    wrong += [{key: answer[key] for key in answer if key != name} for name in {*answer} - optional]
    for text in (line, b"abcd " + line, *(b"abc " + json.dumps(each).encode() for each in wrong)):
        with pytest.raises(ValueError, match=r"something else|no answer looks"):
            parse_answer(text, "abc", tries)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reward", float("nan")),
        ("reward", float("inf")),
        ("reward", 10**400),
        ("reward", True),
        ("reward", [1, 2, 3]),
        ("reward", [1, "2"]),
        ("reward", None),
        ("ended", "perhaps"),
        ("ended", []),
        ("legal", 7),
        ("legal", [7]),
        ("legal", [["7"]]),
        ("turn", []),
        ("turn", 1.5),
        ("digest", "1"),
        ("then", {}),
        ("failed", "crash"),
        ("broken", 1),
        ("raised", 1),
    ],
)
def test_a_field_of_another_kind_makes_it_no_answer(field: str, value: object) -> None:
    """What is compared later is a number where a number is expected."""
    answer = {"at": STATE, "tries": [{**MADE, field: value}], "printed": ""}
    with pytest.raises(ValueError, match="no answer looks like this"):
        parse_answer(b"abc " + json.dumps(answer).encode(), "abc", [1])


def test_an_environment_that_always_ends_is_not_the_same() -> None:
    """Though there is no move to compare: neither a first one, nor a second game."""
    at_once, anew = check("dies-at-once"), check("dies-anew")
    assert seen(at_once) == [("crash", "1")]
    assert [row["environment"] for row in at_once.as_data()["differences"]] == [
        "it ended with exit code 5."
    ]
    assert seen(anew) == [("crash", "before the first move")]
    assert [row["environment"] for row in anew.as_data()["differences"]] == [
        "it ended with exit code 4."
    ]


def test_the_time_for_everything_has_an_end() -> None:
    """It is not the time for one answer that stops it here."""
    book = books.load(DUEL, None, ("pool=1-6",))
    where = settings("environments.faulty:Faulty", fault="hangs")
    report = examine(book, where._replace(seconds=60.0, budget=5.0), Terms())
    assert report.notes == ("stopped after 5 s (--time-budget).",)
    assert not report.complete


def test_chance_at_the_beginning_is_told() -> None:
    """And nothing else is compared."""
    report = check("random-start")
    assert seen(report) == [("repeat", "before the first move")]
    assert report.notes == ("stopped, because it does not always begin in the same way.",)


def test_what_reset_leaves_behind_is_told() -> None:
    """Whatever it spoils is one finding."""
    (row,) = check(env="Leftover").as_data()["differences"]
    assert row["kind"] == "repeat"


def test_chance_in_the_middle_is_told() -> None:
    """Not as a difference of rules, though it looked like one when it was first seen."""
    (row,) = check("lottery").as_data()["differences"]
    assert row["kind"] == "repeat"


def test_a_reset_that_fails_later_is_told() -> None:
    """With its last line, and without what a terminal might obey."""
    (row,) = check("late-reset").as_data()["differences"]
    assert row["kind"] == "repeat"
    assert row["environment"].endswith("reset() raises RuntimeError: no more ?[31mgames")


def test_noise_in_observations_is_a_note() -> None:
    """The rules are not touched by it."""
    report = check("noisy")
    assert seen(report) == []
    assert report.notes == ("its observations of the same game differ from one time to the next.",)


def test_printing_is_a_note() -> None:
    """It does not reach anybody's standard output."""
    report = check("prints")
    assert seen(report) == []
    assert report.notes == ('it prints to standard output: "Player takes 1"',)


def test_what_is_not_told_is_noted() -> None:
    """A report says what was not compared."""
    assert "which actions are legal" in check("no-list").notes[0]
    assert check("no-turn").notes == (
        "it does not tell whose turn it is (current_player and the like).",
    )


@pytest.mark.parametrize(
    ("env", "fault", "code", "words"),
    [
        ("environments.faulty:Faulty", "opponent", "opponent-inside", "cannot be tested this way"),
        ("environments.faulty:Faulty", "zero-unused", "other-actions", "--offset 0"),
        ("environments.faulty:Faulty", "cannot-be-made", "env-make", "ValueError: no board"),
        ("environments.faulty:Faulty", "several", "env-kind", "only discrete actions"),
        ("environments.faulty:Faulty", "far-too-many", "env-kind", "1 to 1048576 can be played"),
        ("environments.faulty:Nobody", "", "env-name", "AttributeError"),
        ("environments.nowhere:Env", "", "env-import", "ModuleNotFoundError"),
        ("os:getcwd", "", "env-make", "TypeError"),
    ],
)
def test_what_cannot_be_played_is_refused(env: str, fault: str, code: str, words: str) -> None:
    """With a code, and the reason in words."""
    book = books.load(DUEL, None, ("pool=1-6",))
    with pytest.raises(NinefoldError) as refusal:
        examine(book, settings(env, fault=fault), Terms())
    assert refusal.value.code == code
    assert words in refusal.value.message


@pytest.mark.parametrize(
    ("env", "missing", "advice"),
    [
        ("nowhere_at_all:Env", "nowhere_at_all", "Go to its folder, or name the interpreter"),
        ("environments.needy:Env", "no_such_library", "Name the interpreter"),
    ],
)
def test_a_module_that_is_missing_is_named_and_where_it_was_looked_for(
    env: str, missing: str, advice: str
) -> None:
    """Be it the environment itself, or something that it needs."""
    with pytest.raises(NinefoldError) as refusal:
        examine(books.load(DUEL), settings(env), Terms())
    assert f"ModuleNotFoundError: No module named '{missing}'." in refusal.value.message
    assert f"It was looked for in {TESTS} and where {sys.executable}" in refusal.value.message
    assert advice in refusal.value.message


@pytest.mark.parametrize("env", ["nothing", "NoEnvironment"])
def test_what_is_no_environment_is_refused(env: str) -> None:
    """There must be a step and a reset."""
    with pytest.raises(NinefoldError, match="it is no environment"):
        examine(books.load(DUEL), settings(f"environments.faulty:{env}"), Terms())


def test_a_pool_of_another_size_is_refused() -> None:
    """Before anything is played."""
    book = books.load(DUEL, None, ("pool=1-7",))
    with pytest.raises(NinefoldError, match="Actions 0 to 6 are needed") as refusal:
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


def test_a_large_game_is_sampled_and_the_game_made_short() -> None:
    """No layer beyond the limit is visited; what random games find is cut down to what it takes."""
    report = check("early-end", tries=0, games=60)
    assert (report.positions, report.games, report.complete) == (0, 60, False)
    ((kind, game),) = seen(report)
    assert kind == "early-end"
    assert len(game.split()) == 3


def test_the_same_seed_finds_the_same() -> None:
    """Games and all."""
    one, two = (check("order", tries=0, games=20).as_data() for _ in range(2))
    assert one["differences"] == two["differences"] != []


def test_every_action_stands_for_one_move() -> None:
    """And every move has an action."""
    book = books.load("pattern-builder", "declare", ("pool=1-6",))
    where = settings("environments.honest:Honest", game=book.id, reading="declare", size=6)
    actions = actions_of(book.id, "declare", 6)
    assert seen(examine(book, where, Terms(actions=actions, games=20))) == []
    for wrong, words in (
        ("1 2 3 4 5 6", "No action stands for the move declare:"),
        ("1 2 3 4 5", "No action stands for the number 6"),
        ("1 2 3 4 5 6 6", "'6' is there twice"),
        ("1 2 3 4 5 6=x", "'6=x' names no action"),
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
    book = books.load(DUEL, None, ("pool=1-6", rule))
    with pytest.raises(NinefoldError, match=rf'--actions "{example}"'):
        examine(book, settings("environments.faulty:Faulty"), Terms())


@pytest.mark.parametrize("text", ["win", "win=", "gain=1", "win=1,win=2", "win=nan", "draw=x"])
def test_bad_rewards_are_refused(text: str) -> None:
    """With an example of good ones."""
    with pytest.raises(NinefoldError, match="--rewards win=1"):
        parse_rewards(text, "mover")
