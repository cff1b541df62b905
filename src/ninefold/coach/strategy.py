"""A strategy card for a position: what to do on every turn, small enough to learn."""

from ninefold.coach.known import check_known
from ninefold.coach.lines import Card, Goal, Line, NoCard, Reply, Rule
from ninefold.coach.plan import Plan
from ninefold.coach.verify import BadCard, verify_card
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver import solver_for

__all__ = ["Card", "Goal", "Line", "NoCard", "Reply", "Rule", "general_rules", "strategy_for"]


def strategy_for(position: Position, player: int | None = None) -> Card:
    """The card for this player, or for whoever wins; raises NinefoldError where there is none."""
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    game = position.game
    check_known(game)
    result = solver_for(game).value(position).result
    winner = {"win": position.turn, "loss": 3 - position.turn}.get(result)
    if winner is not None and player == 3 - winner:
        raise NinefoldError(
            "lost",
            f"Player {player} loses against best play, so there is no such card.",
            f"Player {winner} has one.",
        )
    return _card(position, player or winner or position.turn, "win" if winner else "draw")


def general_rules(game: Game) -> tuple[Rule, ...]:
    """The rules that come before the card, in order; none where completing a set loses.

    Nor are there any where no set exists, and only the ending decides.
    """
    if game.rules.misere or not (game.sets or game.whole):
        return ()
    return ("declare", "complete", "stop") if game.rules.declare else ("complete", "stop")


def _card(position: Position, seat: int, goal: Goal) -> Card:
    """A card with all the general rules, or else with those that are never wrong."""
    every = general_rules(position.game)
    # Where a turn is not simply one number, stopping a set is not always the best there is.
    ways = dict.fromkeys((every, tuple(rule for rule in every if rule != "stop")))
    for rules in ways:
        try:
            root = Plan(position.game, seat, goal, rules).root(position)
            card = Card(position, seat, goal, rules, root)
            if position.game.rules.has_turns:
                verify_card(card)
            return card
        except (NoCard, BadCard):
            continue
    raise NoCard("no-card", "No card was found for this game.", "Ask for a hint on each turn.")
