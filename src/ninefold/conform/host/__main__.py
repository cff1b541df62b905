"""The process of an environment: requests on standard input, one answer per line on output.

It is run as a folder (``python path/to/host``), so that the interpreter of the environment need not
have ninefold installed. Its modules are loaded under their own package name, and the folder is
removed from the path, so that the user's modules may have any name.
"""

import importlib.util
import os
import sys


def _load() -> None:
    folder = os.path.dirname(os.path.abspath(__file__))
    place = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(
        "_ninefold_host", place, submodule_search_locations=[folder]
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["_ninefold_host"] = module
    spec.loader.exec_module(module)
    sys.path[0] = os.getcwd()


if __name__ == "__main__":
    _load()
    importlib.import_module("_ninefold_host.serve").serve()
