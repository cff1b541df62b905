"""``agent:FILE``: a saved agent. The file holds arrays and the rules they are for, and no code."""

from ninefold.require import require_package

require_package("numpy", "train")

import json
import os
import zipfile
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy

from ninefold.core.game import Game
from ninefold.core.text import shorten
from ninefold.encoding import encoding_for
from ninefold.layout import VERSION
from ninefold.players import UnknownPlayer
from ninefold.players.agents import AgentPlayer

FORMAT = "ninefold-agent-1"
# A larger file is not read: nobody knows who wrote it.
MAX_BYTES = 1 << 28
_ILLEGAL = -9.0  # below the value of any action
_MOST_LAYERS = 64


class SavedAgent:
    """A network that estimates the value of every action, and the game it was trained on."""

    def __init__(self, game: str, rules: str, weights: list[Any]) -> None:
        self.game, self.rules, self.weights = game, rules, weights  # rules: their fingerprint

    def __call__(self, views: Any, masks: Any) -> Any:
        """The legal action with the highest value for each observation."""
        return values_of(self.weights, views, masks).argmax(axis=1)


def layers_of(weights: Sequence[Any], views: Any) -> list[Any]:
    """The input and the output of each layer: hidden ones are cut at 0, the last is a tanh."""
    layers = [views.reshape(len(views), -1).astype(numpy.float32)]
    for at in range(0, len(weights), 2):
        summed = layers[-1] @ weights[at] + weights[at + 1]
        is_last = at == len(weights) - 2
        layers.append(numpy.tanh(summed) if is_last else numpy.maximum(summed, 0))
    return layers


def values_of(weights: Sequence[Any], views: Any, masks: Any) -> Any:
    """The value of each action, from -1 to 1; the lowest for illegal ones."""
    return numpy.where(masks, layers_of(weights, views)[-1], _ILLEGAL)


def save_agent(file: BinaryIO, game: Game, weights: Sequence[Any]) -> None:
    """Write an agent for this game, as a NumPy archive."""
    about = {"format": FORMAT, "game": game.name, "rules": game.fingerprint, "encoding": VERSION}
    arrays = {f"weights_{at}": weight for at, weight in enumerate(weights)}
    numpy.savez(file, about=numpy.array(json.dumps(about)), **arrays)


def load_agent(path: str) -> SavedAgent:
    """The agent in this file; raises UnknownPlayer."""
    try:
        return _read(path)
    except OSError as error:
        reason = error.strerror or str(error)
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        reason = "it is not a saved agent"
    shown = shorten(path, 80)
    advice = "Agents are written by: ninefold train GAME --save FILE"
    raise UnknownPlayer("bad-agent", f"Cannot load the agent {shown}: {reason}.", advice)


def _read(path: str) -> SavedAgent:
    if not os.path.isfile(path):  # a pipe or a device would never end
        raise FileNotFoundError(2, "there is no such file")
    with zipfile.ZipFile(path) as archive:
        if sum(part.file_size for part in archive.infolist()) > MAX_BYTES:
            raise ValueError("too large")
    with numpy.load(path, allow_pickle=False) as arrays:
        about = json.loads(str(arrays["about"]))
        if (about["format"], about["encoding"]) != (FORMAT, VERSION):
            raise ValueError("another version")
        names = [f"weights_{at}" for at in range(_MOST_LAYERS)]
        weights = [arrays[name] for name in names if name in arrays]
    return SavedAgent(str(about["game"]), str(about["rules"]), _fitting(weights))


def _fitting(weights: list[Any]) -> list[Any]:
    """The same weights, if they are those of layers that fit together; raises ValueError."""
    if not weights or len(weights) % 2:
        raise ValueError("no layers")
    for matrix, bias in zip(weights[::2], weights[1::2], strict=True):
        if matrix.dtype.kind != "f" or bias.dtype.kind != "f" or bias.shape != matrix.shape[1:]:
            raise ValueError("not a layer")
    return weights


class SavedPlayer(AgentPlayer):
    """An agent from a file, which plays only the game it was trained on; raises UnknownPlayer."""

    def __init__(self, path: str) -> None:
        self._path, self._saved = path, load_agent(path)
        super().__init__(self._saved)

    def begin(self, game: Game, limit: float | None) -> None:
        """Refuse other rules; raises UnknownPlayer."""
        super().begin(game, limit)
        saved, (planes, size) = self._saved, encoding_for(game).shape
        shape = saved.weights[0].shape[:1] + saved.weights[-1].shape
        if (saved.rules, *shape) != (
            game.fingerprint,
            planes * size,
            len(encoding_for(game).actions),
        ):
            trained = f"{shorten(saved.game, 40)} with the rules {shorten(saved.rules, 16)}"
            reason = f"{shorten(self._path, 80)} was trained on another game: {trained}."
            advice = "Train one with: ninefold train GAME --save FILE"
            raise UnknownPlayer("other-rules", reason, advice)
