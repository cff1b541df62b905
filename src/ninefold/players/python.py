"""Players written in Python: ``python:MODULE:NAME``, or any object that can choose a move.

A function without parameters, or a class, makes the player. A function of one argument is given
the position, and returns a move or the probability of each. A function of two is a batched agent
(see ``ninefold.players.agents``).
"""

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from ninefold.core.errors import Illegal, Unreadable
from ninefold.core.moves import Move, as_move
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.players import PYTHON, Chance, NoMove, Player, UnknownPlayer, WrongAnswer

T = TypeVar("T")
MAX_SPEC = 200
EXPECTED = "a move such as 5 or 'pass', or the probability of each in a dict"
# Probabilities may miss 1 by this much.
TOLERANCE = 1e-4


def wrap(given: object) -> Player:
    """The player that an object is, or that its function makes; raises UnknownPlayer."""
    for _ in range(2):  # a class or a factory, then what it makes
        if isinstance(given, Player):
            return given
        if not callable(given):
            break
        count = _count_arguments(given)
        if count == 1:
            return FunctionPlayer(given)
        if count in (2, 3):
            from ninefold.players.agents import AgentPlayer

            return AgentPlayer(given, count == 3)
        if count:
            break
        given = given()
    raise UnknownPlayer(
        "bad-player",
        f"{shorten(repr(given), 80)} is not a player.",
        "Use a function of a position, or of observations and masks, or a subclass of Player.",
    )


def _count_arguments(function: Callable[..., Any]) -> int:
    """How many arguments a function must be given, in their places."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions of C do not tell
        return -1
    placed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in placed and one.default is one.empty for one in parameters)


class FunctionPlayer(Player):
    """Plays what a function of the position returns."""

    def __init__(self, function: Callable[[Position], Any]) -> None:
        self._function = function

    def policy(self, position: Position, ply: int, chance: Chance) -> Mapping[Move, float]:  # noqa: ARG002 - the function has its own
        """What the function returns; raises WrongAnswer."""
        answer = self._function(position)
        if not isinstance(answer, Mapping):
            return {_read(answer): 1.0}
        weights = {_read(move): _weight(weight) for move, weight in answer.items()}
        if abs(sum(weights.values()) - 1) > TOLERANCE:
            raise WrongAnswer("probabilities that add up to 1", shorten(repr(answer), 80))
        return {move: weight for move, weight in weights.items() if weight}

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """The move that the function returns, or one of those; raises WrongAnswer."""
        return chance.draw_weighted(self.policy(position, ply, chance), ply)


def _read(answer: Any) -> Move:
    try:
        return as_move(answer)
    except (TypeError, Unreadable):
        raise WrongAnswer(EXPECTED, shorten(repr(answer), 80)) from None


def _weight(given: Any) -> float:
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 <= weight <= 1 + TOLERANCE:
        raise WrongAnswer("probabilities from 0 to 1", shorten(repr(given), 40))
    return weight


def check_spec(spec: str) -> None:
    """Refuse what cannot be ``MODULE:NAME``; raises UnknownPlayer."""
    module, _, name = spec.partition(":")
    parts = (*module.split("."), *name.split("."))
    if len(spec) > MAX_SPEC or not all(part.isidentifier() for part in parts):
        reason = f"{shorten(PYTHON + spec, 80)!r} is not a player."
        raise UnknownPlayer("bad-player", reason, f"Write {PYTHON}MODULE:NAME.")


def check_module(spec: str) -> None:
    """Refuse a module that is nowhere, without running anything; raises UnknownPlayer."""
    from importlib.util import find_spec

    _look_here()
    top = spec.partition(":")[0].partition(".")[0]
    if top not in sys.modules and find_spec(top) is None:
        raise _no_module(spec, top)


def _look_here() -> None:
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a program has only its own folder there


def _no_module(spec: str, module: str | None) -> UnknownPlayer:
    reason = f"Cannot load {PYTHON}{spec}: there is no module {module}."
    return UnknownPlayer("bad-player", reason, "It must be in the current folder, or installed.")


def load(spec: str) -> Player:
    """Import the module, from here too, and make the player of this name; raises UnknownPlayer."""
    return find(spec, wrap)


def find(spec: str, use: Callable[[Any], T]) -> T:
    """What is made of the object of this name in a module, from here too; raises UnknownPlayer."""
    module, _, name = spec.partition(":")
    _look_here()
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            if not hasattr(found, part):
                reason = f"Cannot load {PYTHON}{spec}: {module} has no {name}."
                raise UnknownPlayer("bad-player", reason, "Check how the name is spelled.")
            found = getattr(found, part)
        return use(found)
    except UnknownPlayer:
        raise
    except ModuleNotFoundError as error:
        raise _no_module(spec, error.name) from error
    except Exception as error:  # whatever the user's code raises
        reason = f"Cannot load {PYTHON}{spec}: {crash(error)}"
        raise UnknownPlayer("bad-player", reason) from error


def crash(error: Exception) -> str:
    """What went wrong in somebody's code, and where."""
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return shorten(f"{type(error).__name__}: {error}", 200) + f"{where}."


def failure_of(error: Exception) -> NoMove:
    """How somebody's code failed: what it returned is not a legal move, or it broke down."""
    if isinstance(error, NoMove):
        return error
    if isinstance(error, WrongAnswer | Illegal):
        code = "illegal-answer" if isinstance(error, Illegal) else "unreadable-answer"
        return NoMove(code, error.reason)
    return NoMove("crash", f"it raised {crash(error)}")
