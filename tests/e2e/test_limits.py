"""Line mode, records, reviews and other programs under every limit a book can set."""

from pathlib import Path

import pytest
from e2e.program import Ninefold

SMALL = ("--set", "pool=1-8")
LIMITS = {
    "passing": ("--set", "passing=true"),
    "several picks": ("--set", "picks-per-turn=2"),
    "an opening": ("--set", "opening=[2, 4]"),
    "the pie rule": ("--set", "pie=true"),
    "a fixed winner": ("--set", "otherwise=second"),
    "all of them": (
        *("--set", "passing=true", "--set", "picks-per-turn=2", "--set", "opening=[2, 4]"),
        *("--set", "pie=true", "--set", "otherwise=first"),
    ),
}

# What is typed, and the last lines that are shown.
GAMES = {
    "passing": ("5 pass 1 pass pass", ["Both players passed.", "The game is a draw."]),
    "several picks": ("5 1 2 8 4 6", ["Player 1 holds 4 5 6: 4 + 5 + 6 = 15.", "Player 1 wins!"]),
    "an opening": ("5 2 5 6 1 7 8", ["Player 1 holds 2 6 7: 2 + 6 + 7 = 15.", "Player 1 wins!"]),
    "the pie rule": (
        "5 swap swap 1 4 2 6",
        ["Player 2 holds 4 5 6: 4 + 5 + 6 = 15.", "Player 2 wins!"],
    ),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("players", [("random", "perfect"), ("greedy", "level:3")])
def test_computers_play_to_the_end(
    ninefold: Ninefold, limit: str, players: tuple[str, str]
) -> None:
    """Every player makes legal moves only; the record is judged again, shown and reviewed."""
    rules = (*LIMITS[limit], *SMALL)
    seats = ("--p1", players[0], "--p2", players[1], "--seed", "7")
    result = ninefold.run("play", "magic-fifteen", *rules, *seats)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].endswith(("wins!", "The game is a draw."))
    name = ninefold.records()[0].stem
    shown = ninefold.run("show", name)
    assert shown.returncode == 0, shown.stderr
    assert result.stdout.splitlines()[-1] in shown.stdout
    review = ninefold.run("review", name)
    assert review.returncode == 0, review.stderr


@pytest.mark.parametrize("limit", GAMES)
def test_people_play_to_the_end(ninefold: Ninefold, limit: str) -> None:
    """Passing and swapping are typed at the prompt; what is not allowed is refused and costs
    nothing.
    """
    typed, ending = GAMES[limit]
    result = ninefold.run(
        "play", "magic-fifteen", *LIMITS[limit], *SMALL, typed=typed.replace(" ", "\n") + "\n"
    )
    assert result.stdout.splitlines()[-len(ending) :] == ending
    assert ninefold.run("show", ninefold.records()[0].stem).returncode == 0


def test_who_passed_and_who_swapped_is_said(ninefold: Ninefold) -> None:
    """Together with what may be done, and how many numbers a turn takes."""
    rules = LIMITS["all of them"]
    shown = ninefold.run("play", "magic-fifteen", *rules, typed="2\n1\nswap\npass\nquit\n").stdout
    for line in (
        "Allowed as the first number: 2 4",
        "Player 1 may also pass.",
        "Player 1, choose another number: 1",
        "Player 2 may also swap: the hands change owners.",
        "Player 2 swaps: the hands change owners.",
        "Player 1 passes.",
    ):
        assert line in shown.splitlines()


def test_the_rules_say_so(ninefold: Ninefold) -> None:
    """A sentence for each limit, where there is one."""
    shown = " ".join(ninefold.run("rules", "magic-fifteen", *LIMITS["all of them"]).stdout.split())
    assert "The first number of the game must be 2 or 4." in shown
    assert "On your turn you take up to two free numbers, one after the other." in shown
    assert "may answer the first turn by swapping hands" in shown
    assert "You may pass instead" in shown
    assert "swapping hands" not in ninefold.run("rules", "magic-fifteen").stdout


def test_swap_in_the_protocol_and_in_the_judge(ninefold: Ninefold) -> None:
    """One notation everywhere."""
    pie = LIMITS["the pie rule"]
    typed = "play b 5\nplay w swap\nplay w 1\nplay b 1\nshowboard\nquit\n"
    answers = ninefold.run("gtp", "magic-fifteen", *pie, typed=typed).stdout.split("\n\n")
    assert [answer[:1] for answer in answers[:5]] == ["=", "=", "?", "=", "="]
    assert answers[4].splitlines()[2:] == ["B: 1", "W: 5"]
    judged = ninefold.run("referee", "magic-fifteen", *pie, typed="5 swap 1 4 2 6\n").stdout
    assert '"moves": [5, "swap", 1, 4, 2, 6]' in judged
    assert '"winner": 2, "reason": "sum", "sets": [[4, 5, 6]]' in judged


def test_a_card_tells_to_swap_to_pass_or_to_take_several(ninefold: Ninefold) -> None:
    """Under every limit there is one, checked against every reply."""
    for limit in LIMITS.values():
        card = ninefold.run("strategy", "magic-fifteen", "--set", "pool=1-8", *limit)
        assert "Checked against every reply: " in card.stdout
    second = ninefold.run("strategy", "magic-fifteen", *LIMITS["the pie rule"], "--player", "2")
    rule = "Otherwise, follow the card: make the first of its moves that is possible.\n"
    assert rule in second.stdout
    assert ": swap" in second.stdout


def test_a_card_for_several_picks_answers_whole_turns(ninefold: Ninefold) -> None:
    """A reply is all that the opponent took; for programs too."""
    book = str(Path(__file__).parents[2] / "docs" / "gallery" / "double-time.toml")
    shown = ninefold.run("strategy", book, "--player", "2", "--set", "pool=1-7").stdout
    assert "For every number you take, do the first of these that applies:\n" in shown
    assert "1. If you can complete a set this turn, do it.\n" in shown
    data = ninefold.json("strategy", book, "--player", "2", "--set", "pool=1-7")
    assert [line["replies"] for line in data["card"]["then"]] == [["4 6"], None]


def test_a_refusal_tells_what_else_could_be_typed(ninefold: Ninefold) -> None:
    """Passing where it is allowed, swapping while it is."""
    rules = ("--set", "passing=true", "--set", "pie=true")
    shown = ninefold.run("play", "magic-fifteen", *rules, typed="x\n4\n4\n5\n4\n").stdout
    refusals = [part.split("\n")[0:3] for part in shown.split("choose a number: ")]
    first = next(lines for lines in refusals if '"x" is neither' in "".join(lines))
    assert first[2].startswith("Player 1 may also pass.")
    taken = shown.split("4 is already taken.")
    assert taken[1].split("\n")[1:3] == [
        "Player 2 may also pass.",
        "Player 2 may also swap: the hands change owners.",
    ]
    assert taken[2].split("\n")[1] == "Player 1 may also pass."
    assert "may also swap" not in taken[2].split("\n")[2]


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("sequence-duel-sum", "Both players passed and nobody has formed a valid sequence."),
        ("sequence-duel-arithmetic", "Both players passed."),
        ("sequence-capture", "Both players passed and nobody has four in a row."),
        ("pattern-builder", "Both players passed and nobody has a sequence."),
    ],
)
def test_the_end_is_told_as_it_came_about(ninefold: Ninefold, game: str, said: str) -> None:
    """Numbers are left when both players pass."""
    play = ("play", game, "--set", "passing=true", "--no-record")
    shown = ninefold.run(*play, typed="5\npass\npass\n").stdout
    assert said in shown.split("\n")
