"""``ninefold check``: everything that is wrong, with its place."""

import json
from pathlib import Path

import pytest
from e2e.program import Ninefold

from ninefold import books

OWN = Path(books.__file__).parent / "data"
FAULTY = """\
titel = "Sums"
[rules]
pool = "1-199"
ending = [
  { measure = "hand-sum", prefer = "higher" },
  { measure = "longest-rum", prefer = "higher" },
]
[rules.wins.sum]
count = 3
[readings.strict]
rules.invalid = "loose-turn"
"""


def check(ninefold: Ninefold, path: Path, text: str) -> tuple[int, list[str]]:
    """The exit code, and the lines, without the name of the file."""
    path.write_text(text)
    result = ninefold.run("check", str(path))
    assert result.stderr == ""
    return result.returncode, result.stdout.replace(str(path), "FILE").splitlines()


def test_all_faults_of_all_readings_at_once(ninefold: Ninefold, tmp_path: Path) -> None:
    """Line, column, path, what is expected, what was found, the nearest spelling."""
    assert check(ninefold, tmp_path / "a.toml", FAULTY) == (
        1,
        [
            "FILE: 5 errors",
            "  line 1, column 1: titel: unknown field (did you mean title?)",
            '  line 3, column 1: rules.pool: must have at most 100 numbers, not 199; found "1-199"',
            "  line 6, column 5: rules.ending[1].measure: must be one of count, distance, "
            "first-complete, hand-product, hand-sum, highest, last-pick, longest-ascent, "
            'longest-run, lowest, run-start, run-sum; found "longest-rum" '
            "(did you mean longest-run?)",
            "  line 8, column 1: rules.wins.sum: needs a total: one of equals, multiple-of, kind, "
            "at-least, at-most",
            "  line 11, column 7: readings.strict.rules.invalid: must be one of retry, lose-turn; "
            'found "loose-turn" (did you mean lose-turn?)',
        ],
    )


def test_faults_are_data_with_json(ninefold: Ninefold, tmp_path: Path) -> None:
    """One object; the exit code is the same."""
    path = tmp_path / "a.toml"
    path.write_text(FAULTY)
    result = ninefold.run("check", str(path), "--json")
    data = json.loads(result.stdout)
    assert result.returncode == 1
    assert (data["valid"], data["book"], len(data["faults"])) == (False, None, 5)
    assert data["faults"][2] == {
        "path": "rules.ending[1].measure",
        "line": 6,
        "column": 5,
        "file": None,
        "reading": None,
        "expected": "must be one of count, distance, first-complete, hand-product, hand-sum, "
        "highest, last-pick, longest-ascent, longest-run, lowest, run-start, run-sum",
        "found": '"longest-rum"',
        "hint": "did you mean longest-run?",
    }


def test_a_fault_that_a_reading_brings_out_names_the_reading(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """Where the field itself stands in the book, not in the reading."""
    text = (
        '[rules]\npool = "1-9"\nhand-limit = 3\nin-order = true\nwins.arithmetic.length = 3\n'
        "[readings.long]\nrules.wins.arithmetic.length = 4\n"
    )
    assert check(ninefold, tmp_path / "a.toml", text) == (
        1,
        [
            "FILE: 1 error",
            "  line 4, column 1: reading long: rules.in-order: needs a hand-limit equal to the "
            "size of every winning set",
        ],
    )


def test_a_fault_in_a_parent_names_its_file(ninefold: Ninefold, tmp_path: Path) -> None:
    """And a broken parent is told like a broken book."""
    (tmp_path / "base.toml").write_text('\n[rules]\npool = "9-1"\n')
    code, lines = check(ninefold, tmp_path / "a.toml", 'extends = "base.toml"\n')
    assert code == 1
    assert lines[1].startswith(f"  {tmp_path / 'base.toml'}, line 3, column 1: rules.pool: ")


def test_what_is_probably_unintended_is_a_warning(ninefold: Ninefold, tmp_path: Path) -> None:
    """The book is fine all the same."""
    text = (
        '[rules]\npool = "1-9"\nending = [{ measure = "hand-sum", prefer = "higher" }]\n'
        "[rules.wins]\narithmetic.length = 4\ngeometric.length = 5\n"
        "[readings.same]\n[readings.short]\nrules.hand-limit = 3\n"
    )
    assert check(ninefold, tmp_path / "my-game.toml", text) == (
        0,
        [
            "FILE: My Game (my-game)",
            "  9 numbers (1 to 9), 9 winning sets (arithmetic 9, geometric 0); readings: default, "
            "same, short",
            "  warning: line 3, column 1: reading short: rules.ending: may end in a tie; the game "
            "is then a draw",
            "  warning: line 6, column 1: rules.wins.geometric: no set of the pool matches this "
            "pattern",
            "  warning: line 7, column 1: readings.same: same as the default reading, default",
            "  warning: line 9, column 7: readings.short.rules.hand-limit: no winning set fits in "
            "a hand: the smallest has 4 numbers",
        ],
    )
    assert check(ninefold, tmp_path / "b.toml", '[rules]\npool = "1-3"\n')[1][-1] == (
        "  warning: line 1, column 1: rules: no pattern wins and there is no ending: every game is "
        "a draw"
    )
    losing = '[rules]\npool = "1-9"\nlosses.arithmetic.length = 3\n'
    assert check(ninefold, tmp_path / "c.toml", losing)[1][1:] == [
        "  9 numbers (1 to 9), no winning sets; 16 losing sets"
    ]


@pytest.mark.parametrize("name", books.names())
def test_the_books_of_the_program_are_fine(ninefold: Ninefold, name: str) -> None:
    """Each with all its readings."""
    result = ninefold.run("check", str(OWN / f"{name}.toml"), "--json")
    data = json.loads(result.stdout)
    assert result.returncode == 0
    assert data["faults"] == []
    assert [*data["book"]["readings"]] == [*books.load_book(name).readings]
    # The claims are as the books state them: one gives a reason that cannot carry it.
    reasons = [item["path"] for item in data["warnings"] if item["path"].startswith("claims")]
    assert reasons == ["claims[2].because.kind"] * (name == "sequence-capture")
    if name != "pattern-builder":  # its declare reading knows a draw
        assert len(data["warnings"]) == len(reasons)


def test_standard_input_is_checked_too(ninefold: Ninefold) -> None:
    """For editors that hold a file nobody has saved yet."""
    result = ninefold.run("check", "-", typed="a = [1,\n")
    assert result.returncode == 1
    assert result.stdout.startswith("standard input: 1 error\n  line 1: the file: not valid TOML: ")
    assert ninefold.run("check", "-", typed=b"\xff").returncode == 2
    assert ninefold.run("check", "-", typed=b"#" * 300_000).returncode == 2


def test_without_a_file_it_says_what_it_needs(ninefold: Ninefold) -> None:
    """A sentence and exit code 2."""
    result = ninefold.run("check")
    assert result.returncode == 2
    assert result.stderr == "ninefold: Name a FILE to check, or - for standard input.\n"


def test_the_schema_is_printed(ninefold: Ninefold) -> None:
    """As JSON, for editors."""
    assert json.loads(ninefold.run("check", "--schema").stdout)["title"] == "Ninefold rule book"


def test_a_flood_of_faults_is_cut(ninefold: Ninefold, tmp_path: Path) -> None:
    """Fifty are enough to begin with."""
    text = "".join(f"a{number} = 1\n" for number in range(1000)) + 'rules.pool = "1-9"\n'
    code, lines = check(ninefold, tmp_path / "a.toml", text)
    assert code == 1
    assert len(lines) < 60


def test_names_and_values_are_shown_without_their_tricks(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """A complaint must not do what the file could not."""
    text = '"\\u001b[2J" = 1\n[rules]\npool = "\\u001b]0;x\\u0007"\n'
    code, lines = check(ninefold, tmp_path / "a.toml", text)
    assert code == 1
    assert all(line.isprintable() for line in lines)
    assert lines[1].startswith(
        '  line 1, column 1: "?[2J": unknown field (valid fields: id, title, '
    )


def test_a_book_of_the_program_is_checked_by_its_id(ninefold: Ninefold) -> None:
    """Where no file has that name."""
    result = ninefold.run("check", "sequence-capture")
    assert result.returncode == 0, result.stderr
    assert "(sequence-capture)\n" in result.stdout


def test_a_misspelt_game_is_suggested(ninefold: Ninefold) -> None:
    """As every command does that takes a game; a path is a file and nothing else."""
    result = ninefold.run("check", "sequence-duel-sun")
    assert (result.returncode, result.stdout) == (2, "")
    assert "There is no game 'sequence-duel-sun'; did you mean sequence-duel-sum?" in result.stderr
    assert "No such file" in ninefold.run("check", "./sequence-duel-sun").stderr


def test_the_id_of_a_built_in_game_with_other_rules_is_a_warning(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """Whether it is written or made from the name of the file; equal rules are fine."""
    other = '[rules]\npool = "1-8"\nwins.sum = { count = 3, equals = 15 }\n'
    warning = (
        "id: magic-fifteen is a built-in game with other rules: records would have the same name"
    )
    _, lines = check(ninefold, tmp_path / "magic-fifteen.toml", other)
    assert [line for line in lines if "warning" in line] == [
        f"  warning: {warning} (choose another id)"
    ]
    _, lines = check(ninefold, tmp_path / "a.toml", f'id = "magic-fifteen"\n{other}')
    assert f"  warning: line 1, column 1: {warning} (" in "\n".join(lines)
    same = 'extends = "magic-fifteen"\nid = "magic-fifteen"\n'
    _, lines = check(ninefold, tmp_path / "a.toml", same)
    assert not any("warning" in line for line in lines)


def test_a_link_that_another_reading_uses_is_not_idle(ninefold: Ninefold, tmp_path: Path) -> None:
    """The sum of 1 to 9 is odd, but not every number is taken with a limit."""
    ending = (
        '[rules]\npool = "1-9"\nending = [{ measure = "hand-sum", prefer = "higher" }, '
        '{ measure = "last-pick", prefer = "higher" }]\n'
    )
    _, lines = check(ninefold, tmp_path / "a.toml", ending)
    assert lines[-1].endswith("rules.ending[1]: never used: hand-sum before it always decides")
    limited = f"{ending}[readings.limited]\nrules.hand-limit = 2\n"
    _, lines = check(ninefold, tmp_path / "a.toml", limited)
    assert not any("never used" in line for line in lines)


def test_a_shared_total_counts_both_hands(ninefold: Ninefold, tmp_path: Path) -> None:
    """One of a whole hand does not."""
    path = tmp_path / "a.toml"
    path.write_text("rules.pool = '1-9'\nrules.wins.sum = { shared = true, equals = 20 }\n")
    path.write_text(path.read_text() + "rules.wins.product = { whole-hand = true, equals = 24 }\n")
    shown = ninefold.run("check", str(path)).stdout.splitlines()
    counted = "product counts the whole hand; sum counts both hands together"
    assert shown[1] == f"  9 numbers (1 to 9), {counted}"
