"""The search for a small card: one list of moves for everything, or a line for each reply."""

from collections.abc import Iterator
from typing import TypeAlias

from ninefold.coach.lines import Goal, Line, NoCard, Reply, Rule, goes_on, reply_of
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move
from ninefold.core.position import Position
from ninefold.solver import Solver, solver_for

# How many lists of numbers are tried for one set of positions, and how many positions looked at
# altogether, before the search is content with a larger card.
LISTS = 400
# From then on, fewer of them are tried.
LISTS_IN_HASTE = 12
# Short lists are looked for first.
LENGTHS = (3, 64)
EFFORT = 3_000_000
# Past this, a minute or more of computing, there would be thousands of lines.
MOST_EFFORT = 20 * EFFORT


class _Node:
    """A position in which the card's player is to move, and what is known about it.

    ``won`` tells that a general rule wins at once, ``forced`` the number that one of them demands;
    ``good`` are the moves that keep the promise, and ``last`` is the number that is left.
    """

    __slots__ = ("_after", "_plan", "forced", "good", "last", "options", "position", "won")

    def __init__(self, plan: "Plan", position: Position) -> None:
        self._plan = plan
        self._after: dict[Move, dict[Reply, _Node]] = {}
        self.position = position
        self.options = [move for move in position.legal if not isinstance(move, Declare)]
        self.last = position.picks[0] if len(position.picks) == 1 else None
        self.won = plan.wins_by_rule(position)
        stops = () if self.won else plan.stops(position)
        self.forced = stops[0] if stops else None
        self.good = () if self.won else plan.good(position, stops)

    def choice(self, moves: tuple[Move, ...]) -> Move | None:
        """What someone with this list does here: what is forced, or the first that is possible."""
        if self.forced is not None:
            return self.forced
        said = next((move for move in moves if move in self.options), None)
        return self.last if said is None and self.last in self.good else said

    def after(self, move: Move) -> "dict[Reply, _Node]":
        """Where this move leads, reply by reply."""
        found = self._after.get(move)
        if found is None:
            found = self._after[move] = self._plan.replies(self.position.play(move))
        return found


# Positions in which the player is at the same line of the card, each once, in a stable order.
_Nodes: TypeAlias = tuple[_Node, ...]


class Plan:
    """One search, for a player, a goal and the general rules that come before the card."""

    def __init__(self, game: Game, seat: int, goal: Goal, rules: tuple[Rule, ...]) -> None:
        self.game = game
        self.seat = seat
        self.rules = rules
        self._least = 1 if goal == "win" else 0
        self._solver: Solver = solver_for(game)
        self._nodes: dict[object, _Node] = {}
        self._lists: dict[frozenset[_Node], tuple[Move, ...] | None] = {}
        self._effort = 0

    def root(self, position: Position) -> Line:
        """The whole card from this position; raises NoCard."""
        if position.asking and position.turn != self.seat:
            # Whoever has this card would have lost to a declaration, and a pass is no reply.
            position = position.play(PASS)
        answered = _answered(position, self.seat)
        if goes_on(position, answered):
            position = answered
        if position.outcome is None and position.turn == self.seat and not position.asking:
            return self._line((), (self._node(position),))
        return Line((), (), self._branches(self.replies(position)))

    def wins_by_rule(self, position: Position) -> bool:
        """Whether a general rule wins in this turn."""
        me = position.turn
        if "declare" in self.rules and position.sets_of(me):
            return True
        return "complete" in self.rules and _can_complete(position, me)

    def stops(self, position: Position) -> tuple[int, ...]:
        """The numbers of which the rule to stop the opponent demands one."""
        if "stop" not in self.rules:
            return ()
        threats, picks = position.threats(3 - position.turn), position.picks
        return tuple(number for number in threats if number in picks)

    def good(self, position: Position, stops: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves that keep what the card promises; none, if a stop that is demanded does not."""
        score = self._solver.move_score
        if stops:
            return stops if all(score(position, move) >= self._least for move in stops) else ()
        legal = [move for move in position.legal if not isinstance(move, Declare)]
        scores: dict[Move, int] = {move: score(position, move) for move in legal}
        good = [move for move in legal if move is not LOST and scores[move] >= self._least]
        if LOST in legal and PASS in good and scores[PASS] < max(scores.values()):
            good.remove(PASS)  # it might be passed and lost in turns for ever
        if not good and scores.get(LOST, -1) >= self._least:
            return (LOST,)
        return tuple(good)

    def replies(self, position: Position) -> dict[Reply, _Node]:
        """The player's next turns after this, by the reply that leads there."""
        position = _answered(position, self.seat)
        limit, hand = self.game.rules.hand_limit, position.hands[self.seat - 1]
        if position.outcome is not None or (limit is not None and len(hand) >= limit):
            return {}
        if position.turn == self.seat:
            return {None: self._node(position)}
        return dict(self._turns(position, ()))

    def _turns(self, position: Position, moves: tuple[Move, ...]) -> Iterator[tuple[Reply, _Node]]:
        """Every turn of the opponent that begins with these moves, and where it leads."""
        for move in position.legal:
            after, turn = position.play(move), (*moves, move)
            if after.asking and after.turn != self.seat:
                after = after.play(PASS)  # declaring would have won, so there is nothing to declare
            if after.outcome is None and after.turn == self.seat:
                yield reply_of(self.game, turn), self._node(after)
            elif after.outcome is None:
                yield from self._turns(after, turn)

    def _node(self, position: Position) -> _Node:
        node = self._nodes.get(position.key)
        if node is None:
            node = self._nodes[position.key] = _Node(self, position)
        return node

    def _line(self, replies: tuple[Reply, ...], nodes: _Nodes) -> Line:
        """The smallest line found for all these positions; raises NoCard."""
        moves = self._list(nodes)
        if moves is not None:
            return Line(replies, moves)
        (node,) = nodes  # several are together only where one list is right for all
        best: Line | None = None
        for moves, after in self._ways(node, ()):
            try:
                line = Line(replies, moves, self._branches(after))
            except NoCard:
                continue
            if best is None or line.size < best.size:
                best = line
            if best.size <= 3 or self._effort > EFFORT:
                break  # two lines below it are the fewest there can be
        if best is None:
            raise NoCard("no-card", "No move keeps what the card promises.")
        return best

    def _ways(
        self, node: _Node, moves: tuple[Move, ...]
    ) -> Iterator[tuple[tuple[Move, ...], dict[Reply, _Node]]]:
        """Every good way through this turn, with the replies to it."""
        for move in node.good if node.forced is None else (node.forced,) * bool(node.good):
            after, told = node.after(move), (*moves, move)
            same = after.get(None)
            if same is None or not goes_on(node.position, same.position):
                yield told, after
            elif same.won:
                yield told, {}
            else:
                yield from self._ways(same, told)

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

    def _list(self, nodes: _Nodes) -> tuple[Move, ...] | None:
        """Moves of which the first possible one is right in all these positions and all to follow.

        None if there are none, or if they were not found with reasonable effort.
        """
        known = frozenset(nodes)
        if known not in self._lists:
            tries = LISTS if self._effort <= EFFORT else LISTS_IN_HASTE
            found = (next(self._extended((), nodes, most, [tries]), None) for most in LENGTHS)
            self._lists[known] = next((moves for moves in found if moves is not None), None)
        return self._lists[known]

    def _extended(
        self, moves: tuple[Move, ...], nodes: _Nodes, most: int, tries: list[int]
    ) -> Iterator[tuple[Move, ...]]:
        """Every right list of so many moves that begins with these, while there are tries."""
        tries[0] -= 1
        right, stuck = self._follow(moves, nodes)
        if right and stuck is None:
            yield moves
        elif right and stuck is not None and tries[0] > 0 and len(moves) < most:
            for move in stuck.good:
                yield from self._extended((*moves, move), nodes, most, tries)

    def _spend(self) -> None:
        """Count one more position that is looked at; raises NinefoldError past all reason."""
        self._effort += 1
        if self._effort > MOST_EFFORT:
            reason = (
                f"A card for these {len(self.game.pool)} numbers would have thousands of lines."
            )
            advice = "Take fewer numbers, or a position further on: --moves."
            raise NinefoldError("too-large", reason, advice)

    def _follow(self, moves: tuple[Move, ...], nodes: _Nodes) -> tuple[bool, _Node | None]:
        """Whether a list never errs, and a position in which nothing on it is possible."""
        met, todo, stuck = set(nodes), list(nodes), None
        while todo:
            node = todo.pop()
            self._spend()
            if node.won:
                continue
            choice = node.choice(moves)
            if choice is None:
                stuck = stuck or node
                continue
            if choice not in node.good:
                return False, None
            fresh = [after for after in node.after(choice).values() if after not in met]
            met.update(fresh)
            todo += fresh
        return True, stuck


def _can_complete(position: Position, seat: int) -> bool:
    """Whether this player, who is to move, can complete a set in this turn."""
    if position.threats(seat):
        return True
    if position.picks_left == 1:
        return False
    for number in position.picks:
        after = position.play(number)
        after = after.play(PASS) if after.asking else after
        if goes_on(position, after) and _can_complete(after, seat):
            return True
    return False


def _answered(position: Position, seat: int) -> Position:
    """The position after this player's own question: a set is declared, or the turn passed on."""
    if position.outcome is not None or not position.asking or position.turn != seat:
        return position
    sets = position.sets_of(seat)
    return position.play(Declare(sets[0]) if sets else PASS)
