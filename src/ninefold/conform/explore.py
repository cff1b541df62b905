"""Explores a game with the judge and the environment: every position, then random games."""

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from ninefold.conform.answer import Answer
from ninefold.conform.comparison import FINAL, Comparison, Finding, changed, no_answer
from ninefold.conform.environment import Environment, Probe
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position

CHUNK = 2_000
GAMES = 50
RARE = 8


class Case(NamedTuple):
    """A finding and where it was made: the path, the action, and the action tried after it."""

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
    """A position, a path to it, and what the environment said when it was first reached."""

    position: Position
    path: tuple[int, ...]
    said: Answer


class Explorer:
    """Compares one environment with the judge in one game; ``report`` gets every case."""

    def __init__(
        self,
        game: Game,
        env: Environment,
        comparison: Comparison,
        seed: int,
        report: Callable[[Case], None],
    ) -> None:
        self.game = game
        self.env = env
        self.comparison = comparison
        self.chance = Random(seed)
        self.report = report
        self.positions = 0
        self.played = 0
        self.complete = False
        self.repeatable = True

    def visit_all(self, most: int) -> None:
        """Try every action in every position, nearest first; then it is ``complete``.

        It stops before a layer that would exceed ``most`` tries. A whole layer is asked in large
        batches, because each exchange with the process takes time.
        """
        start = self.game.start()
        layer = [Place(start, (), self.env.hello["at"])]
        self._report_all(self.comparison.at_start(start, layer[0].said), (), None, True)
        seen: set[object] = {(start.key, start.turn)}
        tries = 0
        while layer:
            tries += len(layer) * self.comparison.actions.size
            if tries > most:
                return
            layer = self._next_layer(layer, seen)
        self.complete = True

    def play_random(self, count: int) -> None:
        """Play so many random games, with one illegal action in each."""
        while self.played < count:
            games = [self._random_game() for _ in range(min(GAMES, count - self.played))]
            turns = {probe.path: position for game in games for position, probe in game}
            ended: set[tuple[int, ...]] = set()
            for probe, answer in self.env.ask([probe for game in games for _, probe in game]):
                place = Place(turns[probe.path], probe.path, answer.get("at", {}))
                if probe.path in ended or not self._examine(place, probe, answer):
                    ended.update((*probe.path, action) for action, _ in probe.tries)
            self.played += len(games)

    def judge(self, probe: Probe, answer: Answer) -> list[Case]:
        """The cases of one probe, without reporting them."""
        cases: list[Case] = []
        position = self.comparison.actions.follow(self.game.start(), probe.path)
        if position is None or position.outcome is not None:
            return []
        keep, self.report = self.report, cases.append
        try:
            self._examine(Place(position, probe.path, answer.get("at", {})), probe, answer)
        finally:
            self.report = keep
        return cases

    def _next_layer(self, layer: list[Place], seen: set[object]) -> list[Place]:
        """Compare these positions; the new positions one move further."""
        found: dict[object, tuple[Place, int]] = {}
        for at in range(0, len(layer), CHUNK):
            places = {place.path: place for place in layer[at : at + CHUNK]}
            for probe, answer in self.env.ask([*map(self._probe, places.values())]):
                self._repeats(places[probe.path], answer)
                for place in self._examine(places[probe.path], probe, answer):
                    self._choose(place, found, seen)
        self.positions += len(layer)
        seen.update(found)
        return [place for place, _ in found.values()]

    def _choose(
        self, place: Place, found: dict[object, tuple[Place, int]], seen: set[object]
    ) -> None:
        """Keep a random one of the paths to a position: the order of picks may matter to the
        environment, even if it does not matter to the judge.
        """
        key = (place.position.key, place.position.turn)
        if key in seen or place.position.outcome is not None:
            return
        kept, paths = found.get(key, (place, 0))
        chosen = place if not self.chance.randrange(paths + 1) else kept
        found[key] = (chosen, paths + 1)

    def _probe(self, place: Place) -> Probe:
        """Every action in this position; an illegal one is followed by a legal one."""
        legal = self.comparison.actions.legal(place.position)
        follow = self.chance.choice(sorted(legal))
        wrong = ((action, follow) for action in self.comparison.actions.illegal(legal))
        return Probe(place.path, (*((action, None) for action in sorted(legal)), *wrong))

    def _random_game(self) -> list[tuple[Position, Probe]]:
        position = self.game.start()
        path: tuple[int, ...] = ()
        probes = []
        while position.outcome is None:
            legal = self.comparison.actions.legal(position)
            action = self._random_action(legal)
            probes.append((position, Probe(path, ((action, None),))))
            position, path = position.play(legal[action]), (*path, action)
        at = self.chance.randrange(len(probes))
        position, probe = probes[at]
        if illegal := self.comparison.actions.illegal(self.comparison.actions.legal(position)):
            wrong = (self.chance.choice(illegal), probe.tries[0][0])
            probes[at] = (position, probe._replace(tries=(wrong, *probe.tries)))
        return probes

    def _random_action(self, legal: Mapping[int, Move]) -> int:
        """Any legal action; moves without a number are rare, or the game might never end."""
        picks = sorted(action for action, move in legal.items() if type(move) is int)
        rare = not picks or not self.chance.randrange(RARE)
        return self.chance.choice(sorted(legal) if rare else picks)

    def _examine(self, place: Place, probe: Probe, answer: Answer) -> list[Place]:
        """Report the cases of a probe; the positions after its legal actions."""
        if "broken" in answer:
            self._report_all(no_answer(answer, ""), probe.path, None, True)
            return []
        onward = []
        legal = self.comparison.actions.legal(place.position)
        for (action, follow), said in zip(probe.tries, answer["tries"], strict=True):
            move = legal.get(action)
            if move is None:
                self._illegal(place._replace(said=answer["at"]), action, follow, said)
                continue
            findings = self.comparison.move(place.position, move, said)
            self._report_all(findings, probe.path, action, True)
            if not any(finding.kind in FINAL for finding in findings):
                onward.append(Place(place.position.play(move), (*probe.path, action), said))
        return onward

    def _illegal(self, place: Place, action: int, follow: int | None, said: Answer) -> None:
        before = place.said if self.repeatable else {**place.said, "digest": said.get("digest")}
        findings = self.comparison.illegal(place.position, action, before, said)
        self._report_all(findings, place.path, action, False)
        if findings or follow is None or "then" not in said:
            return
        move = self.comparison.actions.legal(place.position)[follow]
        for finding in self.comparison.move(place.position, move, said["then"]):
            self.report(Case(finding, place.path, action, False, follow))

    def _repeats(self, place: Place, answer: Answer) -> None:
        """Notice an environment that does not say the same the second time."""
        again = answer.get("at")
        if not again:
            return
        if finding := changed(place.said, again):
            self._report_all([finding], place.path, None, True)
        else:
            self.repeatable &= again.get("digest") == place.said.get("digest")

    def _report_all(
        self, findings: list[Finding], path: tuple[int, ...], action: int | None, legal: bool
    ) -> None:
        for finding in findings:
            self.report(Case(finding, path, action, legal))
