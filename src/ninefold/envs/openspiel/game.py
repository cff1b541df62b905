"""A game of OpenSpiel: any rule book in any reading, and what players see of its states."""

import json
from collections.abc import Mapping
from typing import Any

import numpy
import pyspiel

from ninefold import books
from ninefold.books import Book
from ninefold.books.sources import is_path
from ninefold.core.errors import Unreadable
from ninefold.core.moves import parse_moves
from ninefold.encoding import encoding_for
from ninefold.envs.openspiel.snapshot import NinefoldState, SharedGame
from ninefold.envs.settings import limit_from
from ninefold.layout import VERSION
from ninefold.require import WrongSetting

# The default limit; 0 means unlimited.
DEFAULT_LIMIT = -1
DEFAULTS: dict[str, str | int] = {
    "book": "sequence_capture",
    "reading": "",
    "changes": "",
    "max_plies": DEFAULT_LIMIT,
    "version": VERSION,
}
# A game is saved as the text it is loaded by, and that notation reserves these. So a value that
# cannot be written is refused at once, not when it is read back.
_RESERVED = frozenset("(),=\n")
NAME = "ninefold"
GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Ninefold: number-claiming games",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


def settings_from(given: Mapping[str, str | int]) -> tuple[Book, dict[str, str | int]]:
    """The book that these parameters name, and those that load it again; raises NinefoldError."""
    values = _spelled({**DEFAULTS, **given})
    if values["version"] != VERSION:
        reason = f"Version {values['version']} of this game does not exist, only {VERSION}."
        raise WrongSetting("setting", reason, "It is the version of actions and observations.")
    names = {key: str(values[key]) for key in ("book", "reading", "changes")}
    for name, value in names.items():
        if _RESERVED & set(value):
            raise WrongSetting(
                "setting",
                f"{name} must not contain a comma, bracket, equals sign or newline: {value!r}.",
                "Use a rule-book file with a plain name instead.",
            )
    # Defaults are left out again, but a saved text must name its version.
    always = ("book", "version")
    kept = {key: value for key, value in values.items() if key in always or value != DEFAULTS[key]}
    return _book_from(**names), kept


def _spelled(values: dict[str, str | int]) -> dict[str, str | int]:
    """Built-in books and their readings in one spelling, so that equal games have equal texts."""
    if is_path(str(values["book"])):
        return values
    names = {key: str(values[key]).casefold().replace("-", "_") for key in ("book", "reading")}
    return {**values, **names}


def _book_from(book: str, reading: str, changes: str) -> Book:
    """The book; underscores may replace dashes, and a colon the equals sign."""
    listed = tuple(part.strip().replace(":", "=", 1) for part in changes.split(";") if part)
    name = book if is_path(book) else book.replace("_", "-")
    if reading and reading not in books.load_book(name).readings:
        reading = reading.replace("_", "-")
    return books.load_book(name, reading or None, listed)


def limit_of(book: Book, parameters: Mapping[str, str | int]) -> int | None:
    """The limit in force; raises WrongSetting if the game need not end without one."""
    max_plies = int(parameters.get("max_plies", DEFAULT_LIMIT))
    encoding = encoding_for(book.game)
    limit = limit_from(None if max_plies == DEFAULT_LIMIT else max_plies, encoding, "raise")
    if limit is None and encoding.is_endless:
        reason = "max_plies must not be 0 if turns can be lost without end."
        raise WrongSetting("setting", reason, "Games in OpenSpiel are finite.")
    return limit


class NinefoldGame(pyspiel.Game):  # type: ignore[misc] # it has no types
    """A game of a rule book, in the encoding of ``ninefold.encoding``."""

    def __init__(self, parameters: Mapping[str, str | int] | None = None) -> None:
        self.book, kept = settings_from(parameters or {})
        name = f"{NAME}{pyspiel.game_parameters_to_string(kept)}"
        self.shared = SharedGame(name, self.book.game, limit_of(self.book, kept))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.shared.encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.shared.most_moves,
        )
        super().__init__(GAME_TYPE, info, kept)

    def new_initial_state(self, moves: Any = None) -> NinefoldState:
        """The start, or the state after these moves, as text or data; raises NinefoldError."""
        if moves is None:
            return NinefoldState(self, self.shared.start)
        return NinefoldState(self, self.shared.follow(parse_moves(_text_of(moves))))

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """An observer of the planes; with perfect recall, also of all actions so far."""
        if not isinstance(kind, pyspiel.IIGObservationType):
            # OpenSpiel may leave the kind out.
            kind, parameters = None, kind or parameters
        if kind is not None and not kind.public_info:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(kind, parameters)
        if parameters:
            raise ValueError(f"an observation takes no parameters: {parameters}")
        return Observer(self.shared, with_history=kind is not None and kind.perfect_recall)


def _text_of(moves: Any) -> str:
    """The moves as text, from what a state returns; plain text stays as it is."""
    if isinstance(moves, str) and not moves.lstrip().startswith("{"):
        return moves
    try:
        text = moves.to_json() if isinstance(moves, pyspiel.StateStruct) else moves
        return str((text if isinstance(text, Mapping) else json.loads(text))["moves"])
    except (KeyError, TypeError, ValueError):
        advice = "Use state.to_dict()."
        raise Unreadable("unreadable", "There are no moves in it.", advice) from None


class Observer:
    """The planes as either player sees them; with a history, also a row per action so far."""

    def __init__(self, shared: SharedGame, with_history: bool) -> None:
        self._actions = shared.encoding.actions
        shapes = {"observation": shared.encoding.shape}
        if with_history:
            shapes["history"] = (shared.most_moves, len(self._actions))
        sizes = [rows * columns for rows, columns in shapes.values()]
        self.tensor = numpy.zeros(sum(sizes), numpy.float32)
        pieces = numpy.split(self.tensor, numpy.cumsum(sizes)[:-1])
        # These are views of the tensor: writing to them writes to it.
        self.dict = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def set_from(self, state: Any, player: int) -> None:
        """Write what player 0 or 1 sees in this state, and the actions so far."""
        self.dict["observation"][:] = state.snapshot.state.views[player]
        if "history" in self.dict:
            history, actions = self.dict["history"], state.snapshot.actions
            history.fill(0)
            history[range(len(actions)), actions] = 1

    def string_from(self, state: Any, player: int) -> str:  # noqa: ARG002 - both see everything
        """The position as text, or the actions so far."""
        if "history" not in self.dict:
            return str(state)
        return " ".join(self._actions[action] for action in state.snapshot.actions)
