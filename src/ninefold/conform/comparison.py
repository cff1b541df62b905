"""Compares the answers of an environment with the judge, one action at a time."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ninefold.conform.actions import Actions
from ninefold.conform.answer import Answer
from ninefold.conform.rewards import Rewards, is_same
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.core.text import shorten

# After these the environment cannot continue its game, so nothing more can be compared.
FINAL = ("early-end", "exception", "crash", "timeout", "repeat")
# What an environment says about a position.
STATE = (
    ("legal", "the legal actions"),
    ("turn", "whose turn it is"),
    ("digest", "the observation"),
)
REPEATABLE = "the same moves lead to the same position"
TREATMENTS = {
    "raise": "raises an exception",
    "lose": "ends the game",
    "refuse": "changes nothing",
    "accept": "accepts it",
}


class Finding(NamedTuple):
    """One disagreement. Findings of the same ``group`` are the same fault."""

    kind: str
    judge: str
    environment: str
    group: tuple[str, ...] = ()


class Comparison:
    """Compares answers with the judge, and learns how the environment names the two players."""

    def __init__(self, actions: Actions, rewards: Rewards, sources: list[str], policy: str) -> None:
        self.actions = actions
        self.rewards = rewards
        self.sources = sources
        self.policy = policy
        self._names: dict[Any, int] = {}
        self._treatments: dict[bool, str] = {}

    def state(self, position: Position, state: Answer) -> list[Finding]:
        """What is wrong with what it says about a position."""
        return [*self._legal(position, state), *self._turn(position, state)]

    def move(self, before: Position, move: Move, answer: Answer) -> list[Finding]:
        """What is wrong with the answer to a legal move."""
        if found := no_answer(answer, "the move is legal"):
            return found
        after = before.play(move)
        if bool(answer["ended"]) != (after.outcome is not None):
            return [_other_end(after, answer)]
        found = self._reward(answer["reward"], after.outcome, before.turn)
        if answer["ended"] == "truncated":
            found.append(Finding("truncated", "terminated", "truncated"))
        if after.outcome is None:
            found += self.state(after, answer)
        return found

    def illegal(
        self, before: Position, action: int, state: Answer, answer: Answer
    ) -> list[Finding]:
        """What is wrong with the treatment of an illegal action; ``state`` is the one before it."""
        if "failed" in answer or "broken" in answer:
            return no_answer(answer, "the action is illegal")
        changes = [words for name, words in STATE if state.get(name) != answer.get(name)]
        treatment = "lose" if answer.get("ended") else "refuse"
        if "raised" in answer:
            treatment = "raise"
        if changes and treatment != "lose":
            text = f"{_account('accept', answer)}; it changes {' and '.join(changes)}"
            return [Finding("accepted", "the action is illegal", text)]
        wanted = self.policy
        if wanted == "any":
            # An action without a move may be treated differently from a move that is illegal here.
            wanted = self._treatments.setdefault(action in self.actions.moves, treatment)
        if treatment != wanted:
            how = "as it did before" if self.policy == "any" else f"--illegal {self.policy}"
            judge = f"the action is illegal: the environment {TREATMENTS[wanted]} ({how})"
            return [Finding("illegal", judge, _account(treatment, answer), (treatment,))]
        return self._punishment(answer["reward"], before.turn) if treatment == "lose" else []

    def _punishment(self, given: Any, mover: int) -> list[Finding]:
        if isinstance(given, str):
            return [_no_number(given)]
        if self.rewards.punishes(given, mover):
            return []
        wanted = self.rewards.illegal
        expected = f"at most {self.rewards.loss:g}" if wanted is None else f"{wanted:g}"
        judge = f"an illegal action loses: reward {expected}"
        return [Finding("illegal-reward", judge, f"reward {_show(given)}")]

    def _reward(self, given: Any, outcome: Outcome | None, mover: int) -> list[Finding]:
        if isinstance(given, str):
            return [_no_number(given)]
        pair = isinstance(given, list)
        expected = self.rewards.expected(outcome, mover, pair)
        if all(map(is_same, given if pair else [given], expected)):
            return []
        if outcome is None:
            judge = f"the game continues: reward {_show(self.rewards.step)}"
            return [Finding("step-reward", judge, f"reward {_show(given)}")]
        wanted = _show(expected)
        judge = f"{describe(outcome)}: reward {wanted}"
        return [Finding("reward", judge, f"reward {_show(given)}", (wanted, _sign(given)))]

    def _legal(self, position: Position, state: Answer) -> Iterator[Finding]:
        legal = self.actions.legal(position)
        required = self.actions.required(position)
        for source, listed in zip(self.sources, state.get("legal", ()), strict=False):
            if not isinstance(listed, list):
                text = f"{source} lists none: {shorten(str(listed), 100)}"
                yield Finding("legal", self._list(required), text, (source, "none"))
                continue
            missing = required.difference(listed)
            strange = set(listed) - legal.keys()
            wrong = {"lacks": missing, "also lists": strange}
            parts = [f"{word} {self._list(actions)}" for word, actions in wrong.items() if actions]
            if parts:
                text = f"{source} {' and '.join(parts)}"
                group = (source, "lacks" * bool(missing) + "lists" * bool(strange))
                yield Finding("legal", f"legal are {self._list(required)}", text, group)

    def _turn(self, position: Position, state: Answer) -> Iterator[Finding]:
        name = state.get("turn")
        if name is None:
            return
        # The first name used for each player is theirs.
        if name not in self._names and position.turn not in self._names.values():
            self._names[name] = position.turn
        known = self._names.get(name)
        if known != position.turn:
            who = f"Player {known}" if known else "an unknown player"
            own = [f" ({each!r})" for each, seat in self._names.items() if seat == position.turn]
            expected = f"it is the turn of Player {position.turn}{''.join(own)}"
            yield Finding("turn", expected, f"it is the turn of {who} ({name!r})")

    def _list(self, actions: Any) -> str:
        return " ".join(self.actions.word(action) for action in sorted(actions))


def describe(outcome: Outcome) -> str:
    """The end of a game in a few words."""
    if outcome.winner is None:
        return "the game is a draw"
    sets = f": {' '.join(map(str, outcome.sets[0]))}" if outcome.sets else ""
    return f"Player {outcome.winner} wins ({outcome.reason}{sets})"


def _other_end(after: Position, answer: Answer) -> Finding:
    """One says that the game is over, the other that it continues."""
    given = _show(answer["reward"])
    if after.outcome is None:
        judge = f"the game continues, it is the turn of Player {after.turn}"
        group = (_sign(answer["reward"]),)
        return Finding("early-end", judge, f"the game is over, reward {given}", group)
    environment = f"the game continues, reward {given}"
    return Finding("missed-end", describe(after.outcome), environment, (after.outcome.reason,))


def no_answer(answer: Answer, expected: str) -> list[Finding]:
    """The finding if there is no proper answer; empty if there is one."""
    if "failed" in answer:
        return [Finding(answer["failed"], expected, str(answer["why"]))]
    if "broken" in answer:
        why = shorten(str(answer["broken"]), 200)
        return [Finding("repeat", REPEATABLE, f"not the second time: {why}")]
    if "raised" in answer:
        text = shorten(str(answer["raised"]), 200)
        return [Finding("exception", expected, text, (re.split(r"[:(]", text)[0],))]
    return []


def changed(first: Answer, second: Answer) -> Finding | None:
    """The finding if the same moves led to two different states."""
    for name, words in STATE[:2]:
        if second and first.get(name) != second.get(name):
            once, twice = (shorten(str(state.get(name)), 60) for state in (first, second))
            return Finding("repeat", REPEATABLE, f"{words}: once {once}, once {twice}")
    return None


def _account(treatment: str, answer: Answer) -> str:
    """What the environment did with an illegal action."""
    if "raised" in answer:
        return f"raises {shorten(str(answer['raised']), 120)}"
    return f"{TREATMENTS[treatment]}, reward {_show(answer['reward'])}"


def _no_number(given: str) -> Finding:
    text = f"reward {shorten(given, 60)}"
    return Finding("no-number", "a reward is one finite number", text, (given[:4],))


def _sign(given: Any) -> str:
    """The sign of a reward, so that a fault with many different rewards counts as one."""
    if isinstance(given, list):
        return ", ".join(_sign(item) for item in given)
    return "none" if isinstance(given, str) else "+" if given > 0 else "-" if given < 0 else "0"


def _show(reward: Any) -> str:
    """A reward, or both of a pair, in words."""
    if isinstance(reward, list):
        return ", ".join(map(_show, reward))
    if reward is None:
        return "any"
    return reward if isinstance(reward, str) else f"{reward:g}"
