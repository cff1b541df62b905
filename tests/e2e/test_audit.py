"""``ninefold audit`` as a designer runs it, at a terminal, in CI and for a browser."""

import json
import re
import tomllib
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from e2e.program import Ninefold
from unit.audit.auditing import TOGETHER, report_on

from ninefold import books
from ninefold.audit import Report, audit
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.html import html
from ninefold.pages.markdown import markdown
from ninefold.pages.text import text

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "auditing.md").read_text("utf-8")
VOID = {"meta", "rect", "circle", "path"}


@pytest.mark.parametrize(
    ("game", "code", "forms"),
    [
        ("sequence-duel-arithmetic", 1, "text json html"),
        ("sequence-capture", 0, "text"),
        ("pattern-builder", 0, "text json html"),
    ],
)
def test_the_exit_code_is_1_if_a_claim_or_an_example_is_false(
    ninefold: Ninefold, game: str, code: int, forms: str
) -> None:
    """So that it can run in CI; a claim that is true for another reason is true."""
    options = {"text": [], "json": ["--json"], "html": ["--format", "html"]}
    for form in forms.split():
        result = ninefold.run("audit", game, *options[form])
        assert result.returncode == code
        assert result.stdout
        assert "Traceback" not in result.stderr


def test_a_false_example_alone_is_enough(ninefold: Ninefold) -> None:
    """Under the reading lose-turn, the book's own example cannot be played."""
    data = ninefold.json("audit", "sequence-duel-sum", "--reading", "lose-turn")
    (found,) = data["audits"]
    wrong = [example for example in found["examples"] if not example["right"]]
    assert [example["name"] for example in wrong] == ["Example game"]
    assert data["false"] is True


def test_the_shape_of_the_data(ninefold: Ninefold) -> None:
    """Every field the page about formats names, and no other."""
    data = ninefold.json("audit", "sequence-builder")
    assert list(data) == ["false", "audits", "readings", "comparison"]
    (audit,) = data["audits"]
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    for part in (
        data,
        audit,
        *audit["claims"],
        *audit["examples"],
        *(fault for example in audit["examples"] for fault in example["faults"]),
        *audit["rules"],
        audit["fairness"],
        audit["fairness"]["best_play"],
        *audit["fairness"]["best_play"]["rules"],
        audit["fairness"]["pie"],
        audit["fairness"]["random"],
        *audit["fairness"]["openings"],
        *data["readings"],
        audit["examples"][0]["shown"],
    ):
        for field in part:
            assert f"`{field}`" in page, field
    assert (audit["game"], audit["reading"], audit["exact"]) == (
        "sequence-builder",
        "open-hand",
        True,
    )
    assert (audit["positions"], audit["finals"]) == (3417, 1409)
    assert audit["fairness"]["value"] == "win"
    assert audit["fairness"]["perfect_first"]["first"] == pytest.approx(1.0)
    example = next(item for item in audit["examples"] if item["name"] == "Scenario 3")
    assert (example["wrong"], example["after"], example["truth"]) == (
        "statement",
        2,
        "2 belongs to Player 1.",
    )


def test_all_readings(ninefold: Ninefold) -> None:
    """One audit for each, one comparison for all."""
    data = ninefold.json("audit", "sequence-duel-sum", "--all-readings")
    assert [audit["reading"] for audit in data["audits"]] == ["retry", "lose-turn"]
    assert data["comparison"] == ["lose-turn: same winner, same good openings."]


def test_what_is_shown_can_be_replayed(ninefold: Ninefold) -> None:
    """The judge for programs agrees with each game that shows a rule."""
    (audit,) = ninefold.json("audit", "sequence-capture")["audits"]
    shown = [rule["shown"] for rule in audit["rules"]]
    lines = "".join(" ".join(game["moves"]) + "\n" for game in shown)
    judged = ninefold.run("referee", "sequence-capture", typed=lines).stdout.splitlines()
    assert [json.loads(line)["winner"] for line in judged] == [game["winner"] for game in shown]
    assert [json.loads(line)["reason"] for line in judged] == [
        "consecutive",
        "longest-run",
        "run-start",
    ]


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_text_fits_the_terminal(ninefold: Ninefold, columns: str) -> None:
    """Up to 80 columns."""
    shown = ninefold.run("audit", "magic-fifteen", COLUMNS=columns).stdout
    assert max(map(len, shown.splitlines())) < min(int(columns), 80)


def test_a_large_pool_is_not_settled_and_labelled(ninefold: Ninefold) -> None:
    """What was sampled is an estimate with its interval."""
    arguments = ["audit", "sequence-capture", "--set", "pool=1-40", "--time-budget", "0.01"]
    result = ninefold.run(*arguments)
    assert result.returncode == 1  # the line printed in the example is another one
    assert "Not settled: There are no draws." in result.stdout
    assert re.search(r"about \d+\.\d% \(estimate, 95%\s+interval", result.stdout)
    assert "Best play: not settled." in result.stdout
    one = ninefold.json(*arguments, "--seed", "6")
    chances = one["audits"][0]["fairness"]["random"]
    assert 200 <= chances["trials"] <= 2_000  # as many as there is time for
    low, high = chances["intervals"]["first"]
    assert low < chances["first"] < high
    assert one["audits"][0]["exact"] is False


def test_the_report_is_written_whole_or_not_at_all(ninefold: Ninefold, tmp_path: Path) -> None:
    """Beside it nothing is left behind; a place that cannot be written is found out at once."""
    path = tmp_path / "report.html"
    result = ninefold.run("audit", "magic-fifteen", "--format", "html", "--output", str(path))
    assert (result.returncode, result.stdout) == (0, "")
    assert path.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert [item.name for item in tmp_path.iterdir()] == ["report.html"]
    for name, start in (("a.HTML", "<!DOCTYPE html>"), ("a.md", "# Magic"), ("a.txt", "Magic")):
        assert ninefold.run("audit", "magic-fifteen", "-o", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_text("utf-8").startswith(start)
    for place in (tmp_path, tmp_path / "none" / "report.html"):
        refused = ninefold.run("audit", "magic-fifteen", "--output", str(place))
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "Cannot write" in refused.stderr


class Page(HTMLParser):
    """A page read strictly: every element is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what is open, and its attributes."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that closes itself."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        """It closes the element opened last."""
        assert self.open.pop() == tag


def test_the_page_of_a_large_game(ninefold: Ninefold) -> None:
    """With estimates, and with what was not settled."""
    budget = ["--set", "pool=1-40", "--time-budget", "0.01"]
    check_page(ninefold.run("audit", "sequence-capture", *budget, "--format", "html").stdout)


@TOGETHER
@pytest.mark.parametrize("name", ["sequence-duel-arithmetic", "sequence-duel-sum", "magic-fifteen"])
def test_the_page_is_well_formed_and_self_contained(name: str) -> None:
    """One script, nothing from elsewhere; drawings have words, links lead somewhere."""
    report = report_on(name, all_readings=True)
    check_page(html(documents(report), report))


def check_page(shown: str) -> None:
    """Fail unless a page is well formed and stands alone."""
    page = Page()
    page.feed(shown)
    page.close()
    assert page.open == []
    assert page.tags.count("h1") == 1
    assert page.tags.count("script") == 1
    assert not {"link", "img", "iframe", "object", "base"} & set(page.tags)
    assert not re.search(r"https?:|url\(|@import", shown)
    assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "src"]
    ids = [value for _, name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = [value for _, name, value in page.attributes if name == "href"]
    assert links
    assert {link.removeprefix("#") for link in links} <= set(ids)
    labelled = [
        value for tag, name, value in page.attributes if (tag, name) == ("svg", "aria-label")
    ]
    hidden = [
        value for tag, name, value in page.attributes if (tag, name) == ("svg", "aria-hidden")
    ]
    assert len(labelled) + len(hidden) == page.tags.count("svg")
    assert all(labelled)
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_each_finding_with_a_game_is_drawn(ninefold: Ninefold) -> None:
    """On the number line, with the moves in words for whoever does not see it."""
    shown = ninefold.run("audit", "sequence-duel-arithmetic", "--format", "html").stdout
    assert shown.count('<svg class="line"') == 8
    assert (
        "Number line. Moves: 1. 2, 2. 5, 3. 4, 4. 7, 5. 6. Player 1 holds 2 4 6; "
        "Player 2 holds 5 7. Player 1 wins with 2 4 6 (arithmetic)."
    ) in shown
    assert shown.count('class="bar"') == 9
    assert shown.count('class="stack"') == 3


def test_there_are_audits_of_all_books_and_no_others() -> None:
    """``python3 dev audits`` writes them."""
    audits = (ROOT / "docs" / "audits").iterdir()
    assert {path.name for path in audits} == {f"{name}.md" for name in books.names()}


@TOGETHER
@pytest.mark.parametrize("name", books.names())
def test_the_audits_in_the_docs_are_those_of_the_books(name: str) -> None:
    """To the letter; and the page about auditing has a row for every reading."""
    report = report_on(name, all_readings=True)
    written = (ROOT / "docs" / "audits" / f"{name}.md").read_text("utf-8")
    assert written == markdown(documents(report))
    for found in report.audits:
        row = f"| [{name}](audits/{name}.md) | `{found.book.reading}` |"
        (line,) = [line for line in PAGE.split("\n") if line.startswith(row)]
        _, _, wins, claims, examples, dead = map(str.strip, line.strip("|").split("|"))
        shown = text(documents(Report((found,), ())), 1000)
        assert f"Claims: {claims}. Examples: {examples.split(' right')[0]} right" in shown
        assert examples.partition("wrong: ")[2] == ", ".join(found.false_examples)
        never = [rule.name for rule in found.rules if rule.can_matter is False]
        assert dead == (", ".join(never) or "none")
        assert f"Best play: {wins.partition(', ')[0]}" in shown
        how = wins.partition(", ")[2]
        assert (f"How: {how}." if how else "Neither player can force a win.") in shown


def test_the_book_in_the_page_and_its_audit_are_real() -> None:
    """The one is read, the other is what comes out."""
    (book,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    report = audit(books.read_book(tomllib.loads(book)))
    assert text(documents(report), 79).startswith(shown)
    assert report.is_false


def test_wrong_usage(ninefold: Ninefold) -> None:
    """Exit code 2 and a line, as everywhere."""
    for arguments in (
        ["audit"],
        ["audit", "nothing"],
        ["audit", "magic-fifteen", "--reading", "x"],
        ["audit", "magic-fifteen", "--format", "pdf"],
        ["audit", "magic-fifteen", "--seed", "x"],
        ["audit", "magic-fifteen", "--set", "pool=0"],
    ):
        result = ninefold.run(*arguments)
        assert (result.returncode, result.stdout) == (2, "")
        assert "Traceback" not in result.stderr


def test_a_report_never_takes_the_place_of_the_book(ninefold: Ninefold, tmp_path: Path) -> None:
    """Nor of a book it extends, by whatever name; any other file is replaced."""
    parent, child, link = (tmp_path / name for name in ("parent.toml", "child.toml", "link.html"))
    parent.write_text('title = "Parent"\nsummary = "One."\nrules = { pool = "1-4" }\n', "utf-8")
    child.write_text('extends = "./parent.toml"\ntitle = "Child"\nsummary = "Two."\n', "utf-8")
    link.symlink_to(child)
    before = parent.read_bytes(), child.read_bytes()
    for output in (parent, child, link, tmp_path / ".." / tmp_path.name / "child.toml"):
        refused = ninefold.run("audit", str(child), "--output", str(output))
        assert refused.returncode == 2
        assert "is the rule book itself, or one it extends" in refused.stderr
    assert (parent.read_bytes(), child.read_bytes()) == before
    other = tmp_path / "report.txt"
    other.write_text("old", "utf-8")
    assert ninefold.run("audit", str(child), "--output", str(other)).returncode == 0
    assert other.read_text("utf-8").startswith("Child")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "child.toml",
        "link.html",
        "parent.toml",
        "report.txt",
    ]


def test_the_format_of_a_file_is_never_guessed_wrongly(ninefold: Ninefold, tmp_path: Path) -> None:
    """An extension that says nothing is refused; the format can be given."""
    refused = ninefold.run("audit", "magic-fifteen", "-o", str(tmp_path / "report.pdf"))
    assert refused.returncode == 2
    assert ".html, .md, .json or .txt" in refused.stderr
    assert not (tmp_path / "report.pdf").exists()
    both = ninefold.run("audit", "pattern-builder", "--reading", "declare", "--all-readings")
    assert (both.returncode, both.stderr.strip()[-9:]) == (2, "not both.")
