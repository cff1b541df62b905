"""The command line: each command is a module, imported only when it is used."""

import os
import sys
from io import TextIOWrapper

from ninefold.core.errors import NinefoldError

USAGE, INTERRUPTED, BROKEN_PIPE = 2, 130, 141


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit code: 0 fine, 1 a check failed, 2 wrong usage, 130 on Ctrl-C."""
    try:
        _prepare_streams()
        words = sys.argv[1:] if arguments is None else arguments
        if words in (["--version"], ["-V"]):  # at once, without the parser
            from ninefold import __version__

            print(f"ninefold {__version__}", flush=True)
            return 0
        from ninefold.cli.parser import parse

        code = parse(words)
        sys.stdout.flush()
        return code
    except NinefoldError as error:
        return _complain(error.message, USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        # Drop buffered output that nobody reads, so the interpreter exits without another error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            return BROKEN_PIPE
        return _complain(f"{error.strerror or error}", 1)


def _prepare_streams() -> None:
    """Open /dev/null for every closed standard stream, and never fail on an odd character."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115 - open for as long as we run
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(message: str, code: int) -> int:
    from ninefold.line.wrap import note

    note(f"ninefold: {message}")
    return code
