"""The process of an environment: requests on standard input, an answer a line on standard output.

It is run as a folder (``python path/to/host``), so that the environment may live with an
interpreter that has never heard of ninefold. Its modules are loaded under a name of their own,
and the folder leaves the path again: a module beside the user may have any name it likes.
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
