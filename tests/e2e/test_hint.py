"""Hints at the prompt and outside a game."""

import shlex

import pytest
from e2e.program import Ninefold
from e2e.test_docs import COACH, ROOT, block


def test_a_hint_comes_in_steps(ninefold: Ninefold) -> None:
    """First what to look for, then the number, then the proof; a new position starts anew."""
    typed = "5\nhint\nHINT\nhint\nhint\n1\nhint\nquit\n"
    shown = ninefold.run("play", "sequence-duel-arithmetic", typed=typed).stdout.splitlines()
    answers = [shown[at + 1] for at, line in enumerate(shown) if line.lower() == "command: hint"]
    assert answers[0] == (
        "You are losing. Look for the number that leaves them the fewest ways to win."
    )
    assert answers[1] == (
        "You are losing against best play. Take 4: 5 of 7 replies still win for them."
    )
    assert answers[2] == (
        "After 4, they take 1, you take 2, they take 3 and win. "
        "But their 2 or 8 would let you back in."
    )
    assert answers[3] == answers[2]
    assert answers[4] == "Look for a number that makes two threats at once."
    assert ninefold.json("games")[0]["plies"] == 2


@pytest.mark.parametrize(
    ("moves", "kind", "proof"),
    [
        ("4 6 5 7", "completes", "3 completes 3-4-5 and wins."),
        ("9 8 7", "stops", "Take 5, or your opponent completes 5-7-9. Best play after 5: they 2, "),
        ("9 8", "double-threat", "After 5 you threaten 1 and 7; only one of them can be stopped."),
        ("9", "only", "Take 5: the only number that wins, in 7 moves against best play. "),
    ],
)
def test_the_reason_as_a_sentence_and_as_data(
    ninefold: Ninefold, moves: str, kind: str, proof: str
) -> None:
    """Outside a game, all three steps at once."""
    shown = ninefold.run("hint", "sequence-duel-arithmetic", "--moves", moves).stdout
    assert len(shown.splitlines()) == 3
    assert proof in shown
    data = ninefold.json("hint", "sequence-duel-arithmetic", "--moves", moves)
    assert data["kind"] == kind
    assert data["sentences"] == shown.splitlines()


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        (
            "pattern-builder --reading declare",
            "5 4 1 6",
            "3 completes 1-3-5 and wins as soon as you declare it.",
        ),
        (
            "sequence-builder --reading three-slots",
            "9 lost 6 3 7",
            "Take 1: it wins in 2 moves against best play. For example: you take 2 and win.",
        ),
        (
            "sequence-capture",
            "1 10 8 5 7 6 3 9 4",
            "Take 2: it is your only move.\n2 ends the game, and you lose.",
        ),
        (
            "sequence-capture",
            "",
            "Take 1: it wins by force, at the latest on the tie-break. For example: they 2, you ",
        ),
    ],
)
def test_awkward_positions_are_explained_truly(
    ninefold: Ninefold, game: str, moves: str, said: str
) -> None:
    """Declaring, acting twice in a row, the very last number, tie-breaks."""
    assert said in ninefold.run("hint", *game.split(), "--moves", moves).stdout


def test_a_step_keeps_the_rest_to_itself(ninefold: Ninefold) -> None:
    """Step 1 names no number."""
    shown = ninefold.run("hint", "magic-fifteen", "--moves", "5 7", "--step", "1").stdout
    assert len(shown.splitlines()) == 1
    assert not any(char.isdigit() for char in shown)


LARGE = ("sequence-capture", "--set", "pool=1-16")


def test_a_game_that_is_not_solved_in_time_gets_an_estimate(ninefold: Ninefold) -> None:
    """In words and as data: no value, and not proved."""
    brief = ("hint", *LARGE, "--time-budget", "0.001")
    shown = ninefold.run(*brief).stdout
    assert "This is an estimate: the game is too large to solve in 0.001 seconds." in shown
    data = ninefold.json(*brief)
    assert (data["kind"], data["value"], data["proved"]) == ("estimate", None, False)
    assert data["moves"]


def test_a_large_game_is_hinted_at_exactly_where_that_is_quick(ninefold: Ninefold) -> None:
    """A set to complete, and few free numbers: proved, whatever the pool."""
    data = ninefold.json("hint", *LARGE, "--moves", "1 9 2 11 3 13", "--time-budget", "0.001")
    assert (data["kind"], data["value"], data["proved"]) == ("completes", "win", True)
    few = ninefold.json("hint", *LARGE, "--moves", "1 2 4 3 6 5 8 7")
    assert few["proved"] is True
    assert few["line"]


@pytest.mark.parametrize("command", ["hint", "solve", "strategy"])
def test_nothing_to_say_when_the_game_is_over(ninefold: Ninefold, command: str) -> None:
    """Exit code 2, and after which move."""
    result = ninefold.run(command, "magic-fifteen", "--moves", "5 1 4 2 6 7 8")
    assert result.returncode == 2
    assert "The game is over after move 5 of 7. Shorten --moves." in result.stderr


LOSING = [
    (
        "sequence-duel-arithmetic",
        "9 8 5",
        "You are losing, but first stop what your opponent is about to complete.",
        "Take 7: it stops 5-7-9, and only 1 and 6 still win for them.",
        "After 7, they take 1 and win. But their 2, 3 or 4 would let you back in.",
    ),
    (
        "sequence-duel-arithmetic",
        "1 5 9 6",
        "You are losing, but first stop what your opponent is about to complete.",
        "Take 4: it stops 4-5-6, and only 7 still wins for them.",
        "After 4, they take 7 and win. But their 2, 3 or 8 would let you back in.",
    ),
    (
        "pattern-builder --reading declare",
        "1",
        "You are losing. Look for the number that leaves them the fewest ways to win.",
        "Take 3: only 2, 4 and 5 still win for them.",
        "After 3, they take 4, you take 2, they take 7, declare 1-4-7 and win. But their 6, 7",
    ),
]


@pytest.mark.parametrize(("game", "moves", "look", "take", "why"), LOSING)
def test_a_losing_player_is_helped(
    ninefold: Ninefold, game: str, moves: str, look: str, take: str, why: str
) -> None:
    """What to stop, what leaves the fewest winning replies, and how the opponent wins."""
    shown = ninefold.run("hint", *game.split(), "--moves", moves).stdout
    first, second, third = shown.replace("\n  ", " ").splitlines()[:3]
    assert first == look
    assert second == f"You are losing against best play. {take}"
    assert third.startswith(why)
    data = ninefold.json("hint", *game.split(), "--moves", moves)
    assert data["kind"] == "defends"
    assert data["defence"]["moves"] == data["moves"]
    assert int(data["moves"][0]) in data["area"]
    assert 3 <= len(data["area"]) <= 5


@pytest.mark.parametrize(
    "start",
    [
        "$ ninefold hint sequence-duel-arithmetic --moves",
        "$ ninefold hint sequence-duel-arithmetic --set",
    ],
)
def test_the_hints_of_the_page_are_real(ninefold: Ninefold, start: str) -> None:
    """To the letter; the page breaks no lines."""
    command, *shown = block(COACH, start)
    _, *arguments = shlex.split(command.removeprefix("$ "))
    assert ninefold.run(*arguments).stdout.splitlines() == shown


def test_only_the_ending_decides(ninefold: Ninefold) -> None:
    """So it is no tie-break."""
    game = str(ROOT / "docs" / "gallery" / "coin-row.toml")
    shown = ninefold.run("hint", game, "--moves", "1").stdout
    assert shown.startswith("Think ahead to the end: who wins when no more numbers can be taken?")
    assert "tie-break" not in shown


def test_a_hint_on_a_pool_no_book_has(ninefold: Ninefold) -> None:
    """Fourteen numbers are known to the end."""
    data = ninefold.json("hint", "sequence-duel-sum", "--set", "pool=1-14", "--moves", "5 3 2 1")
    assert data["kind"] == "completes"
    assert data["moves"] == ["7"]
