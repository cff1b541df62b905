"""Positions and questions for language models: exact answers, balanced, in every format."""

import json
import re
from collections import Counter
from collections.abc import Sequence

import pytest

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.position import Position
from ninefold.evals import QUESTIONS, Item, ask_all, move_items, question_items
from ninefold.evals.answerers import find_answerer
from ninefold.evals.formats import FORMATS
from ninefold.evals.items import replay
from ninefold.evals.marks import marks_of
from ninefold.evals.moves import stake_of
from ninefold.llm_text import LegalAnswer, Relabelling, UnreadableAnswer, read_choice, relabel
from ninefold.solver import Solver

READINGS = [(name, one) for name in books.names() for one in books.load_book(name).readings]
FIFTEEN = books.load_book("magic-fifteen").game


def wins_at_once(position: Position, seat: int) -> bool:
    """Whether this player has won here."""
    return position.outcome is not None and position.outcome.winner == seat


def expected(item: Item, shown: Relabelling) -> str:
    """The right answer, found once more from the text of the question and the judge."""
    position = replay(shown.original, item.moves)
    if item.kind == "winner":
        outcome = position.outcome
        if outcome is None:
            return "not over"
        return "draw" if outcome.winner is None else f"player {outcome.winner}"
    (label,) = re.findall(r'(?:take|answer) "?([^"\n]+?)"? now', item.prompt)
    answer = shown.read(label, position)
    if item.kind == "legal":
        return "yes" if isinstance(answer, LegalAnswer) else "no"
    assert isinstance(answer, LegalAnswer)
    after = position.play(answer.move)
    if item.kind == "win":
        return "yes" if wins_at_once(after, position.turn) else "no"
    replies = [after.play(move) for move in after.legal] if after.turn != position.turn else []
    return "yes" if any(wins_at_once(reply, 3 - position.turn) for reply in replies) else "no"


@pytest.mark.parametrize(("name", "reading"), READINGS)
@pytest.mark.parametrize("seed", [None, 1])
def test_answers_are_exact_and_balanced(name: str, reading: str, seed: int | None) -> None:
    """Every answer is the judge's, each is right equally often, and no question comes twice."""
    shown = relabel(books.load_book(name, reading).game, seed)
    items = question_items(shown, 44, 3)
    assert len(items) == 44 and len({item.prompt for item in items}) == 44
    assert len({item.id for item in items}) == 44
    assert {"legal", "winner", "win"} <= {item.kind for item in items}
    for item in items:
        assert item.answers == (expected(item, shown),), item
    for kind in {item.kind for item in items}:
        options = next(item.options for item in items if item.kind == kind)
        counts = Counter(item.answers[0] for item in items if item.kind == kind)
        assert {*counts} == {*options}
        assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize("seed", [None, 1])
def test_a_question_does_not_hold_its_answer(seed: int | None) -> None:
    """What is legal under restrictions must be found from the rules, not from a list."""
    changes = "restrictions=[{compared-with='last', must='greater'}]"
    shown = relabel(books.load_book("magic-fifteen", None, (changes,)).game, seed)
    items = question_items(shown, 40, 1)
    assert "legal" in {item.kind for item in items}
    for item in items:
        assert item.answers == (expected(item, shown),), item
        assert item.kind != "legal" or "you may take:" not in item.prompt


def test_a_constant_answer_scores_chance() -> None:
    """Of every kind, whatever the answer; an unreadable one scores nothing."""
    items = question_items(relabel(FIFTEEN, None), 80)
    for answer in ("yes", "no", "player 1", "not over"):
        asked = ask_all(items, dict.fromkeys([item.prompt for item in items], answer).get)
        marks = {mark.kind: mark for mark in marks_of(asked)}
        kind = "winner" if answer not in ("yes", "no") else "threat"
        assert (
            marks[kind].share
            == marks[kind].chance
            == 1 / len(next(item.options for item in items if item.kind == kind))
        )
    mark = marks_of(ask_all(items, lambda _: "perhaps"))[-1]
    assert (mark.kind, mark.asked, mark.right, mark.unreadable) == ("all", 80, 0, 80)


def test_marks_have_wilson_intervals() -> None:
    """Of 20 right out of 20, the interval is 84% to 100%."""
    items = question_items(relabel(FIFTEEN, 2), 20, kinds=["legal"])
    key = {item.prompt: item.answers[0] for item in items}
    *_, mark = marks_of(ask_all(items, lambda text: f"Hm.\nAnswer: {key[text].upper()}", 4))
    low, high = mark.as_data()["interval"]
    assert (mark.right, round(low, 3), high) == (20, 0.839, 1.0)
    assert marks_of([])[0].as_data()["interval"] == [0.0, 1.0]


def test_the_same_seed_asks_the_same() -> None:
    """And another seed something else."""
    one, same, other = (question_items(relabel(FIFTEEN, 1), 12, seed) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("yes", "yes"),
        (" YES\n", "yes"),
        ("It is free.\nAnswer: no", "no"),
        ("yes.", "not-an-option"),
        ("yes or no", "not-an-option"),
        ("Answer: yes\nAnswer: no", "several-answers"),
        ("Answer: yes\nThat is it.", "answer-not-last"),
        ("", "empty"),
        (None, "empty"),
    ],
)
def test_answers_are_read_strictly(text: str | None, found: str) -> None:
    """By the grammar of moves: nothing is picked out of prose."""
    answer = read_choice(text, ("yes", "no"))
    assert (answer.code if isinstance(answer, UnreadableAnswer) else answer) == found


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_right_moves_keep_the_result(name: str, reading: str) -> None:
    """By a solver of its own; in every position, another move would lose something."""
    game = books.load_book(name, reading).game
    shown, solver = relabel(game, 5), Solver(game)
    for item in move_items(shown, 6, 1):
        position = replay(game, item.moves)
        worth = {"win": 2, "draw": 1, "loss": 0}
        values = {
            shown.format_answer(one.move): worth[one.result] for one in solver.moves(position)
        }
        values.pop("lost", None)
        best, worst = max(values.values()), min(values.values())
        assert best > worst
        assert {*item.answers} == {answer for answer, value in values.items() if value == best}
        kept = {answer: (value - worst) / (best - worst) for answer, value in values.items()}
        assert dict(zip(item.options, item.kept, strict=True)) == kept


def test_what_is_at_stake_is_measured_from_the_worst_move() -> None:
    """After 5 2, only corners win for player 1 or keep the draw: see ninefold solve."""
    position = FIFTEEN.play("5 2 8 1")
    results = {one.move: one.result for one in Solver(FIFTEEN).moves(position)}
    worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    worst = min(worth[result] for result in results.values())
    for move, result in results.items():
        kept, available = stake_of(position, move)
        assert kept == worth[result] - worst
        assert available == max(map(worth.__getitem__, results.values())) - worst


def test_a_game_that_cannot_be_solved_has_no_moves_to_ask_for() -> None:
    """Its questions need only the judge."""
    game = books.load_book("magic-fifteen", None, ("pool=1-30", "wins.sum.equals=40")).game
    with pytest.raises(NinefoldError, match="too large"):
        move_items(relabel(game, 1), 1)
    assert len(question_items(relabel(game, 1), 8)) == 8


def rows(text: str) -> Sequence[dict[str, object]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def test_every_format_holds_every_item() -> None:
    """With its prompt and its right answers, as its tool expects them."""
    yaml = pytest.importorskip("yaml")
    items = move_items(relabel(FIFTEEN, None), 4)
    files = {name: write("fifteen-moves", items) for name, write in FORMATS.items()}
    assert rows(files["jsonl"]["fifteen-moves.jsonl"])[0]["prompt"] == items[0].prompt
    for row, item in zip(rows(files["openai"]["fifteen-moves.jsonl"]), items, strict=True):
        assert row["input"] == [{"role": "user", "content": item.prompt}]
        assert row["ideal"] == [*item.answers]
    lm_eval = files["lm-eval"]
    for row, item in zip(rows(lm_eval["fifteen-moves.jsonl"]), items, strict=True):
        assert [row["options"][at] for at in row["gold"]] == [*item.answers]  # type: ignore[index, attr-defined]
    choice = yaml.safe_load(lm_eval["fifteen_moves_choice.yaml"])
    assert choice["doc_to_text"] == "{{prompt}}\n\nAnswer:"
    assert choice["dataset_kwargs"]["data_files"]["test"] in lm_eval
    generate = yaml.safe_load(lm_eval["fifteen_moves_generate.yaml"])
    pattern = re.compile(generate["filter_list"][0]["filter"][0]["regex_pattern"])
    for text in ("4", "Answer: 4", "Let me see.\nAnswer: 4\n", " 4 "):
        assert pattern.findall(text)[-1] == "4"
    card = files["huggingface"]["README.md"]
    assert (
        yaml.safe_load(card.split("---")[1])["configs"][0]["data_files"][0]["path"]
        in files["huggingface"]
    )


def test_only_who_can_speak_is_asked() -> None:
    """A player of moves has no words."""
    with pytest.raises(NinefoldError, match="cannot answer questions"):
        find_answerer("perfect")
    assert find_answerer("python:json:dumps").ask("a") == '"a"'
    assert {*QUESTIONS} == {"legal", "winner", "win", "threat"}
