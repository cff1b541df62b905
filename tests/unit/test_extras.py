"""The base install: what an adapter lacks is told in one line, whichever module is asked for."""

import subprocess
import sys

import pytest

HIDDEN = ("gymnasium", "numba", "numpy", "pettingzoo", "pyarrow", "pyspiel", "open_spiel")
# A finder that is asked first, and says of these packages that there are none.
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
TOLD = {
    "encoding": "numpy is not installed. Install it with: pip install 'ninefold[gym]'",
    "exam": "numpy is not installed. Install it with: pip install 'ninefold[gym]'",
    "gym": "gymnasium is not installed. Install it with: pip install 'ninefold[gym]'",
    "oracle": "numpy is not installed. Install it with: pip install 'ninefold[gym]'",
    "batch.playout": "numpy is not installed. Install it with: pip install 'ninefold[gym]'",
    "gym.single": "gymnasium is not installed. Install it with: pip install 'ninefold[gym]'",
    "spiel": "pyspiel is not installed. Install it with: pip install 'ninefold[openspiel]'",
    "gym.vector": "gymnasium is not installed. Install it with: pip install 'ninefold[gym]'",
    "zoo": "pettingzoo is not installed. Install it with: pip install 'ninefold[pettingzoo]'",
}


def said_without_extras(module: str) -> str:
    """What importing this module of the environments says where nothing of an extra is there."""
    script = f"{HIDE}\ntry:\n    import ninefold.envs.{module}\n"
    script += "except ImportError as error:\n    print(type(error).__name__, error, sep=': ')"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return ran.stdout


@pytest.mark.parametrize("module", TOLD)
def test_the_base_install_says_in_one_line_what_to_install(module: str) -> None:
    """It has not even NumPy, which most of the packages that are missing would bring along."""
    assert said_without_extras(module) == f"MissingExtra: {TOLD[module]}\n"


@pytest.mark.parametrize("module", ["text.answer", "dataset.rows", "text"])
def test_what_needs_nothing_needs_nothing(module: str) -> None:
    """Text for language models and rows of datasets are there without any extra."""
    assert said_without_extras(module) == ""
