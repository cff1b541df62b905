"""The best defence where not everything is solved, and who a review is told to."""

import pytest

from ninefold import load
from ninefold.coach.hint import hint_for
from ninefold.coach.review import only_human
from ninefold.coach.words import sentence


def test_a_large_game_is_defended_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two sets is stopped, and what still wins at once is said; nothing else is claimed."""
    monkeypatch.setattr("ninefold.coach.defence.solver_for", None)
    game = load("sequence-duel-arithmetic", changes="pool=1-20")
    hint = hint_for(game.play("10 1 11"))
    assert hint.kind == "defends"
    assert hint.defence is not None
    assert hint.defence.replies is None
    assert hint.moves == (9, 12)
    assert sentence(hint, 2) == (
        "You are losing against best play. "
        "Take 9: it stops 9-10-11, but 12 still wins for them at once."
    )
    assert sentence(hint, 3) == "After 9, they take 12 and win."
    assert hint.line == (9, 12)


def test_who_reads_a_review() -> None:
    """The only person; nobody in particular if there are two, or none."""
    humans = [(True, False), (False, True), (True, True), (False, False)]
    assert [only_human(pair) for pair in humans] == [1, 2, None, None]
