"""How long an audit may take: whatever is not reached is not settled."""

import signal
import threading
from contextlib import ExitStack
from typing import Any

import pytest

from ninefold.audit import audit
from ninefold.audit.clock import Clock, OutOfTime
from ninefold.audit.pages.document import documents
from ninefold.audit.subject import Subject
from ninefold.books import Book, read_book
from ninefold.pages.text import text
from ninefold.solver import OutOfBudget

KINDS = ("no-draws", "first-player-wins", "skill-beats-luck", "every-rule-can-happen")


def large_book(claims: int) -> Book:
    """Sixteen numbers that may be passed, and many claims."""
    claimed = [{"kind": kind, "because": {"kind": "any-pool"}} for kind in KINDS] * claims
    rules = {"pool": "1-16", "passing": True, "wins": {"sum-triple": {}}}
    return read_book({"id": "own", "rules": rules, "claims": claimed})


def work_and_ask(clock: Clock) -> None:
    """Work without end that asks for the time, as all long work of an audit does."""
    while True:
        clock.check()


def test_without_time_nothing_is_settled_and_nothing_false() -> None:
    """However many claims there are, the report is complete: everything is in it, open."""
    report = audit(large_book(25), seconds=0.0)
    (found,) = report.audits
    assert [claim.verdict for claim in found.claims] == ["not-settled"] * 100
    assert found.claims[0].evidence[0].text == "There was no time left for this."
    assert found.value.result == "unknown"
    assert {opening.result for opening in found.openings} == {"unknown"}
    assert {rule.can_matter for rule in found.rules if rule.kind != "outcome"} <= {None, True}
    assert found.pie is not None
    assert found.pie.result == "unknown"
    assert found.figures.random.trials == 200
    assert not report.is_false


def test_one_clock_is_for_all_readings() -> None:
    """With no time left each of them is there, and none is settled."""
    data: dict[str, Any] = {"id": "own", "rules": {"pool": "1-12", "wins": {"sum-triple": {}}}}
    data["readings"] = {"default": {}, "misere": {"rules": {"misere": True}}}
    report = audit(
        read_book(data), all_readings=True, load=lambda name: read_book(data, name), seconds=0.0
    )
    assert [row.result for row in report.readings] == ["unknown", "unknown"]
    assert [item.value.result for item in report.audits] == ["unknown", "unknown"]


def test_a_share_of_the_time_ends_before_the_time_does() -> None:
    """What is limited stops when it asks; afterwards the rest of the time is there again."""
    clock = Clock(3600)
    with pytest.raises(OutOfTime), clock.limit(share=1e-6):
        work_and_ask(clock)
    assert not clock.late
    with clock.limit():
        clock.check()


def test_a_limit_inside_a_limit_never_gives_more_time() -> None:
    """The outer one holds, whatever the inner one allows."""
    clock = Clock(3600)
    with pytest.raises(OutOfTime), clock.limit(share=1e-6), clock.limit():
        work_and_ask(clock)
    with pytest.raises(OutOfTime), Clock(0.0).limit():
        raise AssertionError("there is no time to begin with this")


def test_no_signal_is_used() -> None:
    """A program that audits may use the alarm for itself: it is never touched."""
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    with Clock(3600).limit(share=0.5):
        assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before


@pytest.mark.parametrize(
    "special",
    [{}, {"passing": True}, {"declare": True}, {"hand-limit": 3, "in-order": True}],
    ids=str,
)
def test_every_long_computation_asks_for_the_time(special: dict[str, Any]) -> None:
    """Tables and graphs are stopped at their first question, after they have begun."""
    rules = {"pool": "1-12", "wins": {"arithmetic": {"length": 3}}, **special}
    game = read_book({"id": "own", "rules": rules}).game
    clock, begun = Clock(3600), ExitStack()
    subject = Subject(game, lambda _: begun.enter_context(clock.limit(0.0)), 1, 1.0, None, clock)
    with begun, pytest.raises(OutOfTime):
        _ = subject.figures


def test_in_another_thread_an_audit_stops_as_well() -> None:
    """It asks for the time there, too."""
    found = list[str]()

    def run() -> None:
        found.append(audit(large_book(1), seconds=0.0).audits[0].value.result)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == ["unknown"]


def test_a_variant_without_time_is_no_answer() -> None:
    """Its figures would be a guess, and what is compared with it would be one too."""
    book = large_book(1)
    subject = Subject(book.game, lambda _: None, 1, 1.0, book, Clock(0.0))
    with pytest.raises(OutOfTime):
        subject.variant(pool=(1, 2, 3))


def test_a_search_that_gives_up_is_out_of_time() -> None:
    """A claim whose search had to stop is not settled; nothing else is raised."""
    with pytest.raises(OutOfTime), Clock(3600).limit():
        raise OutOfBudget


def road(size: int) -> Book:
    """Every number must divide the last one, or be a multiple of it."""
    restriction = {"must": "divisor-or-multiple", "compared-with": "last"}
    ending = [{"measure": "last-pick", "prefer": "higher"}]
    rules = {"pool": f"1-{size}", "restrictions": [restriction], "ending": ending}
    return read_book({"id": "road", "rules": rules})


def test_without_time_the_reason_is_time() -> None:
    """Not the size of the pool; and many openings about which nothing is known share a row."""
    report = audit(road(40), seconds=0.0)
    page = text(documents(report), 200)
    assert "Perfect players: not settled, the time ran out." in page
    assert "Not every position was checked: the time ran out." in page
    assert "too many" not in page and "too large" not in page
    assert "  opening  best play    by chance\n  1 to 40  not settled  -\n" in page


def test_a_random_game_shows_that_a_limit_matters() -> None:
    """Even if there is no time to compare the games with and without it."""
    (found,) = audit(road(40), seconds=0.0).audits
    (limit,) = (rule for rule in found.rules if rule.kind == "limit")
    assert limit.can_matter is True
    assert limit.text.startswith("after ") and limit.text.endswith(" are possible only without it.")


def test_a_small_restricted_game_is_settled_with_the_pie_rule() -> None:
    """All its positions can be visited, with that rule, too, and the rule that decides is known."""
    (found,) = audit(road(12)).audits
    assert found.pie is not None
    assert (found.pie.result, found.pie.plies) == ("loss", 12)
    assert found.best_play is not None and found.best_play.rules
