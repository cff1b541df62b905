"""The source uses nothing that only Unix has, or does without where it is missing."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from elsewhere.posix_only import MODULES, NAMES

import ninefold

SOURCE = Path(ninefold.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
# What a file uses after looking whether it is there.
OPTIONAL = {
    "cleanup.py": {"killpg", "SIGKILL"},
    "cli/arena_command.py": {"sched_getaffinity"},
    "conform/host/isolation.py": {"resource"},
    "envs/batch/compiled_batch.py": {"register_at_fork", "sched_getaffinity"},
    "line/console.py": {"termios"},
    "record/store.py": {"O_DIRECTORY"},
    "web/server/passwords.py": {"nice"},
    "web/server/work/__main__.py": {"nice", "resource", "sysconf", "SIGXCPU"},
}


def used(tree: ast.Module) -> Iterator[str]:
    """What a file uses that only Unix has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            yield from names & NAMES.get(node.module or "", frozenset())
            yield from {node.module or ""} & MODULES
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from {node.attr} & NAMES.get(node.value.id, frozenset())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_needs_nothing_that_only_unix_has(path: Path) -> None:
    """Every such module or function is one that the file can do without."""
    name = path.relative_to(SOURCE).as_posix()
    assert set(used(ast.parse(path.read_text("utf-8")))) <= OPTIONAL.get(name, set())
