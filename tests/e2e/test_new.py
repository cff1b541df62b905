"""``ninefold new``: a few answers, and a file that plays at once."""

import tomllib
from pathlib import Path

import pytest
from e2e.program import Ninefold
from e2e.terminal import Terminal

from ninefold.books.families import FAMILIES


def said(path: Path) -> dict[str, object]:
    """What the file says, without tables in which everything is left out."""
    data = tomllib.loads(path.read_text("utf-8"))
    return {name: value for name, value in data.items() if value != {}}


def test_answers_in_a_pipe_make_a_book_that_plays(ninefold: Ninefold, tmp_path: Path) -> None:
    """Enter takes what is proposed; a typo is asked for again."""
    path = tmp_path / "evens"
    typed = "Evens\n2 4 x\n2 4 6 8 10 12\n11\n1 5\n2\n4\n3\n24\nmaybe\nno\n2 3\n\n"
    result = ninefold.run("new", str(path), typed=typed)
    assert result.returncode == 0
    assert "It must be a range such as" in result.stdout
    assert "'11' is not in the list. Type numbers from 1 to 10." in result.stdout
    assert "\nIt must be a whole number from 3 to 100.\n" in result.stdout
    assert "Type yes or no." in result.stdout
    file = f"{path}.toml"
    assert said(Path(file)) == {
        "title": "Evens",
        "rules": {
            "pool": [2, 4, 6, 8, 10, 12],
            "ending": [
                {"measure": "hand-sum", "prefer": "higher"},
                {"measure": "longest-run", "prefer": "higher"},
            ],
            "wins": {"arithmetic": {"length": 4}, "sum": {"count": 3, "equals": 24}},
        },
    }
    for command in ("play", "check", "solve"):
        assert f"ninefold {command} {file}" in result.stdout
    assert ninefold.run("check", file).returncode == 0
    played = ninefold.run("play", file, typed="2\n4\n10\n6\n12\n").stdout
    assert played.endswith("Player 1 holds 2 10 12: 2 + 10 + 12 = 24.\nPlayer 1 wins!\n")


def test_without_questions_the_flags_and_the_proposals_count(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """A script needs no keyboard."""
    path = tmp_path / "my-game.toml"
    flags = ["--pool", "1-12", "--wins", "sum-triple", "--wins", "geometric", "--misere"]
    ending = ["--ending", "hand-sum lower", "--ending", "last-pick"]
    result = ninefold.run("new", str(path), *flags, *ending, "--yes")
    assert result.returncode == 0
    assert said(path) == {
        "title": "My Game",
        "rules": {
            "pool": "1-12",
            "misere": True,
            "ending": [
                {"measure": "hand-sum", "prefer": "lower"},
                {"measure": "last-pick", "prefer": "higher"},
            ],
            "wins": {"sum-triple": {}, "geometric": {"length": 3}},
        },
    }
    assert ninefold.run("check", str(path)).returncode == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_proposed_with_numbers_that_work(
    ninefold: Ninefold, tmp_path: Path, family: str
) -> None:
    """On the pool that is proposed, without a warning."""
    path = tmp_path / "a.toml"
    assert ninefold.run("new", str(path), "--wins", family, "--yes").returncode == 0
    data = ninefold.json("check", str(path))
    assert (data["valid"], data["warnings"]) == (True, [])


def test_special_rules_are_chosen_from_a_menu(ninefold: Ninefold, tmp_path: Path) -> None:
    """Enter means none; each chosen rule asks for what it needs, until that makes sense."""
    path = tmp_path / "a.toml"
    typed = "\n1-6\n\n\n\n\npasing\n4, 7 5\n7\n2, 4\nx\n2\n"
    result = ninefold.run("new", str(path), typed=typed)
    assert "\nAnything special?\n  1. no\n  2. some sets lose at once\n" in result.stdout
    assert "'pasing' is not in the list. Did you mean passing?" in result.stdout
    assert "Which numbers may be taken first? [4]: 7\nIt must be a list of" in result.stdout
    assert "take per turn? [2]: x\nIt must be a whole number from 1 to 100.\n" in result.stdout
    rules = tomllib.loads(path.read_text("utf-8"))["rules"]
    assert (rules["passing"], rules["opening"], rules["picks-per-turn"]) == (True, [2, 4], 2)
    assert rules.keys() & {"pie", "hand-limit"} == set()


def test_special_rules_have_flags(ninefold: Ninefold, tmp_path: Path) -> None:
    """Also with a book to start from."""
    path = tmp_path / "a.toml"
    flags = ["--passing", "--pie", "--opening", "4 5", "--picks-per-turn", "2", "--hand-limit", "4"]
    for start in ([], ["--extends", "sequence-capture"]):
        result = ninefold.run("new", str(path), *flags, *start, "--yes", "--overwrite")
        assert result.returncode == 0
        rules = tomllib.loads(path.read_text("utf-8"))["rules"]
        limits = {"passing": True, "pie": True, "opening": [4, 5]}
        assert rules.items() >= {**limits, "picks-per-turn": 2, "hand-limit": 4}.items()
        assert ninefold.run("check", str(path)).returncode == 0


def test_a_book_can_start_from_another(ninefold: Ninefold, tmp_path: Path) -> None:
    """Only what is said differs; families that are not named any more are taken away."""
    path = tmp_path / "long.toml"
    flags = ["--extends", "pattern-builder", "--wins", "geometric", "--pool", "1-16", "--yes"]
    assert ninefold.run("new", str(path), *flags).returncode == 0
    assert said(path) == {
        "title": "Long",
        "extends": "pattern-builder",
        "rules": {"pool": "1-16", "wins": {"arithmetic": False, "geometric": {"length": 3}}},
    }
    data = ninefold.json("check", str(path))
    assert [*data["book"]["readings"]] == ["automatic", "declare"]


@pytest.mark.parametrize(
    "flags",
    [
        ["--pool", "1-199"],
        ["--wins", "harmonic"],
        ["--wins", "arithmetic length=2"],
        ["--wins", "arithmetic size=3"],
        ["--wins", "sum count"],
        ["--ending", "luck"],
        ["--ending", "hand-sum most"],
        ["--title", "\x1b[2J"],
        ["--title", ""],
        ["--opening", "12"],
        ["--opening", "x"],
        ["--picks-per-turn", "0"],
        ["--hand-limit", "many"],
        ["--extends", "none"],
        ["--extends", "/none.toml"],
        ["--extends", "none.toml"],
        ["--pool", "1-64", "--wins", "sum count=32 equals=1040"],
    ],
)
def test_flags_that_make_no_sense_write_nothing(
    ninefold: Ninefold, tmp_path: Path, flags: list[str]
) -> None:
    """A sentence and exit code 2."""
    result = ninefold.run("new", str(tmp_path / "a.toml"), *flags, "--yes")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "a.toml").exists()


def test_nothing_is_overwritten_without_consent(ninefold: Ninefold, tmp_path: Path) -> None:
    """--yes is no consent; --overwrite is, and so is the answer yes."""
    path = tmp_path / "a.toml"
    path.write_text("mine")
    assert ninefold.run("new", str(path), "--yes").returncode == 2
    answers = "\n\n\n\n\n\n\n"
    assert ninefold.run("new", str(path), typed="yes\n" + answers).returncode == 0
    assert path.read_text() != "mine"
    path.write_text("mine")
    assert ninefold.run("new", str(path), "--yes", "--overwrite").returncode == 0
    assert path.read_text() != "mine"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_is_there_is_asked_about_before_anything_else(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """Enter keeps it, and another name is asked for, before any other question."""
    path = tmp_path / "a.toml"
    path.write_text("mine")
    result = ninefold.run("new", str(path), typed="\n" + "\n" * 8)
    first, second, third = result.stdout.split("\n")[:3]
    assert first == f"{path} already exists. Replace it? [no]: "
    assert second == f"Which file should it be? [{tmp_path}/a-2.toml]: "
    assert third == "What is the game called? [A 2]: "
    assert result.returncode == 0
    assert path.read_text() == "mine"
    assert said(tmp_path / "a-2.toml")["title"] == "A 2"


def test_the_file_is_asked_for_behind_the_title(ninefold: Ninefold, tmp_path: Path) -> None:
    """And whether to replace it, before the rules are."""
    path = tmp_path / "my-sums.toml"
    path.write_text("mine")
    typed = f"My Sums\n{path}\nno\n{tmp_path}/b\n" + "\n" * 7
    result = ninefold.run("new", typed=typed)
    assert result.stdout.index("Replace it?") < result.stdout.index("Which numbers are there?")
    assert (path.read_text(), result.returncode) == ("mine", 0)
    assert said(tmp_path / "b.toml")["title"] == "My Sums"


@pytest.mark.parametrize(
    ("typed", "wins"),
    [
        ("5\nany\n20\n", {"sum": {"equals": 20}}),
        ("6\nall\nmultiple of 6\n", {"product": {"whole-hand": True, "multiple-of": 6}}),
        ("5\nmany\n2\n\n", {"sum": {"count": 2, "equals": 15}}),
        ("7\nmultiple of 3\n2\n", {"kind": {"kind": "multiple", "of": 3, "count": 2}}),
        ("9\n1 2, 3 4 5\n", {"sets": {"sets": [[1, 2], [3, 4, 5]]}}),
    ],
)
def test_a_family_is_described_as_one_would_say_it(
    ninefold: Ninefold, tmp_path: Path, typed: str, wins: dict[str, object]
) -> None:
    """Any number of numbers, the whole hand, a multiple, sets without brackets."""
    path = tmp_path / "a.toml"
    result = ninefold.run("new", str(path), typed=f"\n\n{typed}\n\n\n\n")
    assert result.returncode == 0, result.stdout
    assert tomllib.loads(path.read_text("utf-8"))["rules"]["wins"] == wins


def test_what_takes_too_long_on_these_numbers_is_asked_for_again(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """At the question itself: no answer is lost at the end."""
    path = tmp_path / "a.toml"
    typed = "\n1-64\n5\n32\n1040\n600\n\n\n\n\n"
    result = ninefold.run("new", str(path), typed=typed)
    assert "takes too long" in result.stdout
    assert "(--p2 level:3 against the computer)" in result.stdout
    assert tomllib.loads(path.read_text("utf-8"))["rules"]["wins"]["sum"]["count"] == 32


def test_a_slip_is_answered_with_what_may_be_meant(ninefold: Ninefold, tmp_path: Path) -> None:
    """Of the numbers, and of the name of a family."""
    result = ninefold.run("new", str(tmp_path / "a.toml"), typed="\n1 to 8\n1-8\nsums\n")
    assert '(did you mean "1-8"?).\n' in result.stdout
    assert "'sums' is not in the list. Did you mean sum?\n" in result.stdout


def test_an_ending_by_distance_asks_for_its_target(ninefold: Ninefold, tmp_path: Path) -> None:
    """And whether more than it may win; half of all the numbers is proposed."""
    path = tmp_path / "a.toml"
    result = ninefold.run("new", str(path), typed="\n\n\n\n\n6 2\nfar\n20\nno\n\n")
    assert "  6. the sum nearer to a target wins\n" in result.stdout
    assert "Distance: from which target? [22]: far\n" in result.stdout
    assert tomllib.loads(path.read_text("utf-8"))["rules"]["ending"] == [
        {"measure": "distance", "prefer": "lower", "target": 20, "exceeding": False},
        {"measure": "hand-sum", "prefer": "higher"},
    ]


def test_what_is_probably_unintended_gets_a_warning(ninefold: Ninefold, tmp_path: Path) -> None:
    """The file is written all the same."""
    flags = ["--pool", "1-5", "--wins", "sum equals=99", "--yes"]
    result = ninefold.run("new", str(tmp_path / "a.toml"), *flags)
    assert "warning: rules.wins.sum: no set of the pool matches this pattern" in result.stderr
    assert result.returncode == 0


def test_the_last_lines_are_broken_between_words(ninefold: Ninefold, tmp_path: Path) -> None:
    """On a narrow terminal, what a command does stands below it."""
    terminal = Terminal(ninefold, "new", str(tmp_path / "a"), "--yes", columns=40, rows=60)
    assert terminal.wait_for_end() == 0
    assert "\n      list every error, after a change\n" in terminal.text


def test_answers_that_end_early_write_nothing(ninefold: Ninefold, tmp_path: Path) -> None:
    """A script notices by the exit code."""
    result = ninefold.run("new", str(tmp_path / "a.toml"), typed="Title\n1-9\n")
    assert result.returncode == 2
    assert result.stderr == "Nothing was written.\n"
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_cannot_be_written_is_told(ninefold: Ninefold, tmp_path: Path) -> None:
    """Before any question is asked."""
    result = ninefold.run("new", str(tmp_path / "none" / "a.toml"))
    assert result.returncode == 2
    assert result.stdout == ""


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_leaving_at_a_terminal_writes_nothing(
    ninefold: Ninefold, tmp_path: Path, key: str, code: int
) -> None:
    """Ctrl-C and Ctrl-D, in the middle of the questions."""
    terminal = Terminal(ninefold, "new", str(tmp_path / "a.toml"), columns=40)
    terminal.wait_for("What is the game called? [A]:")
    terminal.enter("")
    terminal.wait_for("Which numbers are there? [1-9]:")
    terminal.type(key)
    terminal.wait_for("Nothing was written.")
    assert terminal.wait_for_end() == code
    assert [*tmp_path.iterdir()] == []


def test_the_schema_beside_the_file_is_named_in_it(ninefold: Ninefold, tmp_path: Path) -> None:
    """For editors; without one, no directive is written."""
    path = tmp_path / "a.toml"
    ninefold.run("new", str(path), "--yes")
    assert "#:schema" not in path.read_text("utf-8")
    (tmp_path / "rulebook.schema.json").write_text(ninefold.run("check", "--schema").stdout)
    ninefold.run("new", str(path), "--yes", "--overwrite")
    assert path.read_text("utf-8").startswith("#:schema ./rulebook.schema.json\n\n")
    assert ninefold.run("check", str(path)).returncode == 0


def test_limits_are_given_on_the_command_line_or_asked_for(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """Tables as in the file, or plain questions."""
    path = tmp_path / "a.toml"
    restriction = '[{must="multiple",compared-with="last"}]'
    given = ("--restrictions", restriction, "--stuck", "skip", "--row-ends", "--values", "9=0")
    losses = ("--losses", "sum count=2 equals=9")
    assert ninefold.run("new", str(path), "--yes", *given, *losses).returncode == 0
    rules = tomllib.loads(path.read_text("utf-8"))["rules"]
    assert rules["restrictions"] == [{"must": "multiple", "compared-with": "last"}]
    assert (rules["stuck"], rules["row-ends"], "caps" in rules) == ("skip", True, False)
    assert (rules["values"], rules["losses"]) == ({"9": 0}, {"sum": {"count": 2, "equals": 9}})
    special = "restrictions caps\n1\nmultiple\n\n1\n1\n20\n\n"
    result = ninefold.run("new", str(path), "--overwrite", typed=f"\n\n\n\n\n\n{special}")
    assert "\nRestriction: what must the number do?\n  1. divide it\n" in result.stdout
    assert "\nCap: how large may the total become at most? [30]: 20\n" in result.stdout
    rules = tomllib.loads(path.read_text("utf-8"))["rules"]
    assert rules["restrictions"] == [{"compared-with": "last", "must": "multiple"}]
    assert rules["caps"] == [{"total": "sum", "of": "own", "at-most": 20}]
    wrong = ("--restrictions", '[{must="multiples",compared-with="last"}]')
    result = ninefold.run("new", str(tmp_path / "b.toml"), "--yes", *wrong)
    assert result.returncode == 2
    assert "rules.restrictions[0].must: must be one of" in result.stderr


def test_a_book_that_extends_another_can_add_limits(ninefold: Ninefold, tmp_path: Path) -> None:
    """And nothing else is asked for."""
    path = tmp_path / "a.toml"
    cap = '[{total="product",of="own",at-most=100}]'
    result = ninefold.run("new", str(path), "--yes", "--extends", "magic-fifteen", "--caps", cap)
    assert result.returncode == 0
    rules = tomllib.loads(path.read_text("utf-8"))["rules"]
    assert rules == {"wins": {}, "caps": [{"total": "product", "of": "own", "at-most": 100}]}
