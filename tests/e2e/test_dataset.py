"""The command ``dataset``, as a user runs it."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold
from processes import wait_until
from pyarrow import parquet

from ninefold import books
from ninefold.datasets.rows import COLUMNS

SMALL = ("magic-fifteen", "--set", "pool=1-6")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_and_a_card_beside_it(ninefold: Ninefold, tmp_path: Path, kind: str) -> None:
    """The card tells what the rows are, and the digest of the file; again, the same bytes."""
    path, card = tmp_path / f"six.{kind}", tmp_path / f"six.{kind}.md"
    told = ninefold.run("dataset", *SMALL, "-o", str(path))
    data, text = path.read_bytes(), card.read_text("utf-8")
    if kind == "csv":
        count = len(list(csv.DictReader(data.decode().splitlines())))
    else:
        table = parquet.read_table(path)
        count = table.num_rows
        assert table.schema.metadata[b"ninefold.changes"] == b"pool=1-6"
    assert told.stdout == f"{path}: {count:,} rows\n{card}: data card\n"
    assert sorted(tmp_path.iterdir()) == sorted([path, card])
    assert f"`six.{kind}` holds {count:,} rows" in text
    assert f"SHA-256 of `six.{kind}`: `{sha256(data).hexdigest()}`" in text
    game = books.load_book("magic-fifteen", None, ("pool=1-6",)).game
    for said in (game.fingerprint, "| book | `magic-fifteen` |", "| changes | `pool=1-6` |"):
        assert said in text
    assert "environments, version 0." in text
    assert "MIT licence" in text
    assert str(tmp_path) not in text
    assert all(
        f"| `{name}` | {kind_} | {what} |" in text for name, (kind_, what) in COLUMNS.items()
    )
    command = next(line for line in text.split("\n") if line.startswith("    ninefold dataset"))
    assert command.split() == [
        "ninefold",
        *("dataset", "magic-fifteen", "--reading", "default", "--set", "pool=1-6"),
        *("--output", f"six.{kind}"),
    ]
    ninefold.run("dataset", *SMALL, "-o", str(path), PYTHONHASHSEED="7")
    assert (path.read_bytes(), card.read_text("utf-8")) == (data, text)


def test_without_a_file_there_is_csv(ninefold: Ninefold, tmp_path: Path) -> None:
    """On standard output, the same as in a file; the format may be named instead of a suffix."""
    shown = ninefold.run("dataset", *SMALL)
    path = tmp_path / "rows.txt"
    ninefold.run("dataset", *SMALL, "-o", str(path), "--format", "csv")
    assert shown.stdout == path.read_text("utf-8")
    assert shown.stdout.splitlines()[0] == ",".join(COLUMNS)
    assert "--format csv" in (tmp_path / "rows.txt.md").read_text("utf-8")


def test_the_summary_for_programs(ninefold: Ninefold, tmp_path: Path) -> None:
    """Counts, values, results, the rules and the version of the encoding."""
    path = tmp_path / "tiny.csv"
    data = ninefold.json("dataset", "magic-fifteen", "--set", "pool=1-3", "-o", str(path))
    assert (data["rows"], data["unfinished"], data["finished"]) == (13, 10, 3)
    assert data["values"] == {"won": 0, "drawn": 10, "lost": 0}
    assert data["results"] == {"1": 0, "2": 0, "0": 3}
    assert (data["encoding"], data["random_plies"], data["visited"]) == ("0", 3.0, 13)
    assert data["card"] == f"{path}.md"


def test_a_book_from_a_file_keeps_its_author_and_is_not_written_over(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """The card names the file without its folder, and the digest of the book."""
    book = tmp_path / "my-game.toml"
    book.write_text('extends = "magic-fifteen"\n[rules]\npool = "1-5"\n')
    before = book.read_text()
    result = ninefold.run("dataset", str(book), "-o", str(book), "--format", "csv")
    assert result.returncode == 2
    assert "is the rule book itself" in result.stderr
    assert book.read_text() == before
    assert ninefold.run("dataset", str(book), "-o", str(tmp_path / "x.csv")).returncode == 0
    text = (tmp_path / "x.csv.md").read_text("utf-8")
    assert "| book | `my-game.toml` |" in text
    assert f"| digest of the book | `{books.load_book(str(book)).digest}` |" in text
    assert "The rule book is its author's." in text
    assert str(tmp_path) not in text


def test_what_cannot_be_done_leaves_nothing_behind(ninefold: Ninefold, tmp_path: Path) -> None:
    """Too large, nowhere to write, no such format: a line of advice, and no file."""
    for arguments, advice in (
        (["magic-fifteen", "--set", "pool=1-20", "-o", str(tmp_path / "x.csv")], "pool=1-9"),
        (["magic-fifteen", "-o", str(tmp_path / "none" / "x.csv")], "its folder does not exist."),
        (["magic-fifteen", "-o", str(tmp_path / "x.xls")], "Add --format csv"),
    ):
        result = ninefold.run("dataset", *arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert advice in result.stderr
        assert "Traceback" not in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "darwin", reason="every file name is text there")
def test_a_file_whose_name_is_no_text_has_its_card_too(ninefold: Ninefold, tmp_path: Path) -> None:
    """The card is text all the same, with a mark for what is none."""
    output = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.csv")
    result = ninefold.run("dataset", "magic-fifteen", "--set", "pool=1-4", "-o", output)
    assert (result.returncode, result.stderr) == (0, "")
    assert "`?.csv` holds 35 rows" in Path(f"{output}.md").read_text(encoding="utf-8")


def test_csv_needs_the_standard_library_alone(tmp_path: Path) -> None:
    """Neither NumPy nor pyarrow is imported; Parquet without pyarrow names what to install."""
    script = (
        "import sys\n"
        "from importlib import util\n"
        "sys.modules['numpy'] = sys.modules['pyarrow'] = None\n"
        "there = util.find_spec\n"
        "util.find_spec = lambda name, *a: None if name == 'pyarrow' else there(name, *a)\n"
        "from ninefold.cli import main\n"
        f"path = {str(tmp_path / 'x.csv')!r}\n"
        "print(main(['dataset', 'magic-fifteen', '--set', 'pool=1-4', '-o', path, '--json']))\n"
        "print(main(['dataset', 'magic-fifteen', '--set', 'pool=1-4', '-o', path + '.parquet']))\n"
    )
    command = [sys.executable, "-c", script]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    summary, first, second = said.stdout.splitlines()
    assert (json.loads(summary)["rows"], first, second) == (35, "0", "2")
    assert said.stderr == (
        "ninefold: pyarrow is not installed. Install it with: pip install 'ninefold[parquet]'\n"
    )
    assert not (tmp_path / "x.csv.parquet").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whoever_ends_it_nothing_is_left_behind(
    ninefold: Ninefold, tmp_path: Path, number: int
) -> None:
    """No half of a file, even if it is killed, and the file that was there before is as it was."""
    path = tmp_path / "x.csv"
    path.write_text("before")
    options = ["--reading", "three-slots-in-order", "-o", str(path)]
    with subprocess.Popen(
        [*COMMAND, "dataset", "sequence-builder", *options], env=ninefold.environment
    ) as process:
        while process.poll() is None and not [*tmp_path.glob("x.csv.*part")]:
            time.sleep(0.01)
        process.send_signal(number)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    wait_until(lambda: [file.name for file in tmp_path.iterdir()] == ["x.csv"])
    assert path.read_text() == "before"


def test_a_file_that_is_replaced_is_named(ninefold: Ninefold, tmp_path: Path) -> None:
    """The data and the card, and reports of audits in the same way."""
    path = tmp_path / "a.csv"
    path.write_text("mine")
    written = ninefold.run("dataset", "magic", "--set", "pool=1-3", "-o", str(path)).stdout
    assert written.splitlines()[0].endswith(" rows (replaced an earlier file)")
    assert written.splitlines()[1] == f"{path}.md: data card"
    report = tmp_path / "a.md"
    for replaced in ("", " (replaced an earlier file)"):
        result = ninefold.run("audit", "magic", "--set", "pool=1-3", "-o", str(report))
        assert (result.stdout, result.stderr) == ("", f"{report}: report{replaced}\n")
