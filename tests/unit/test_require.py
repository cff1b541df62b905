"""The base install: importing a module says in one line which package is missing."""

import subprocess
import sys

import pytest

HIDDEN = ("gymnasium", "numba", "numpy", "pettingzoo", "pyarrow", "pyspiel", "open_spiel")
# A finder that comes first, and hides these packages.
HIDE = f"""
import importlib.util, sys
real = importlib.util.find_spec
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {HIDDEN}:
            raise ModuleNotFoundError(f"No module named {{name!r}}")
sys.meta_path.insert(0, Hidden())
importlib.util.find_spec = lambda name, *rest: None if name in {HIDDEN} else real(name, *rest)
"""
# The missing package and the extra that installs it.
NEEDED = {
    "agent_proof": ("numpy", "gym"),
    "encoding": ("numpy", "gym"),
    "envs.batch.playout": ("numpy", "gym"),
    "envs.gym": ("gymnasium", "gym"),
    "envs.gym.single": ("gymnasium", "gym"),
    "envs.gym.vector": ("gymnasium", "gym"),
    "envs.openspiel": ("pyspiel", "openspiel"),
    "envs.pettingzoo_env": ("pettingzoo", "pettingzoo"),
    "oracle": ("numpy", "gym"),
    "state_table": ("numpy", "gym"),
}


def said_without_extras(module: str) -> str:
    """The error of importing this module if no extra is installed."""
    script = f"{HIDE}\ntry:\n    import ninefold.{module}\n"
    script += "except ImportError as error:\n    print(type(error).__name__, error, sep=': ')"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return ran.stdout


@pytest.mark.parametrize("module", NEEDED)
def test_the_base_install_says_in_one_line_what_to_install(module: str) -> None:
    """It does not even have NumPy, which most missing packages would install."""
    package, extra = NEEDED[module]
    assert said_without_extras(module) == (
        f"MissingExtra: {package} is not installed. "
        f"Install it with: pip install 'ninefold[{extra}]'\n"
    )


@pytest.mark.parametrize("module", ["llm_text.answers", "datasets.rows", "llm_text"])
def test_what_needs_nothing_needs_nothing(module: str) -> None:
    """Text for language models and rows of datasets work without any extra."""
    assert said_without_extras(module) == ""
