"""The ledger of a tournament: one sum for all processes, whatever becomes of them."""

from pathlib import Path

import pytest

from ninefold.players import PlayStopped
from ninefold.players.llm.budget import Budget, OutOfBudget, Usage
from ninefold.players.llm.endpoint import shared_endpoint
from ninefold.players.llm.ledger import Ledger


def opened(path: Path, tokens: int = 0, money: float = 0.0) -> Ledger:
    """A ledger as the process that runs a tournament opens it."""
    ledger = Ledger(str(path))
    ledger.open(tokens, money)
    ledger.catch_up()
    return ledger


def test_processes_count_together(tmp_path: Path) -> None:
    """What one enters, the budget of the other has spent."""
    opened(tmp_path / "spent")
    one, two = (Budget(100, None, Ledger(str(tmp_path / "spent"))) for _ in range(2))
    one.charge(Usage(50, 10), (1.0, 1.0))
    two.check()
    two.charge(Usage(40, 0), None)
    with pytest.raises(OutOfBudget, match="The budget of 100 tokens"):
        one.check()
    assert one.tokens == 100 and one.money == pytest.approx(60e-6)


def test_what_rows_say_is_entered_if_it_is_missing(tmp_path: Path) -> None:
    """The larger sum counts: unfinished games have cost something, too."""
    opened(tmp_path / "spent").add(30, 0.5)
    found = opened(tmp_path / "spent", 20, 0.75)
    assert (found.tokens, found.money) == (30, 0.75)


def test_a_torn_line_is_not_counted_and_spoils_no_other(tmp_path: Path) -> None:
    """A crash may leave one."""
    path = tmp_path / "spent"
    opened(path).add(30, 0.0)
    with path.open("ab") as file:
        file.write(b'{"tokens": 5')
    found = opened(path)
    found.add(7, 0.0)
    found.catch_up()
    assert found.tokens == 37


def test_a_machine_that_does_not_see_it_stops(tmp_path: Path) -> None:
    """Rather than to count for itself."""
    hidden = Budget(100, None, Ledger(str(tmp_path / "elsewhere")))
    with pytest.raises(PlayStopped, match="must see the folder of the tournament"):
        hidden.check()
    with pytest.raises(PlayStopped, match="is not there"):
        hidden.charge(Usage(1, 1), None)


def test_processes_share_the_requests_that_may_be_under_way_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has its part, and at least one; players of one process share one endpoint."""
    monkeypatch.setenv("NINEFOLD_LLM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("NINEFOLD_LLM_CONCURRENCY", "9")
    path, shares = str(tmp_path / "spent"), []
    for processes in (1, 2, 20):
        found = shared_endpoint(path, processes)
        assert found is shared_endpoint(path, processes)
        shares.append(found.settings.concurrency)
    assert shares == [9, 4, 1]
