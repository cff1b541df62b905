"""Audits of games in which not every number may be taken, players get stuck, and sets lose."""

from typing import Any

import pytest
from unit.audit.auditing import book_with, subject_of

from ninefold.audit import Audit, audit
from ninefold.audit.claims import judge_statement, proves
from ninefold.audit.figures import PATTERN, STUCK, Decider, deciders
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Cap, Restriction, Rules
from ninefold.pages.words import outcome_words
from ninefold.solver.symmetry import symmetries

LAST = [{"measure": "last-pick", "prefer": "higher"}]
DIVISORS = {"must": "divisor-or-multiple", "compared-with": "last"}
BUST: dict[str, Any] = {
    "pool": "1-9",
    "wins": {"hit": {"family": "sum", "whole-hand": True, "equals": 15}},
    "losses": {"bust": {"family": "sum", "whole-hand": True, "at-least": 16}},
}


def audited(rules: dict[str, Any], **fields: Any) -> Audit:
    """The audit of a stranger's book."""
    return audit(book_with(rules, **fields)).audits[0]


def test_each_limit_is_a_rule_of_its_own() -> None:
    """One that forbids nothing is dead, its neighbour is not."""
    rules = {
        "pool": "1-7",
        "ending": LAST,
        "restrictions": [DIVISORS, {"must-not": "sum", "by": 30, "compared-with": "taken"}],
        "caps": [
            {"total": "sum", "of": "own", "at-most": 9},
            {"total": "product", "of": "taken", "at-most": 5040},
        ],
        "row-ends": True,
        "values": {"1": 3},
    }
    found = {rule.name: rule.can_matter for rule in audited(rules).rules if rule.kind == "limit"}
    assert found == {
        "must divisor-or-multiple (compared-with last)": True,
        "must-not sum 30 (compared-with taken)": False,
        "cap sum (of own, at-most 9)": True,
        "cap product (of taken, at-most 5040)": False,
        "row-ends": True,
        "value 3 of 1": False,
    }


def test_being_skipped_is_dead_if_both_are_always_stuck_at_once() -> None:
    """A restriction that looks at the last number binds both players alike, others do not."""
    for restriction, alive in ((DIVISORS, False), ({**DIVISORS, "compared-with": "own"}, True)):
        rules = {"pool": "1-6", "ending": LAST, "restrictions": [restriction], "stuck": "skip"}
        (rule,) = [rule for rule in audited(rules).rules if rule.name == "stuck skip"]
        assert rule.can_matter is alive


def test_games_that_end_because_a_player_is_stuck_are_named() -> None:
    """With how many they are, and a game that shows it."""
    rules = {"pool": "1-6", "ending": LAST, "restrictions": [DIVISORS]}
    (rule,) = [rule for rule in audited(rules).rules if rule.name == "stuck"]
    assert rule.kind == "outcome"
    assert rule.text.startswith(
        "in 35 of 39 final positions numbers are left, but the player to act may take none of them"
    )
    assert rule.shown is not None
    assert rule.shown.line == "1 5"


def test_a_losing_set_is_a_rule_and_a_reason() -> None:
    """It decides games, is named where one is shown, and examples may refer to it by name."""
    says = {"winner": 2, "reason": "bust", "set": [8, 9], "sums": [17, 1]}
    found = audited(BUST, examples=[{"name": "Too much", "moves": "9 1 8", "says": says}])
    assert found.examples[0].right
    assert found.examples[0].truth == "Player 2 wins, because Player 1 holds 8 9 (bust)"
    names = {rule.name: (rule.kind, rule.finals) for rule in found.rules}
    assert names["losing bust (sum, whole-hand, at-least 16)"] == ("loss", 1_374)
    assert found.best_play is not None
    assert {rule.name: rule.plies for rule in found.best_play.rules} == {
        "hit (sum, whole-hand, equals 15)": None,
        "losing bust (sum, whole-hand, at-least 16)": None,
    }
    assert found.best_play.set_in == found.value.plies == 5


def test_a_shared_total_is_named_by_its_pattern() -> None:
    """The set is that of both players together."""
    wins = {"ten": {"family": "sum", "shared": True, "equals": 10}}
    game = book_with({"pool": "1-6", "wins": wins}).game
    assert outcome_words(game.play("6 4")) == "Player 2 wins with 4 6 (ten)"
    both = {"pairs": {"family": "sets", "sets": [[4, 6]]}, **wins}
    game = book_with({"pool": "1-6", "wins": both}).game  # nobody holds 4 and 6 alone
    assert outcome_words(game.play("6 4")) == "Player 2 wins with 4 6 (ten)"
    assert deciders(game.play("6 4")) == [Decider(PATTERN, 1)]
    subject = subject_of(book_with({"pool": "1-6", "wins": wins}))
    assert judge_statement(subject, {"kind": "set-can-happen", "set": [4, 6]}).holds
    assert judge_statement(subject, {"kind": "any-split"}).holds is None
    assert judge_statement(subject, {"kind": "in-most-sets", "numbers": [4]}).holds is None


def test_hands_are_taken_in_an_order_that_the_rules_allow() -> None:
    """Any such order will do; if there is none, the example is wrong."""
    ascending = {"must": "greater", "compared-with": "own-last"}
    rules = {"pool": "1-6", "restrictions": [ascending, {**DIVISORS, "compared-with": "own"}]}
    examples = [
        {"name": "Fits", "hands": [[4, 1, 2], [6, 3]]},
        {"name": "Does not", "hands": [[4, 5], [6]]},
    ]
    fits, wrong = audited(rules, examples=examples).examples
    assert (fits.right, fits.shown.line) == (True, "1 3 2 6 4")
    assert not wrong.right
    assert wrong.truth == "no order of allowed picks leads to them before the game is over."


def test_after_the_end_numbers_are_handed_out_whoever_was_skipped() -> None:
    """The game is over because everybody is stuck; what the book says of the hands is checked."""
    own = {"must": "multiple", "compared-with": "own-last"}
    rules = {"pool": "1-6", "restrictions": [own], "stuck": "skip", "ending": LAST}
    statement = {"after": 6, "player": 2, "hand": [5, 6]}
    example = {"name": "On and on", "moves": "1 5 2 4 3 6", "statements": [statement]}
    (found,) = audited(rules, examples=[example]).examples
    assert [fault.wrong for fault in found.faults] == ["move", "statement"]
    assert found.faults[0].said == "move 5 is 3"
    assert found.faults[1].truth == "Player 2 holds 5 3."


def test_a_set_needs_a_number_that_may_be_taken() -> None:
    """Whether a player could form a set is asked of the limits, too."""
    rules = {"pool": "1-6", "wins": {"consecutive": {"length": 2}}, "row-ends": True}
    statements = [
        {"after": 2, "player": 1, "with": number, "could-form": [1, 2]} for number in (2, 3)
    ]
    example = {"name": "Ends", "moves": "1 6", "statements": statements}
    (found,) = audited(rules, examples=[example]).examples
    assert [fault.truth for fault in found.faults] == ["Player 1 is not allowed to take 3 then."]


def test_sums_are_those_of_the_points() -> None:
    """A number counts what the book says."""
    rules = {"pool": "1-4", "values": {"4": 10}, "ending": LAST}
    example = {"name": "Sums", "moves": "4 1", "says": {"winner": 0, "sums": [10, 1]}}
    assert audited(rules, examples=[example]).examples[0].right


def test_a_set_that_can_only_be_taken_downwards_is_found() -> None:
    """The numbers of a set are tried in every order that is allowed."""
    less = {"must": "less", "compared-with": "own-last"}
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}, "restrictions": [less]}
    found = judge_statement(
        subject_of(book_with(rules)), {"kind": "set-can-happen", "set": [1, 5, 9]}
    )
    assert found.holds
    assert found.evidence[0].shown is not None
    assert found.evidence[0].shown.line == "9 3 5 2 1"


def test_a_split_proves_nothing_if_a_player_can_get_stuck() -> None:
    """Not all numbers get taken then, and the report says so."""
    rules = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
    claim, reason = {"kind": "no-draws"}, {"kind": "any-split"}
    assert proves(book_with(rules).game, reason, claim)
    limited = subject_of(book_with({**rules, "restrictions": [DIVISORS]}))
    assert not proves(limited.game, reason, claim)
    found = judge_statement(limited, reason)
    assert found.holds
    assert found.evidence[0].text.endswith("But a game can end before all numbers are taken.")
    assert judge_statement(limited, claim).holds is False
    assert limited.figures.deciding[STUCK].finals


@pytest.mark.parametrize(
    "changes",
    [
        {"restrictions": (Restriction("greater", "last"),)},
        {"caps": (Cap("sum", "own", 12),)},
        {"row_ends": True},
        {"opening": (1,)},
        {"losses": (Pattern("sets", (("sets", ((1, 2),)),)),)},
    ],
)
def test_numbers_are_not_alike_if_the_rules_tell_them_apart(changes: dict[str, Any]) -> None:
    """The winning sets alone have eight symmetries."""
    plain = Rules(tuple(range(1, 10)), (Pattern("sum", (("count", 3), ("equals", 15))),))
    assert len(symmetries(Game(plain))) == 8
    assert len(symmetries(Game(plain._replace(**changes)))) == 1


def test_a_large_pool_is_counted_if_limits_leave_few_positions() -> None:
    """A cap ends the game long before the pool is empty."""
    caps = [{"total": "sum", "of": "taken", "at-most": 9}]
    found = audited({"pool": "1-40", "caps": caps, "ending": LAST})
    same = audited({"pool": "1-9", "caps": caps, "ending": LAST})
    assert found.figures.exact
    assert found.figures[1:] == same.figures[1:]
    assert found.value == same.value
