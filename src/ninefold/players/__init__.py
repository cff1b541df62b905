"""Everything that can move: people, built-in players, programs, code, agents, language models.

Whatever it is, it is a ``Player``, and ``make`` finds it by its name or wraps the object it is
given. Chance depends only on the seed.
"""

from collections.abc import Callable, Mapping, Sequence
from os.path import basename, splitext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move
from ninefold.core.position import Position
from ninefold.core.text import shorten

if TYPE_CHECKING:
    from random import Random

    from ninefold.players.agents import Agent
    from ninefold.solver import Solver

Choice = TypeVar("Choice")
HUMAN = "human"
PROGRAM, PYTHON, SAVED, LLM = "program:", "python:", "agent:", "llm:"
# Players from outside, which can fail to make a legal move, and what follows in their names.
OUTSIDE = {PROGRAM: "CMD", PYTHON: "MODULE:NAME", SAVED: "FILE", LLM: "MODEL"}
# What each reason for a forfeit is as a fault of the player.
FAULT_KINDS = {
    "unreadable-answer": "unreadable",
    "illegal-answer": "illegal",
    "truncated-answer": "truncated",
    "no-answer": "timeout",
    "crash": "error",
    "refusal": "error",
}
MAX_NAME = 40
# How long the solver may take over a move of a game that is not known to be small.
SECONDS = 5.0
# How many moves ahead each level sees wins and losses.
LEVELS = {1: 1, 2: 2, 3: 4, 4: 6, 5: 1_000}
KINDS = (HUMAN, "random", "greedy", *(f"level:{level}" for level in LEVELS), "perfect")
# All of them as they are written, for help and error messages.
FORMS = (*KINDS, *(f"{scheme}{rest}" for scheme, rest in OUTSIDE.items()))


class UnknownPlayer(NinefoldError):
    """There is no such player, or it cannot play this game."""


class NoMove(NinefoldError):
    """A player made no move; ``code`` is ``resign`` or one of the referee's FORFEITS."""


class PlayStopped(NinefoldError):
    """A player cannot go on, and it is nobody's fault: the game stops, to be resumed later."""


class WrongAnswer(NinefoldError, TypeError):
    """A Python agent returned something that is neither moves nor probabilities."""

    def __init__(self, expected: str, found: str, advice: str = "") -> None:
        super().__init__("wrong-answer", f"The agent must return {expected}, not {found}.", advice)


_of_thread: Any = None


def _seeded(seed: str) -> "Random":
    """A generator with this seed, the one of this thread: a new one would be seeded twice."""
    global _of_thread  # noqa: PLW0603 - made when chance first plays a part
    if _of_thread is None:
        from threading import local

        _of_thread = local()
    random: Any = getattr(_of_thread, "random", None)
    if random is None:
        from random import Random

        random = _of_thread.random = Random()
    random.seed(seed)
    return cast("Random", random)


class Chance(NamedTuple):
    """Random choices that depend only on the seed and the move number, so resumed games repeat."""

    seed: int
    game_number: int = 1

    def draw(self, choices: Sequence[Choice], ply: int) -> Choice:
        """One of them, for the choice after this many moves."""
        return _seeded(f"{self.seed}:{self.game_number}:{ply}").choice(choices)

    def draw_weighted(self, weights: Mapping[Choice, float], ply: int) -> Choice:
        """One of them, as often as its weight says."""
        random = _seeded(f"{self.seed}:{self.game_number}:{ply}")
        return random.choices([*weights], [*weights.values()])[0]


class Fault(NamedTuple):
    """What went wrong with an answer, even if a later one was fine.

    ``kind`` is unreadable, illegal, truncated, timeout, error or repaired; ``code`` says more.
    """

    kind: str
    code: str
    raw: str = ""


class Report(NamedTuple):
    """What a player has to say besides its moves: faults, and what its answers took."""

    faults: tuple[Fault, ...] = ()
    tokens: int = 0
    cost: float = 0.0  # in the currency of the prices that the user gave
    asked: int = 0  # how many answers it was asked for
    cached: int = 0  # how many of them came from the cache


class Player:
    """A computer player: say how it chooses by ``candidates``, by ``policy`` or by ``choose``."""

    # Its answers to many positions at once, if it can give them once it has begun.
    agent: "Agent | None" = None
    # How many games it can play at the same time, each in a thread with a player of its own.
    concurrency = 1
    # The file for what it says and hears, if it keeps that; to be set before it begins.
    transcript: str | None = None

    def enter(self, folder: str, processes: int) -> None:
        """Take part in a tournament of so many processes, which has its files in this folder."""

    def begin(self, game: Game, limit: float | None) -> None:
        """Prepare for a game with so many seconds per move; raises UnknownPlayer."""

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Take note of the moves so far; called before each choice."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """A legal move; a program may return any move, or raise NoMove."""
        return chance.draw(self.candidates(position), ply)

    def policy(self, position: Position, ply: int, chance: Chance) -> Mapping[Move, float]:
        """The probability of each move it may make; one that only chooses is asked for a move."""
        if type(self).choose is not Player.choose:
            return {self.choose(position, ply, chance): 1.0}
        moves = self.candidates(position)
        return dict.fromkeys(moves, 1 / len(moves))

    def candidates(self, position: Position) -> Sequence[Move]:
        """The moves this player considers equally good; chance decides between them."""
        raise NotImplementedError

    def take_report(self) -> Report:
        """What has happened since it was last asked for this."""
        return Report()

    def close(self) -> None:
        """Leave for good."""


class RandomPlayer(Player):
    """Plays any move, but never gives its turn away; declares a set when asked for one."""

    def candidates(self, position: Position) -> list[Move]:
        """Every move but these two kinds; when asked, the declaration or a pass."""
        return random_choices(position.legal, position.asking)


def random_choices(legal: Sequence[Move], asked: bool) -> list[Move]:
    """The moves the random player chooses from, if it is asked to declare a set and if not."""
    if asked:
        return [next((move for move in legal if isinstance(move, Declare)), PASS)]
    return [move for move in legal if move is not LOST and not isinstance(move, Declare)]


class GreedyPlayer(Player):
    """Wins if it can, blocks if it must, and completes no set that loses; else picks anything."""

    def candidates(self, position: Position) -> Sequence[Move]:
        """The numbers that win, else those that block, else all."""
        held = position.sets_of(position.turn) if position.game.rules.declare else ()
        if held:
            return [Declare(held[0])]
        if position.asking:
            return [PASS]
        game = position.game
        if game.picks.limited_later or game.rules.losses or game.wins.shared:
            from ninefold.solver.advice import look_ahead

            seen = look_ahead(position, 2)[0]
            best = max(map(seen.__getitem__, position.picks))
            return [number for number in position.picks if seen[number] == best]
        wins, blocks = position.threats(position.turn), position.threats(3 - position.turn)
        if position.game.rules.misere:
            safe = [number for number in position.picks if number not in wins]
            if not safe and position.game.rules.passing:
                return [PASS]
            return safe or position.picks
        return wins or [number for number in blocks if number in position.picks] or position.picks


class PerfectPlayer(Player):
    """Wins as fast as it can, else sets traps; in a large game it plays the best move it finds."""

    def __init__(self, seconds: float | None = SECONDS) -> None:
        self._seconds = seconds  # None: it counts positions, so that only the seed matters

    def candidates(self, position: Position) -> Sequence[Move]:
        """The fastest wins; else the moves that keep the value and set the most traps."""
        solver = _solver_of(position.game)
        if solver is not None:
            return solver.perfect(position)
        from ninefold.solver.advice import advise

        advice = advise(position, self._seconds)
        return advice.solver.perfect(position) if advice.solver else advice.best


class LevelPlayer(Player):
    """Takes the fastest win and avoids the losses that it sees, up to so many moves ahead."""

    def __init__(self, level: int) -> None:
        self.level, self._is_highest = level, level == max(LEVELS)

    def candidates(self, position: Position) -> list[Move]:
        """The moves that look best to this level."""
        # A turn with a declaration is two moves, a turn of several picks as many.
        rules = position.game.rules
        sight = LEVELS[self.level] * (2 if rules.declare else 1) * rules.picks_per_turn
        solver = _solver_of(position.game)
        if solver is not None:
            seen = solver.seen(position, sight)
        else:
            from ninefold.solver.advice import look_ahead

            # As far as a fixed number of positions takes it; the highest level guesses the rest.
            seen, _ = look_ahead(position, None if self._is_highest else sight)
        best = max(seen.values())
        if solver is not None and self._is_highest and best > 0:
            return [move for move in seen if seen[move] > 0]
        return [move for move in seen if seen[move] == best]


def _solver_of(game: Game) -> "Solver | None":
    """The solver of a game that it solves without a visible wait; None for a larger one."""
    from ninefold.solver import is_small, solver_for

    return solver_for(game) if is_small(game) else None


Who: TypeAlias = str | Player | Callable[..., Any]


def make(who: Who, game: Game | None = None, seconds: float | None = SECONDS) -> Player | None:
    """The computer player of this name, or that this object is, not started; None for a person.

    A name alone never runs anything: programs and Python code are started and imported when the
    player begins. Raises UnknownPlayer.
    """
    if not isinstance(who, str):
        from ninefold.players.python import wrap

        return wrap(who)
    scheme, rest = split_kind(who)
    if scheme:
        return _from_outside(scheme, rest, game)
    if who not in KINDS:
        reason = f"There is no player {who!r}; choose one of: {', '.join(FORMS)}"
        raise UnknownPlayer("unknown-player", reason)
    if who == HUMAN:
        return None
    if who in ("random", "greedy"):
        return RandomPlayer() if who == "random" else GreedyPlayer()
    return PerfectPlayer(seconds) if who == "perfect" else LevelPlayer(int(who[-1]))


def _from_outside(scheme: str, rest: str, game: Game | None) -> Player:
    if scheme == LLM:
        from ninefold.players.llm import LlmPlayer

        return LlmPlayer(rest)
    if scheme != PROGRAM:
        from ninefold.players.lazy import LazyPlayer

        return LazyPlayer(_loader(scheme, rest))
    from ninefold.players.process import find_program
    from ninefold.players.program import ProgramPlayer, split_command

    arguments = split_command(rest)
    if game is not None:
        find_program(arguments)
    return ProgramPlayer(arguments)


def _loader(scheme: str, rest: str) -> Callable[[], Player]:
    """What loads a player from Python code or from a file; only the name is checked now."""
    if scheme == PYTHON:
        from ninefold.players import python

        python.check_spec(rest)
        return lambda: python.load(rest)

    def load() -> Player:
        from ninefold.players.saved import SavedPlayer

        return SavedPlayer(rest)

    return load


def split_kind(kind: str) -> tuple[str, str]:
    """The scheme of a player from outside and what follows it; a built-in player has none."""
    scheme = next((scheme for scheme in OUTSIDE if kind.startswith(scheme)), "")
    return scheme, kind.removeprefix(scheme)


def limitation(kind: str, game: Game) -> str:
    """What to know before playing against this player: whether it only estimates; or nothing."""
    from ninefold.solver import is_small

    if kind not in ("perfect", f"level:{max(LEVELS)}") or is_small(game):
        return ""
    return f"{kind} may not solve this game in time. It then plays its best estimate, not a proof."


def is_outside(kind: str) -> bool:
    """Whether this player comes from outside, so that it can fail to make a legal move."""
    return bool(split_kind(kind)[0])


def runs_code(kind: str) -> bool:
    """Whether this player runs somebody's code, or costs money: no record may do that unasked."""
    return split_kind(kind)[0] in (PROGRAM, PYTHON, LLM)


def name_of(kind: str) -> str:
    """What a computer player of this kind is called if nobody gives it a name."""
    scheme, rest = split_kind(kind)
    if scheme == PROGRAM:
        from ninefold.players.program import split_command

        try:
            return shorten(basename(split_command(rest)[0]), MAX_NAME) or "Program"
        except UnknownPlayer:
            return "Program"
    if scheme == LLM:
        return shorten(rest.partition("?")[0].rpartition("/")[2], MAX_NAME) or "Model"
    if scheme:
        name = splitext(basename(rest))[0] if scheme == SAVED else rest.rpartition(":")[2]
        return shorten(name, MAX_NAME) or "Agent"
    return kind.replace(":", " ").capitalize()
