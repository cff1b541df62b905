"""Reviewing a recorded game."""

from e2e.program import Ninefold
from e2e.terminal import Terminal

GAME = "1\n5\n9\n6\n2\n4\n"


def test_the_review_tells_where_the_game_was_decided(ninefold: Ninefold) -> None:
    """Each move with its verdict, what was better, a chart and a summary."""
    ninefold.run("play", "sequence-duel-arithmetic", typed=GAME)
    shown = ninefold.run("review", ninefold.records()[0].stem).stdout
    assert "  1. Player 1  1  threw the win away\n" in shown
    assert "better: 2 or 3 or 4 or 5 or 6 or 7 or 8; best play: 3 1 4 2 5\n" in shown
    assert "  2. Player 2  5  found the only move that held\n" in shown
    assert "The game was decided by move 1: Player 1 threw the win away.\n" in shown
    assert "(+ won, = even, - lost): ------\n" in shown
    assert "Player 1: moves 3, gave something away 1, only moves found 0.\n" in shown
    assert max(map(len, shown.splitlines())) <= 80


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
    assert data["players"][0] == {"moves": 3, "gave_away": 1, "only_moves": 0}


def test_a_game_that_was_given_up(ninefold: Ninefold) -> None:
    """Who would have won is told; so is a game that is not over."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\nresign\n")
    shown = ninefold.run("review", ninefold.records()[0].stem).stdout
    assert "The game ended by resignation; under best play Player 1 would have won." in shown
    ninefold.run("play", "sequence-duel-arithmetic", typed="5\n")
    assert "The game is not over." in ninefold.run("review", ninefold.records()[1].stem).stdout


def test_annotating_writes_the_verdicts_into_the_record(ninefold: Ninefold) -> None:
    """As comments; the record says the same as before, and annotating twice changes nothing."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="2\nundo\n" + GAME)
    (path,) = ninefold.records()
    before = ninefold.json("show", path.stem)
    ninefold.run("review", path.stem, "--annotate")
    text = path.read_text()
    assert "\nundo:0\n1. 1 {review: threw the win away; better: 2 or 3" in text
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
    assert "2. 5 {my note} {review: found the only move that held}\n" in path.read_text()
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
    assert shown[1] == "  2. Player 2  lost  gained by losing the turn"
    assert not shown[2].lstrip().startswith("better")


def test_an_annotated_unfinished_game_can_be_resumed(ninefold: Ninefold) -> None:
    """Comments are in nobody's way."""
    ninefold.run("play", "sequence-duel-arithmetic", typed="1\n5\n")
    (path,) = ninefold.records()
    ninefold.run("review", path.stem, "--annotate")
    resumed = ninefold.run("resume", typed="9\n6\n2\n4\n")
    assert resumed.stdout.endswith("Player 2 wins the game!\n")


def test_a_review_is_offered_at_a_terminal(ninefold: Ninefold) -> None:
    """After the game, on the screen."""
    terminal = Terminal(ninefold, "play", "magic-fifteen", rows=60)
    for player, number in ((1, 5), (2, 1), (1, 4), (2, 2), (1, 6)):
        terminal.wait_for(f"Player {player} to move")
        terminal.enter(str(number))
        terminal.wait_for(f"takes {number}.")
    assert terminal.wait_for_end() == 0
    assert f"To review it: ninefold review {ninefold.records()[0].stem}" in terminal.text
