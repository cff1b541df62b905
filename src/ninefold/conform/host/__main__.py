"""The process of an environment: requests on standard input, one answer per line on output.

It is run as a folder, because the interpreter of the environment need not have ninefold installed,
and the folder is removed from the path, so that the user's modules may have any name.
"""

import importlib
import os
import sys
import types

if __name__ == "__main__":
    package = types.ModuleType("_ninefold_host")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules[package.__name__] = package
    sys.path[0] = os.getcwd()
    importlib.import_module("_ninefold_host.serve").serve()
