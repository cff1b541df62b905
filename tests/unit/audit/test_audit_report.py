"""What a report says of readings and fairness, and how it is written down."""

import re
from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest
from unit.audit.auditing import TOGETHER, audited, book_with, report_on, subject, subject_of

import ninefold
from ninefold import books
from ninefold.audit import audit
from ninefold.audit.pages import document
from ninefold.audit.pages.data import as_data
from ninefold.audit.pages.document import documents
from ninefold.audit.pages.html import html
from ninefold.audit.report import pie_finding
from ninefold.audit.subject import Subject
from ninefold.audit.words import span
from ninefold.books import read_book
from ninefold.core.moves import SWAP
from ninefold.pages.drawing import deciding_numbers, number_line
from ninefold.pages.markdown import markdown
from ninefold.pages.shown import Shown
from ninefold.pages.text import text
from ninefold.solver import layers


def test_the_set_that_decides_is_outlined_alone() -> None:
    """The last number completes 2 3 4 and 3 4 5; the words name the first, and so does the line."""
    game = books.load_book("sequence-duel-arithmetic").game
    drawn = number_line(Shown(game, (2, 1, 3, 9, 5, 8, 4)))
    assert drawn.count('class="p1 set"') == 3


def marks(drawn: str) -> list[tuple[str, str, str]]:
    """The marks of a drawing: from which move on, until when, and what they look like."""
    form = r'data-from="(\d+)"(?: data-until="(\d+)")?><(?:rect|circle) class="([^"]*)"'
    return re.findall(form, drawn)


def test_the_run_that_decides_a_tie_break_is_outlined() -> None:
    """The longest run of the winner, the lowest if there are several; sums have no run."""
    game = books.load_book("sequence-capture").game
    shown = Shown(game, (4, 1, 6, 2, 7, 3, 9, 5, 10, 8))
    assert shown.position.outcome is not None
    assert (shown.position.outcome.winner, shown.position.outcome.reason) == (2, "longest-run")
    assert deciding_numbers(shown.position) == (1, 2, 3)
    assert [mark[0] for mark in marks(number_line(shown)) if "set" in mark[2]] == ["2", "4", "6"]
    slots = books.load_book("sequence-builder", "three-slots").game
    sums = Shown(slots, (1, 2, 3, 4, 6, 5))
    assert sums.position.outcome is not None
    assert sums.position.outcome.reason == "hand-sum"
    assert deciding_numbers(sums.position) == ()


def test_each_step_of_a_game_is_in_its_drawing() -> None:
    """At any move the marks that are there are the hands at that move, also after a swap."""
    game = books.load_book("sequence-duel-sum", None, ("pie=true",)).game
    shown = Shown(game, (5, SWAP, 3, 2, 9))
    found = marks(number_line(shown))
    for ply, position in enumerate(shown.positions):
        there = [
            look.split()[0]
            for start, until, look in found
            if int(start) <= ply and (not until or ply < int(until))
        ]
        hands = position.hands
        assert (there.count("p1"), there.count("p2")) == (len(hands[0]), len(hands[1]))
    assert [mark[:2] for mark in found if mark[1]] == [("1", "2")]


def test_a_page_lists_the_moves_and_its_script_is_the_only_one_allowed() -> None:
    """The hash in the policy is that of the script; the moves are there without it, too."""
    report = report_on("sequence-duel-arithmetic")
    page = html(documents(report), report)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "<li>Player 1 takes 3</li>" in page
    assert "default-src 'none'" in page


def test_results_and_fairness_come_before_claims() -> None:
    """And claims that are false before those that are true."""
    (document,) = documents(report_on("sequence-duel-arithmetic"))
    assert [section.key for section in document.sections] == [
        "result",
        "fairness",
        "openings",
        "changes",
        "claims",
        "examples",
        "rules",
        "scope",
    ]
    claims = document.sections[4].items
    assert [item.mark for item in claims] == ["refuted"] * 2 + ["proved"] * 4
    assert claims[-1].head == "9 6 3 wins, with a difference of -3."


def test_what_is_the_same_in_several_readings_is_there_once() -> None:
    """Examples, claims, rules and whole sections; what differs has the name of its reading."""
    report = report_on("sequence-duel-sum", all_readings=True)
    side, retry, lose, book = documents(report)
    assert side.sections[0].table is not None
    assert [row[0] for row in side.sections[0].table.rows] == ["retry, lose-turn"]
    assert [section.same_as for section in retry.sections] == [""] * 5
    assert [section.same_as for section in lose.sections] == ["", "retry", "", "", ""]
    claims, examples, rules = (section.items for section in book.sections)
    assert [(item.head, item.readings) for item in examples] == [
        ("Example game", ("lose-turn",)),
        ("Example game", ("retry",)),
        ("Sample interaction", ()),
    ]
    assert [item.readings for item in rules] == [(), ("lose-turn",)]
    assert [item.readings for item in claims] == [(), (), ()]
    assert [line.text.partition(":")[0] for line in claims[-1].lines[:2]] == ["retry", "lose-turn"]


@pytest.mark.slow
def test_an_example_that_is_wrong_in_several_readings_counts_once() -> None:
    """Three examples of sequence-builder are wrong, in each of its three readings."""
    report = report_on("sequence-builder", all_readings=True)
    assert report.summary == (
        "1 claim and 3 examples are false. The book contradicts itself in 1 place."
    )
    assert report_on("magic-fifteen").summary == ("Nothing in the book was found to be false.")


def test_one_length_is_not_a_range() -> None:
    """Random games that all took 20 moves took 20 moves."""
    assert (span(20, 20), span(1, 1), span(5, 9)) == ("20 moves", "1 move", "5 to 9 moves")
    rules = {"pool": "1-20", "ending": [{"measure": "hand-sum", "prefer": "higher"}]}
    shown = text(documents(audit(book_with(rules), seconds=0.1)), 1000)
    assert "The random games took 20 moves." in shown


def test_readings_are_compared() -> None:
    """Who wins and which openings are good, reading by reading, with what each changes."""
    report = report_on("sequence-builder")
    assert [(row.reading, row.result, row.plies, row.good) for row in report.readings] == [
        ("open-hand", "win", 5, tuple("123456789")),
        ("three-slots", "win", 5, tuple("13456789")),
        ("three-slots-in-order", "win", 6, tuple("16789")),
    ]
    shown = text(documents(report))
    assert "three-slots: same winner, but 2 is no longer a good opening." in shown
    assert len(report.audits) == 1


def test_the_pie_rule_of_other_books() -> None:
    """A draw, a win with every opening, a game that is too large, a book that has the rule."""
    magic = text(documents(report_on("magic-fifteen")), 1000)
    assert "would open with any number, and with best play the game is drawn." in magic
    rules = {
        "pool": [3, 5, 9],
        "picks-per-turn": 3,
        "ending": [{"measure": "hand-sum", "prefer": "higher"}],
    }
    whole = text(documents(audit(book_with(rules))), 1000)
    assert "the first player would open with any number, and wins in 3 moves." in whole
    large = pie_finding(subject("sequence-duel-sum", "pool=1-20", "passing=true"))
    assert large is not None
    assert large.result == "unknown"
    own = text(documents(audit(book_with({**rules, "pie": True}))), 1000)
    assert "The pie rule: the book has it already." in own


ENDINGS: list[list[dict[str, str]]] = [
    [],
    [{"measure": "last-pick", "prefer": "lower"}],
    [{"measure": "hand-sum", "prefer": "higher"}],
]


@pytest.mark.parametrize("wins", [{"arithmetic": {"length": 3}}, {"sum-triple": {}}], ids=str)
@pytest.mark.parametrize("ending", ENDINGS, ids=str)
@pytest.mark.parametrize("otherwise", ["draw", "first", "second"])
def test_the_pie_rule_follows_from_the_openings(
    wins: Any, ending: Any, otherwise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the game with the pie rule is too large, this says what solving it would."""
    rules = {"wins": wins, "ending": ending, "otherwise": otherwise}
    small = [book_with({"pool": f"1-{size}", **rules}) for size in (4, 6, 7)]
    solved = [pie_finding(subject_of(book)) for book in small]
    monkeypatch.setattr(Subject, "is_settled", False)
    for book, known in zip(small, solved, strict=True):
        found = pie_finding(subject_of(book))
        assert found is not None
        assert known is not None
        assert (found.result, found.good) == (known.result, known.good)
        lengths = [[item for item in pie.openings if item[1] != "draw"] for pie in (found, known)]
        assert lengths[0] == lengths[1]
        assert found.result == "draw" or found.plies == known.plies


def test_the_pie_rule_on_a_large_pool_is_settled() -> None:
    """The report once said at once that it was not."""
    found = pie_finding(subject("sequence-duel-arithmetic", "pool=1-17"))
    assert found is not None
    assert (found.result, found.plies, len(found.good or ())) == ("loss", 6, 17)


@pytest.mark.slow
@pytest.mark.parametrize("all_readings", [False, True])
@pytest.mark.parametrize(
    ("name", "changes", "audited", "left_out"),
    [
        (
            "sequence-duel-sum",
            ["passing=true", "pool=1-6"],
            ["retry"],
            'lose-turn is left out: passing cannot be combined with invalid = "lose-turn": '
            "an unavailable number would pass, too.",
        ),
        (
            "sequence-builder",
            ["hand-limit=4", "pool=1-7"],
            ["open-hand", "three-slots"],
            "three-slots-in-order is left out: in-order needs a hand-limit equal to the size of "
            "every winning set.",
        ),
    ],
)
def test_a_reading_that_the_changes_do_not_fit_is_left_out(
    name: str, changes: list[str], audited: list[str], left_out: str, all_readings: bool
) -> None:
    """One line says which and why; it never stops the audit of the others."""
    game = ninefold.load(name, changes=changes)
    report = ninefold.audit_game(game, all_readings=all_readings)
    assert [row.reading for row in report.readings] == audited
    assert len(report.audits) == (len(audited) if all_readings else 1)
    assert f"\n  {left_out}\n" in text(documents(report), 1000)
    assert as_data(report)["comparison"][-1] == left_out


def test_a_contradiction_with_a_reading_that_is_left_out_is_not_settled() -> None:
    """There is no such game to compare with."""
    report = report_on("sequence-duel-sum", None, "passing=true", "pool=1-6")
    (found,) = [item for item in report.audits[0].claims if item.kind == "contradiction"]
    assert found.verdict == "not-settled"
    expected = "The reading lose-turn cannot be combined with the changes."
    assert found.evidence[-1].text == expected


def test_several_contradictions_are_counted_as_such() -> None:
    """One is a contradiction, three are contradictions."""
    claim = {"kind": "contradiction", "one": "One.", "two": "Two.", "two-rules": "misere=true"}
    rules = {"pool": "1-5", "wins": {"sum-triple": {}}}
    for count, said in ((1, "Claims: 1 contradiction."), (3, "Claims: 3 contradictions.")):
        claims = [{**claim, "says": f"Number {at}"} for at in range(count)]
        assert said in text(documents(audit(book_with(rules, claims=claims))), 1000)


def test_a_match_goes_as_the_program_plays_it() -> None:
    """The loser starts the next game, so where the second player wins, one wins them all."""
    capture = text(documents(report_on("sequence-capture")), 1000)
    assert (
        "whoever starts wins; as the loser starts the next game, a race to 3 wins goes to "
        "whoever starts in the first game, 3 to 2." in capture
    )
    rules = {"pool": "1-4", "ending": [{"measure": "last-pick", "prefer": "higher"}]}
    last = text(documents(audit(book_with(rules))), 1000)
    assert (
        "whoever does not start wins; as the loser starts the next game, a race to 3 wins goes to "
        "whoever does not start in the first game, 3 to 0." in last
    )
    magic = text(documents(report_on("magic-fifteen")), 1000)
    assert "every game is drawn, whoever starts." in magic


def test_level_chances_are_told_as_level() -> None:
    """Nobody is 0.0 percentage points behind, and no opening is fair that wins every game."""
    rules = {"pool": "1-4", "ending": [{"measure": "hand-sum", "prefer": "higher"}]}
    assert "whoever starts is as well off as the other one." in text(
        documents(audit(book_with(rules))), 1000
    )
    last = {"pool": "1-4", "ending": [{"measure": "last-pick", "prefer": "higher"}]}
    assert "most even opening" not in text(documents(audit(book_with(last))), 1000)


@pytest.mark.parametrize("width", [40, 79])
def test_text_keeps_to_its_width(width: int) -> None:
    """In every reading of a book with much to say."""
    shown = text(documents(report_on("sequence-builder")), width)
    assert max(map(len, shown.splitlines())) <= width


def test_markdown_and_html_hold_no_markup_of_a_book() -> None:
    """A stranger's title, claim, reason and example stay text."""
    evil = '<script>alert(1)</script> [x](javascript:y) `z` **b** &amp; "q"'
    book = read_book(
        {
            "id": "own",
            "title": evil,
            "summary": evil,
            "default-reading": "r",
            "readings": {"r": {"summary": evil}},
            "rules": {"pool": "1-5", "wins": {"consecutive": {"length": 2}}},
            "claims": [
                {"kind": "no-draws", "says": evil, "because": evil},
                {"kind": "no-draws", "says": evil, "because": {"kind": "any-split", "says": evil}},
            ],
            "examples": [{"name": evil, "moves": "1 3 2"}],
        }
    )
    report = audit(book)
    page = html(documents(report), report)
    assert page.count("<script") == 1  # the one of the page itself
    assert page.count("&lt;script&gt;") >= 6
    written = markdown(documents(report))
    assert "<script" not in written.replace("\\<", "")
    assert "\\[x\\](javascript" in written


def test_without_compiled_loops_a_report_says_how_to_get_exact_figures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On 13 numbers and more figures are estimates, but who wins is not."""
    for module in (layers, document):
        monkeypatch.setattr(module, "COMPILED", False)
    report = audit(books.load_book("sequence-duel-arithmetic", None, ("pool=1-13",)))
    (found,) = report.audits
    assert not found.figures.exact
    assert found.value == ("win", 5)
    assert found.best_play is not None
    assert found.best_play.set_in == 5
    extra = "Install the extra fast for exact figures: pip install 'ninefold[fast]'."
    assert extra in markdown(documents(report)).replace("\\", "")


@TOGETHER
def test_an_audit_is_summed_up_in_a_few_sentences() -> None:
    """Who wins, how fair it is, draws, the pie rule, dead rules, and what is false."""
    best, openings, chances, drawn, pie, dead, false = audited("sequence-builder").summary()
    how = "by a set, arithmetic (length 3) or geometric (length 3)"
    assert best == f"Best play: the first player wins in 5 moves, {how}."
    assert openings == "All openings win."
    assert chances.startswith("Two random players: the first player wins 67.7%, the second 32.3%")
    assert drawn == "No game can be drawn."
    assert pie.startswith("With the pie rule, whatever the first player opens with, the second")
    assert dead == "Dead rules: hand-sum (higher wins) and last-pick (lower wins)."
    assert false.startswith('False: "Each rule has its use')
    assert audited("magic-fifteen").summary()[-2:] == [
        "Every rule can matter.",
        "Nothing in the book was found to be false.",
    ]
