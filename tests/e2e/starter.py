"""Starts the program hundreds of times: a process that has imported it forks for each command.

What a command does, reads and prints is as ever, in a process of its own with the exit code of its
own; only the hundred milliseconds are saved in which Python imports the same modules again.
"""

import atexit
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from tempfile import TemporaryFile

# Python reads these once, when it starts.
OF_PYTHON = ("PYTHON", "LANG", "LC_", "TZ")
ENVIRONMENT = dict(os.environ)
MOST_INPUT = 32_000  # what a pipe holds before anybody reads
MODULES = (
    "argparse hashlib json locale platformdirs random tempfile tomllib typing ninefold.cli.parser "
    "ninefold.cli.book_commands ninefold.cli.coach_commands ninefold.cli.play_commands "
    "ninefold.cli.record_commands ninefold.cli.solve_commands ninefold.line.game"
).split()


def can_run(typed: bytes, environment: Mapping[str, str]) -> bool:
    """Whether Python itself would be the same with this environment, and the input fits a pipe."""
    usual, wanted = (
        {key: value for key, value in variables.items() if key.startswith(OF_PYTHON)}
        for variables in (ENVIRONMENT, environment)
    )
    return usual == wanted and len(typed) < MOST_INPUT


@cache
def starter() -> tuple[int, socket.socket]:
    """The process that forks, no child of ours, which ends when we do; and the line to it."""
    ours, theirs = socket.socketpair()
    atexit.register(ours.close)
    with theirs:
        number = theirs.fileno()
        command = [sys.executable, __file__, str(number)]
        subprocess.run(command, pass_fds=[number], env=ENVIRONMENT, check=True)
    return int.from_bytes(ours.recv(4), "big"), ours


def run(
    arguments: Sequence[str], typed: bytes, environment: dict[str, str], patience: float
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m ninefold`` with these arguments and this input in a pipe."""
    process, line = starter()
    line.settimeout(patience)
    read, write = os.pipe()
    os.write(write, typed)
    os.close(write)
    with TemporaryFile() as output, TemporaryFile() as errors:
        request = json.dumps([arguments, environment, os.getcwd()]).encode()
        line.sendall(len(request).to_bytes(4, "big"))
        socket.send_fds(line, [request[:1]], [read, output.fileno(), errors.fileno()])
        line.sendall(request[1:])
        os.close(read)
        try:
            code = int.from_bytes(line.recv(4), "big", signed=True)
        except TimeoutError:
            os.kill(process, signal.SIGKILL)
            starter.cache_clear()
            raise
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, output.read(), errors.read())


def serve(line: socket.socket) -> list[str]:
    """Fork for each request; in the new process, return its arguments with all else as asked."""
    while size := line.recv(4):
        start, streams, *_ = socket.recv_fds(line, 1, 3)
        request = start
        while len(request) < int.from_bytes(size, "big"):
            request += line.recv(65_536)
        if pid := os.fork():
            for stream in streams:
                os.close(stream)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            line.sendall(code.to_bytes(4, "big", signed=True))
            continue
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        line.close()
        arguments, environment, folder = json.loads(request)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        return list(arguments)
    os._exit(0)


if __name__ == "__main__":
    if os.fork():
        os._exit(0)
    sys.path[0] = ""
    for module in MODULES:
        __import__(module)
    line = socket.socket(fileno=int(sys.argv[1]))
    line.sendall(os.getpid().to_bytes(4, "big"))
    sys.argv = ["ninefold", *serve(line)]
    sys.path[0] = os.getcwd()
    runpy.run_module("ninefold", run_name="__main__", alter_sys=True)
