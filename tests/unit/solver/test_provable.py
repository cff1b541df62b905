"""Which rules the proof search answers for."""

import pytest

from ninefold.core.patterns import Pattern
from ninefold.core.rules import Cap, Restriction, Rules
from ninefold.solver.proof import is_provable

THREE = Pattern("arithmetic", (("length", 3),))
RULES = Rules(tuple(range(1, 21)), (THREE,))


@pytest.mark.parametrize(
    "rules",
    [
        RULES._replace(losses=(Pattern("sum", (("count", 2), ("equals", 5))),)),
        RULES._replace(restrictions=(Restriction("greater", "last"),)),
        RULES._replace(caps=(Cap("sum", "own", 30),)),
        RULES._replace(row_ends=True),
    ],
)
def test_rules_it_does_not_know_are_kept_away(rules: Rules) -> None:
    """It would not see that a set loses, or that a number is barred."""
    assert is_provable(RULES)
    assert not is_provable(rules)
