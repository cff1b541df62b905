"""An environment with one fault: what is found, in which game, and that nothing is left behind."""

import pytest
from unit.conform.conforming import DUEL, check, seen, settings

from ninefold import books
from ninefold.conform import environment
from ninefold.conform.check import Terms, examine

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("beside_the_environments")]


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
        "large",
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
    assert seen(check("missed-end", env="Agents", games=200)) == [("missed-end", "1 2 3 4 5")]


NO_NUMBER = ("1 2 3 4 5", "a reward is one finite number")
REWARDS = {
    "nan": "reward nan",
    "none": "reward None",
    "array": "reward [1, 2, 3]",
    "text": "reward '1'",
    "huge": f"reward 1{'0' * 58}…",
    "endless": "reward <int without a repr: ValueError: Exceeds the limit (4300 di…",
}
FAILED = ("1 2 3 4 5", "the move is legal")
EXCEPTIONS = {
    "raises": "KeyError: 'board'",
    "exits": "SystemExit: goodbye",
    "memory": "MemoryError: it needs more memory than --memory allows",
}


@pytest.mark.parametrize(
    ("fault", "kind", "game", "judge", "environment"),
    [
        (
            "missed-end",
            "missed-end",
            "1 2 3 4 5",
            "Player 1 wins (arithmetic: 1 3 5)",
            "the game continues, reward 0",
        ),
        (
            "early-end",
            "early-end",
            "2 1 4",
            "the game continues, it is the turn of Player 2",
            "the game is over, reward 1",
        ),
        (
            "full-first",
            "reward",
            "1 2 5 4 6 3",
            "Player 2 wins (arithmetic: 2 3 4): reward 1",
            "reward -1",
        ),
        *((fault, "no-number", *NO_NUMBER, told) for fault, told in REWARDS.items()),
        *((fault, "exception", *FAILED, told) for fault, told in EXCEPTIONS.items()),
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
    (row,) = check(fault, games=200).as_data()["differences"]
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
    assert ("early-end", "1 4 3 3 (illegal) 5") in seen(check("silent", games=200))


@pytest.mark.parametrize(
    ("fault", "kind", "why"),
    [
        ("leaves", "crash", "it exited with code 3."),
        ("dies", "crash", "it was killed by signal 11."),
        ("writes", "crash", 'unexpected output instead of an answer: "5"'),
        ("hangs", "timeout", "no answer within 3 s"),
    ],
)
def test_an_environment_that_ends_or_hangs_is_a_finding(
    fault: str, kind: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The very action is named: the third number of player 1."""
    book = books.load_book(DUEL, None, ("pool=1-6",))
    where = settings("environments.faulty:Faulty", fault=fault)
    if fault == "hangs":
        # Long enough for an honest answer on a busy machine, so wait for three hangs only.
        where = where._replace(seconds=3.0)
        monkeypatch.setattr(environment, "MAX_FAILURES", 2)
    report = examine(book, where, Terms())
    (row,) = report.as_data()["differences"]
    assert (row["kind"], row["environment"], len(row["actions"])) == (kind, why, 5)
    assert report.notes == ("stopped, because it crashed or hung too often.",)


def test_an_environment_that_always_ends_is_not_the_same() -> None:
    """Though there is no move to compare: neither a first one, nor a second game."""
    at_once, anew = check("dies-at-once"), check("dies-anew")
    assert seen(at_once) == [("crash", "1")]
    assert [row["environment"] for row in at_once.as_data()["differences"]] == [
        "it exited with code 5."
    ]
    assert seen(anew) == [("crash", "before the first move")]
    assert [row["environment"] for row in anew.as_data()["differences"]] == [
        "it exited with code 4."
    ]


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
