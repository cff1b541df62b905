"""Claims: the statement is tested, and then the reason that the book gives for it."""

from collections.abc import Callable, Mapping
from functools import partial

from ninefold.audit.claims import about_ends, about_play, about_sets
from ninefold.audit.claims.contradictions import contradiction
from ninefold.audit.claims.reasons import proves
from ninefold.audit.clock import NO_TIME, OutOfTime
from ninefold.audit.examples import replay
from ninefold.audit.finding import Answer, ClaimFinding, Evidence, Verdict, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import pool_name
from ninefold.books.claims import Claim, about, fitting_reasons, in_words
from ninefold.core.game import Game
from ninefold.core.text import listed

# Other pools have at most this many numbers, and at most so many more than the book's.
LARGEST_POOL, LARGER_POOLS = 12, 2
NO_PROOF = Evidence("The claim does not follow from it.")


def claim_findings(subject: Subject, games: Mapping[str, Game] | None = None) -> list[ClaimFinding]:
    """What became of every claim of the book that is about its reading.

    ``games`` has the game of every reading, for statements about them.
    """
    book = subject.book
    assert book is not None
    known = games or {book.reading: book.game}
    claims = [claim for claim in book.claims if about(claim, book.reading)]
    return [_test(subject, claim, known) for claim in claims]


def _test(subject: Subject, claim: Claim, games: Mapping[str, Game]) -> ClaimFinding:
    def test_claim() -> Answer:
        subject.tell(f"testing the claim {claim['kind']}")
        if claim["kind"] == "contradiction":
            return contradiction(subject.game, claim, games)
        return judge_statement(subject, claim)

    found = _in_time(subject, test_claim)
    because, reason, follows = claim.get("because"), None, True
    if isinstance(because, Mapping):
        reason = _in_time(subject, partial(_test_reason, subject, claim, because))
        follows = reason.holds is not False and proves(subject.game, because, claim)
        because = because.get("says") or in_words(because)
    verdict: Verdict = "proved" if follows else "other-reason"
    if found.holds is None:
        verdict = "not-settled"
    elif claim["kind"] == "contradiction":
        verdict = "contradiction" if found.holds else "agreement"
    elif not found.holds:
        verdict = "refuted"
    says = claim.get("says") or in_words(claim)
    return ClaimFinding(claim["kind"], says, because, verdict, found.evidence, reason)


def _in_time(subject: Subject, test: Callable[[], Answer]) -> Answer:
    """What a test says, if there is time for it."""
    try:
        with subject.clock.limit():
            return test()
    except OutOfTime:
        return answer(None, NO_TIME)


def _test_reason(subject: Subject, claim: Claim, reason: Claim) -> Answer:
    """Whether the reason is true, and proves what it is given for."""
    follows = proves(subject.game, reason, claim)
    if reason["kind"] == "any-pool":
        if follows:
            return _any_pool(subject, claim)
        text = "The claim is about this one pool, so other pools prove nothing."
        return Answer(None, (Evidence(text), NO_PROOF))
    found = judge_statement(subject, reason)
    if found.holds and not follows:
        return Answer(True, (*found.evidence, NO_PROOF))
    elsewhere = "any-pool" in fitting_reasons(claim)
    if reason["kind"] == "any-hand" and found.holds is False and elsewhere:
        other = _any_pool(subject, claim)
        return Answer(False, found.evidence + (other.evidence if other.holds is False else ()))
    return found


def _any_pool(subject: Subject, claim: Claim) -> Answer:
    """Whether the claim holds on pools of the same shape: smaller ones first, then larger ones."""
    pool, held = subject.game.pool, []
    pools = [pool[:size] for size in reversed(range(2, min(len(pool), LARGEST_POOL)))]
    if 1 < len(pool) <= LARGEST_POOL - LARGER_POOLS:
        step = pool[-1] - pool[-2]
        more = [pool[-1] + step * at for at in range(1, LARGER_POOLS + 1)]
        pools += [(*pool, *more[:at]) for at in range(1, LARGER_POOLS + 1)]
    for other in about_ends.on_pools(subject, pools):
        found = judge_statement(other, claim)
        name = pool_name(other.game.pool)
        if found.holds is False:
            first, *more_evidence = found.evidence
            text = f"The same argument fits {name}, where it is false. {first.text}"
            return Answer(False, (Evidence(text, first.shown), *more_evidence))
        if found.holds:
            held.append(name)
    if not held:
        return answer(None, "No other pool could be tried.")
    return answer(True, f"It also holds with {listed(held)}.")


def judge_statement(subject: Subject, claim: Claim) -> Answer:
    """Whether a statement holds, and why."""
    return _TESTS[claim["kind"]](subject, claim)


def _example(subject: Subject, claim: Claim) -> Answer:
    """The example of this name is right."""
    assert subject.book is not None
    told = next(item for item in subject.book.examples if item["name"] == claim["name"])
    found = replay(subject.book, told)
    verdict = "right." if found.right else f"wrong: {found.truth}"
    return answer(found.right, f"{found.name} is {verdict}", found.shown)


_TESTS: Mapping[str, Callable[[Subject, Claim], Answer]] = {
    "no-draws": about_ends.no_draws,
    "draws-happen": about_ends.draws_happen,
    "every-rule-can-happen": about_ends.every_rule,
    "set-can-happen": about_sets.set_can_happen,
    "first-player-wins": about_play.by_force(1, True),
    "second-player-wins": about_play.by_force(2, True),
    "nobody-wins-by-force": about_play.by_force(None, True),
    "first-player-does-not-win": about_play.by_force(1, False),
    "second-player-does-not-win": about_play.by_force(2, False),
    "skill-beats-luck": about_play.skill,
    "equal-chances": about_play.equal_chances,
    "at-most-moves": about_ends.at_most_moves,
    "at-least-moves": about_ends.at_least_moves,
    "at-most-numbers": about_ends.at_most_numbers,
    "passing-never-helps": about_play.passing,
    "good-openings": about_play.openings(only=False),
    "best-openings": about_play.openings(only=True),
    "sets-decide": about_ends.sets_decide,
    "every-number-counts": about_sets.every_number,
    "any-split": about_sets.any_split,
    "any-hand": about_sets.any_hand,
    "ending-decides": about_ends.ending_decides,
    "in-most-sets": about_sets.in_most_sets,
    "example": _example,
}
