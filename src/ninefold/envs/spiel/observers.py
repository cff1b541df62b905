"""What a player sees of a state, as OpenSpiel asks for it: a tensor, a dictionary and a text."""

from typing import Any

import numpy

from ninefold.envs.spiel.line import Table


class PlanesObserver:
    """The planes of ``ninefold.envs.encoding``, as seen by either player."""

    def __init__(self, table: Table, parameters: Any = None) -> None:
        if parameters:
            raise ValueError(f"There are no parameters of an observation: {parameters}")
        self._encoding = table.encoding
        shapes = self._shapes(table)
        sizes = [rows * columns for rows, columns in shapes.values()]
        self.tensor = numpy.zeros(sum(sizes), numpy.float32)
        pieces = numpy.split(self.tensor, numpy.cumsum(sizes)[:-1])
        # Views of the tensor: what is written into them is written there.
        self.dict = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def _shapes(self, table: Table) -> dict[str, tuple[int, int]]:
        return {"observation": table.encoding.shape}

    def set_from(self, state: Any, player: int) -> None:
        """Write what player 0 or 1 sees of this state."""
        self.dict["observation"][:] = self._encoding.observe(state.line.position, player + 1)

    def string_from(self, state: Any, player: int) -> str:  # noqa: ARG002 - both see everything
        """The position in words."""
        return str(state)


class HistoryObserver(PlanesObserver):
    """The planes and every action so far: one row each, 1 in the column of the action."""

    def _shapes(self, table: Table) -> dict[str, tuple[int, int]]:
        history = (table.most_moves, len(table.encoding.actions))
        return {**super()._shapes(table), "history": history}

    def set_from(self, state: Any, player: int) -> None:
        """Write what player 0 or 1 sees of this state and has seen before."""
        super().set_from(state, player)
        history, actions = self.dict["history"], state.line.actions
        history.fill(0)
        history[range(len(actions)), actions] = 1

    def string_from(self, state: Any, player: int) -> str:  # noqa: ARG002 - both see everything
        """The actions so far."""
        return " ".join(self._encoding.actions[action] for action in state.line.actions)
