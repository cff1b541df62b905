"""``ninefold conform``: compare somebody else's environment with the judge."""

import argparse
import json

from ninefold.cli.common import load_book, patience, print_json
from ninefold.conform.check import Terms, examine
from ninefold.conform.environment import EnvironmentSettings
from ninefold.conform.rewards import parse_rewards
from ninefold.core.errors import NinefoldError
from ninefold.line.wrap import wrap

MEBIBYTE = 1 << 20


def run_conform(options: argparse.Namespace) -> int:
    """Examine one environment; the exit code is 1 if it differs from the judge."""
    book = load_book(options)
    settings, terms = _settings(options), _terms(options)
    with patience(f"Playing {options.env}"):
        report = examine(book, settings, terms)
    if options.json:
        print_json(report.as_data(), indent=2)
    else:
        print(wrap("\n".join(report.lines())))
    return int(bool(report.differences))


def _settings(options: argparse.Namespace) -> EnvironmentSettings:
    module, _, name = options.env.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise NinefoldError(
            "bad-env", f"{options.env!r} is not an environment.", "Write --env module:Class."
        )
    return EnvironmentSettings(
        env=options.env,
        kwargs=_kwargs(options.kwargs),
        python=options.python,
        legal=options.legal,
        turn=options.turn,
        memory=options.memory * MEBIBYTE,
        seconds=options.time_limit,
        budget=options.time_budget,
        seed=options.seed,
    )


def _terms(options: argparse.Namespace) -> Terms:
    if options.actions is not None and options.offset is not None:
        raise NinefoldError("usage", "Use --actions or --offset, not both.")
    rewards = parse_rewards(options.rewards, options.reward_to)
    return Terms(
        options.actions, options.offset, rewards, options.illegal, options.games, options.tries
    )


def _kwargs(text: str) -> dict[str, object]:
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        raise NinefoldError(
            "bad-kwargs", "--kwargs is not a JSON object.", """Write for instance: '{"size": 9}'"""
        )
    return arguments
