"""Tasks for Inspect: whole games, single positions and questions, each scored exactly.

    inspect eval ninefold/ninefold_play -T game=sequence-capture -T opponent=level:3 --model ...

An answer that is not a legal move is a fault with a metric of its own; it never counts as a bad
move. Needs the extra ``inspect``.
"""

from collections.abc import Sequence
from math import nan
from typing import Any, NamedTuple

from ninefold.require import require_package

require_package("inspect_ai", "inspect")

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    get_model,
)
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    accuracy,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from ninefold import books
from ninefold.core.moves import LOST, Move, format_move
from ninefold.core.position import Position
from ninefold.evals import Item, move_items, question_items
from ninefold.evals.items import replay
from ninefold.evals.moves import kept_by_moves, stake_of
from ninefold.llm_text import (
    IllegalAnswer,
    LegalAnswer,
    Relabelling,
    UnreadableAnswer,
    read_choice,
    relabel,
)
from ninefold.players import Chance, Player, make

# A game in which a model keeps losing its turn must end, too.
MOST_TURNS = 200
FAULTS = ("unreadable", "illegal")


class Shown(NamedTuple):
    """A game as the model is to see it, in words that a log can hold."""

    game: str
    reading: str | None
    changes: str | Sequence[str]
    relabelled: int | None
    labels: str | None

    @property
    def relabelling(self) -> Relabelling:
        """Its prompts and the reader of answers; raises NinefoldError."""
        changes = self.changes
        changed = (changes,) if isinstance(changes, str) and changes else tuple(changes)
        game = books.load_book(self.game, self.reading, changed).game
        return relabel(game, self.relabelled, self.labels)


def _dataset(name: str, items: Sequence[Item]) -> MemoryDataset:
    samples = [
        Sample(
            input=item.prompt,
            target=[*item.answers],
            id=item.id,
            metadata={"kind": item.kind, "moves": item.moves, "options": [*item.options]},
        )
        for item in items
    ]
    return MemoryDataset(samples, name=name)


@task
def ninefold_moves(
    game: str = "magic-fifteen",
    reading: str | None = None,
    changes: str | Sequence[str] = (),
    count: int = 100,
    seed: int = 0,
    relabelled: int | None = None,
    labels: str | None = None,
    legal: bool = False,
) -> Task:
    """Single positions in which something is at stake: does the move keep it?"""
    shown = Shown(game, reading, changes, relabelled, labels)
    items = move_items(shown.relabelling, count, seed, legal=legal)
    return Task(
        dataset=_dataset(f"{game} moves", items), solver=generate(), scorer=score_move([*shown])
    )


@task
def ninefold_quiz(
    game: str = "magic-fifteen",
    reading: str | None = None,
    changes: str | Sequence[str] = (),
    count: int = 100,
    seed: int = 0,
    relabelled: int | None = None,
    labels: str | None = None,
) -> Task:
    """A comprehension test: what is legal, who has won, who threatens what."""
    shown = Shown(game, reading, changes, relabelled, labels)
    items = question_items(shown.relabelling, count, seed)
    return Task(
        dataset=_dataset(f"{game} questions", items), solver=generate(), scorer=score_question()
    )


@task
def ninefold_play(
    game: str = "magic-fifteen",
    reading: str | None = None,
    changes: str | Sequence[str] = (),
    opponent: str = "level:3",
    games: int = 20,
    seed: int = 0,
    retries: int = 1,
    relabelled: int | None = None,
    labels: str | None = None,
    legal: bool = False,
) -> Task:
    """Whole games against a built-in player, from both seats in turn.

    After a faulty answer the model is told why and asked again, ``retries`` times per move; then
    it forfeits the game.
    """
    shown = Shown(game, reading, changes, relabelled, labels)
    samples = [
        Sample(
            input=f"{game}: you are player {1 + number % 2}.",
            id=number + 1,
            metadata={"seat": 1 + number % 2, "seed": seed + number // 2},
        )
        for number in range(games)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"{game} against {opponent}"),
        solver=play_game([*shown], opponent, retries, legal),
        scorer=score_game(),
    )


@scorer(
    metrics={
        "value_kept": [mean(), stderr()],
        "right": [mean(), stderr()],
        **{fault: [mean()] for fault in FAULTS},
    }
)
def score_move(game: list[Any]) -> Scorer:
    """The share of what was at stake that a move keeps; a fault has no such share."""
    shown = Shown(*game).relabelling

    async def score(state: TaskState, target: Target) -> Score:
        position = replay(shown.original, state.metadata["moves"])
        answer = shown.read(state.output.completion, position)
        kept = nan
        if isinstance(answer, LegalAnswer):
            # To give the turn away is legal in some games, and keeps nothing.
            kept = kept_by_moves(position).get(answer.move, 0.0)
        value = {
            "value_kept": kept,
            "right": float(kept == 1),
            "unreadable": float(isinstance(answer, UnreadableAnswer)),
            "illegal": float(isinstance(answer, IllegalAnswer)),
        }
        reason = "" if isinstance(answer, LegalAnswer) else answer.reason
        said = f"{reason} Best: {', '.join(target)}".strip()
        return Score(value=value, answer=state.output.completion[-200:], explanation=said)

    return score


@scorer(metrics={"right": [accuracy(), stderr()], "unreadable": [mean()]})
def score_question() -> Scorer:
    """Whether the answer is right, by the strict reader."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = read_choice(state.output.completion, state.metadata["options"])
        unread = isinstance(answer, UnreadableAnswer)
        value = {"right": float(answer in [*target]), "unreadable": float(unread)}
        said = answer.reason if isinstance(answer, UnreadableAnswer) else answer
        return Score(value=value, answer=said, explanation=f"Right: {', '.join(target)}")

    return score


class _Game:
    """A game in progress between a model and a built-in player, and what the model made of it."""

    def __init__(self, shown: Relabelling, opponent: Player, seat: int, seed: int) -> None:
        self.shown, self.opponent, self.seat = shown, opponent, seat
        self.position: Position = shown.original.start()
        self.moves: list[Move] = []
        self.chance = Chance(seed)
        self.kept = self.available = 0.0
        self.faults = dict.fromkeys(FAULTS, 0)
        self.forfeit = False

    @property
    def is_over(self) -> bool:
        """Whether nobody moves any more."""
        return self.forfeit or self.position.outcome is not None or len(self.moves) >= MOST_TURNS

    def reply(self) -> None:
        """Let the opponent move."""
        self.opponent.follow(1, self.moves)
        self.play(self.opponent.choose(self.position, len(self.moves), self.chance))

    def play(self, move: Move) -> None:
        """Make a move."""
        self.position = self.position.play(move)
        self.moves.append(move)

    def hear(self, text: str, *, legal: bool) -> str:
        """Make the model's move, or say what is wrong with its answer (and what is ``legal``)."""
        answer = self.shown.read(text, self.position, advice=legal)
        if isinstance(answer, UnreadableAnswer):
            self.faults["unreadable"] += 1
            return answer.reason
        if isinstance(answer, IllegalAnswer):
            self.faults["illegal"] += 1
            if answer.loses_turn:
                self.play(LOST)
                return ""
            return answer.reason
        kept, available = stake_of(self.position, answer.move)
        self.kept, self.available = self.kept + kept, self.available + available
        self.play(answer.move)
        return ""

    def as_data(self) -> dict[str, Any]:
        """What is written into the log."""
        outcome = self.position.outcome
        winner = outcome.winner if outcome else None
        return {
            "moves": " ".join(map(format_move, self.moves)),
            "winner": 3 - self.seat if self.forfeit else winner,
            "reason": "forfeit" if self.forfeit else outcome.reason if outcome else "too-long",
            "kept": self.kept,
            "available": self.available,
            **self.faults,
            "forfeit": int(self.forfeit),
        }


@solver
def play_game(game: list[Any], opponent: str, retries: int, legal: bool) -> Solver:
    """Plays one whole game; each move is a conversation of its own."""
    shown = Shown(*game).relabelling

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - prescribed
        player = make(opponent)
        if player is None:
            raise ValueError(f"{opponent} cannot play here: choose a built-in player")
        player.begin(shown.original, None)
        played = _Game(shown, player, state.metadata["seat"], state.metadata["seed"])
        state.messages = []
        while not played.is_over:
            if played.position.turn == played.seat:
                await _ask(state, played, retries, legal)
            else:
                played.reply()
        player.close()
        state.metadata["game"] = played.as_data()
        return state

    return solve


async def _ask(state: TaskState, game: _Game, retries: int, legal: bool) -> None:
    """One move of the model, or a forfeit."""
    text = game.shown.prompt(game.position, history=game.moves, legal=legal)
    messages: list[ChatMessage] = []
    for _ in range(retries + 1):
        messages.append(ChatMessageUser(content=text))
        state.output = await get_model().generate(messages)
        messages.append(state.output.message)
        text = game.hear(state.output.completion, legal=legal)
        if not text:
            break
        text = f"{text} Answer again."
    else:
        game.forfeit = True
    state.messages += messages


@metric
def pooled_value_kept() -> Metric:
    """All value kept out of all value that was available; not a number if there was none."""

    def compute(scores: list[SampleScore]) -> float:
        games = [score.score.metadata or {} for score in scores]
        available = sum(game["available"] for game in games)
        return sum(game["kept"] for game in games) / available if available else nan

    return compute


@scorer(
    metrics={
        "value_kept": [pooled_value_kept()],
        "won": [mean(), stderr()],
        "drawn": [mean()],
        "forfeit": [mean()],
        **{fault: [mean()] for fault in FAULTS},
    }
)
def score_game() -> Scorer:
    """Value kept out of value available, the result, and faults per game."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - prescribed
        game = state.metadata["game"]
        available = game["available"]
        value = {
            "value_kept": game["kept"] / available if available else nan,
            "won": float(game["winner"] == state.metadata["seat"]),
            "drawn": float(game["winner"] is None),
            "forfeit": float(game["forfeit"]),
            **{fault: float(game[fault]) for fault in FAULTS},
        }
        return Score(value=value, answer=game["moves"], explanation=game["reason"], metadata=game)

    return score
