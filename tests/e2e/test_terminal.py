"""The program on a real terminal: menu, editing, countdown, leaving."""

from e2e.program import Ninefold
from e2e.terminal import Terminal

CTRL_C, CTRL_D, TAB, UP, BACKSPACE = "\x03", "\x04", "\t", "\x1b[A", "\x7f"


def answer(terminal: Terminal, *answers: tuple[str, str]) -> None:
    """Wait for each question of the menu, and answer it."""
    for question, text in answers:
        terminal.wait_for(question)
        terminal.enter(text)


def play(terminal: Terminal, *moves: tuple[str, int]) -> None:
    """Wait for each player's turn, and type the number."""
    for player, number in moves:
        terminal.wait_for(f"{player} to move")
        terminal.enter(str(number))


def test_the_menu_leads_to_a_game_and_a_rematch(ninefold: Ninefold) -> None:
    """Enter takes the first; a wrong answer is asked again; the loser starts; the score is kept."""
    terminal = Terminal(ninefold, "--line", rows=90)
    answer(
        terminal,
        ("1-6 [1]:", "7"),
        ("Type a number from 1 to 6, or Enter for 1.", "2"),
        ("Who plays against you?", ""),
        ("Your name [Player 1]:", "Ann"),
        ("Your friend's name [Player 2]:", "ann"),
        ("The two names must differ.", "Bob"),
        ("Who starts?", "2"),
        ("With a clock?", ""),
        ("How many games?", ""),
    )
    for winner, loser in (("Bob", "Ann"), ("Ann", "Bob")):
        play(terminal, *zip((winner, loser) * 3, (2, 6, 3, 7, 4, 8), strict=True), (winner, 5))
        terminal.wait_for(f"{winner} wins the game!")
        terminal.wait_for("Review this game? [y/N]:")
        terminal.enter("")
        if winner == "Ann":
            terminal.wait_for("Score: Ann 1, Bob 1.")
        terminal.wait_for("Play again? [y/n]:")
        assert "to move" not in terminal.text.splitlines()[-1]
        terminal.enter("y")
        terminal.wait_for(f"{loser} starts.")
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0
    assert len(ninefold.records()) == 2


def test_the_menu_goes_back_helps_and_leaves(ninefold: Ninefold) -> None:
    """With the same words at every question; names and opponents are remembered."""
    terminal = Terminal(ninefold, "--line", rows=90)
    answer(
        terminal,
        ("1-6 [1]:", "back"),
        ("This is the first question.", "help"),
        ("the question before", "6"),
        ("Who plays against you?", "back"),
        ("Which game?", "6"),
        ("Who plays against you?", "4"),
        ("Your name [Player 1]:", ""),
        ("2. Level 3", "back"),
        ("Your name [Player 1]:", "Zoë"),
        ("1. Zoë", ""),
        ("With a clock?", ""),
        ("How many games?", "2"),
        ("Game 1, first to 2. Zoë starts.", "5"),
        ("Zoë to move", "quit"),
        ("The game is saved. To resume it: ninefold resume", "q"),
    )
    assert terminal.wait_for_end() == 0
    again = Terminal(ninefold, "--line", rows=90)
    answer(
        again,
        ("Continue Magic Fifteen vs Level 3, move 3, ", "help"),
        ("Type y to continue this game, or n for a new one.", "n"),
        ("1-6 [6]:", ""),
        ("1-13 [4]:", ""),
        ("Your name [Zoë]:", "q"),
    )
    assert again.wait_for_end() == 0
    third = Terminal(ninefold, "--line", rows=90)
    answer(third, ("Continue Magic Fifteen", ""), ("Resuming magic-fifteen", "quit"))
    third.wait_for("Which game?")
    third.type(CTRL_D)
    assert third.wait_for_end() == 0


def test_play_without_a_game_asks(ninefold: Ninefold) -> None:
    """The same questions, then one game."""
    terminal = Terminal(ninefold, "play", rows=90)
    answer(terminal, ("1-6 [1]:", "6"), ("Who plays against you?", "q"))
    assert terminal.wait_for_end() == 0
    assert "Name a game to play." in ninefold.run("play").stderr


def test_lines_can_be_edited_recalled_and_completed(ninefold: Ninefold) -> None:
    """Backspace, the up arrow and the tabulator do what they do everywhere."""
    terminal = Terminal(ninefold, "play", "sequence-builder")
    terminal.wait_for("Player 1, select a number:")
    terminal.type("45" + BACKSPACE + "\r")
    terminal.wait_for("Player 1's Sequence: 4")
    terminal.wait_for("Player 2, select a number:")
    terminal.type(UP + "\r")
    terminal.wait_for("(Error: Number already taken)")
    terminal.type("boa" + TAB)
    terminal.wait_for("select a number: board")
    terminal.type("\r")
    terminal.wait_for("Player 2's Sequence:")
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0


def test_ctrl_c_leaves_with_130_and_the_game_can_be_resumed(ninefold: Ninefold) -> None:
    """Whatever stands on the line."""
    terminal = Terminal(ninefold, "play", "magic-fifteen")
    terminal.wait_for("choose a number:")
    terminal.enter("5")
    terminal.wait_for("Player 2, choose")
    terminal.type("12" + CTRL_C)
    assert terminal.wait_for_end() == 130
    assert "ninefold resume" in terminal.text
    assert "Traceback" not in terminal.text
    again = Terminal(ninefold, "resume")
    again.wait_for("Resuming magic-fifteen after move 1.")
    again.wait_for("Player 2, choose a number:")
    again.type(CTRL_D)
    assert again.wait_for_end() == 0


def test_a_game_on_a_terminal_cannot_be_resumed_elsewhere(ninefold: Ninefold) -> None:
    """Two processes never write the same record."""
    terminal = Terminal(ninefold, "play", "magic-fifteen")
    terminal.wait_for("choose a number:")
    terminal.enter("5")
    terminal.wait_for("Player 2, choose")
    other = ninefold.run("resume", ninefold.records()[0].stem, typed="6\n")
    assert other.returncode == 2
    assert "open in another window" in other.stderr
    terminal.type(CTRL_D)
    terminal.wait_for_end()
    assert ninefold.run("resume", typed="6\n").returncode == 0


def test_a_game_is_deleted_after_a_question(ninefold: Ninefold) -> None:
    """Only by yes, not while somebody plays it, and nothing of it stays."""
    game = Terminal(ninefold, "play", "magic-fifteen")
    game.wait_for("Player 1")
    game.enter("5")
    game.wait_for("Player 2")
    (path,) = ninefold.records()
    busy = ninefold.run("games", "--delete", path.stem, "--yes")
    assert "open in another window" in busy.stderr
    assert path.exists()
    game.type("\x04")
    game.wait_for_end()
    for answer, code in (("", 2), ("n", 2), ("y", 0)):
        terminal = Terminal(ninefold, "games", "--delete", path.stem)
        terminal.wait_for(f"Delete the game {path.stem}?")
        assert path.exists()
        terminal.enter(answer)
        assert terminal.wait_for_end() == code, terminal.text
    assert [*path.parent.iterdir()] == []


def test_the_countdown_does_not_disturb_typing(ninefold: Ninefold) -> None:
    """It runs below the prompt; what was typed stays until time is up, and is then forgotten."""
    terminal = Terminal(
        ninefold, "play", "sequence-capture", "--time-limit", "8", "--on-timeout", "lose-turn"
    )
    terminal.wait_for("left. Player 1 to move")
    terminal.type("7")
    terminal.wait_for("> 7")
    before = terminal.text
    terminal.wait_for_change()
    assert terminal.text != before
    assert "> 7" in terminal.text
    terminal.wait_for("Player 1 (X) loses this turn.")
    terminal.wait_for("left. Player 2 to move")
    terminal.enter("5")
    terminal.wait_for("[O]", "[X]")  # on a very slow machine, Player 2 may be out of time as well
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0
    *lost, last = ninefold.json("show", ninefold.records()[0].stem)["moves"]
    assert lost and set(lost) == {"lost"}
    assert last == "5"


def test_forty_columns_are_enough(ninefold: Ninefold) -> None:
    """The countdown is visible, and no word is broken."""
    terminal = Terminal(
        ninefold, "play", "sequence-duel-arithmetic", "--time-limit", "60", columns=40
    )
    terminal.wait_for("left. Player 1 to move")
    terminal.enter("foo")
    terminal.wait_for(
        '"foo" is neither a number nor a command\n(try help). Pick one of: 1, 2, 3, 4, 5,\n'
    )
    terminal.wait_for("left. Player 1 to move. ? for help")
    terminal.enter("help")
    terminal.wait_for("quit           leave; you can resume")
    terminal.type(CTRL_C)
    assert terminal.wait_for_end() == 130


def test_no_color_means_no_colour(ninefold: Ninefold) -> None:
    """The same words without a single colour; with colour, markers and refusals have some."""
    colours = [b"\x1b[3%dm" % code for code in range(8)]
    plain: dict[str, str] = {"NO_COLOR": "1"}
    for environment in (plain, {}):
        terminal = Terminal(ninefold, "play", "sequence-capture", environment=environment)
        terminal.wait_for("select a number to claim:")
        terminal.enter("5")
        terminal.wait_for("1 2 3 4 [X] 6")
        terminal.enter("x")
        terminal.wait_for("neither a number")
        terminal.type(CTRL_D)
        assert terminal.wait_for_end() == 0
        found = any(colour in terminal.raw for colour in colours)
        assert found == (not environment)


def test_a_dumb_terminal_gets_plain_lines(ninefold: Ninefold) -> None:
    """No escape sequence at all, and the clock still runs."""
    terminal = Terminal(
        ninefold, "play", "sequence-capture", "--time-limit", "8", environment={"TERM": "dumb"}
    )
    terminal.wait_for("select a number to claim:")
    terminal.enter("5")
    terminal.wait_for("1 2 3 4 [X] 6")
    terminal.wait_for("Time is up: Player 2 loses the game.")
    terminal.wait_for("Review this game? [y/N]:")
    terminal.enter("")
    assert terminal.wait_for_end() == 0
    assert b"\x1b" not in terminal.raw


def test_show_step_by_step(ninefold: Ninefold) -> None:
    """Press Enter for the next move, Ctrl-D stops."""
    ninefold.run("play", "magic-fifteen", typed="5\n6\n4\n")
    terminal = Terminal(ninefold, "show", ninefold.records()[0].stem, "--step", rows=60)
    terminal.wait_for("Press Enter for the next move")
    assert "takes 5" not in terminal.text
    terminal.enter("")
    terminal.wait_for("Player 1 takes 5.")
    assert "takes 6" not in terminal.text
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0


def test_a_complaint_is_not_broken_within_a_word(ninefold: Ninefold) -> None:
    """At forty columns, as on any other terminal."""
    terminal = Terminal(ninefold, "conform", "magic-fifteen", "--env", "nothing", columns=40)
    assert terminal.wait_for_end() == 2
    assert "ninefold: 'nothing' is not an\nenvironment. Write --env module:Class." in terminal.text


def test_an_accessible_terminal_is_never_redrawn(ninefold: Ninefold) -> None:
    """No escape sequence, no countdown, and a half-typed line is dropped when time is up."""
    terminal = Terminal(
        ninefold,
        *("play", "sequence-capture", "--accessible", "--time-limit", "4"),
        *("--on-timeout", "lose-turn"),
        environment={"NO_COLOR": "1"},
    )
    terminal.wait_for("You have 4 seconds.")
    terminal.type("7")
    terminal.wait_for("Player 1 (X) loses this turn.")
    terminal.enter("5")
    terminal.wait_for("has 5.")
    terminal.type(CTRL_C)
    assert terminal.wait_for_end() == 130
    assert b"\x1b" not in terminal.raw
    assert "has 7" not in terminal.text
    game, _, _ = terminal.text.partition("ninefold resume")  # the name of a record is a time
    assert "has 5." in game and "75" not in game.replace("7\n", "")


def test_the_countdown_can_be_hidden(ninefold: Ninefold) -> None:
    """The clock runs all the same."""
    terminal = Terminal(
        ninefold, "play", "sequence-capture", "--time-limit", "4", "--no-countdown", rows=40
    )
    terminal.wait_for("Player 1 to move. ? for help")
    terminal.wait_for("Time is up: Player 1 loses the game.")
    terminal.wait_for("Review this game?", "Play")
    assert b" left. " not in terminal.raw
    terminal.type(CTRL_D)
    assert terminal.wait_for_end() == 0
