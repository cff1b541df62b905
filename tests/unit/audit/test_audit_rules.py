"""Each rule of a book, alive or dead."""

from typing import Any

import pytest
from unit.audit.auditing import audited, book_with, subject

from ninefold.audit import audit
from ninefold.audit.finding import RuleFinding
from ninefold.pages.words import outcome_words

DEAD = {
    "sequence-duel-arithmetic": ["last-pick (lower wins)"],
    "sequence-capture": [],
    "sequence-duel-sum": [],
    "sequence-builder": ["hand-sum (higher wins)", "last-pick (lower wins)"],
    "pattern-builder": [],
    "magic-fifteen": [],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DEAD)
def test_every_dead_rule_is_found_and_no_other(name: str) -> None:
    """In the default readings; with three slots the sums and the last pick come alive."""
    assert [rule.name for rule in audited(name).rules if rule.can_matter is False] == DEAD[name]


def test_rules_come_alive_in_other_readings_and_on_other_pools() -> None:
    """The same rules decide games with three slots, or on 1 to 8."""
    for changed in (
        audited("sequence-builder", "three-slots"),
        audited("sequence-duel-arithmetic", None, "pool=1-8"),
    ):
        assert all(rule.can_matter for rule in changed.rules)


def test_a_limit_is_dead_if_the_game_is_the_same_without_it() -> None:
    """A hand limit of five on nine numbers limits nothing, one of three does."""
    for limit, alive in ((5, False), (3, True)):
        found = audited("sequence-duel-arithmetic", None, f"hand-limit={limit}")
        (rule,) = [rule for rule in found.rules if rule.kind == "limit"]
        assert (rule.name, rule.can_matter) == (f"hand-limit {limit}", alive)


def test_a_pattern_without_a_set_is_dead() -> None:
    """No three of these numbers are in geometric progression."""
    found = audited("pattern-builder", None, "pool=[1, 2, 3, 5, 8, 10]")
    assert [(rule.name, rule.can_matter) for rule in found.rules if rule.kind == "pattern"] == [
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
        assert found["otherwise second"].can_matter is alive


def test_a_pattern_that_never_decides_alone_is_dead() -> None:
    """Three neighbours are an arithmetic progression anyway; four numbers of it are not all."""
    wins = {"consecutive": {"length": 3}, "arithmetic": {"length": 3}}
    found = rules_of({"pool": "1-6", "wins": wins})
    assert found["consecutive (length 3)"].can_matter is False
    assert found["consecutive (length 3)"].finals
    assert found["consecutive (length 3)"].text.endswith(
        "Whenever it decides, another pattern does too."
    )
    assert found["arithmetic (length 3)"].can_matter is True


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


def test_an_ending_that_may_not_decide_is_reported() -> None:
    """Equal sums are left open without the second link."""
    change = 'ending=[{measure="hand-sum", prefer="higher"}]'
    found = audited("sequence-builder", "three-slots", change)
    (rule,) = [rule for rule in found.rules if rule.kind == "outcome"]
    assert rule.name == "draw"
    assert rule.text.startswith(
        "the ending can leave a game undecided: 52 of 1,580 final positions are drawn, "
    )


@pytest.mark.slow
def test_a_large_pool_shows_where_losing_by_a_set_matters() -> None:
    """Too many positions lie before a set of four, but the figures name a shortest game."""
    pytest.importorskip("numba")
    rules = subject("sequence-capture", "pool=1-14", "misere=true").rules
    (limit,) = (rule for rule in rules if rule.kind == "limit")
    assert limit.can_matter
    assert limit.shown is not None
    assert limit.shown.line == "4 1 5 2 6 3 7"
