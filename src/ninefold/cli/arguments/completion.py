"""The arguments of ``ninefold completion``."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))
