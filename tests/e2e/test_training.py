"""The worked example: it learns, it proves it, it is the same every time, and it draws."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ninefold
from ninefold import books
from ninefold.solver import solver_for

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "examples" / "train.py"
PAGE = (ROOT / "docs" / "training.md").read_text("utf-8")
SMALL = ("--games", "256", "--width", "128", "--seed", "1")
SVG = "{http://www.w3.org/2000/svg}"


def train(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the script."""
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def share(point: dict[str, Any]) -> float:
    """Of the positions that are not lost, the share that is kept."""
    return float(point["mark"]["kept"] / point["mark"]["worth"])


def test_a_short_training_wins_every_game_from_the_better_seat(tmp_path: Path) -> None:
    """And keeps nineteen in twenty won positions of the whole game; before, about every second."""
    picture = tmp_path / "curve.svg"
    arguments = ("sequence-duel-sum", *SMALL, "--steps", "1000", "--json", "--curve", str(picture))
    result = train(*arguments)
    assert result.returncode == 0, result.stderr
    (told,) = json.loads(result.stdout)
    proof, (first, *_, last) = told["proof"], told["curve"]
    assert (told["seat"], proof["value"], proof["worst"]) == (1, 1, 1)
    assert (proof["holds"], proof["slip"]) == (True, "")
    assert first["mark"]["worth"] == 2971
    assert share(first) < 0.6
    assert share(last) > 0.95
    assert len(ElementTree.parse(picture).findall(f".//{SVG}polyline")) == 1


def test_an_agent_that_has_not_learned_fails_and_says_where() -> None:
    """Exit code 1, and a game whose last move gives the win away."""
    result = train("sequence-capture", *SMALL, "--steps", "0", "--json")
    assert result.returncode == 1
    (told,) = json.loads(result.stdout)
    game = ninefold.load("sequence-capture")
    *before, thrown = told["proof"]["slip"].split()
    position = game.play(" ".join(before))
    assert solver_for(game).value(position).result == "win"
    assert solver_for(game).value(position.play(int(thrown))).result == "win"  # the opponent's
    assert told["safe_after"] is None


def test_the_same_seed_is_the_same_training() -> None:
    """In another process, to the last position; another seed is another one."""
    curves = []
    for seed in ("5", "5", "6"):
        shape = ("--games", "128", "--width", "32", "--steps", "60", "--json", "--seed", seed)
        (told,) = json.loads(train("sequence-duel-sum", *shape).stdout)
        curves.append([(point["games"], point["mark"]) for point in told["curve"]])
    assert curves[0] == curves[1] != curves[2]


def test_two_books_are_learned_at_once() -> None:
    """The table has a row for each, in the order asked for."""
    asked = ("magic-fifteen", "sequence-duel-sum")
    shape = ("--games", "64", "--width", "16", "--steps", "0", "--jobs", "2")
    lines = train(*asked, *shape).stdout.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == [f"`{name}`" for name in asked]


def test_a_reading_can_be_learned_in_which_a_player_acts_twice_in_a_row() -> None:
    """A question follows the pick: what is good for the same player is not turned round."""
    shape = ("--games", "256", "--width", "64", "--steps", "400", "--json", "--seed", "1")
    result = train("pattern-builder", "--reading", "declare", *shape)
    (told,) = json.loads(result.stdout)
    assert share(told["curve"][-1]) > 0.85


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("no-such-game",), "no-such-game"),
        (("magic-fifteen", "--set", "pool=1-40"), "more than 12 numbers"),
        (("magic-fifteen", "sequence-capture", "--set", "pool=1-40"), "more than 12 numbers"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_line(
    arguments: tuple[str, ...], said: str
) -> None:
    """Exit code 2, and no traceback."""
    result = train(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert said in result.stderr and len(result.stderr.splitlines()) == 1


def test_without_gymnasium_one_line_says_what_to_install() -> None:
    """It names the extra."""
    code = f"import runpy, sys; sys.modules['gymnasium'] = None; runpy.run_path({str(SCRIPT)!r})"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    said = "gymnasium is not installed. Install it with: pip install 'ninefold[train]'\n"
    assert result.stderr == said


def test_the_page_tells_of_every_book_and_shows_its_curve() -> None:
    """The picture has a panel for each, and it is the one the page shows."""
    assert "](training.svg)" in PAGE
    picture = ElementTree.parse(ROOT / "docs" / "training.svg")
    shown = {text.text for text in picture.findall(f".//{SVG}text[@class='book']")}
    assert shown == set(books.names())
    ends = {text.text for text in picture.findall(f".//{SVG}text[@class='end']")}
    for name in books.names():
        (row,) = re.findall(rf"^\| `{name}` \|.*$", PAGE, re.MULTILINE)
        kept, worth = re.findall(r"\| ([\d,]+) of ([\d,]+) \|", row)[0]
        assert kept == worth
        assert f"all {kept} kept" in ends
