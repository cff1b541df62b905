"""What the auditor says of the books: every claim, every example, each rule."""

from typing import Any

import pytest

from ninefold import books
from ninefold.audit import Audit, audit
from ninefold.audit.claims import claim_findings
from ninefold.audit.document import documents
from ninefold.audit.drawing import number_line
from ninefold.audit.examples import replay
from ninefold.audit.figures import Chances
from ninefold.audit.finding import RuleFinding, Shown
from ninefold.audit.html import html
from ninefold.audit.markdown import markdown
from ninefold.audit.report import pie_finding
from ninefold.audit.statements import judge_statement
from ninefold.audit.subject import Subject
from ninefold.audit.text import text
from ninefold.audit.words import outcome_words
from ninefold.books import Book, read_book
from ninefold.books.claims import KINDS
from ninefold.core.position import Position


def audited(name: str, reading: str | None = None, *changes: str) -> Audit:
    """The audit of a book in one reading."""
    return audit(books.load(name, reading, changes)).audits[0]


def subject(name: str, *changes: str) -> Subject:
    """A book under audit."""
    book = books.load(name, None, changes)
    return Subject(book.game, lambda _: None, 1, 1.0, book)


def book_with(rules: dict[str, Any], **fields: Any) -> Book:
    """A stranger's book."""
    return read_book({"id": "own", "title": "Own", "summary": "Own.", "rules": rules, **fields})


VERDICTS = {
    ("sequence-duel-arithmetic", None): {
        "2 4 6 wins, with a difference of 2.": "proved",
        "9 6 3 wins, with a difference of -3.": "proved",
        "5 5 5 wins, with a difference of zero.": "refuted",
        "A draw is impossible.": "proved",
        "Each rule has its use: a game can be lost by picking last.": "refuted",
        "A skilled player consistently outperforms an unskilled one.": "proved",
    },
    ("sequence-capture", None): {
        "2 3 4 5 wins.": "proved",
        "There are no draws.": "proved",
        "Middle numbers, such as 5 and 6, are good openings.": "other-reason",
    },
    ("sequence-duel-sum", None): {
        "There are no draws.": "other-reason",
        "A difference may be negative.": "refuted",
    },
    ("sequence-builder", "open-hand"): {
        "2 4 6 wins, as an arithmetic progression.": "proved",
        "2 4 8 wins, as a geometric progression.": "proved",
        "There are no draws.": "proved",
        "Each rule has its use: the sums, too, can decide a game.": "refuted",
    },
    ("sequence-builder", "three-slots"): {
        "2 4 6 wins, as an arithmetic progression.": "proved",
        "2 4 8 wins, as a geometric progression.": "proved",
        "There are no draws.": "proved",
        "Each rule has its use: the sums, too, can decide a game.": "other-reason",
        "A sequence holds at most three numbers.": "proved",
    },
    ("pattern-builder", None): {
        "2 4 6 wins, as an arithmetic sequence.": "proved",
        "2 4 8 wins, as a geometric sequence.": "proved",
        "There are no draws.": "other-reason",
        "A player collects at most five numbers.": "proved",
        "Skill counts for more than chance.": "proved",
    },
    ("magic-fifteen", None): {"A game can be drawn.": "proved"},
}


@pytest.mark.parametrize(("name", "reading"), VERDICTS)
def test_every_claim_has_its_verdict(name: str, reading: str | None) -> None:
    """All the claims of the books, and no others."""
    found = {claim.says: claim.verdict for claim in audited(name, reading).claims}
    assert found == VERDICTS[name, reading]


@pytest.mark.parametrize(
    ("name", "hand_or_draw"),
    [
        ("sequence-duel-sum", "1 3 2 5 4 6 8 7"),
        ("pattern-builder", "3 1 4 2 7 5 8 6"),
    ],
)
def test_a_reason_that_proves_nothing_is_answered_with_a_counterexample(
    name: str, hand_or_draw: str
) -> None:
    """The same could be said of 1 to 8, and there is a draw, which the judge confirms."""
    claim = next(item for item in audited(name).claims if item.kind == "no-draws")
    assert claim.reason is not None
    assert claim.reason.holds is False
    shown = claim.reason.evidence[-1].shown
    assert shown is not None
    assert shown.line == hand_or_draw
    assert shown.game.pool == tuple(range(1, 9))
    assert shown.position.outcome == (None, "draw", ())
    assert "1 to 8" in claim.reason.evidence[-1].text


def test_no_draws_bears_out_a_theorem() -> None:
    """The count, and the theorem it bears out."""
    claim = next(
        item for item in audited("sequence-duel-arithmetic").claims if item.kind == "no-draws"
    )
    assert [evidence.text for evidence in claim.evidence] == [
        "None of 1,341 final positions is a draw.",
        "In all 512 ways to split 1 to 9 into two parts, one part holds a set. "
        "This bears out van der Waerden's theorem, W(3;2) = 9.",
    ]


FALSE_EXAMPLES = {
    ("sequence-duel-arithmetic", "default"): {
        "Example 2": ("move", "2 5 4 7 6", "Player 1 wins with 2 4 6 (arithmetic)")
    },
    ("sequence-capture", "default"): {},
    ("sequence-duel-sum", "retry"): {},
    ("sequence-duel-sum", "lose-turn"): {
        "Example game": ("choice", "5 3 2 7", "choosing 7 loses the turn")
    },
    **{
        ("sequence-builder", reading): {
            "Scenario 2": ("move", "1 2 4 5 7", "Player 1 wins with 1 4 7 (arithmetic)"),
            "Scenario 3": ("statement", "2 4", "2 belongs to Player 1"),
            "Sample interaction": ("result", "3 6 9 2 5", "7 is not among 3 9 5"),
        }
        for reading in ("open-hand", "three-slots", "three-slots-in-order")
    },
    ("pattern-builder", "automatic"): {},
    ("pattern-builder", "declare"): {},
    ("magic-fifteen", "default"): {},
}


@pytest.mark.parametrize(("name", "reading"), FALSE_EXAMPLES)
def test_every_false_example_is_found_and_no_other(name: str, reading: str) -> None:
    """Where it goes wrong first, after which moves, and the truth at that point."""
    book = books.load(name, reading)
    found = [replay(book, told) for told in book.examples]
    wrong = {item.name: item for item in found if not item.right}
    expected = FALSE_EXAMPLES[name, reading]
    assert set(wrong) == set(expected)
    for title, (kind, line, truth) in expected.items():
        assert (wrong[title].wrong, wrong[title].shown.line) == (kind, line)
        assert truth in wrong[title].truth


def test_every_reading_of_every_book_was_looked_at() -> None:
    """No reading is left out above."""
    named = {(name, reading) for name in books.names() for reading in books.load(name).readings}
    assert set(FALSE_EXAMPLES) == named


DEAD = {
    "sequence-duel-arithmetic": ["last-pick (lower wins)"],
    "sequence-capture": [],
    "sequence-duel-sum": [],
    "sequence-builder": ["hand-sum (higher wins)", "last-pick (lower wins)"],
    "pattern-builder": [],
    "magic-fifteen": [],
}


@pytest.mark.parametrize("name", DEAD)
def test_every_dead_rule_is_found_and_no_other(name: str) -> None:
    """In the default readings; with three slots the sums and the last pick come alive."""
    assert [rule.name for rule in audited(name).rules if rule.alive is False] == DEAD[name]


def test_rules_come_alive_in_other_readings_and_on_other_pools() -> None:
    """The same rules decide games with three slots, or on 1 to 8."""
    for changed in (
        audited("sequence-builder", "three-slots"),
        audited("sequence-duel-arithmetic", None, "pool=1-8"),
    ):
        assert all(rule.alive for rule in changed.rules)


def test_a_limit_is_dead_if_the_game_is_the_same_without_it() -> None:
    """A hand limit of five on nine numbers limits nothing, one of three does."""
    for limit, alive in ((5, False), (3, True)):
        found = audited("sequence-duel-arithmetic", None, f"hand-limit={limit}")
        (rule,) = [rule for rule in found.rules if rule.kind == "limit"]
        assert (rule.name, rule.alive) == (f"hand-limit {limit}", alive)


def test_a_pattern_without_a_set_is_dead() -> None:
    """No three of these numbers are in geometric progression."""
    found = audited("pattern-builder", None, "pool=[1, 2, 3, 5, 8, 10]")
    assert [(rule.name, rule.alive) for rule in found.rules if rule.kind == "pattern"] == [
        ("arithmetic (length 3)", True),
        ("geometric (length 3)", False),
    ]


def rules_of(rules: dict[str, Any]) -> dict[str, RuleFinding]:
    """What became of the rules of a stranger's book, by name."""
    return {rule.name: rule for rule in audit(book_with(rules)).audits[0].rules}


def test_a_rule_for_what_is_left_open_is_dead_if_nothing_is() -> None:
    """Every final position was counted, so that is settled."""
    last = [{"measure": "last-pick", "prefer": "lower"}]
    for ending, alive in ((last, False), ([], True)):
        found = rules_of({"pool": "1-9", "ending": ending, "otherwise": "second"})
        assert found["otherwise second"].alive is alive


def test_a_pattern_that_never_decides_alone_is_dead() -> None:
    """Three neighbours are an arithmetic progression anyway; four numbers of it are not all."""
    wins = {"consecutive": {"length": 3}, "arithmetic": {"length": 3}}
    found = rules_of({"pool": "1-6", "wins": wins})
    assert found["consecutive (length 3)"].alive is False
    assert found["consecutive (length 3)"].finals
    assert found["consecutive (length 3)"].text.endswith(
        "Whenever it decides, another pattern does too."
    )
    assert found["arithmetic (length 3)"].alive is True


def test_a_limit_is_shown_by_the_moves_it_is_about() -> None:
    """What is possible only with it is in the game; what it forbids is named."""
    wins = {"consecutive": {"length": 3}}
    pie = rules_of({"pool": "1-5", "wins": wins, "pie": True})["pie"]
    assert pie.text.startswith("after 1, swapping is possible only with it; ")
    assert pie.shown is not None
    assert pie.shown.line == "1 swap"
    opening = rules_of({"pool": "1-5", "wins": wins, "opening": [1, 2]})["opening 1 2"]
    assert opening.text.startswith("at the start, 3, 4 and 5 are possible only without it; ")


def test_a_pattern_goes_by_the_name_the_book_gives_it() -> None:
    """In its finding, and where a game is told."""
    wins = {
        "fives": {"family": "sum", "count": 3, "multiple-of": 5},
        "pairs": {"family": "sets", "sets": [[1, 2], [3, 4]]},
    }
    found = rules_of({"pool": "1-6", "wins": wins})
    names = ["fives (sum, count 3, multiple-of 5)", "pairs (2 sets listed)"]
    assert [name for name in found if found[name].kind == "pattern"] == names
    shown = found[names[1]].shown
    assert shown is not None
    assert outcome_words(shown.position) == "Player 1 wins with 1 2 (pairs)"


def test_the_set_that_decides_is_outlined_alone() -> None:
    """The last number completes 2 3 4 and 3 4 5; the words name the first, and so does the line."""
    game = books.load("sequence-duel-arithmetic").game
    drawn = number_line(Shown(game, (2, 1, 3, 9, 5, 8, 4)))
    assert drawn.count('class="p1 set"') == 3


def test_an_ending_that_may_not_decide_is_reported() -> None:
    """Equal sums are left open without the second link."""
    change = 'ending=[{measure="hand-sum", prefer="higher"}]'
    found = audited("sequence-builder", "three-slots", change)
    (rule,) = [rule for rule in found.rules if rule.kind == "outcome"]
    assert rule.name == "draw"
    assert rule.text.startswith(
        "the ending may not decide: 52 of 1,580 final positions are drawn, "
    )


def test_in_misere_the_set_of_an_example_is_the_losers() -> None:
    """Whoever completes it has lost."""
    told = {"name": "A", "moves": "4 8 7 2 1", "says": {"winner": 2, "set": [1, 4, 7]}}
    rules = {"pool": "1-8", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].right
    told["says"] = {"winner": 2, "set": [2, 4, 6]}
    (found,) = audit(books.read_book({"rules": rules, "examples": [told]}, stem="own")).audits
    assert found.examples[0].told == "Player 1 forms 2 4 6"
    assert found.examples[0].truth.startswith("2 is not among 4 7 1; Player 2 wins")


def test_in_misere_a_set_is_compared_with_those_that_decide() -> None:
    """The last number taken need not be the largest of the set."""
    rules = {"pool": "1-6", "misere": True, "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 4 2 6 3", "says": {"winner": 2, "set": [1, 2, 3]}}
    book = book_with(rules, examples=[told])
    assert replay(book, book.examples[0]).right


def test_a_set_that_nobody_forms_is_nobodys() -> None:
    """There is no Player 0 who could have formed it."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    told = {"name": "A", "moves": "1 2 3", "says": {"winner": 0, "set": [1, 3]}}
    book = book_with(rules, examples=[told])
    found = replay(book, book.examples[0])
    assert (found.told, found.truth) == ("1 3 decides", "nobody has won yet.")


@pytest.mark.parametrize(
    ("reason", "right"), [("evens", True), ("kind", True), ("odds", False), ("sum", False)]
)
def test_a_pattern_may_be_called_what_the_book_calls_it(reason: str, right: bool) -> None:
    """Or by its family."""
    kinds = [("evens", "even"), ("odds", "odd")]
    wins = {name: {"family": "kind", "kind": kind, "count": 3} for name, kind in kinds}
    told = {"name": "A", "moves": "2 1 4 3 6", "says": {"winner": 1, "reason": reason}}
    book = book_with({"pool": "1-9", "wins": wins}, examples=[told])
    assert replay(book, book.examples[0]).right is right


def test_hands_that_cannot_come_about_are_seen_at_once() -> None:
    """Without trying the 3,628,800 orders of ten numbers: only ten can be the first."""
    rules = {"pool": "1-10", "wins": {"arithmetic": {"length": 9}}}
    told = {"name": "A", "hands": [list(range(1, 11)), []]}
    book = book_with(rules, examples=[told])
    played: list[Any] = []
    play = Position.play

    def counted(position: Position, move: Any) -> Position:
        played.append(move)
        return play(position, move)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Position, "play", counted)
        assert replay(book, book.examples[0]).wrong == "move"
    assert len(played) < 20


STATEMENTS: list[tuple[str, tuple[str, ...], dict[str, Any], bool | None]] = [
    ("magic-fifteen", (), {"kind": "no-draws"}, False),
    ("magic-fifteen", (), {"kind": "draws-happen"}, True),
    ("magic-fifteen", (), {"kind": "nobody-wins-by-force"}, True),
    ("magic-fifteen", (), {"kind": "first-player-wins"}, False),
    ("magic-fifteen", (), {"kind": "first-player-does-not-win"}, True),
    ("sequence-capture", (), {"kind": "first-player-wins"}, True),
    ("sequence-capture", (), {"kind": "second-player-wins"}, False),
    ("sequence-capture", (), {"kind": "second-player-does-not-win"}, True),
    ("sequence-capture", (), {"kind": "every-rule-can-happen"}, True),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [4, 3, 2, 5]}, True),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [2, 3, 4]}, False),
    ("sequence-capture", (), {"kind": "set-can-happen", "set": [8, 9, 10, 11]}, False),
    ("magic-fifteen", (), {"kind": "skill-beats-luck"}, True),
    ("magic-fifteen", (), {"kind": "skill-beats-luck", "at-least": 99}, False),
    ("magic-fifteen", (), {"kind": "equal-chances"}, False),
    ("magic-fifteen", (), {"kind": "equal-chances", "within": 30}, True),
    ("magic-fifteen", (), {"kind": "at-most-moves", "moves": 9}, True),
    ("magic-fifteen", (), {"kind": "at-most-moves", "moves": 8}, False),
    ("magic-fifteen", (), {"kind": "at-least-moves", "moves": 5}, True),
    ("magic-fifteen", (), {"kind": "at-least-moves", "moves": 6}, False),
    ("magic-fifteen", (), {"kind": "at-most-numbers", "numbers": 4}, False),
    ("magic-fifteen", (), {"kind": "passing-never-helps"}, True),
    ("sequence-duel-sum", ("misere=true",), {"kind": "passing-never-helps"}, False),
    ("sequence-capture", (), {"kind": "good-openings", "openings": [9]}, False),
    ("sequence-capture", (), {"kind": "best-openings", "openings": [1, 2, 3, 4, 5, 6, 7, 8]}, True),
    ("sequence-capture", (), {"kind": "best-openings", "openings": [5, 6]}, False),
    ("magic-fifteen", (), {"kind": "sets-decide"}, False),
    ("sequence-duel-sum", (), {"kind": "sets-decide"}, True),
    ("sequence-duel-sum", (), {"kind": "every-number-counts"}, True),
    ("sequence-duel-sum", ("pool=[1, 2, 3, 9]",), {"kind": "every-number-counts"}, False),
    ("sequence-duel-sum", (), {"kind": "any-split"}, True),
    ("sequence-duel-sum", ("pool=1-8",), {"kind": "any-split"}, False),
    ("sequence-duel-sum", (), {"kind": "any-hand", "numbers": 6}, True),
    ("sequence-duel-sum", (), {"kind": "any-hand", "numbers": 4}, False),
    ("sequence-capture", (), {"kind": "ending-decides"}, True),
    ("sequence-duel-sum", (), {"kind": "ending-decides"}, False),
    ("sequence-capture", (), {"kind": "in-most-sets", "numbers": [5, 6]}, True),
    ("sequence-capture", (), {"kind": "in-most-sets", "numbers": [3]}, False),
    ("sequence-duel-arithmetic", (), {"kind": "example", "name": "Example 1"}, True),
    ("sequence-duel-arithmetic", (), {"kind": "example", "name": "Example 2"}, False),
    # Too large to count: what a search or every split settles is settled, nothing else.
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "no-draws"}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "skill-beats-luck"}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "equal-chances"}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 29}, None),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 30}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-moves", "moves": 5}, False),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "at-most-numbers", "numbers": 15}, True),
    ("sequence-duel-arithmetic", ("pool=1-30",), {"kind": "passing-never-helps"}, None),
    ("sequence-capture", ("pool=1-40",), {"kind": "no-draws"}, None),
    ("magic-fifteen", ("pool=1-40",), {"kind": "no-draws"}, False),
    # Hardly ever drawn by chance, but a split without a set is found.
    ("sequence-capture", ("pool=1-40", "ending=[]"), {"kind": "no-draws"}, False),
]


@pytest.mark.parametrize(("name", "changes", "statement", "holds"), STATEMENTS, ids=str)
def test_statements(
    name: str, changes: tuple[str, ...], statement: dict[str, Any], holds: bool | None
) -> None:
    """Each kind of statement comes out true and false, and not settled where that is so."""
    found = judge_statement(subject(name, *changes), statement)
    assert found.holds is holds
    assert found.evidence


def test_every_kind_of_statement_was_tried() -> None:
    """None is left out above."""
    assert {item[2]["kind"] for item in STATEMENTS} == set(KINDS)


def test_an_estimate_proves_nothing() -> None:
    """Not even that a perfect player, who won all games of a sample, beats a random one."""
    known = subject("magic-fifteen")
    perfect = Chances(1.0, 0.0, 0.0, 5.0, trials=4_000), Chances(0.0, 1.0, 0.0, 6.0, trials=4_000)
    vars(known)["figures"] = known.figures._replace(perfect=perfect)
    found = judge_statement(known, {"kind": "skill-beats-luck"})
    assert found.holds is None
    assert "estimate, 95% interval 99.9 to 100.0" in found.evidence[0].text


def test_what_a_search_cannot_settle_in_time_is_not_settled() -> None:
    """With no time at all nobody wins by force, as far as is known."""
    book = books.load("sequence-capture", None, ("pool=1-40", "wins.consecutive.length=5"))
    hurried = Subject(book.game, lambda _: None, 1, 0.0, book)
    for kind in ("first-player-wins", "nobody-wins-by-force", "first-player-does-not-win"):
        assert judge_statement(hurried, {"kind": kind}).holds is None
    assert judge_statement(hurried, {"kind": "good-openings", "openings": [5]}).holds is None


def test_a_reason_can_be_any_statement() -> None:
    """It is tested by itself; a false one does not carry a true claim."""
    rules = {"pool": "1-9", "wins": {"sum": {"count": 3, "equals": 15}}}
    claims = [
        {"kind": "draws-happen", "because": {"kind": "nobody-wins-by-force"}},
        {"kind": "draws-happen", "because": {"kind": "first-player-wins"}},
        {"kind": "draws-happen", "because": "It was always so."},
        {"kind": "no-draws", "because": {"kind": "any-pool"}},
    ]
    book = book_with(rules, claims=claims)
    found = claim_findings(Subject(book.game, lambda _: None, 1, 1.0, book))
    verdicts = [claim.verdict for claim in found]
    assert verdicts == ["proved", "other-reason", "proved", "refuted"]
    assert found[2].reason is None


NINE = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}


@pytest.mark.parametrize(
    ("claim", "because", "verdict"),
    [
        ({"kind": "no-draws"}, {"kind": "at-most-moves", "moves": 9}, "other-reason"),
        ({"kind": "no-draws"}, {"kind": "any-split"}, "proved"),
        ({"kind": "no-draws"}, {"kind": "sets-decide"}, "proved"),
        ({"kind": "no-draws"}, {"kind": "any-hand", "numbers": 6}, "other-reason"),
        (
            {"kind": "at-most-moves", "moves": 9},
            {"kind": "at-most-moves", "moves": 10},
            "other-reason",
        ),
        ({"kind": "at-most-moves", "moves": 9}, {"kind": "at-most-moves", "moves": 9}, "proved"),
        (
            {"kind": "at-most-moves", "moves": 9},
            {"kind": "at-most-numbers", "numbers": 5},
            "other-reason",
        ),
        (
            {"kind": "at-most-moves", "moves": 10},
            {"kind": "at-most-numbers", "numbers": 5},
            "proved",
        ),
        ({"kind": "example", "name": "x"}, {"kind": "any-pool"}, "other-reason"),
    ],
    ids=str,
)
def test_a_claim_must_follow_from_its_reason(
    claim: dict[str, Any], because: dict[str, Any], verdict: str
) -> None:
    """A reason that is true and proves nothing does not carry a true claim."""
    claims = [{**claim, "because": because}]
    book = book_with(NINE, claims=claims, examples=[{"name": "x", "moves": "5"}])
    (found,) = claim_findings(Subject(book.game, lambda _: None, 1, 1.0, book))
    assert found.verdict == verdict
    assert found.reason is not None
    told = [evidence.text for evidence in found.reason.evidence]
    assert ("The claim does not follow from it." in told) == (verdict == "other-reason")


@pytest.mark.parametrize(
    ("rules", "statement", "holds", "text"),
    [
        (
            {"pool": "1-17", "wins": {"sets": {"sets": [[1, n] for n in range(2, 18)]}}},
            {"kind": "any-split"},
            False,
            "Not in every split: 1 and 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17.",
        ),
        (
            {"pool": "1-17", "wins": {"sets": {"sets": [[1, n] for n in range(2, 18)]}}},
            {"kind": "no-draws"},
            True,
            "Every split of the pool into halves has a set in one.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": 100}}},
            {"kind": "every-number-counts"},
            False,
            "In no winning set, and in no hand that wins: -3 -2 -1 0 1 2 3.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": -3}}},
            {"kind": "every-number-counts"},
            True,
            "Each belongs to a winning set, or to a hand that wins as a whole.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": -5}}},
            {"kind": "set-can-happen", "negative": True},
            True,
            "-3 -2 decides this game.",
        ),
        (
            {"pool": "-3-3", "wins": {"sum": {"whole-hand": True, "equals": 100}}},
            {"kind": "set-can-happen", "negative": True},
            False,
            "No winning set that a hand has room for has a negative number.",
        ),
        (
            {"pool": "1-5", "hand-limit": 2, "wins": {"arithmetic": {"length": 3}}},
            {"kind": "set-can-happen", "set": [1, 2, 3]},
            False,
            "A hand has at most 2 numbers.",
        ),
        (
            {"pool": "1-3", "wins": {"arithmetic": {"length": 3}}},
            {"kind": "set-can-happen", "set": [1, 2, 3]},
            False,
            "From none of 10 positions can 1 2 3 decide the game.",
        ),
    ],
    ids=str,
)
def test_statements_about_sets(
    rules: dict[str, Any], statement: dict[str, Any], holds: bool | None, text: str
) -> None:
    """All splits, all hands, and not only the likely ones."""
    book = book_with(rules)
    found = judge_statement(Subject(book.game, lambda _: None, 1, 1.0, book), statement)
    assert found.holds is holds
    assert found.evidence[0].text == text


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"moves": "5 5"}, "move"),
        ({"moves": "5 99"}, "move"),
        ({"moves": "2 1 4 3 6 5"}, "move"),
        ({"moves": "5 declare:1:2:3"}, "move"),
        ({"moves": "5", "attempts": [{"after": 1, "number": 6}]}, "choice"),
        ({"moves": "5", "attempts": [{"after": 1, "number": 5}]}, None),
        ({"moves": "5", "statements": [{"after": 1, "turn": 1}]}, "statement"),
        ({"moves": "2 1 4 3 6", "statements": [{"after": 5, "turn": 1}]}, "statement"),
        ({"moves": "2 1 4 3 6", "statements": [{"after": 5, "turn": 2}]}, "statement"),
        ({"moves": "2 1 4 3 6", "attempts": [{"after": 5, "number": 1}]}, "choice"),
        ({"moves": "5", "statements": [{"after": 1, "player": 1, "hand": [6]}]}, "statement"),
        ({"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "threats": [3, 6, 9]}]}, None),
        (
            {"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "threats": [9]}]},
            "statement",
        ),
        (
            {"moves": "5 1 7", "statements": [{"after": 3, "player": 1, "set": [5, 7, 9]}]},
            "statement",
        ),
        (
            {"moves": "2 1 4 3 6", "statements": [{"after": 5, "player": 1, "no-set": True}]},
            "statement",
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 6, "could-form": [2, 4, 6]}],
            },
            None,
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 1, "could-form": [1, 2, 4]}],
            },
            "statement",
        ),
        (
            {
                "moves": "2 1 4",
                "statements": [{"after": 3, "player": 1, "with": 5, "could-form": [2, 4, 5]}],
            },
            "statement",
        ),
        ({"moves": "2 1 4", "statements": [{"after": 3, "available": [3, 5, 6, 7, 8, 9]}]}, None),
        ({"moves": "2 1 4", "says": {"winner": 1}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 0}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "reason": "geometric"}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "sums": [12, 4]}}, None),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "sums": [12, 5]}}, "result"),
        ({"moves": "2 1 4 3 6", "says": {"winner": 1, "pool-empty": True}}, "result"),
        ({"moves": "2 1 4 3 6", "first": 2, "says": {"winner": 2, "set": [2, 4, 6]}}, None),
        ({"hands": [[6, 2, 4], [1, 3]], "says": {"winner": 1, "set": [2, 4, 6]}}, None),
        ({"hands": [[2, 4], [1, 3, 5, 7]]}, "move"),
        ({"hands": [[2, 4], [2, 3]]}, "move"),
        # Only one order does not end the game too early: 5 comes last.
        ({"hands": [[1, 5, 9], [2, 8]], "says": {"winner": 1, "set": [1, 5, 9]}}, None),
    ],
    ids=str,
)
def test_examples_are_replayed_by_the_judge(told: dict[str, Any], wrong: str | None) -> None:
    """Whatever an example can tell, right or wrong."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    book = book_with(rules, examples=[{"name": "One", **told}])
    found = replay(book, book.examples[0])
    assert found.wrong == wrong
    assert found.right == (wrong is None)
    assert bool(found.told) == (wrong is not None)


def test_readings_are_compared() -> None:
    """Who wins and which openings are good, reading by reading, with what each changes."""
    report = audit(books.load("sequence-builder"))
    assert [(row.reading, row.result, row.plies, row.good) for row in report.readings] == [
        ("open-hand", "win", 5, tuple("123456789")),
        ("three-slots", "win", 5, tuple("13456789")),
        ("three-slots-in-order", "win", 6, tuple("16789")),
    ]
    shown = text(documents(report))
    assert "three-slots does not change who wins, but the good openings: 2 no longer." in shown
    assert len(report.audits) == 1


def test_the_pie_rule() -> None:
    """What best play comes to with it, by solving the game with it; not by a guess."""
    capture = text(documents(audit(books.load("sequence-capture"))), 1000)
    assert "The pie rule: whatever the first player opened with, the second player wins" in capture
    magic = text(documents(audit(books.load("magic-fifteen"))), 1000)
    assert "would open with any opening, and best play is a draw." in magic
    rules = {
        "pool": [3, 5, 9],
        "picks-per-turn": 3,
        "ending": [{"measure": "hand-sum", "prefer": "higher"}],
    }
    whole = text(documents(audit(book_with(rules))), 1000)
    assert "The pie rule: the first player would open with any opening, and the first " in whole
    large = pie_finding(subject("sequence-duel-sum", "pool=1-20"))
    assert large is not None
    assert large.result == "unknown"
    own = text(documents(audit(book_with({**rules, "pie": True}))), 1000)
    assert "The pie rule: the book has it already." in own


def test_a_match_goes_as_the_program_plays_it() -> None:
    """The loser starts the next game, so where the second player wins, one wins them all."""
    capture = text(documents(audit(books.load("sequence-capture"))), 1000)
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
    magic = text(documents(audit(books.load("magic-fifteen"))), 1000)
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
    shown = text(documents(audit(books.load("sequence-builder"))), width)
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
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 6
    written = markdown(documents(report))
    assert "<script" not in written.replace("\\<", "")
    assert "\\[x\\](javascript" in written
