"""The command ``page``, as a user runs it."""

from pathlib import Path

from e2e.program import Ninefold
from web_pages import TableReader

SMALL = ("magic-fifteen", "--set", "pool=1-6")


def test_a_page_is_written_whole_and_always_the_same(ninefold: Ninefold, tmp_path: Path) -> None:
    """The file names its size; the same command writes the same bytes."""
    file = tmp_path / "six.html"
    told = ninefold.run("page", *SMALL, "-o", str(file))
    assert (told.returncode, told.stdout) == (0, "")
    html = file.read_text("utf-8")
    assert told.stderr.splitlines()[-1] == f"{file}: {len(html.encode()) / 1000:,.0f} KB"
    assert TableReader(html).header["variant"] == ["pool=1-6"]
    again = ninefold.run("page", *SMALL, "-o", str(file), PYTHONHASHSEED="7")
    assert again.stderr.splitlines()[-1].endswith("KB (replaced an earlier file)")
    assert file.read_text("utf-8") == html
    assert [*tmp_path.glob("*.html*")] == [file]


def test_what_cannot_be_a_page_is_refused(ninefold: Ninefold, tmp_path: Path) -> None:
    """A game with too many numbers, and a folder that does not exist; nothing is written."""
    file = tmp_path / "large.html"
    large = ninefold.run("page", "magic-fifteen", "--set", "pool=1-40", "-o", str(file))
    assert large.returncode == 2
    assert large.stderr == (
        "ninefold: This game is too large for a page: it has 40 numbers. A page holds up to 60,000 "
        "positions of up to 30 numbers; ninefold serve plays larger games in a browser.\n"
    )
    lost = ninefold.run("page", *SMALL, "-o", str(tmp_path / "no" / "six.html"))
    assert lost.returncode == 2
    assert "its folder does not exist" in lost.stderr
    assert not [*tmp_path.glob("*.html")]
