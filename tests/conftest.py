"""How much a run tests: the quick run, the everyday run or the long run, never how fast it is."""

import gc
import os

import pytest
from effort import Effort
from hypothesis import HealthCheck, settings

# No test depends on how fast the machine is, so Hypothesis must not measure it.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# As for any user, modules are compiled once, and not by each of the many programs that are run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Walks over all positions make millions of small objects that live on; looking through them for
# cycles as often as Python does by default takes a third of the time.
gc.set_threshold(50_000, 20, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options that ``python3 dev test`` passes on."""
    group = parser.getgroup("ninefold")
    group.addoption("--quick", action="store_true", help="leave out the tests marked slow")
    group.addoption("--long", action="store_true", help="add the exhaustive tests marked long")


def pytest_configure(config: pytest.Config) -> None:
    """Tell the test modules, before they are imported, how many examples to try."""
    Effort.is_long = config.getoption("--long")


def pytest_collection_finish() -> None:
    """Do not look through the collected tests for cycles again and again."""
    gc.freeze()


@pytest.hookimpl(trylast=True)  # after the folders have marked their tests
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that this run does not ask for."""
    unwanted = set[str]()
    if config.getoption("--quick"):
        unwanted |= {"slow", "long"}
    elif not config.getoption("--long"):
        unwanted |= {"long"}
    left_out = {item for item in items if unwanted & {mark.name for mark in item.iter_markers()}}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    if config.getoption("loadgroup", False):
        _name_groups(items)


def _group(mark: pytest.Mark) -> str:
    """The group a mark names, in either of the ways pytest-xdist knows."""
    return str(mark.args[0] if mark.args else mark.kwargs.get("name", "default"))


def _name_groups(items: list[pytest.Item]) -> None:
    """Write the group of each test behind its id, so that one worker runs all tests of a group.

    Under pytest 9.2, pytest-xdist 3.8 fails to do so: it writes to an attribute that nobody reads
    (its issue 1386), and what the tests of a group share would be computed by every worker.
    """
    for item in items:
        groups = sorted({_group(mark) for mark in item.iter_markers("xdist_group")})
        suffix = f"@{'_'.join(groups)}" if groups else ""
        if not item.nodeid.endswith(suffix):
            item._id = item.id.parse(item.nodeid + suffix)
