"""Explores a game with the judge and the environment: every position, then random games."""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, pairwise
from random import Random
from typing import NamedTuple

from ninefold.conform.answer import Answer
from ninefold.conform.comparison import FINAL, Comparison, Finding, changed, no_answer
from ninefold.conform.environment import Environment, Place, Probe
from ninefold.core.game import Game
from ninefold.solver.breadth_first import position_key

CHUNK = 2_000
GAMES = 50
RARE = 8
# In longer games, only neighbouring pairs of moves are removed.
PAIRS = 24


class Case(NamedTuple):
    """A finding and where it was made: the path, the action, and the action tried after it."""

    finding: Finding
    path: tuple[int, ...] = ()
    action: int | None = None
    legal: bool = True
    follow: int | None = None
    times: int = 1

    @property
    def fault(self) -> tuple[str, tuple[str, ...]]:
        """Equal for two cases of the same fault."""
        return self.finding.kind, self.finding.group

    @property
    def steps(self) -> list[int]:
        """All the actions it takes to see it."""
        tried = (self.action, self.follow)
        return [*self.path, *(action for action in tried if action is not None)]


class Explorer:
    """Compares one environment with the judge; ``cases`` has the shortest case of each fault."""

    def __init__(self, game: Game, env: Environment, comparison: Comparison, seed: int) -> None:
        self.game = game
        self.env = env
        self.comparison = comparison
        self.actions = comparison.actions
        self.start = Place(game.start(), (), env.hello["at"])
        self.chance = Random(seed)
        self.cases: dict[object, Case] = {}
        self.positions = 0
        self.played = 0
        self.complete = False
        self.repeatable = True

    def visit_all(self, most: int) -> None:
        """Try every action in every position, nearest first, up to ``most`` tries."""
        for finding in self.comparison.state(self.start.position, self.start.said):
            self.report(Case(finding))
        layer = [self.start]
        seen: set[object] = {position_key(self.start.position)}
        tries = 0
        while layer:
            tries += len(layer) * self.actions.size
            if tries > most:
                return
            layer = self._next_layer(layer, seen)
        self.complete = True

    def play_random(self, count: int) -> None:
        """Play so many random games, with one illegal action in each."""
        while self.played < count:
            games = [self._random_game() for _ in range(min(GAMES, count - self.played))]
            ended: set[tuple[int, ...]] = set()
            for probe, answer in self.env.ask([*chain(*games)]):
                path = probe.place.path
                if path in ended or not self._examine(probe, answer):
                    ended.update((*path, action) for action, _ in probe.tries)
            self.played += len(games)

    def report(self, case: Case) -> None:
        """Count a case, and keep it if it is the shortest of its fault."""
        kept = self.cases.get(case.fault, case._replace(times=0))
        best = min(kept, case, key=lambda each: (len(each.steps), each.path))
        self.cases[case.fault] = best._replace(times=kept.times + case.times)

    def settle(self) -> None:
        """Repeat each fault in a new environment, in the shortest game that shows it."""
        settled = [self._shortest(case)._replace(times=case.times) for case in self.cases.values()]
        self.cases = {}
        for case in settled:
            self.report(case)

    def _shortest(self, case: Case) -> Case:
        """The case in the shortest part of its game that shows it, or that it does not repeat."""
        if case.action is None or case.finding.kind in ("crash", "timeout", "repeat"):
            return case
        best, shorter = None, self._repeat(case, [case.path], fresh=True)
        while shorter is not None:
            best, shorter = shorter, self._repeat(shorter, _shorter_paths(shorter.path))
        if best is None:
            text = f"once: {case.finding.environment}; not in a new environment"
            return case._replace(finding=Finding("repeat", case.finding.judge, text))
        return best

    def _next_layer(self, layer: list[Place], seen: set[object]) -> list[Place]:
        """Compare these positions; the new positions one move further."""
        found: dict[object, tuple[Place, int]] = {}
        for at in range(0, len(layer), CHUNK):
            for probe, answer in self.env.ask([*map(self._probe, layer[at : at + CHUNK])]):
                self._notice_changes(probe.place, answer.get("at", {}))
                for place in self._examine(probe, answer):
                    key = position_key(place.position)
                    if key in seen or place.position.outcome is not None:
                        continue
                    # Keep any one of its paths: the order of picks may matter to the environment.
                    kept, paths = found.get(key, (place, 0))
                    chosen = place if not self.chance.randrange(paths + 1) else kept
                    found[key] = (chosen, paths + 1)
        self.positions += len(layer)
        seen.update(found)
        return [place for place, _ in found.values()]

    def _probe(self, place: Place) -> Probe:
        """Every action in this position; an illegal one is followed by a legal one."""
        legal = self.actions.legal(place.position)
        follow = self.chance.choice(sorted(legal))
        wrong = ((action, follow) for action in self.actions.illegal(legal))
        return Probe(place, (*((action, None) for action in sorted(legal)), *wrong))

    def _random_game(self) -> list[Probe]:
        place, probes = self.start, list[Probe]()
        while place.position.outcome is None:
            legal = self.actions.legal(place.position)
            picks = sorted(action for action, move in legal.items() if type(move) is int)
            # Moves without a number are rare, or the game might never end.
            rare = not picks or not self.chance.randrange(RARE)
            action = self.chance.choice(sorted(legal) if rare else picks)
            probes.append(Probe(place, ((action, None),)))
            place = Place(place.position.play(legal[action]), (*place.path, action), {})
        at = self.chance.randrange(len(probes))
        place, tries, _ = probes[at]
        if illegal := self.actions.illegal(self.actions.legal(place.position)):
            wrong = (self.chance.choice(illegal), tries[0][0])
            probes[at] = Probe(place, (wrong, *tries))
        return probes

    def _examine(self, probe: Probe, answer: Answer) -> list[Place]:
        """Report the cases of a probe; the places after its legal actions."""
        cases, onward = self._judge(probe, answer)
        for case in cases:
            self.report(case)
        return onward

    def _judge(self, probe: Probe, answer: Answer) -> tuple[list[Case], list[Place]]:
        """The cases of a probe, and the places after its legal actions."""
        position, path, _ = probe.place
        if "broken" in answer:
            return [Case(finding, path) for finding in no_answer(answer, "")], []
        cases, onward = [], []
        legal = self.actions.legal(position)
        for (action, follow), said in zip(probe.tries, answer["tries"], strict=True):
            move = legal.get(action)
            if move is not None:
                findings = self.comparison.move(position, move, said)
                cases += [Case(finding, path, action) for finding in findings]
                if not any(finding.kind in FINAL for finding in findings):
                    onward.append(Place(position.play(move), (*path, action), said))
                continue
            again = {} if self.repeatable else {"digest": said.get("digest")}
            before = {**answer["at"], **again}
            findings = self.comparison.illegal(position, action, before, said)
            cases += [Case(finding, path, action, False) for finding in findings]
            if not findings and follow is not None and "then" in said:
                findings = self.comparison.move(position, legal[follow], said["then"])
                cases += [Case(finding, path, action, False, follow) for finding in findings]
        return cases, onward

    def _notice_changes(self, place: Place, again: Answer) -> None:
        """Notice an environment that does not say the same the second time."""
        if finding := changed(place.said, again):
            self.report(Case(finding, place.path))
        elif again:
            self.repeatable &= again.get("digest") == place.said.get("digest")

    def _repeat(
        self, case: Case, paths: Iterable[tuple[int, ...]], fresh: bool = False
    ) -> Case | None:
        """The same fault in the first of these games that shows it."""
        assert case.action is not None
        tries = ((case.action, case.follow),)
        places = filter(None, (self._place_for(case, path) for path in dict.fromkeys(paths)))
        found = None
        for probe, answer in self.env.ask([Probe(place, tries, fresh) for place in places]):
            for again in self._judge(probe, answer)[0]:
                if again.fault == case.fault and again.follow == case.follow:
                    found = found or again
        return found

    def _place_for(self, case: Case, path: tuple[int, ...]) -> Place | None:
        """The place after this path, if the actions of the case are as legal there as before."""
        position = self.start.position
        for action in path:
            move = self.actions.legal(position).get(action)
            if move is None:
                return None
            position = position.play(move)
        legal = self.actions.legal(position)
        follows = case.follow is None or case.follow in legal
        fits = position.outcome is None and follows and (case.action in legal) == case.legal
        return Place(position, path, {}) if fits else None


def _shorter_paths(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """This path with one or two actions removed, the shortest first."""
    places = range(len(path))
    pairs = combinations(places, 2) if len(places) <= PAIRS else pairwise(places)
    for dropped in (*pairs, *((at,) for at in places)):
        yield tuple(action for at, action in enumerate(path) if at not in dropped)
