"""The command line: every value reaches its option, or is refused in one line."""

import argparse
from collections.abc import Iterator

import pytest

from ninefold.cli.parser import build_parser


def options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Every command with each name of its options that take a value."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, below in action.choices.items():
                for option in below._actions:
                    if option.nargs is None:
                        yield from ((command, name) for name in option.option_strings)


@pytest.mark.parametrize(("command", "option"), [*options(build_parser())])
def test_two_dashes_can_be_a_value(
    command: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file may have this name; what has to be something else is refused, without a traceback."""
    joined = f"{option}=--" if option.startswith("--") else f"{option}--"
    try:
        found = vars(build_parser(command).parse_args([command, "magic-fifteen", joined]))
    except SystemExit as left:
        assert left.code == 2
        said = capsys.readouterr().err
        assert said.startswith("ninefold: ")
        assert said.endswith("--help\n")
    else:
        assert "--" in found.values() or ["--"] in found.values()
