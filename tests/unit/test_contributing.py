"""CONTRIBUTING.md: what it says about the files of a rule is true."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "ninefold"
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SECTION = PAGE.partition("## Add a rule about turns")[2].partition("\n## ")[0]
# Rules that entered the language before fingerprints became generic; new ones enter by themselves.
GENERIC_NOW = "core/fingerprint.py"


@pytest.mark.parametrize("rule", ["passing", "pie", "picks_per_turn", "hand_limit", "invalid"])
def test_every_file_that_asks_for_a_rule_about_turns_is_listed(rule: str) -> None:
    """Whoever adds a rule need not search: each file is in a table, by its name or its folder."""
    asks = re.compile(rf"rules\.{rule}\b")
    files = [path for path in SOURCE.rglob("*.py") if asks.search(path.read_text("utf-8"))]
    names = {path.relative_to(SOURCE).as_posix() for path in files} - {GENERIC_NOW}
    folders = {name: f"`{name.rpartition('/')[0]}/`" for name in names}
    missing = {n for n in names if f"`{n}`" not in SECTION and folders[n] not in SECTION}
    assert missing == set()


def test_every_listed_file_exists() -> None:
    """Be it in the package or in the repository."""
    listed = re.findall(r"`([a-z_/]+(?:\.py|\.md|/))`", SECTION)
    assert len(listed) > 20
    for name in listed:
        assert (SOURCE / name).exists() or (ROOT / name).exists(), name


@pytest.mark.xdist_group("audits")
def test_groups_of_tests_reach_the_workers(request: pytest.FixtureRequest) -> None:
    """Otherwise nothing fails, but every worker computes what the tests of a group share."""
    if not request.config.getoption("loadgroup", False):
        pytest.skip("the tests are not distributed by groups")
    assert request.node.nodeid.endswith("@audits")
