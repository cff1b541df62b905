"""Which reasons can carry which claims: the auditor accepts no other, and the check names them."""

from pathlib import Path
from typing import Any

import pytest

from ninefold.audit import audit
from ninefold.books import read_book
from ninefold.books.check import examine
from ninefold.books.claims import KINDS, REASONS, fitting_reasons
from ninefold.books.sources import read_source

NINE = {"pool": "1-9", "wins": {"arithmetic": {"length": 3}}}
EXAMPLE = {"name": "Short", "moves": "1 4 2 5 3", "says": {"winner": 1}}


def verdict(claim: dict[str, Any], reason: dict[str, Any]) -> tuple[str, str]:
    """What becomes of a claim with this reason, and the first word about the reason."""
    claims = [{**claim, "because": reason}]
    book = read_book({"id": "own", "rules": NINE, "claims": claims, "examples": [EXAMPLE]})
    (found,) = audit(book).audits[0].claims
    assert found.reason is not None
    return found.verdict, found.reason.evidence[0].text


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "set-can-happen", "set": [1, 2, 3]},
        {"kind": "good-openings", "openings": [5]},
        {"kind": "best-openings", "openings": [2, 3, 4, 5, 6, 7, 8]},
        {"kind": "in-most-sets", "numbers": [5]},
        {"kind": "example", "name": "Short"},
    ],
)
def test_other_pools_are_no_reason_for_what_is_said_of_one(claim: dict[str, Any]) -> None:
    """It is true, but not because of them; a false reason of another kind does no harm either."""
    told = "The claim is about this one pool, so other pools prove nothing."
    assert verdict(claim, {"kind": "any-pool"}) == ("other-reason", told)
    assert verdict(claim, {"kind": "any-hand", "numbers": 2})[0] == "other-reason"


def test_other_pools_are_a_reason_where_it_holds_on_them() -> None:
    """And none where it does not."""
    steals = {"kind": "second-player-does-not-win"}  # whoever begins could do what the other does
    assert verdict(steals, {"kind": "any-pool"})[0] == "proved"
    assert verdict({"kind": "no-draws"}, {"kind": "any-pool"})[0] == "other-reason"


def test_every_reason_fits_some_claim_and_is_known() -> None:
    """Each kind carries itself, at least."""
    fitting = {kind: fitting_reasons({"kind": kind}) for kind in KINDS if kind in REASONS}
    assert all(kind in reasons for kind, reasons in fitting.items())
    assert {reason for reasons in fitting.values() for reason in reasons} == set(REASONS)
    assert fitting["good-openings"] == ["good-openings", "best-openings"]
    assert fitting["at-least-moves"] == ["at-least-moves", "any-pool"]


def test_the_check_names_the_reasons_that_fit(tmp_path: Path) -> None:
    """At the place of the one that does not; a reason that fits, or only text, is no remark."""
    book = tmp_path / "own.toml"
    book.write_text(
        'rules.pool = "1-9"\nrules.wins.arithmetic.length = 3\n'
        '[[claims]]\nkind = "no-draws"\nbecause = { kind = "any-split" }\n'
        '[[claims]]\nkind = "no-draws"\nbecause = "It was always so."\n'
        '[[claims]]\nkind = "set-can-happen"\nset = [1, 2, 3]\nbecause = { kind = "any-pool" }\n'
    )
    report = examine(read_source(str(book)))
    assert report.faults == []
    (warning,) = report.warnings
    assert warning.path == "claims[2].because.kind"
    assert warning.place is not None
    assert warning.place.line == 12
    assert warning.problem == (
        "not a reason for set-can-happen; valid reasons: set-can-happen, example"
    )


def test_the_reference_has_every_reason_that_fits() -> None:
    """A row for each claim that another kind of statement can carry."""
    page = (Path(__file__).parents[3] / "docs" / "rulebook.md").read_text("utf-8")
    rows = [line for line in page.split("\n") if line.startswith("| `")]
    for kind in KINDS:
        others = {*fitting_reasons({"kind": kind})} - {kind, "any-pool"}
        told = " and ".join(f"`{other}`" for other in sorted(others))
        fitting = [row for row in rows if all(f"`{other}`" in row for other in others)]
        assert not others or any(f"`{kind}`" in row for row in fitting), f"{kind}: {told}"
