"""The solver and changed rules, from the command line."""

import gzip
from pathlib import Path

import pytest
from e2e.program import Ninefold

from ninefold.cli import main
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver import MoveValue, Solver


def test_the_table_of_a_position(ninefold: Ninefold) -> None:
    """Value, distance, and every move."""
    shown = ninefold.run("solve", "sequence-duel-arithmetic", "--moves", "4 6 5 7").stdout
    lines = shown.splitlines()
    assert lines[0] == "sequence-duel-arithmetic (default): Player 1 moves next and wins in 1 move."
    assert lines[2:8] == [
        "move  result",
        "1     loss in 2 moves",
        "2     loss in 2 moves",
        "3     win in 1 move",
        "8     win in 3 moves",
        "9     loss in 2 moves",
    ]
    assert lines[-1].split()[1:4] == ["positions", "solved", "in"]


def test_a_declaration_is_in_words(ninefold: Ninefold) -> None:
    """Not in the notation of records, which is in the data."""
    given = ("solve", "pattern-builder", "--reading", "declare", "--moves", "1 4 2 6 3")
    assert "declare 1-2-3  win in 1 move\n" in ninefold.run(*given).stdout
    assert {"pass", "declare:1:2:3"} == {row["move"] for row in ninefold.json(*given)["moves"]}


def test_the_same_as_data(ninefold: Ninefold) -> None:
    """The fields a program relies on."""
    data = ninefold.json("solve", "magic-fifteen", "--moves", "5,2,1")
    assert (data["value"], data["plies"]) == ("draw", 6)
    assert data["moves"][0] == {"move": "3", "number": 3, "value": "loss", "plies": 2}
    assert data["positions"] > 0
    assert data["seconds"] >= 0


def test_the_value_alone(ninefold: Ninefold) -> None:
    """No table of moves, for pools where that takes much longer."""
    shown = ninefold.run("solve", "magic-fifteen", "--value-only").stdout.splitlines()
    head = "magic-fifteen (default): Player 1 moves next, and the game is a draw after 9 moves."
    assert shown[0] == head
    assert len(shown) == 3
    data = ninefold.json("solve", "magic-fifteen", "--value-only")
    assert (data["value"], data["plies"], data["moves"]) == ("draw", 9, [])


def test_changed_rules_are_solved_played_judged_and_recorded(ninefold: Ninefold) -> None:
    """Wherever a game is named; a record knows its changes."""
    changes = ["--set", "pool=1-8", "--set", "wins.geometric=false"]
    data = ninefold.json("solve", "pattern-builder", *changes)
    assert len(data["moves"]) == 8
    assert data["value"] == "win"
    moves = "1\n3\n2\n4\n5\n7\n6\n8\n"
    played = ninefold.run("play", "pattern-builder", *changes, typed=moves)
    assert played.stdout.endswith("The game is a draw.\n")
    (path,) = ninefold.records()
    assert '[Changes "pool=1-8; wins.geometric=false"]' in path.read_text()
    assert ninefold.json("show", path.stem)["result"] == "1/2-1/2"
    judged = ninefold.run("referee", "pattern-builder", *changes, typed=moves.replace("\n", " "))
    assert '"status": "drawn"' in judged.stdout
    assert "Changed here: pool=1-8" in ninefold.run("rules", "pattern-builder", *changes).stdout


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("pol=1-8", "rules.pol: unknown field (did you mean pool?)"),
        ("pool=1-199", "rules.pool: must have at most 100 numbers, not 199"),
        ("opening=5", "rules.opening: must be a list of up to 100 whole numbers, such as [5]"),
        ("pool", "must be a change such as pool=1-15"),
        ("pool=1-8; x=1", "must be a change such as pool=1-15"),
        ("=5", "must be a change such as pool=1-15"),
        ("hand-limit=" + "9" * 5000, "must be a change such as pool=1-15"),
        ("pool=" + "[" * 150, "rules.pool: must be a range"),
        ("wins.arithmetic.length=x", "rules.wins.arithmetic.length: must be a whole number"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    ninefold: Ninefold, change: str, reason: str
) -> None:
    """With the field and what was expected."""
    result = ninefold.run("solve", "pattern-builder", "--set", change)
    assert result.returncode == 2
    assert reason in result.stderr


def test_out_of_time_is_unknown_and_nothing_else(ninefold: Ninefold) -> None:
    """An honest answer on a pool that is too large for the time given."""
    large = ("sequence-duel-arithmetic", "--set", "pool=1-60", "--set", "wins.arithmetic.length=6")
    data = ninefold.json("solve", *large, "--time-budget", "0.2")
    assert data["value"] == "unknown"
    assert data["plies"] is None
    assert {move["value"] for move in data["moves"]} <= {"unknown", "win", "loss", "draw"}


def test_moves_that_are_not_known_take_one_line(ninefold: Ninefold) -> None:
    """With what to do about it; the last line counts at least what the progress did."""
    large = ("sequence-capture", "--set", "pool=1-60", "--set", "wins.arithmetic.length=6")
    result = ninefold.run("solve", *large, "--time-budget", "0.2")
    head, _, moves, _, work = result.stdout.splitlines()
    assert head.endswith(": Player 1 moves next; the result is not known.")
    assert moves == "No move is known to win, draw or lose."
    assert work.split()[1:4] == ["positions", "searched", "in"]
    *reports, advice = result.stderr.splitlines()
    assert advice.startswith("Time ran out. Allow more with --time-budget. ")
    counts = [int(line.split()[0].replace(",", "")) for line in reports if " searched, " in line]
    assert int(work.split()[0].replace(",", "")) >= max(counts, default=0)


def test_a_win_in_one_move_ends_the_search_of_a_large_game(ninefold: Ninefold) -> None:
    """Without a time limit: nothing else is searched, and the moves left out have a line."""
    moves = ("--moves", "1 10 2 20 3 30")
    shown = ninefold.run("solve", "sequence-capture", "--set", "pool=1-60", *moves).stdout
    assert shown.splitlines()[:5] == [
        "sequence-capture (default; pool=1-60): Player 1 moves next and wins in 1 move.",
        "",
        "move  result",
        "4     win in 1 move",
        "Not searched: 5 to 9, 11 to 19, 21 to 29 and 31 to 60.",
    ]


def test_wins_and_losses_within_three_moves_are_found_first(ninefold: Ninefold) -> None:
    """However little time there is for the search."""
    moves = ("--moves", "1 10 2 20 3 30 7")  # 4 must be taken, or the next pick wins
    large = ("sequence-capture", "--set", "pool=1-60", *moves, "--time-budget", "0.001")
    values = {item["move"]: item for item in ninefold.json("solve", *large)["moves"]}
    assert {item["value"] for name, item in values.items() if name != "4"} == {"loss"}
    assert {item["plies"] for name, item in values.items() if name != "4"} == {2}


def test_a_finished_position_has_nothing_to_solve(ninefold: Ninefold) -> None:
    """A line on standard error."""
    result = ninefold.run("solve", "magic-fifteen", "--moves", "5 1 4 2 6")
    assert result.returncode == 2
    assert "The game is over" in result.stderr


def test_the_perfect_player_says_that_it_may_only_estimate(ninefold: Ninefold) -> None:
    """Once, before the game begins."""
    result = ninefold.run("play", "sequence-capture", "--set", "pool=1-15", "--p2", "perfect")
    assert result.stderr.count("It then plays its best estimate, not a proof.") == 1


LADDER = ["sequence-duel-arithmetic", "--set", "wins.arithmetic.length=4", "--set", "ending=[]"]


def test_a_pool_too_large_for_tables(ninefold: Ninefold) -> None:
    """Results and lengths by the proof search; some openings of 1-20 even lose."""
    data = ninefold.json("solve", *LADDER, "--set", "pool=1-20")
    assert (data["value"], data["plies"]) == ("win", 9)
    values = {move["number"]: (move["value"], move["plies"]) for move in data["moves"]}
    assert values[10] == ("win", 9)
    assert values[2] == ("draw", 20)
    assert values[1] == ("loss", 16)
    assert all(values[number] == values[21 - number] for number in values)


def test_what_was_found_before_the_time_ran_out_is_told(ninefold: Ninefold) -> None:
    """Where the time is too short for everything, nothing is invented."""
    changes = ["--set", "pool=1-28", "--set", "wins.arithmetic.length=5"]
    data = ninefold.json("solve", *LADDER, *changes, "--time-budget", "0.5")
    assert (data["value"], data["plies"]) == ("unknown", None)
    assert {move["value"] for move in data["moves"]} <= {"unknown"}


@pytest.mark.parametrize("name", ["draw.txt", "draw.txt.gz"])
def test_a_certificate_is_written_and_verified(
    ninefold: Ninefold, tmp_path: Path, name: str
) -> None:
    """As text or compressed; a file that is changed no longer shows anything."""
    path = tmp_path / name
    written = ninefold.run("solve", *LADDER, "--set", "pool=1-14", "--certificate", str(path))
    assert (written.returncode, "answers" in written.stderr) == (0, True)
    assert sorted(tmp_path.iterdir()) == [path]
    verified = ninefold.run("verify", str(path))
    assert verified.returncode == 0
    assert verified.stdout.startswith(
        "Verified: sequence-duel-arithmetic (default; wins.arithmetic.length=4; ending=[]; "
        "pool=1-14), from the first move: a draw for the player to act.\n"
    )
    content = path.read_bytes()
    text = (gzip.decompress(content) if name.endswith("gz") else content).decode()
    other = tmp_path / "other.txt"
    other.write_text("".join(text.splitlines(keepends=True)[:-5]))
    refuted = ninefold.run("verify", str(other))
    assert refuted.returncode == 1
    assert refuted.stdout.startswith("NOT proved: ")
    data = ninefold.json("verify", str(other))
    assert (data["verified"], data["error"]["code"]) == (False, "no-answer")


def test_a_certificate_that_cannot_be_read_is_refused(ninefold: Ninefold, tmp_path: Path) -> None:
    """No such file, no certificate, half a compressed file, a game that is not here."""
    files = {
        "missing.txt": (None, "Cannot read"),
        "noise.txt": (b"\xff\xfe", "Cannot read"),
        "text.txt": (b"hello\n", "This is not a certificate."),
        "half.txt.gz": (gzip.compress(SETTINGS)[:30], "Cannot read"),
        "row.txt": (SETTINGS + b"player 1 win\n1 2\n", "Line 4 cannot be read."),
        "first.txt": (SETTINGS + b"1 2 3\n", "Line 3 cannot be read."),
    }
    for name, (content, reason) in files.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        result = ninefold.run("verify", str(tmp_path / name))
        assert (result.returncode, result.stdout) == (2, "")
        assert reason in result.stderr
        assert name in result.stderr


SETTINGS = b"""ninefold-certificate 1
{"game": "magic-fifteen", "reading": "default", "changes": [], "rules": "", "first": 1, \
"moves": "", "value": "draw", "symmetries": []}
""".replace(b"\\\n", b"")


def test_a_certificate_with_a_long_description(ninefold: Ninefold, tmp_path: Path) -> None:
    """Many symmetries of a large pool make a long line, which is read back."""
    path = tmp_path / "long.txt"
    changes = ["--set", "pool=1-64", "--set", "wins.sum.equals=6"]
    moves = " ".join(map(str, [1, *range(10, 53)]))
    arguments = ["magic-fifteen", *changes, "--moves", moves, "--time-budget", "60"]
    written = ninefold.run("solve", *arguments, "--certificate", str(path))
    assert written.returncode == 0
    assert len(path.read_text().splitlines()[1]) > 4000
    assert ninefold.json("verify", str(path))["verified"]


def test_a_certificate_replaces_ordinary_files_only(ninefold: Ninefold, tmp_path: Path) -> None:
    """A link stays a link, and what is no file is refused."""
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    assert ninefold.run("solve", "magic-fifteen", "--certificate", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_text().startswith("ninefold-certificate 1\n")
    for name in (str(tmp_path), "-", "/dev/stdin"):
        refused = ninefold.run("solve", "magic-fifteen", "--certificate", name)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "Cannot write" in refused.stderr


def test_what_has_no_certificate_says_so(ninefold: Ninefold, tmp_path: Path) -> None:
    """A reading with declared wins, and a file that cannot be written, before any search."""
    path = str(tmp_path / "c.txt")
    declared = ["pattern-builder", "--reading", "declare"]
    result = ninefold.run("solve", *declared, "--certificate", path)
    assert result.returncode == 2
    assert "where completing a set wins at once" in result.stderr
    result = ninefold.run("solve", "magic-fifteen", "--certificate", str(tmp_path / "no" / "c.txt"))
    assert result.returncode == 2
    assert "Cannot write" in result.stderr


def test_ctrl_c_while_the_moves_are_solved_shows_what_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The value is there, the rest is unknown, and the exit code says that it was interrupted."""
    solved = Solver.move_value

    def interrupted(solver: Solver, position: Position, move: Move, length: bool) -> MoveValue:
        if move == 3:
            raise KeyboardInterrupt
        return solved(solver, position, move, length)

    monkeypatch.setattr(Solver, "move_value", interrupted)
    assert main(["solve", "sequence-duel-arithmetic"]) == 130
    lines = capsys.readouterr().out.splitlines()
    head = "sequence-duel-arithmetic (default): Player 1 moves next and wins in 5 moves."
    assert lines[0] == head
    assert [line.split()[1] for line in lines[3:5]] == ["loss", "win"]
    assert lines[5:7] == ["Not known: 3 to 9.", ""]
