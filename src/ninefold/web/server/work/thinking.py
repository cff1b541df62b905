"""A computer player in a game: it thinks beside the server, so nobody else has to wait."""

from ninefold.core.moves import format_move
from ninefold.players import NoMove, make
from ninefold.referee import decide
from ninefold.web.server.work.given import GameSpec, replay_of
from ninefold.web.server.work.worker import Progress


def think(game: GameSpec, progress: Progress = lambda _: None) -> str:  # noqa: ARG001
    """The notation of the move that the computer player to act chooses; raises NinefoldError."""
    referee = replay_of(game).run()
    player = make(referee.settings.seats[referee.position.turn - 1], referee.game)
    assert player is not None, "a computer player is to act"
    decision = decide(referee, player)
    if isinstance(decision, NoMove):
        raise decision
    return format_move(decision)
