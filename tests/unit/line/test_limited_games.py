"""What the screen says where the rules limit the numbers, skip players, or make sets lose."""

from __future__ import annotations

from pathlib import Path

from unit.record.records import settings_of

from ninefold import books
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.events import Ended, Moved, Refused

DIVISORS = """
[[rules.restrictions]]
must = "divisor-or-multiple"
compared-with = "last"
[[rules.ending]]
measure = "last-pick"
prefer = "higher"
"""
SKIP = """
stuck = "skip"
[[rules.restrictions]]
must = "common-factor"
compared-with = "own"
"""
ENDS = 'row-ends = true\ninvalid = "lose-turn"\n'
BUST = "[rules.losses.sum]\ncount = 3\nequals = 15\n"


def screen(tmp_path: Path, rules: str, *typed: str, pool: str = "2-9") -> list[str]:
    """The lines that are shown after each input, without those of the turns between."""
    path = tmp_path / "book.toml"
    path.write_text(f'title = "Book"\nsummary = "A book."\n[rules]\npool = "{pool}"\n{rules}')
    book = books.load_book(str(path))
    referee = Referee(book.game, settings_of(book))
    view, shown = View(book, ("Ann", "Bob"), (True, True)), ""
    for text in typed:
        for event in referee.submit(referee.position.turn, text, 0.0):
            position = referee.position
            if isinstance(event, Moved):
                shown += view.moved(event, position) + view.skipped(event.seat, position)
            elif isinstance(event, Refused):
                shown += view.refused(event, position)
            elif isinstance(event, Ended):
                shown += view.ended(event.outcome, position)
        if referee.outcome is None:
            shown += "".join(view.turn(referee.position).splitlines(True)[2:])
    return shown.splitlines()


def test_what_may_be_taken_stands_above_the_prompt(tmp_path: Path) -> None:
    """If not every number may be; a refusal says why, and what to choose instead."""
    assert screen(tmp_path, DIVISORS, "8", "3") == [
        "Ann takes 8.",
        "You may take: 2 4",
        "3 is not allowed: it must divide 8 or be a multiple of it. Choose one of: 2 4",
        "You may take: 2 4",
    ]


def test_a_player_without_a_number_ends_the_game(tmp_path: Path) -> None:
    """And the ending decides."""
    assert screen(tmp_path, DIVISORS, "5") == [
        "Ann takes 5.",
        "",
        "Bob cannot take a number, so the game ends.",
        "Ann took the last number.",
        "Ann wins!",
    ]


def test_a_player_without_a_number_is_skipped(tmp_path: Path) -> None:
    """Turn by turn, until neither can take one."""
    lines = screen(tmp_path, SKIP, "5", "2", "4", "8", pool="2-8")
    assert lines[:4] == [
        "Ann takes 5.",
        "Bob takes 2.",
        "Ann cannot take a number and is skipped.",
        "You may take: 4 6 8",
    ]
    last = screen(tmp_path, SKIP, "5", "2", "4", "8", "6", "3", pool="2-8")[-3:]
    assert last == ["", "Neither player can take a number.", "The game is a draw."]


def test_a_barred_number_costs_the_turn_where_the_book_says_so(tmp_path: Path) -> None:
    """The reason is the real one: the number is not taken."""
    lines = screen(tmp_path, ENDS, "5", "2", "2")
    assert lines[0] == (
        "5 is not allowed: only the lowest and the highest number left may be taken. "
        "Ann loses this turn."
    )
    assert lines[-2] == "2 is already taken. Ann loses this turn."


def test_a_losing_set_is_told(tmp_path: Path) -> None:
    """Who completed it, and why it is one."""
    lines = screen(tmp_path, BUST, "3", "2", "5", "9", "7")
    assert lines[-4:] == [
        "",
        "Ann holds 3 5 7: 3 + 5 + 7 = 15.",
        "Whoever completes such a set loses.",
        "Bob wins!",
    ]
