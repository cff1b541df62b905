"""Inspect runs the tasks, with its own model for tests in place of a language model.

``test_inspect_task.py`` runs this file in a process of its own: Inspect leaves streams open, and
their warnings would fail other tests.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval  # noqa: A004 - that is its name
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model

from ninefold import books
from ninefold.evals.items import replay
from ninefold.inspect_task import ninefold_moves, ninefold_play, ninefold_quiz
from ninefold.llm_text import relabel
from ninefold.solver import solver_for

Answer = Callable[[list[ChatMessage]], str]


def run(task: Task, answer: Answer, folder: Path) -> EvalLog:
    """The log of a task whose model answers like this."""

    def output(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        said = ModelOutput.from_content("mockllm/model", answer(messages))
        said.usage = ModelUsage()  # else Inspect would fetch a list of tokens to count them
        return said

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    (log,) = eval(task, model=model, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    assert [*folder.glob("*.eval")]
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    """The first metric of each part of the score."""
    assert log.results is not None
    return {one.name: next(iter(one.metrics.values())).value for one in log.results.scores}


def listed(messages: list[ChatMessage], at: int = 0) -> str:
    """One of the legal answers that a prompt lists."""
    lines = messages[0].text.splitlines()
    line = next(line for line in lines if line.startswith("Legal answers: "))
    return line.removeprefix("Legal answers: ").split(", ")[at]


def test_single_moves_are_scored_by_what_they_keep(tmp_path: Path) -> None:
    """Right answers keep everything, in a relabelled game too."""
    task = ninefold_moves(count=6, relabelled=1, changes="pool=1-8")
    right = {sample.input: sample.target[0] for sample in task.dataset}
    log = run(task, lambda messages: f"Hm.\nAnswer: {right[messages[0].text]}", tmp_path)
    assert metrics(log) == {"value_kept": 1.0, "right": 1.0, "unreadable": 0.0, "illegal": 0.0}


def test_a_fault_is_not_a_bad_move(tmp_path: Path) -> None:
    """An answer that cannot be read has no value kept at all."""
    log = run(ninefold_moves(count=4), lambda _: "I resign myself to 5", tmp_path)
    found = metrics(log)
    assert (found["unreadable"], found["illegal"], found["right"]) == (1.0, 0.0, 0.0)
    assert log.samples is not None
    values = [sample.scores["score_move"].value for sample in log.samples if sample.scores]
    assert all(
        isinstance(value, dict) and isnan(float(value["value_kept"] or 0)) for value in values
    )


def test_the_worst_moves_keep_nothing(tmp_path: Path) -> None:
    """By the solver, over all positions of the task; questions of declaring games included."""
    task = ninefold_moves("pattern-builder", "declare", count=5)
    game = books.load_book("pattern-builder", "declare").game
    shown, worst = relabel(game, None), dict[str, str]()
    for sample in task.dataset:
        assert sample.metadata is not None
        scores = solver_for(game).move_scores(replay(game, sample.metadata["moves"]))
        worst[str(sample.input)] = shown.format_answer(min(scores, key=scores.__getitem__))
    log = run(task, lambda messages: worst[messages[0].text], tmp_path)
    assert metrics(log)["value_kept"] == 0.0


def test_questions_are_scored_by_the_strict_reader(tmp_path: Path) -> None:
    """A constant answer is right half of the time where it can be read."""
    log = run(ninefold_quiz(count=32, relabelled=2), lambda _: "yes", tmp_path)
    found = metrics(log)
    assert found["unreadable"] == 8 / 32  # who has won is not answered with yes
    assert found["right"] == 12 / 32


def test_whole_games_are_played_from_both_seats(tmp_path: Path) -> None:
    """The model is told what was wrong, asked again, and every move is in the log."""
    asked = 0

    def answer(messages: list[ChatMessage]) -> str:
        nonlocal asked
        asked += 1
        return "what?" if len(messages) == 1 and asked == 1 else listed(messages)

    task = ninefold_play(games=4, opponent="random", legal=True, relabelled=3)
    log = run(task, answer, tmp_path)
    found, samples = metrics(log), log.samples or []
    assert found["unreadable"] == 1 / 4
    assert found["forfeit"] == found["illegal"] == 0.0
    assert [sample.metadata["seat"] for sample in samples] == [1, 2, 1, 2]
    game = books.load_book("magic-fifteen").game
    kept = available = won = 0.0
    for sample in samples:
        played = sample.metadata["game"]
        position = replay(game, played["moves"])
        assert position.outcome is not None and position.outcome.winner == played["winner"]
        kept, available = kept + played["kept"], available + played["available"]
        won += played["winner"] == sample.metadata["seat"]
    assert found["value_kept"] == pytest.approx(kept / available)
    assert found["won"] == won / 4


def test_a_model_that_is_never_legal_forfeits(tmp_path: Path) -> None:
    """After its tries, with each of them counted."""
    log = run(ninefold_play(games=2, retries=2), lambda _: "99", tmp_path)
    found = metrics(log)
    assert (found["forfeit"], found["illegal"], found["won"]) == (1.0, 3.0, 0.0)
    assert isnan(found["value_kept"])  # it made no move, so it kept nothing and lost nothing


def test_legal_moves_are_listed_only_if_they_are_asked_for(tmp_path: Path) -> None:
    """Not even after an illegal answer."""
    for legal in (False, True):
        task = ninefold_play(games=2, retries=1, legal=legal)
        (sample, _) = run(task, lambda _: "99", tmp_path).samples or []
        texts = [message.text for message in sample.messages]
        assert "99 is not in the pool." in texts[2]
        assert ("Choose one of" in texts[2], "Legal answers" in texts[0]) == (legal, legal)


def test_perfect_play_keeps_all_value(tmp_path: Path) -> None:
    """Against an imperfect opponent, from both seats: exactly 1."""
    game = books.load_book("sequence-duel-sum").game

    def answer(messages: list[ChatMessage]) -> str:
        lines = messages[0].text.splitlines()
        past = next(line for line in lines if line.startswith("Moves so far: "))
        moves = [
            int(word.split()[-1]) for word in past.split(": ")[1].split(", ") if "took" in word
        ]
        return str(solver_for(game).best(game.play(moves))[0])

    log = run(ninefold_play("sequence-duel-sum", games=4, opponent="greedy"), answer, tmp_path)
    assert metrics(log)["value_kept"] == 1.0


def test_inspect_finds_the_tasks() -> None:
    """By the entry point of the package, once it is installed."""
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert '[project.entry-points.inspect_ai]\nninefold = "ninefold.inspect_task"' in project
    found = [one.value for one in entry_points(group="inspect_ai") if one.name == "ninefold"]
    assert found in ([], ["ninefold.inspect_task"])
