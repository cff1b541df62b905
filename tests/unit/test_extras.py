"""What an interface needs beyond the base install is named in one line, whatever is missing."""

import subprocess
import sys

import pytest

SCRIPT = """
import sys
for name in ("gymnasium", "numba", "numpy", "pettingzoo", "pyarrow", "pyspiel"):
    sys.modules[name] = None
from ninefold.envs.extras import MissingExtra
try:
    import {module}
except MissingExtra as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("ninefold.envs.gym", "gymnasium", "gym"),
        ("ninefold.envs.gym.vector", "gymnasium", "gym"),
        ("ninefold.envs.zoo", "pettingzoo", "pettingzoo"),
        ("ninefold.envs.spiel", "pyspiel", "openspiel"),
        ("ninefold.envs.batch.playout", "numpy", "gym"),
        ("ninefold.envs.encoding", "numpy", "gym"),
        ("ninefold.envs.exam", "numpy", "gym"),
        ("ninefold.envs.oracle", "numpy", "gym"),
    ],
)
def test_the_base_install_says_what_to_install(module: str, package: str, extra: str) -> None:
    """Also where nothing at all is there that the extras bring, as in the base install."""
    script = SCRIPT.format(module=module)
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    told = f"{package} is not installed. Install it with: pip install 'ninefold[{extra}]'\n"
    assert ran.stdout == told
