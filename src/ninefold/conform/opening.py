"""What has to be settled before the first move: the same game at all, and nobody else at play."""

from ninefold.conform.link import Link, Node
from ninefold.conform.verdict import Bench, Finding, changed, no_answer
from ninefold.conform.walk import Case, Walk
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST
from ninefold.core.position import Position

# How often the beginning of a game is looked at: chance that is even shows itself in time.
BEGINNINGS = 16


def begins_alike(link: Link) -> Finding | None:
    """What is wrong if the environment does not always begin in the same way."""
    nodes = [Node((), ())] * BEGINNINGS
    found = [changed(link.hello["at"], answer.get("at", {})) for _, answer in link.ask(nodes)]
    return next(filter(None, found), None)


def refuse_other_actions(game: Game, link: Link, bench: Bench) -> None:
    """Raise NinefoldError if all its actions are so many more, or fewer, than they should be."""
    listed = next(iter(link.hello["at"].get("legal") or ()), None)
    required = sorted(bench.actions.legal(game.start()))
    if not listed or not isinstance(listed, list) or len(listed) != len(required):
        return
    shifts = {theirs - ours for theirs, ours in zip(listed, required, strict=True)}
    inside = (
        bench.actions.start <= listed[0] and listed[-1] < bench.actions.start + bench.actions.size
    )
    if len(shifts) != 1 or shifts == {0} or not inside:
        return
    offset = game.pool[0] - listed[0]
    raise NinefoldError(
        "other-actions",
        f"The environment begins with the actions {listed[0]} to {listed[-1]}, not "
        f"{required[0]} to {required[-1]}.",
        f"If action {listed[0]} is the number {game.pool[0]}: --offset {offset}",
    )


def refuse_opponent(walk: Walk) -> None:
    """Raise NinefoldError if each first move is followed by another one that nobody made."""
    start, bench = walk.game.start(), walk.bench
    legal = bench.actions.legal(start)
    taken = []
    for node, answer in walk.link.ask([Node((), tuple((action, None) for action in legal))]):
        for (action, _), said in zip(node.tries, answer.get("tries", ()), strict=False):
            if said.get("legal"):
                taken.append(_taken(bench, start.play(legal[action]), said["legal"][0]))
            elif "failed" in said:  # there may be no other chance to tell it
                for finding in no_answer(said, "the move is legal"):
                    walk.report(Case(finding, (), action, True))
    if taken and all(taken):
        raise NinefoldError(
            "opponent-inside",
            "After the first move another number is gone: the environment moves for an opponent "
            "by itself.",
            "Such an environment cannot be tested this way. If it can be told to leave both "
            "players to its user, say so with --kwargs.",
        )


def _taken(bench: Bench, after: Position, listed: object) -> bool:
    """Whether exactly one number too many is gone."""
    legal = bench.actions.legal(after)
    required = {action for action, move in legal.items() if move is not LOST}
    return isinstance(listed, list) and len(listed) == len(required) - 1 and set(listed) < required
