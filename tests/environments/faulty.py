"""Sequence duel on 1 to 6 as an environment, with one fault or habit, named when it is made.

Three numbers in arithmetic progression win; if all numbers are taken, the last to pick loses.
Standard library only, and nothing of ninefold.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from itertools import combinations
from typing import Any, NamedTuple

SIZE = 6
GARBAGE: dict[str, Any] = {
    "nan": float("nan"),
    "none": None,
    "array": [1, 2, 3],
    "text": "1",
    "huge": 10**400,
    "endless": 10**9000,
}


class Discrete(NamedTuple):
    """What an action space needs."""

    n: int
    start: int = 0


class Faulty:
    """An honest environment but for its fault."""

    everybody: list[list[int]] = []  # noqa: RUF012 - one fault is to share what should be its own

    def __init__(self, fault: str = "") -> None:
        if fault == "cannot-be-made":
            raise ValueError("no board\nanywhere")
        self.fault = fault
        self.action_space = Discrete(SIZE + (fault == "zero-unused"), int(fault == "from-one"))
        self.shift = int(fault in ("zero-unused", "from-one"))
        if fault == "far-too-many":
            self.action_space = Discrete(10**9)
        if fault == "several":
            self.action_space = (5, 5)  # type: ignore[assignment]
        if fault == "no-copy":
            self.lock = threading.Lock()
        if fault == "large":
            self.much = bytearray(1 << 17)
        if fault in HABITS:
            setattr(self, HABITS[fault], self._mask if "mask" in fault else self._free)
        elif fault not in NO_LIST:
            self.valid_moves = self._free
        if fault not in ("silent", "no-turn"):
            self.current_player = 1
        self.games = 0
        self.reset()

    def reset(self, **_: Any) -> Any:
        """Two empty hands."""
        self.hands: list[list[int]] = [[], []]
        if self.fault == "shared-state":
            Faulty.everybody = self.hands
        self.mover = 0
        self.games += 1
        self._tell_turn()
        if self.fault == "opponent":
            self.rng = random.Random(self.games)
        if self.fault == "dies-anew" and self.games > 5:
            os._exit(4)
        if self.fault == "late-reset" and self.games > 50:
            raise RuntimeError("no more \x1b[31mgames")
        if self.fault == "random-start" and self.games % 3 == 0:
            self.current_player = 2
        return self._seen() if self.fault == "old-api" else (self._seen(), self._info())

    def step(self, action: int) -> Any:
        """One move."""
        if self.fault == "dies-at-once":
            os._exit(5)
        number = action + 1 - self.shift
        if number not in self._numbers():
            return self._refuse(number)
        hand = self.hands[self.mover]
        hand.append(number)
        self._misbehave(hand)
        reward, over = self._judge(hand)
        if self.fault == "opponent" and not over:
            self.hands[1].append(self.rng.choice(self._numbers()))
            self.mover = 1
        self.mover = 1 - self.mover
        self._tell_turn()
        return self._answer(reward, over)

    def _judge(self, hand: list[int]) -> tuple[Any, bool]:
        full = not self._numbers()
        won = any(self._wins(three) for three in combinations(self._row(hand), 3))
        if self.fault == "early-end" and sorted(hand) == [2, 4]:
            return 1.0, True
        if self.fault == "full-first" and full:
            return -1.0, True
        if self.fault in GARBAGE and (won or full):
            return GARBAGE[self.fault], True
        if self.fault == "pair":
            own = 1.0 if won else -1.0 if full else 0.0
            return ([own, -own] if self.mover == 0 else [-own, own]), won or full
        if self.fault == "to-player-1" and self.mover == 1:
            return (-1.0 if won else 1.0 if full else 0.0), won or full
        if self.fault == "ten":
            return (10 if won else -10 if full else -1), won or full
        return (1.0 if won else -1.0 if full else 0.0), won or full

    def _row(self, hand: list[int]) -> list[int]:
        if self.fault == "order":
            return hand
        return sorted(self.everybody[self.mover] if self.fault == "shared-state" else hand)

    def _wins(self, three: tuple[int, ...]) -> bool:
        a, b, c = three
        if self.fault == "missed-end" and three == (1, 3, 5):
            return False
        return b - a == c - b

    def _misbehave(self, hand: list[int]) -> None:
        """Faults that have nothing to do with the rules, with the third number of a hand."""
        if self.fault == "prints":
            print("Player takes", hand[-1])
        if len(hand) < 3:
            return
        match self.fault:
            case "raises":
                raise KeyError("board")
            case "exits":
                sys.exit("goodbye")
            case "leaves":
                os._exit(3)
            case "dies":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "hangs":
                time.sleep(1_000)
            case "memory":
                self.much = bytearray(1 << 34)
            case "writes":
                _write_everywhere("5")
            case forged if forged.startswith("forges "):
                _write_everywhere(forged.removeprefix("forges "))

    def _refuse(self, number: int) -> Any:
        """An illegal action."""
        if self.fault == "raise":
            raise ValueError("illegal")
        if self.fault == "refuse":
            return self._answer(-1.0, False)
        if self.fault == "accepts":
            self.mover = 1 - self.mover
            self._tell_turn()
            return self._answer(-1.0, False)
        if self.fault == "silent":  # nobody can see that the turn has passed
            self.mover = 1 - self.mover
            return self._answer(-1.0, False)
        if self.fault == "mixed" and number == 3:
            raise ValueError("illegal")
        return self._answer(0.0 if self.fault == "rewarded" else -1.0, True)

    def _answer(self, reward: Any, over: bool) -> Any:
        if self.fault == "old-api":
            return self._seen(), reward, over, self._info()
        if self.fault == "three-values":
            return self._seen(), reward, over
        if self.fault == "truncates":
            return self._seen(), reward, False, over, self._info()
        return self._seen(), reward, over, False, self._info()

    def _numbers(self) -> list[int]:
        return [n for n in range(1, SIZE + 1) if n not in self.hands[0] + self.hands[1]]

    def _free(self) -> list[int]:
        free = [number - 1 + self.shift for number in self._numbers()]
        if self.fault == "lottery" and len(free) == 3 and self.games % 5 == 0:
            free.pop()
        if self.fault == "lacks" and len(free) == 2:
            free.pop()
        return [*range(SIZE)] if self.fault == "lists-all" else free

    def _mask(self) -> list[int]:
        return [int(number in self._numbers()) for number in range(1, SIZE + 1)]

    def _seen(self) -> Any:
        state = [tuple(sorted(hand)) for hand in self.hands]
        if self.fault == "noisy":
            return [state, random.random()]
        if self.fault == "mask-in-observation":
            return {"observation": state, "action_mask": self._mask()}
        return state

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()} if self.fault == "mask-in-info" else {}

    def _tell_turn(self) -> None:
        if self.fault == "turn-stays" and len(self.hands[0]) == 2:
            return
        if hasattr(self, "current_player"):
            self.current_player = 1 if self.mover == 0 else -1


def _write_everywhere(text: str) -> None:
    """A line into every file that might be open."""
    for descriptor in range(3, 30):
        try:
            os.write(descriptor, text.encode() + b"\n")
        except OSError:
            pass


class Leftover(Faulty):
    """Forgets to take the numbers of player 2 away when a new game begins after a full one."""

    def reset(self, **_: Any) -> Any:
        """Two empty hands, more or less."""
        before = getattr(self, "hands", [[], []])
        answer = super().reset()
        if len(before[1]) == 2:
            self.hands[1] = before[1][:1]
        return answer


class Agents:
    """The same game in the manner of PettingZoo; an illegal action loses."""

    possible_agents = ("first", "second")

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.reset()

    def action_space(self, _: str) -> Discrete:
        """The same for both."""
        return Discrete(SIZE)

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Two empty hands."""
        self.inner = Faulty(self.fault)
        self.agents = [*self.possible_agents]
        self.agent_selection = "first"
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}

    def observe(self, _: str) -> Any:
        """The hands, and a mask."""
        return {"observation": self.inner._seen(), "action_mask": self.inner._mask()}

    def agent_iter(self) -> Any:
        """There for the looks of it."""

    def step(self, action: int) -> None:
        """One move of the agent selected."""
        mover = self.agent_selection
        other = "second" if mover == "first" else "first"
        _, reward, over, _, _ = self.inner.step(action)
        self.rewards = {mover: reward, other: -reward}
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = other


HABITS = {
    "masks": "action_masks",
    "legal-actions": "get_legal_actions",
    "available": "available_moves",
    "masked": "action_mask",
}
NO_LIST = ("silent", "no-list", "mask-in-info", "mask-in-observation")


def nothing() -> None:
    """Makes no environment."""


class NoEnvironment:
    """Has neither step nor reset."""
