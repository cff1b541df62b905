"""``ninefold conform`` as its users run it, with real Gymnasium environments."""

import json
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from e2e.program import COMMAND, Ninefold
from e2e.test_docs import block
from processes import PATIENCE, is_gone, wait_until

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "conform.md").read_text("utf-8")
EXAMPLES = ROOT / "docs" / "examples"
ENDLESS = """
import os
class Env:
    def reset(self, seed=None):
        return 0, {}
    def step(self, action):
        with open("pid.part", "w") as file:
            file.write(str(os.getpid()))
        os.rename("pid.part", "pid")
        while True:
            pass
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with the examples, as their user would have them."""
    for path in EXAMPLES.iterdir():
        if path.suffix == ".py":
            (tmp_path / path.name).write_text(path.read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Every day, the honest example passes a thousand tries of ``test_a_registered_environment``.
HONEST = pytest.param("fifteen", 0, marks=pytest.mark.long)


@pytest.mark.parametrize(("name", "code"), [HONEST, ("fifteen_bugs", 1)])
def test_the_page_shows_what_is_found(
    ninefold: Ninefold, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    """Nothing in the honest example, and all three bugs of the other in one run."""
    monkeypatch.chdir(EXAMPLES)
    command, *shown = block(PAGE, f"$ ninefold conform magic-fifteen --env {name}:")
    result = ninefold.run(*command.split()[2:])
    assert result.returncode == code
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert sum(line[:1].isdigit() for line in shown) == 3 * code


def test_the_honest_example_is_a_gymnasium_environment(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By Gymnasium's own check; that it is not registered is no fault of it."""
    from gymnasium.utils.env_checker import check_env

    monkeypatch.syspath_prepend(str(here))
    fifteen = __import__("fifteen")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(fifteen.Fifteen())


def test_a_registered_environment_is_made_by_gymnasium(ninefold: Ninefold, here: Path) -> None:
    """With the wrappers that come with it."""
    (here / "registered.py").write_text(
        'import gymnasium\ngymnasium.register("Fifteen-v0", entry_point="fifteen:Fifteen")\n'
    )
    data = ninefold.json(
        *("conform", "magic-fifteen", "--env", "gymnasium:make", "--tries", "1000"),
        *("--games", "5", "--kwargs", '{"id": "registered:Fifteen-v0"}'),
    )
    assert data["same"]
    assert (data["complete"], data["positions"], data["games"]) == (False, 82, 5)
    assert data["notes"] == []


def test_exit_codes_and_complaints(ninefold: Ninefold, here: Path) -> None:
    """0 the same, 1 a difference, 2 wrong usage with one line that says what to do."""
    quick = ("--tries", "100", "--games", "5")
    fifteen = ("conform", "magic-fifteen", *quick, "--env")
    assert ninefold.run(*fifteen, "fifteen:Fifteen").returncode == 0
    assert ninefold.run(*fifteen, "fifteen_bugs:Fifteen").returncode == 1
    (here / "broken.py").write_text("import nothing_of_the_kind\n")
    for wrong, words in (
        (("fifteen",), "Write --env module:Class."),
        (("fifteen:Fifteen", "--kwargs", "[]"), "--kwargs is not a JSON object."),
        (("fifteen:Fifteen", "--offset", "0"), "The game needs actions 1 to 9"),
        (("fifteen:Fifteen", "--offset", "1", "--actions", "1"), "not both"),
        (("fifteen:Fifteen", "--rewards", "win"), "Write for instance: --rewards win=1"),
        (("fifteen:Fifteen", "--python", "no-python"), "There is no program 'no-python'"),
        (("fifteen:Nobody",), "fifteen has no Nobody"),
        (("broken:Env",), "No module named 'nothing_of_the_kind'"),
    ):
        result = ninefold.run(*fifteen, *wrong)
        assert (result.returncode, result.stdout) == (2, "")
        *_, complaint = result.stderr.splitlines()
        assert complaint.startswith("ninefold: ")
        assert words in complaint
        assert "Traceback" not in result.stderr


def test_another_interpreter_needs_no_ninefold(ninefold: Ninefold, here: Path) -> None:
    """The environment's own Python is isolated from ours, but knows the module beside the user."""
    python = here / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S "$@"\n')
    python.chmod(0o755)
    (here / "plain.py").write_text(
        "import sys\n"
        "try:\n    import ninefold\n    sys.exit('ninefold is here')\n"
        "except ImportError:\n    pass\n"
        "class Env:\n"
        "    def reset(self):\n        self.taken, self.to_play = [], 0\n        return 0\n"
        "    def valid_moves(self):\n"
        "        return [n for n in range(1) if n not in self.taken]\n"
        "    def step(self, action):\n"
        "        assert action in self.valid_moves()\n"
        "        self.taken.append(action)\n        return 0, 0, True, {}\n"
    )
    data = ninefold.json(
        *("conform", "magic-fifteen", "--set", "pool=1-1", "--env", "plain:Env"),
        *("--python", str(python)),
    )
    assert (data["same"], data["positions"]) == (True, 1)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_environment_outlives_its_examination(
    ninefold: Ninefold, tmp_path: Path, number: signal.Signals
) -> None:
    """However that ends, and though the environment is in the middle of an endless step."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    arguments = ["conform", "magic-fifteen", "--env", "endless:Env", "--time-limit", "300"]
    with subprocess.Popen(
        [*COMMAND, *arguments], cwd=tmp_path, env=ninefold.environment, stderr=subprocess.PIPE
    ) as program:
        wait_until((tmp_path / "pid").exists)
        pid = int((tmp_path / "pid").read_text())
        program.send_signal(number)
        program.wait(PATIENCE)
        assert program.stderr
        assert b"Traceback" not in program.stderr.read()
    if number == signal.SIGINT:
        assert program.returncode == 130
    wait_until(lambda: is_gone(pid))


@pytest.mark.usefixtures("here")
def test_what_is_printed_for_programs_is_documented(ninefold: Ninefold) -> None:
    """Every field of the object, and of each difference."""
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    section = page.split("## Conformance\n")[1].split("\n## ")[0]
    result = ninefold.run(
        *("conform", "magic-fifteen", "--env", "fifteen_bugs:Fifteen", "--json"),
        *("--tries", "100", "--games", "0"),
    )
    data = json.loads(result.stdout)
    for name in (*data, *data["differences"][0]):
        assert f"`{name}`" in section


def test_every_kind_of_difference_is_in_the_page() -> None:
    """As are all options, but those that every command has."""
    from ninefold.conform import comparison
    from ninefold.conform.report import ADVICE

    for kind in (*ADVICE, *comparison.FINAL, "missed-end", "accepted", "no-number"):
        assert f"`{kind}`" in PAGE
    help_text = subprocess.run(
        [*COMMAND, "conform", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for option in re.findall(r"^  (--[a-z-]+)", help_text, re.MULTILINE):
        assert option in PAGE
