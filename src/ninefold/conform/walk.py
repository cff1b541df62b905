"""Through a game with judge and environment: every position where they are few, random games."""

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from ninefold.conform.answer import Answer
from ninefold.conform.link import Link, Node
from ninefold.conform.verdict import FINAL, Bench, Finding, changed, no_answer
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position

CHUNK = 2_000
GAMES = 50
RARE = 8


class Case(NamedTuple):
    """A finding and where it was made: the path, the action, and what was tried behind it."""

    finding: Finding
    path: tuple[int, ...]
    action: int | None
    legal: bool
    follow: int | None = None

    @property
    def length(self) -> int:
        """How many actions it takes to see it."""
        return len(self.path) + (self.action is not None) + (self.follow is not None)


class Place(NamedTuple):
    """A position, a way to it, and what the environment said when it was first reached."""

    position: Position
    path: tuple[int, ...]
    said: Answer


class Walk:
    """The examination of one environment in one game; ``report`` is told every case."""

    def __init__(
        self, game: Game, link: Link, bench: Bench, seed: int, report: Callable[[Case], None]
    ) -> None:
        self.game = game
        self.link = link
        self.bench = bench
        self.chance = Random(seed)
        self.report = report
        self.positions = 0
        self.played = 0
        self.complete = False
        self.repeatable = True

    def everywhere(self, most: int) -> None:
        """Visit every position, the nearest first, trying every action; then it is ``complete``.

        It ends before a layer that would take the tries beyond ``most``.
        """
        start = self.game.start()
        layer = [Place(start, (), self.link.hello["at"])]
        self._tell(self.bench.at_start(start, layer[0].said), (), None, True)
        seen: set[object] = {(start.key, start.turn)}
        tries = 0
        while layer:
            tries += len(layer) * self.bench.actions.size
            if tries > most:
                return
            layer = self._next_layer(layer, seen)
        self.complete = True

    def games(self, count: int) -> None:
        """Play so many random games, with one illegal action in each."""
        while self.played < count:
            games = [self._random_game() for _ in range(min(GAMES, count - self.played))]
            turns = {node.path: position for game in games for position, node in game}
            ended: set[tuple[int, ...]] = set()
            for node, answer in self.link.ask([node for game in games for _, node in game]):
                place = Place(turns[node.path], node.path, answer.get("at", {}))
                if node.path in ended or not self._examine(place, node, answer):
                    ended.update((*node.path, action) for action, _ in node.tries)
            self.played += len(games)

    def judge(self, node: Node, answer: Answer) -> list[Case]:
        """The cases of one node, without telling anybody."""
        told: list[Case] = []
        position = self.bench.actions.follow(self.game.start(), node.path)
        if position is None or position.outcome is not None:
            return []
        keep, self.report = self.report, told.append
        try:
            self._examine(Place(position, node.path, answer.get("at", {})), node, answer)
        finally:
            self.report = keep
        return told

    def _next_layer(self, layer: list[Place], seen: set[object]) -> list[Place]:
        """Examine these positions; those one move further that nobody has seen."""
        found: dict[object, tuple[Place, int]] = {}
        for at in range(0, len(layer), CHUNK):
            places = {place.path: place for place in layer[at : at + CHUNK]}
            for node, answer in self.link.ask([*map(self._node, places.values())]):
                self._repeats(places[node.path], answer)
                for place in self._examine(places[node.path], node, answer):
                    self._choose(place, found, seen)
        self.positions += len(layer)
        seen.update(found)
        return [place for place, _ in found.values()]

    def _choose(
        self, place: Place, found: dict[object, tuple[Place, int]], seen: set[object]
    ) -> None:
        """Keep one of the ways to a position, any of them alike: the order picked may matter to
        the environment, though it does not to the judge.
        """
        key = (place.position.key, place.position.turn)
        if key in seen or place.position.outcome is not None:
            return
        kept, ways = found.get(key, (place, 0))
        chosen = place if not self.chance.randrange(ways + 1) else kept
        found[key] = (chosen, ways + 1)

    def _node(self, place: Place) -> Node:
        """Every action in this position; a refused one is followed by a legal one."""
        legal = self.bench.actions.legal(place.position)
        follow = self.chance.choice(sorted(legal))
        wrong = ((action, follow) for action in self.bench.actions.illegal(legal))
        return Node(place.path, (*((action, None) for action in sorted(legal)), *wrong))

    def _random_game(self) -> list[tuple[Position, Node]]:
        position = self.game.start()
        path: tuple[int, ...] = ()
        nodes = []
        while position.outcome is None:
            legal = self.bench.actions.legal(position)
            action = self._random_action(legal)
            nodes.append((position, Node(path, ((action, None),))))
            position, path = position.play(legal[action]), (*path, action)
        at = self.chance.randrange(len(nodes))
        position, node = nodes[at]
        if illegal := self.bench.actions.illegal(self.bench.actions.legal(position)):
            wrong = (self.chance.choice(illegal), node.tries[0][0])
            nodes[at] = (position, node._replace(tries=(wrong, *node.tries)))
        return nodes

    def _random_action(self, legal: Mapping[int, Move]) -> int:
        """Any of them; one that claims nothing is rare, or the game might never end."""
        picks = sorted(action for action, move in legal.items() if type(move) is int)
        rare = not picks or not self.chance.randrange(RARE)
        return self.chance.choice(sorted(legal) if rare else picks)

    def _examine(self, place: Place, node: Node, answer: Answer) -> list[Place]:
        """Tell the cases of a node; the positions from which it goes on."""
        if "broken" in answer:
            self._tell(no_answer(answer, ""), node.path, None, True)
            return []
        onward = []
        legal = self.bench.actions.legal(place.position)
        for (action, follow), said in zip(node.tries, answer["tries"], strict=True):
            move = legal.get(action)
            if move is None:
                self._illegal(place._replace(said=answer["at"]), action, follow, said)
                continue
            findings = self.bench.move(place.position, move, said)
            self._tell(findings, node.path, action, True)
            if not any(finding.kind in FINAL for finding in findings):
                onward.append(Place(place.position.play(move), (*node.path, action), said))
        return onward

    def _illegal(self, place: Place, action: int, follow: int | None, said: Answer) -> None:
        before = place.said if self.repeatable else {**place.said, "digest": said.get("digest")}
        findings = self.bench.illegal(place.position, action, before, said)
        self._tell(findings, place.path, action, False)
        if findings or follow is None or "then" not in said:
            return
        move = self.bench.actions.legal(place.position)[follow]
        for finding in self.bench.move(place.position, move, said["then"]):
            self.report(Case(finding, place.path, action, False, follow))

    def _repeats(self, place: Place, answer: Answer) -> None:
        """Notice an environment that says one thing the first time and another the second."""
        again = answer.get("at")
        if not again:
            return
        if finding := changed(place.said, again):
            self._tell([finding], place.path, None, True)
        else:
            self.repeatable &= again.get("digest") == place.said.get("digest")

    def _tell(
        self, findings: list[Finding], path: tuple[int, ...], action: int | None, legal: bool
    ) -> None:
        for finding in findings:
            self.report(Case(finding, path, action, legal))
