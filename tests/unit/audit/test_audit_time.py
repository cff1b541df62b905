"""How long an audit may take: whatever is not reached is not settled."""

import signal
import threading
from types import FrameType
from typing import Any

import pytest

from ninefold.audit import audit
from ninefold.audit.clock import Clock, OutOfTime
from ninefold.audit.subject import Subject
from ninefold.books import Book, read_book

KINDS = ("no-draws", "first-player-wins", "skill-beats-luck", "every-rule-can-happen")


def large_book(claims: int) -> Book:
    """Sixteen numbers that may be passed, and many claims."""
    told = [{"kind": kind, "because": {"kind": "any-pool"}} for kind in KINDS] * claims
    rules = {"pool": "1-16", "passing": True, "wins": {"sum-triple": {}}}
    return read_book({"id": "own", "rules": rules, "claims": told})


def work_for_ever() -> None:
    """Work that never asks what time it is."""
    while True:
        pass


def test_without_time_nothing_is_settled_and_nothing_false() -> None:
    """However many claims there are, the report is complete: everything is in it, open."""
    report = audit(large_book(25), seconds=0.0)
    (found,) = report.audits
    assert [claim.verdict for claim in found.claims] == ["not-settled"] * 100
    assert found.claims[0].evidence[0].text == "There was no time left for this."
    assert found.value.result == "unknown"
    assert {opening.result for opening in found.openings} == {"unknown"}
    assert {rule.alive for rule in found.rules if rule.kind != "outcome"} <= {None, True}
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


def test_an_alarm_stops_what_never_asks_for_the_time() -> None:
    """Even a loop without end; and the alarm is put back as it was."""
    before = signal.getsignal(signal.SIGALRM)
    clock = Clock(0.05)
    with pytest.raises(OutOfTime), clock.limit():
        work_for_ever()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with pytest.raises(OutOfTime), clock.limit():
        raise AssertionError("there is no time to begin with this")


def test_the_alarm_of_a_host_is_left_alone() -> None:
    """A program that audits may have set one itself: it still goes off, and is still its own."""

    class Rang(Exception):
        """The alarm of the host."""

    def ring(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Rang

    def work_until_it_rings() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        work_for_ever()

    before = signal.signal(signal.SIGALRM, ring)
    try:
        with Clock(3600).limit(share=1e-6):
            assert signal.getsignal(signal.SIGALRM) is ring
        with pytest.raises(Rang), Clock(3600).limit(share=1e-2):
            work_until_it_rings()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_half_of_the_time_is_left_for_what_comes_next() -> None:
    """A share of the time is over before the time is."""
    clock = Clock(3600)
    with pytest.raises(OutOfTime), clock.limit(share=1e-5):
        work_for_ever()
    assert not clock.late
    with clock.limit():
        pass


def test_in_another_thread_an_audit_stops_where_it_tells_what_it_does() -> None:
    """There are no alarms there."""
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
