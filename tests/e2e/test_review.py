"""Reviewing a recorded game."""

import shlex

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal
from e2e.test_docs import COACH, block

GAME = "1\n5\n9\n6\n2\n4\n"


def test_the_review_tells_where_the_game_was_decided(ninefold: Ninefold) -> None:
    """Each move with its verdict, what was better, a chart and a summary."""
    ninefold.run("play", "sequence-duel-arithmetic", typed=GAME)
    shown = ninefold.run("review", ninefold.records()[0].stem).stdout
    assert "  1. Player 1  1  threw the win away\n" in shown
    assert "better: 2, 3, 4, 5, 6, 7 or 8. For example:" in shown
    assert "  2. Player 2  5  the only winning move\n" in shown
    assert "  3. Player 1  9  already losing; 3 was the best defence: only 2 still won\n" in shown
    assert "  4. Player 2  6  kept the win\n" in shown
    assert "  5. Player 1  2  4 was a better defence: only 7 still won\n" in shown
    assert "  6. Player 2  4\n" in shown, "nothing is said twice in a row"
    assert "Move 1 decided the game: Player 1 threw the win away.\n" in shown
    assert "(+ winning, = drawn, - losing): ------\n" in shown
    assert "Player 1: 3 moves, 1 mistake.\n" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_review_is_told_from_the_reader_s_side(ninefold: Ninefold) -> None:
    """The only person is called you, wherever they sit, and the chart is theirs."""
    for seat, typed in ((1, "1\nresign\n"), (2, "1\nresign\n")):
        ninefold.run("play", "sequence-duel-arithmetic", f"--p{3 - seat}", "perfect", typed=typed)
        shown = ninefold.run("review", ninefold.records()[-1].stem).stdout
        assert "You" in shown
        assert f"Player {seat}" not in shown
        assert "After each move, for you (" in shown
        assert "The game ended by resignation; with best play " in shown


def test_the_review_of_the_page_is_real(ninefold: Ninefold) -> None:
    """To the letter, with its empty lines."""
    played, _, *shown = block(COACH, "$ printf")
    arguments = shlex.split(played.partition("| ninefold ")[2])
    ninefold.run(*arguments, typed="4\n1\n")
    assert ninefold.run("review", ninefold.records()[0].stem).stdout.splitlines() == shown


def test_where_the_opponent_let_the_player_back_in(ninefold: Ninefold) -> None:
    """It is said at that move, and again if the player missed the chance."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\n1\n9\n7\n2\n3\n8\n")
    shown = " ".join(ninefold.run("review", ninefold.records()[0].stem).stdout.split())
    assert "5. Player 1 2 threw the win away and let Player 2 back in: Player 2 can win" in shown
    assert "6. Player 2 3 missed the chance: threw the win away and let Player 1 back" in shown


def test_the_review_as_data(ninefold: Ninefold) -> None:
    """For programs."""
    ninefold.run("play", "sequence-duel-arithmetic", typed=GAME)
    data = ninefold.json("review", ninefold.records()[0].stem)
    assert data["decided"] == 1
    assert [move["verdict"] for move in data["moves"]] == [
        "threw",
        "only",
        "lost",
        "kept",
        "lost",
        "kept",
    ]
    assert [move["standing"] for move in data["moves"]] == [2] * 6
    assert data["moves"][2]["defence"] == {
        "moves": ["3"],
        "turn": ["3"],
        "replies": ["2"],
        "mistakes": ["4", "6", "7", "8", "9"],
        "plies": 6,
    }
    assert data["moves"][3]["defence"] is None
    assert data["players"][0] == {
        "moves": 3,
        "gave_away": 1,
        "only_moves": 0,
        "unproved": 0,
    }


def test_a_game_that_was_given_up(ninefold: Ninefold) -> None:
    """Who would have won is told; so is a game that is not over."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\nresign\n")
    shown = ninefold.run("review", ninefold.records()[0].stem).stdout
    assert "The game ended by resignation; with best play Player 1 would have won." in shown
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\n")
    assert "The game is not over." in ninefold.run("review", ninefold.records()[1].stem).stdout


def test_annotating_writes_the_verdicts_into_the_record(ninefold: Ninefold) -> None:
    """As comments; the record says the same as before, and annotating twice changes nothing."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="2\nundo\n" + GAME)
    (path,) = ninefold.records()
    before = ninefold.json("show", path.stem)
    ninefold.run("review", path.stem, "--annotate")
    text = path.read_text()
    assert "\nundo:0\n1. 1 {review: threw the win away; better: 2, 3" in text
    assert text.endswith("6. 4 {review: kept the win}\n{arithmetic; 4 5 6} 0-1\n")
    assert ninefold.json("show", path.stem) == before
    ninefold.run("review", path.stem, "--annotate")
    assert path.read_text() == text
    assert [file.name for file in ninefold.games.iterdir()] == [path.name]


def test_annotating_leaves_the_rest_of_the_file_alone(ninefold: Ninefold) -> None:
    """The user's own comments stay, and a link stays a link."""
    ninefold.run("play", "sequence-duel-arithmetic", typed=GAME)
    (path,) = ninefold.records()
    path.write_text(path.read_text().replace("2. 5\n", "2. 5 {my note}\n"))
    link = ninefold.data / "link.ninefold"
    link.symlink_to(path)
    ninefold.run("review", str(link), "--annotate")
    assert "2. 5 {my note} {review: the only winning move}\n" in path.read_text()
    assert link.is_symlink()


def test_a_turn_lost_on_the_clock_is_no_achievement(ninefold: Ninefold) -> None:
    """It is told as what it was: a loss of the turn that cost nothing, or even helped."""
    arguments = ["--reading", "three-slots-in-order", "--first", "1"]
    ninefold.run("play", "sequence-builder", *arguments, typed="7\n3\nquit\n")
    (path,) = ninefold.records()
    timed = path.read_text().replace('TimeLimit "-"', 'TimeLimit "9"')
    timed = timed.replace('OnTimeout "lose"', 'OnTimeout "lose-turn"')
    path.write_text(timed.replace("2. 3\n", "2. timeout lost\n3. 3\n"))
    verdicts = [move["verdict"] for move in ninefold.json("review", path.stem)["moves"]]
    assert verdicts == ["kept", "gained", "lost"]
    shown = ninefold.run("review", path.stem).stdout.splitlines()
    assert shown[1] == "  2. Player 2  turn lost  gained by losing the turn"
    assert not shown[2].lstrip().startswith("better")


def test_an_annotated_unfinished_game_can_be_resumed(ninefold: Ninefold) -> None:
    """Comments are in nobody's way."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="1\n5\n")
    (path,) = ninefold.records()
    ninefold.run("review", path.stem, "--annotate")
    resumed = ninefold.run("resume", typed="9\n6\n2\n4\n")
    assert resumed.stdout.endswith("Player 2 wins the game!\n")


def play_to_the_end(terminal: Terminal, numbers: str = "5 1 4 2 6") -> None:
    """Type these numbers, each when its player is asked."""
    for number in numbers.split():
        terminal.wait_for("to move. ? for help")
        terminal.enter(number)
        terminal.wait_for(f"takes {number}.")


def test_a_review_is_offered_at_a_terminal(ninefold: Ninefold) -> None:
    """After the game, on the screen; a slip is asked again, and nothing else is in the way."""
    terminal = Terminal(ninefold, "play", "magic-fifteen", rows=70)
    play_to_the_end(terminal)
    terminal.wait_for("Review this game? [y/N]:")
    terminal.enter("x")
    terminal.wait_for("Type y for a review, or press Enter to continue.")
    terminal.enter("Y")
    terminal.wait_for("Move 2 decided the game: Player 2 threw the draw away.")
    assert terminal.wait_for_end() == 0
    assert "ninefold review" not in terminal.text


def test_enter_goes_on_and_says_how_to_come_back(ninefold: Ninefold) -> None:
    """The record can be reviewed later."""
    terminal = Terminal(ninefold, "play", "magic-fifteen", rows=70)
    play_to_the_end(terminal)
    terminal.wait_for("Review this game? [y/N]:")
    terminal.enter("")
    assert terminal.wait_for_end() == 0
    assert f"To review it later: ninefold review {ninefold.records()[0].stem}" in terminal.text
    assert "decided" not in terminal.text


@pytest.mark.parametrize(("key", "code"), [("\x04", 0), ("\x03", 130)])
def test_the_question_can_be_left(ninefold: Ninefold, key: str, code: int) -> None:
    """Ctrl-D and Ctrl-C leave, and nobody is told to go on with a game that is over."""
    terminal = Terminal(ninefold, "play", "magic-fifteen", rows=70)
    play_to_the_end(terminal)
    terminal.wait_for("Review this game? [y/N]:")
    terminal.type(key)
    assert terminal.wait_for_end() == code
    assert "Traceback" not in terminal.text
    assert "resume" not in terminal.text
    assert ninefold.records()[0].read_text().endswith("1-0\n")


def test_a_game_that_is_not_recorded_can_be_reviewed(ninefold: Ninefold) -> None:
    """Its moves are known."""
    terminal = Terminal(ninefold, "play", "magic-fifteen", "--no-record", rows=70)
    play_to_the_end(terminal)
    terminal.wait_for("Review this game? [y/N]:")
    terminal.enter("y")
    terminal.wait_for("Move 2 decided the game")
    assert terminal.wait_for_end() == 0
    assert ninefold.records() == []


def test_a_match_is_not_interrupted(ninefold: Ninefold) -> None:
    """The question comes when the match is over, and names its games."""
    arguments = ("magic-fifteen", "--wins", "2", "--time-limit", "60")
    terminal = Terminal(ninefold, "play", *arguments, rows=100)
    play_to_the_end(terminal)
    terminal.wait_for("Game 2, first to 2.")
    assert "Review" not in terminal.text
    for number in "1 5 9 4 2 6".split():
        terminal.enter(number)
    terminal.wait_for("Review a game? [1-2, Enter: none]:")
    assert "left." not in terminal.text.splitlines()[-1]
    terminal.enter("3")
    terminal.wait_for("Type a number from 1 to 2, or press Enter to continue.")
    terminal.enter("2")
    terminal.wait_for("Move 3 decided the game")
    terminal.enter("")
    assert terminal.wait_for_end() == 0
    assert "To review it later: ninefold review" in terminal.text


def test_a_resumed_game_is_offered_too(ninefold: Ninefold) -> None:
    """With all of its moves."""
    ninefold.run("play", "magic-fifteen", typed="5\n1\n4\n2\n")
    terminal = Terminal(ninefold, "resume", rows=70)
    terminal.wait_for("Player 1 to move")
    terminal.enter("6")
    terminal.wait_for("Review this game? [y/N]:")
    terminal.enter("y")
    terminal.wait_for("  1. Player 1  5  kept the draw")
    assert terminal.wait_for_end() == 0


def test_verdicts_that_are_not_proved_are_marked(ninefold: Ninefold) -> None:
    """In a game that is not solved in time: estimates, then what is proved."""
    typed = "9\n1\n16\n2\n15\n3\n12\n4\n"
    ninefold.run("play", "sequence-capture", "--set", "pool=1-16", typed=typed)
    (game,) = ninefold.json("games")
    brief = ("review", game["id"], "--time-budget", "0.001")
    shown = ninefold.run(*brief).stdout
    assert "(estimate)" in shown.splitlines()[0]
    assert "? not proved" in shown
    data = ninefold.json(*brief)
    assert data["proved"] is False
    first, last = data["moves"][0], data["moves"][-1]
    assert (first["verdict"], first["before"]["value"]) == ("unproved", None)
    assert (last["before"]["value"], last["before"]["proved"]) == ("win", True)


def test_computers_are_asked_nothing(ninefold: Ninefold) -> None:
    """A game nobody plays ends by itself, at a terminal too."""
    arguments = ("magic-fifteen", "--p1", "random", "--p2", "random")
    terminal = Terminal(ninefold, "play", *arguments, rows=70)
    assert terminal.wait_for_end() == 0
    assert "To review it later: ninefold review" in terminal.text


def test_nothing_of_it_is_in_a_pipe(ninefold: Ninefold) -> None:
    """A game ends with its result, and standard error is silent."""
    result = ninefold.run("play", "magic-fifteen", typed="5\n1\n4\n2\n6\ny\n")
    assert result.stdout.endswith("Player 1 wins!\n")
    assert result.stderr == ""
