"""Claims: the statement is tested, and then the reason that the book gives for it."""

from collections.abc import Callable, Mapping
from functools import partial

from ninefold.audit.claims import about_ends, about_play, about_sets
from ninefold.audit.clock import NO_TIME
from ninefold.audit.examples import Replay
from ninefold.audit.finding import Answer, ClaimFinding, Verdict, answer
from ninefold.audit.limits import difference
from ninefold.audit.subject import Subject
from ninefold.audit.words import after_words, choices_words, pool_name
from ninefold.books.claims import Claim, about, changed_rules, fitting_reasons, in_words
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.text import listed
from ninefold.pages.shown import Evidence, Shown
from ninefold.pages.words import outcome_words

# Other pools have at most this many numbers, and at most so many more than the book's.
LARGEST_POOL, LARGER_POOLS = 12, 2
NO_PROOF = Evidence("The claim does not follow from it.")


def claim_findings(subject: Subject, games: Mapping[str, Game]) -> list[ClaimFinding]:
    """What became of every claim about this reading of the book; ``games`` are of all readings."""
    book = subject.book
    assert book is not None
    claims = [claim for claim in book.claims if about(claim, book.reading)]
    return [_test(subject, claim, games) for claim in claims]


def _test(subject: Subject, claim: Claim, games: Mapping[str, Game]) -> ClaimFinding:
    def test_claim() -> Answer:
        subject.tell(f"testing the claim {claim['kind']}")
        if claim["kind"] == "contradiction":
            return _contradiction(subject.game, claim, games)
        return judge_statement(subject, claim)

    late = answer(None, NO_TIME)
    found = subject.clock.in_time(test_claim, late)
    because, reason, follows = claim.get("because"), None, True
    if isinstance(because, Mapping):
        follows = proves(subject.game, because, claim)
        test = partial(_test_reason, subject, claim, because, follows)
        reason = subject.clock.in_time(test, late)
        follows = follows and reason.holds is not False
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


def _test_reason(subject: Subject, claim: Claim, reason: Claim, follows: bool) -> Answer:
    """Whether the reason is true; also says if the claim does not follow from it."""
    if reason["kind"] == "any-pool" and follows:
        return _any_pool(subject, claim)
    if reason["kind"] == "any-pool":
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


def proves(game: Game, reason: Claim, claim: Claim) -> bool:
    """Whether this claim follows from this reason, if that is true."""
    rules, pool, kind = game.rules, game.pool, reason["kind"]
    if kind == claim["kind"]:
        return _says_as_much(reason, claim)
    if kind not in fitting_reasons(claim):
        return False
    # A split proves something only if all numbers get taken and a set ends the game at once.
    at_once = not rules.declare and not rules.in_order
    limited = rules.hand_limit is not None and 2 * rules.hand_limit < len(pool)
    whole_pool = at_once and not limited and not rules.passing and not game.picks.can_stick
    if kind == "any-split":
        return whole_pool
    # A hand of that size proves something only if a player always reaches it, or never more.
    if kind == "any-hand" and claim["kind"] == "at-most-numbers":
        return at_once and bool(reason["numbers"] <= claim["numbers"])
    if kind == "any-hand":
        return whole_pool and bool(2 * reason["numbers"] <= len(pool) + 1)
    # If every move takes a number, the moves are at most twice the numbers of one player.
    if kind == "at-most-numbers":
        others = rules.has_turns or rules.declare or rules.invalid == "lose-turn"
        return not others and bool(2 * reason["numbers"] <= claim["moves"])
    return kind != "best-openings" or {*claim["openings"]} <= {*reason["openings"]}


def _says_as_much(reason: Claim, claim: Claim) -> bool:
    """Whether a statement of the same kind says at least what the claim does."""
    if claim["kind"] == "at-least-moves":
        return bool(reason["moves"] >= claim["moves"])
    if claim["kind"] in ("at-most-moves", "at-most-numbers"):
        field = claim["kind"].removeprefix("at-most-")
        return bool(reason[field] <= claim[field])
    fields = {*reason, *claim} - {"says", "because", "readings"}  # the rest is the statement
    return all(reason.get(field) == claim.get(field) for field in fields)


def _contradiction(game: Game, claim: Claim, games: Mapping[str, Game]) -> Answer:
    """Whether the two statements lead to different games, shown by a shortest difference."""

    def found(holds: bool | None, text: str, shown: Shown | None = None) -> Answer:
        said = f"The book says: {claim['one']}", f"The book also says: {claim['two']}"
        return Answer(holds, (*map(Evidence, said), Evidence(text, shown)))

    try:
        one, two = (_implied(game, claim, side, games) for side in ("one", "two"))
    except RulesError as error:
        return found(None, error.message)
    moves, differs = difference(one, two)
    if differs == "unknown":
        return found(None, "No difference was found in time.")
    if differs == "nothing":
        return found(False, "They agree: every game goes the same way.")
    first, second = (Shown(item, moves).position for item in (one, two))
    where = "under the first statement", "under the second"
    if differs == "choices":
        what = choices_words(first, second, (where[0], f"{where[1]} statement"))
    else:
        what = f"{where[0]} {outcome_words(first)}; {where[1]} {outcome_words(second)}"
    text = f"They lead to different games: {after_words(Shown(one, moves))}, {what}."
    return found(True, text, Shown(one, moves) if moves else None)


def _implied(game: Game, claim: Claim, side: str, games: Mapping[str, Game]) -> Game:
    """The game that one of the statements implies."""
    reading, change = claim.get(f"{side}-reading"), claim.get(f"{side}-rules")
    base = game if reading is None else games.get(reading)
    if base is None:
        raise RulesError("reading", f"The reading {reading} cannot be combined with the changes.")
    return base if change is None else Game(changed_rules(base.rules, change), base.name)


def judge_statement(subject: Subject, claim: Claim) -> Answer:
    """Whether a statement holds, and why."""
    return _TESTS[claim["kind"]](subject, claim)


def _example(subject: Subject, claim: Claim) -> Answer:
    """The example of this name is right."""
    assert subject.book is not None
    example = next(item for item in subject.book.examples if item["name"] == claim["name"])
    found = Replay(subject.book, example).run()
    doubt = "not settled" if found.right is None else "wrong"
    verdict = "right." if found.right else f"{doubt}: {found.truth}"
    return answer(found.right, f"{found.name} is {verdict}", found.shown)


_TESTS: Mapping[str, Callable[[Subject, Claim], Answer]] = {
    "no-draws": about_ends.no_draws,
    "draws-happen": about_ends.draws_happen,
    "every-rule-can-happen": about_ends.every_rule,
    "set-can-happen": about_sets.set_can_happen,
    "first-player-wins": partial(about_play.by_force, 1, True),
    "second-player-wins": partial(about_play.by_force, 2, True),
    "nobody-wins-by-force": partial(about_play.by_force, None, True),
    "first-player-does-not-win": partial(about_play.by_force, 1, False),
    "second-player-does-not-win": partial(about_play.by_force, 2, False),
    "skill-beats-luck": about_play.skill,
    "equal-chances": about_play.equal_chances,
    "at-most-moves": about_ends.at_most_moves,
    "at-least-moves": about_ends.at_least_moves,
    "at-most-numbers": about_ends.at_most_numbers,
    "passing-never-helps": about_play.passing,
    "good-openings": partial(about_play.openings, False),
    "best-openings": partial(about_play.openings, True),
    "sets-decide": about_ends.sets_decide,
    "every-number-counts": about_sets.every_number,
    "any-split": about_sets.any_split,
    "any-hand": about_sets.any_hand,
    "ending-decides": about_ends.ending_decides,
    "in-most-sets": about_sets.in_most_sets,
    "example": _example,
}
