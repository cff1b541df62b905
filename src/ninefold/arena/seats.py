"""The players of a pairing, as they are asked: built-in, from outside, batched."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from ninefold.arena.faults import fault
from ninefold.arena.game import GameInProgress, Limits, settle
from ninefold.arena.nodes import Edge, Node, Nodes, nodes_for
from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.players import (
    KINDS,
    SAVED,
    NoMove,
    Player,
    PlayStopped,
    UnknownPlayer,
    Who,
    make,
    split_kind,
)

TRANSCRIPTS = "transcripts"


class Seat:
    """A player of a pairing, in whatever way it is asked."""

    is_timed = False  # its thinking time is part of the row
    is_batched = False  # it is asked about all games at once
    is_apart = False  # it plays one game at a time
    concurrency = 1

    def begin(self, game: GameInProgress) -> None:
        """A game begins in which it sits."""

    def move(self, game: GameInProgress) -> None:
        """Move in this game, or end it."""
        raise NotImplementedError

    def move_all(self, games: Sequence[GameInProgress]) -> None:
        """Move in each of these games."""
        for game in games:
            self.move(game)

    def close(self) -> None:
        """Leave for good."""


class BuiltIn(Seat):
    """A built-in player: its choices are kept with each node."""

    def __init__(self, name: str, player: Player) -> None:
        self._name, self._player = name, player

    def move(self, game: GameInProgress) -> None:
        """Follow one of the edges that it considers equally good."""
        node = game.node
        choices = node.choices.get(self._name) or node.choices_of(self._name, self._player)
        # With one choice, chance would take it, too.
        edge = choices[0] if len(choices) == 1 else game.chance.draw(choices, game.ply)
        game.follow(edge)


class Outside(Seat):
    """A player from outside: told the moves of one game at a time, and asked for its own."""

    is_timed = is_apart = True

    def __init__(self, player: Player, rules: Game, limits: Limits) -> None:
        self._player, self._rules, self._limits = player, rules, limits
        if limits.folder:
            player.enter(limits.folder, limits.processes)
        self.concurrency = player.concurrency
        self.is_ours = True  # an object of somebody else's is theirs to close

    def begin(self, game: GameInProgress) -> None:
        """Prepare the player for a new game; raises UnknownPlayer."""
        seat, limits = game.players.index(self) + 1, self._limits
        if limits.folder:
            name = f"{game.start.heading.id}-{seat}.jsonl"
            self._player.transcript = f"{limits.folder}/{TRANSCRIPTS}/{name}"
        self._player.begin(self._rules, limits.time_limit)

    def move(self, game: GameInProgress) -> None:
        """Ask, judge the answer, and ask again as often as it may try."""
        for left in reversed(range(self._limits.retries + 1)):
            decision = self._ask(game)
            if settle(game, decision, left == 0):
                return
            if isinstance(decision, NoMove):
                self._player.begin(self._rules, self._limits.time_limit)

    def _ask(self, game: GameInProgress) -> Move | NoMove:
        """The player's answer, or why there is none; raises PlayStopped."""
        seat, moves, began = game.node.turn, game.moves, perf_counter()
        decision: Move | NoMove
        try:
            self._player.follow(1, moves)
            position = self._rules.start()
            for move in moves:
                position = position.play(move)
            decision = self._player.choose(position, game.ply, game.chance)
        except PlayStopped:
            raise
        except Exception as error:  # noqa: BLE001 - whatever somebody's code raises
            from ninefold.players.python import failure_of

            decision = failure_of(error)
        game.seconds[seat - 1] += perf_counter() - began
        self._note_report(game, seat)
        return decision

    def _note_report(self, game: GameInProgress, seat: int) -> None:
        report = self._player.take_report()
        game.tokens[seat - 1] += report.tokens
        game.cost[seat - 1] += report.cost
        game.reported = report.faults[-1].kind if report.faults else ""
        for kind, code, raw in report.faults:
            game.faults.append({**fault(seat, game.ply, code, raw), "kind": kind})

    def close(self) -> None:
        """Leave for good."""
        if self.is_ours:
            self._player.close()


class Batched(Outside):
    """A batched agent: asked about all games at once in which it is to act."""

    is_batched, is_apart = True, False

    def __init__(
        self, player: Player, rules: Game, limits: Limits, nodes: Nodes, is_timed: bool
    ) -> None:
        super().__init__(player, rules, limits)
        self._nodes, self.is_timed = nodes, is_timed
        player.begin(rules, limits.time_limit)

    def begin(self, game: GameInProgress) -> None:
        """It was prepared once for all games."""

    def move_all(self, games: Sequence[GameInProgress]) -> None:
        """Ask once; if that fails, ask about each game, so that only the culprits forfeit."""
        import numpy

        agent = self._player.agent
        assert agent is not None
        nodes, began = [game.node for game in games], perf_counter()
        views, masks = self._nodes.observe(nodes)
        try:
            answer = agent(views, masks, numpy.array([game.number for game in games]))
            answers: list[Any] = answer.tolist()
        except PlayStopped:
            raise
        except Exception:  # noqa: BLE001 - whatever somebody's code raises
            for game in games:
                self.move(game)
            return
        spent = (perf_counter() - began) / len(games)
        for game, given in zip(games, answers, strict=True):
            game.seconds[game.node.turn - 1] += spent
            self._make(game, given)

    def _make(self, game: GameInProgress, answer: Any) -> None:
        """Make the move of an action, or of one drawn by its probability."""
        if isinstance(answer, list):
            likely = {action: weight for action, weight in enumerate(answer) if weight}
            answer = next(iter(likely))
            if len(likely) > 1:
                answer = game.chance.draw_weighted(likely, game.ply)
        actions = self._nodes.actions.get(game.node) or actions_of(self._nodes, game.node)
        edge = actions.get(answer)
        if edge is not None:
            game.follow(edge)
        else:
            self._judge(game, answer)

    def _judge(self, game: GameInProgress, action: int) -> None:
        decision: Move | NoMove
        game.reported = ""
        try:
            decision = self._nodes.encoding.move(game.node.position, action)
        except Illegal as error:
            decision = NoMove("illegal-answer", error.reason)
        for left in reversed(range(self._limits.retries + 1)):
            if settle(game, decision, left == 0):
                return
            decision = self._ask(game)


def actions_of(nodes: Nodes, node: Node) -> dict[int, Edge]:
    """The edge of each legal action of a node."""
    moves = nodes.encoding.moves(node.position)
    found = {action: node.edges[move] for action, move in moves.items()}
    if node.kept:
        nodes.actions[node] = found
    return found


def seat_for(who: Who, rules: Game, limits: Limits) -> Seat:
    """How this player plays games of these rules; raises UnknownPlayer."""
    player = make(who, rules, None)
    if player is None:
        raise UnknownPlayer("unknown-player", "A person cannot play in an arena.")
    if isinstance(who, str) and who in KINDS:
        return BuiltIn(who, player)
    saved = isinstance(who, str) and split_kind(who)[0] == SAVED
    if player.agent is None and not saved and not _loads_agent(player, rules, limits):
        seat = Outside(player, rules, limits)
    else:
        seat = Batched(player, rules, limits, nodes_for(rules), not saved)
    seat.is_ours = player is not who
    return seat


def _loads_agent(player: Player, rules: Game, limits: Limits) -> bool:
    """Whether it turns out to be a batched agent once it is loaded."""
    from ninefold.players.lazy import LazyPlayer

    if not isinstance(player, LazyPlayer):
        return False
    player.begin(rules, limits.time_limit)
    return player.agent is not None
