"""Two computers or programs play, and somebody watches: pause, faster, slower."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.players import NoMove
from ninefold.session import LiveGame, Session
from ninefold.tui.game import GameScreen
from ninefold.tui.game_page import PAUSE

# How fast and how slow they can play, in seconds for each move.
PACES = (0.05, 30.0)


class WatchScreen(GameScreen):
    """A game that nobody here plays; a match goes on by itself."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause", priority=True),
        Binding("plus,equals_sign", "pace(0.5)", "Faster", key_display="+"),
        Binding("minus", "pace(2)", "Slower", key_display="-"),
    ]
    CONTROLS: ClassVar[Mapping[str, str]] = {"pause": "Space Pause", **GameScreen.CONTROLS}
    PALETTE: ClassVar[Mapping[str, tuple[str, str]]] = {
        "pause": ("Pause", "Stop the players between moves, or let them go on"),
        **GameScreen.PALETTE,
    }

    def __init__(
        self,
        session: Session,
        results: tuple[int | None, ...] = (),
        game: LiveGame | None = None,
        pace: float | None = None,
    ) -> None:
        super().__init__(session, results, game)
        self._pace = pace
        self._is_paused = False
        self._held: partial[None] | None = None  # what happens when the pause is over

    @property
    def pause(self) -> float:
        """The seconds before a move."""
        return super().pause if self._pace is None else self._pace

    def status(self) -> str:
        """Who thinks or won, or that nothing happens now."""
        paused = self._is_paused and self.game.outcome is None
        return "Paused. Space: go on" if paused else super().status()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to pause after the end."""
        if action in ("pause", "pace") and self.game.outcome is not None:
            return False
        return super().check_action(action, parameters)

    def answer(self, moment: int, decision: Move | NoMove | NinefoldError) -> None:
        """Let a computer move, or wait until the pause is over."""
        if self._is_paused:
            self._held = partial(self.answer, moment, decision)
        else:
            super().answer(moment, decision)

    def finish(self) -> None:
        """Explain the result, and go on with a match."""
        super().finish()
        if self.has_next_game:
            self.set_timer(1 + 2 * self.pause, partial(self._go_on, self.game))

    def _go_on(self, game: LiveGame) -> None:
        """Begin the next game, unless somebody looks back or has begun it."""
        if game is self.game and self.is_showing_now:
            self.action_next()

    def again(self, session: Session, game: LiveGame) -> GameScreen:
        """The screen of a rematch."""
        return WatchScreen(session, self.results, game, self._pace)

    def action_pause(self) -> None:
        """Stop between moves, or go on."""
        self._is_paused = not self._is_paused
        held, self._held = self._held, None
        if held is not None:
            held()
        self.refresh_all()

    def action_pace(self, times: float) -> None:
        """Play faster or slower."""
        least, most = PACES
        self._pace = min(most, max(least, (self._pace or PAUSE) * times))
        self.tell(f"{self._pace:.2g} seconds for each move")


def screen_of(
    session: Session, pace: float | None = None, game: LiveGame | None = None
) -> GameScreen:
    """The screen for the games of a session: to play them, or only to watch."""
    if any(session.settings.humans):
        return GameScreen(session, game=game)
    return WatchScreen(session, game=game, pace=pace)
