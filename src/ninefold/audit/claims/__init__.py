"""Claims: the statement is tested, and then the reason that the book gives for it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ninefold.audit.claims.contradictions import contradiction
from ninefold.audit.claims.reasons import proves
from ninefold.audit.claims.statements import judge_statement
from ninefold.audit.clock import OutOfTime, no_time
from ninefold.audit.finding import Answer, ClaimFinding, Evidence, Verdict, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import listed, pool_name
from ninefold.books.claims import about, fitting_reasons, in_words
from ninefold.core.game import Game

Fields = Mapping[str, Any]

LARGER_POOLS = 2
NO_PROOF = "The claim does not follow from it."


def claim_findings(subject: Subject, games: Mapping[str, Game] | None = None) -> list[ClaimFinding]:
    """What became of every claim of the book that is about its reading.

    ``games`` has the game of every reading, for statements about them.
    """
    book = subject.book
    assert book is not None
    known = games or {book.reading: book.game}
    claims = [claim for claim in book.claims if about(claim, book.reading)]
    return [_test(subject, claim, known) for claim in claims]


def _test(subject: Subject, claim: Fields, games: Mapping[str, Game]) -> ClaimFinding:
    found = _in_time(subject, lambda: _test_claim(subject, claim, games))
    because = claim.get("because", "")
    text = isinstance(because, str)
    reason = None if text else _in_time(subject, lambda: _test_reason(subject, claim, because))
    verdict = _verdict(found, reason, text or proves(subject.game, because, claim))
    if claim["kind"] == "contradiction" and found.holds is not None:
        verdict = "contradiction" if found.holds else "agreement"
    return ClaimFinding(
        kind=claim["kind"],
        says=claim.get("says") or in_words(claim),
        because=because if text else because.get("says") or in_words(because),
        verdict=verdict,
        evidence=found.evidence,
        reason=reason,
    )


def _test_claim(subject: Subject, claim: Fields, games: Mapping[str, Game]) -> Answer:
    subject.tell(f"testing the claim {claim['kind']}")
    if claim["kind"] == "contradiction":
        return contradiction(subject.game, claim, games)
    return judge_statement(subject, claim)


def _in_time(subject: Subject, test: Callable[[], Answer]) -> Answer:
    """What a test says, if there is time for it."""
    try:
        with subject.clock.limit():
            return test()
    except OutOfTime:
        return no_time()


def _verdict(found: Answer, reason: Answer | None, proves_it: bool) -> Verdict:
    if found.holds is None:
        return "not-settled"
    if not found.holds:
        return "refuted"
    fails = reason is not None and (reason.holds is False or not proves_it)
    return "other-reason" if fails else "proved"


def _test_reason(subject: Subject, claim: Fields, reason: Fields) -> Answer:
    """Whether the reason is true, and proves what it is given for."""
    if reason["kind"] == "any-pool":
        if not proves(subject.game, reason, claim):
            text = "The claim is about this one pool, so other pools prove nothing."
            return Answer(None, (Evidence(text), Evidence(NO_PROOF)))
        return _any_pool(subject, claim)
    found = judge_statement(subject, reason)
    if found.holds and not proves(subject.game, reason, claim):
        return Answer(True, (*found.evidence, Evidence(NO_PROOF)))
    elsewhere = "any-pool" in fitting_reasons(claim)
    if reason["kind"] == "any-hand" and found.holds is False and elsewhere:
        other = _any_pool(subject, claim)
        return Answer(False, found.evidence + (other.evidence if other.holds is False else ()))
    return found


def _any_pool(subject: Subject, claim: Fields) -> Answer:
    """Whether the claim holds on pools of the same shape: smaller ones first, then larger ones."""
    held = []
    for other in _other_pools(subject):
        found = judge_statement(other, claim)
        name = pool_name(other.game.pool)
        if found.holds is False:
            first, *more = found.evidence
            text = f"The same argument fits {name}, where it is false. {first.text}"
            return Answer(False, (Evidence(text, first.shown), *more))
        if found.holds:
            held.append(name)
    if not held:
        return answer(None, "No other pool could be tried.")
    return answer(True, f"It also holds with {listed(held)}.")


def _other_pools(subject: Subject) -> Iterator[Subject]:
    """The same rules on fewer numbers, the nearest first, and on a few more."""
    pool = subject.game.pool
    pools = [pool[:size] for size in reversed(range(2, min(len(pool), 12)))]
    if len(pool) > 1 and len(pool) + LARGER_POOLS <= 12:
        step = pool[-1] - pool[-2]
        more = [pool[-1] + step * at for at in range(1, LARGER_POOLS + 1)]
        pools += [(*pool, *more[:at]) for at in range(1, LARGER_POOLS + 1)]
    for numbers_ in pools:
        other = subject.variant(pool=numbers_)
        if other is not None and other.figures.exact:
            yield other
