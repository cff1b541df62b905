"""A strategy card: what to do on every turn, as data, small enough to learn.

On every turn the general rules come first: complete a set, or else stop the opponent's. Where they
say nothing, the current line of the card does: the first of its numbers that is free. After each
reply, the line below that names the reply becomes the current one; if there is none, the same line
goes on.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from ninefold.coach.known import check_known
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import PASS, Declare, Move
from ninefold.core.position import Position
from ninefold.solver import Solver, solver_for

Rule: TypeAlias = Literal["declare", "complete", "stop"]
Goal: TypeAlias = Literal["win", "draw"]
# What an opponent answers with; None where a full hand is skipped, so there is no answer.
Reply: TypeAlias = Move | None

# How many lists of numbers are tried for one set of positions, and how many positions looked at
# altogether, before the search is content with a larger card.
LISTS = 400
# Short lists are looked for first.
LENGTHS = (3, 64)
EFFORT = 3_000_000


class NoCard(NinefoldError):
    """What keeps the value of a position cannot be written on a card, which names numbers."""


class Line(NamedTuple):
    """One line of a card: on these replies (none named: any other), these numbers in this order."""

    replies: tuple[Reply, ...]
    numbers: tuple[int, ...]
    then: tuple["Line", ...] = ()

    @property
    def size(self) -> int:
        """How many lines this is on paper, with everything below it."""
        return 1 + sum(line.size for line in self.then)


class Card(NamedTuple):
    """A complete strategy for one player from one position: it wins, or never loses.

    If the player is the one to move, or will be when the opponent has passed, the first number of
    ``root`` is the opening; otherwise ``root`` has no numbers of its own.
    """

    start: Position
    player: int
    goal: Goal
    rules: tuple[Rule, ...]
    root: Line


def strategy_for(position: Position, player: int | None = None) -> Card:
    """The card for this player, or for whoever wins; raises NinefoldError where there is none."""
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    game = position.game
    check_known(game)
    if game.rules.has_turns:
        raise NoCard(
            "no-card",
            "There are no cards for games in which turns are passed, swapped, or of several picks.",
            "Ask for a hint instead.",
        )
    result = solver_for(game).value(position).result
    winner = {"win": position.turn, "loss": 3 - position.turn}.get(result)
    if winner is not None and player == 3 - winner:
        raise NinefoldError(
            "lost",
            f"Player {player} loses against best play, so there is no such card.",
            f"Player {winner} has one.",
        )
    seat = player or winner or position.turn
    plan = _Plan(game, seat, "win" if winner else "draw")
    return Card(position, seat, plan.goal, general_rules(game), plan.root(position))


def general_rules(game: Game) -> tuple[Rule, ...]:
    """The rules that come before the card, in order; none where completing a set loses.

    Nor are there any where no set exists, and only the ending decides.
    """
    if game.rules.misere or not (game.sets or game.whole):
        return ()
    return ("declare", "complete", "stop") if game.rules.declare else ("complete", "stop")


class _Node:
    """A position in which the card's player is to move, and what is known about it.

    ``won`` tells that a general rule wins at once, ``forced`` the number that one of them demands.
    """

    __slots__ = ("_after", "_plan", "forced", "good", "position", "won")

    def __init__(self, plan: "_Plan", position: Position) -> None:
        self._plan = plan
        self._after: dict[int, dict[Reply, _Node]] = {}
        self.position = position
        me, ruled = position.turn, bool(general_rules(position.game))
        held = position.game.rules.declare and position.sets_of(me)
        self.won = bool(ruled and (held or position.threats(me)))
        stops = position.threats(3 - me) if ruled and not self.won else ()
        self.forced = stops[0] if stops else None
        self.good = () if self.won or stops else plan.good(position)
        if self.good and len(position.picks) == 1:
            self.forced = self.good[0]

    def choice(self, numbers: tuple[int, ...]) -> int | None:
        """The number taken here by someone with this list: what is forced, or the first free."""
        if self.forced is not None:
            return self.forced
        free = self.position.picks
        return next((number for number in numbers if number in free), None)

    def after(self, number: int) -> "dict[Reply, _Node]":
        """Where this number leads, reply by reply."""
        found = self._after.get(number)
        if found is None:
            found = self._after[number] = self._plan.replies(self.position.play(number))
        return found


# Positions in which the player is at the same line of the card, each once, in a stable order.
_Nodes: TypeAlias = tuple[_Node, ...]


class _Plan:
    """The search for a small card: one list of numbers for everything, or a line for each reply."""

    def __init__(self, game: Game, seat: int, goal: Goal) -> None:
        self.seat = seat
        self.goal = goal
        self._least = 1 if goal == "win" else 0
        self._solver: Solver = solver_for(game)
        self._nodes: dict[object, _Node] = {}
        self._lists: dict[frozenset[_Node], tuple[int, ...] | None] = {}
        self._effort = 0

    def root(self, position: Position) -> Line:
        """The whole card from this position."""
        if position.asking and position.turn != self.seat:
            # Whoever has this card would have lost to a declaration, and a pass is no reply.
            position = position.play(PASS)
        if position.outcome is None and position.turn == self.seat and not position.asking:
            return self._line((), (self._node(position),))
        return Line((), (), self._branches(self.replies(position)))

    def good(self, position: Position) -> tuple[int, ...]:
        """The numbers that keep what the card promises."""
        numbers = position.picks
        score = self._solver.move_score
        return tuple(n for n in numbers if score(position, n) >= self._least)

    def replies(self, position: Position) -> dict[Reply, _Node]:
        """The player's next turns after this, by the reply that leads there."""
        position = _answered(position, self.seat)
        if position.outcome is not None:
            return {}
        if position.turn == self.seat:
            return {None: self._node(position)}
        found: dict[Reply, _Node] = {}
        for move in position.legal:
            after = position.play(move)
            if after.asking and after.turn != self.seat:
                after = after.play(PASS)  # declaring would have won, so there is nothing to declare
            if after.outcome is None:
                found[move] = self._node(after)
        return found

    def _node(self, position: Position) -> _Node:
        node = self._nodes.get(position.key)
        if node is None:
            node = self._nodes[position.key] = _Node(self, position)
        return node

    def _line(self, replies: tuple[Reply, ...], nodes: _Nodes) -> Line:
        """The smallest line found for all these positions; raises NoCard."""
        numbers = self._list(nodes)
        if numbers is not None:
            return Line(replies, numbers)
        (node,) = nodes  # several are together only where one list is right for all
        best: Line | None = None
        for number in node.good if node.forced is None else (node.forced,):
            try:
                line = Line(replies, (number,), self._branches(node.after(number)))
            except NoCard:
                continue
            if best is None or line.size < best.size:
                best = line
            if best.size <= 3 or self._effort > EFFORT:
                break  # two lines below it are the fewest there can be
        if best is None:
            raise NoCard("no-card", "Here only giving turns away holds, and no card can say that.")
        return best

    def _branches(self, replies: dict[Reply, _Node]) -> tuple[Line, ...]:
        """A line for each group of replies that one list can answer; raises NoCard.

        The largest group stands last, for any other reply.
        """
        groups: list[tuple[list[Reply], _Nodes]] = []
        alone: list[Line] = []
        for reply, node in replies.items():
            if self._list((node,)) is None:
                alone.append(self._line((reply,), (node,)))
            else:
                self._join(groups, reply, node)
        groups.sort(key=lambda group: len(group[0]))
        lines = alone + [self._line(tuple(named), nodes) for named, nodes in groups]
        if lines:
            lines[-1] = lines[-1]._replace(replies=())
        return tuple(lines)

    def _join(
        self,
        groups: list[tuple[list[Reply], _Nodes]],
        reply: Reply,
        node: _Node,
    ) -> None:
        """Add a reply to the first group whose list can answer it too, or to a new one."""
        for at, (named, others) in enumerate(groups):
            together = tuple(dict.fromkeys((*others, node)))
            if self._list(together) is not None:
                groups[at] = ([*named, reply], together)
                return
        groups.append(([reply], (node,)))

    def _list(self, nodes: _Nodes) -> tuple[int, ...] | None:
        """Numbers of which the first free one is right in all these positions and all that follow.

        None if there are none, or if they were not found with reasonable effort.
        """
        known = frozenset(nodes)
        if known not in self._lists:
            found = (next(self._extended((), nodes, most, [LISTS]), None) for most in LENGTHS)
            self._lists[known] = next((numbers for numbers in found if numbers is not None), None)
        return self._lists[known]

    def _extended(
        self, numbers: tuple[int, ...], nodes: _Nodes, most: int, tries: list[int]
    ) -> Iterator[tuple[int, ...]]:
        """Every right list of so many numbers that begins with these, while there are tries."""
        tries[0] -= 1
        right, stuck = self._follow(numbers, nodes)
        if right and stuck is None:
            yield numbers
        elif right and stuck is not None and tries[0] > 0 and len(numbers) < most:
            for number in stuck.good:
                yield from self._extended((*numbers, number), nodes, most, tries)

    def _follow(self, numbers: tuple[int, ...], nodes: _Nodes) -> tuple[bool, _Node | None]:
        """Whether a list never errs, and a position in which it has no free number left."""
        met, todo, stuck = set(nodes), list(nodes), None
        while todo:
            node = todo.pop()
            self._effort += 1
            if node.won:
                continue
            choice = node.choice(numbers)
            if choice is None:
                stuck = stuck or node
                continue
            if node.forced is None and choice not in node.good:
                return False, None
            fresh = [after for after in node.after(choice).values() if after not in met]
            met.update(fresh)
            todo += fresh
        return True, stuck


def _answered(position: Position, seat: int) -> Position:
    """The position after this player's own question: a set is declared, or the turn passed on."""
    if position.outcome is not None or not position.asking or position.turn != seat:
        return position
    sets = position.sets_of(seat)
    return position.play(Declare(sets[0]) if sets else PASS)
