"""Relabelled games: other names, the same game tree, told and read in the new names only."""

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from contract.language import AS_THEY_STAND, Written
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_server import LlmServer

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.fresh_games import NotTheSame, tree_digest, verify
from ninefold.fresh_games.book_file import format_rule_book
from ninefold.llm_text import (
    KINDS,
    IllegalAnswer,
    LegalAnswer,
    Relabelling,
    UnreadableAnswer,
    prompt,
    relabel,
)
from ninefold.llm_text.renumbering import renumbered
from ninefold.players.llm import LlmPlayer
from ninefold.players.llm.endpoint import Endpoint
from ninefold.players.llm.settings import settings_from
from ninefold.referee.whole_game import play as play_game
from ninefold.solver.graph import Graph

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
READINGS = [(name, one) for name in books.names() for one in books.load_book(name).readings]
FIFTEEN = books.load_book("magic-fifteen").game
SMALL = books.load_book("magic-fifteen", None, ("pool=1-6", "wins.sum.equals=10")).game


def test_every_reading_is_here() -> None:
    """Six books and ten readings, those with special turns among them."""
    assert len({name for name, _ in READINGS}) == 6
    assert len(READINGS) == 10
    assert {"declare", "lose-turn", "three-slots-in-order"} <= {one for _, one in READINGS}


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_five_seeds_give_five_versions_of_the_same_game(name: str, reading: str) -> None:
    """They differ from each other and from the original, and play the same in random games."""
    game = books.load_book(name, reading).game
    versions = [relabel(game, seed) for seed in range(5)]
    texts = {version.rules_text() for version in (*versions, relabel(game, None))}
    assert len(texts) == 6
    assert len({tuple(version.labels.values()) for version in versions}) == 5
    assert all(verify(version, games=2) >= 8 for version in versions)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "reading", "kind"), [(*one, k) for one, k in product(READINGS, KINDS)]
)
def test_every_position_of_every_book_is_the_same(name: str, reading: str, kind: str) -> None:
    """Legal moves, refusals, outcomes and values, in all positions."""
    assert verify(relabel(books.load_book(name, reading).game, 11, kind)) > 3_000


@pytest.mark.parametrize("kind", KINDS)
def test_every_position_of_a_small_game_is_the_same(kind: str) -> None:
    """The whole walk, on six numbers."""
    assert verify(relabel(SMALL, 5, kind)) == len(Graph(SMALL.start()).nodes) > 200


@pytest.mark.slow
@pytest.mark.parametrize("case", AS_THEY_STAND[::4], ids=str)
def test_any_rules_can_be_relabelled(case: Written) -> None:
    """Whatever the rules look at: sets, order, totals, or the numbers themselves."""
    assert verify(relabel(case.game, len(str(case))), games=1) >= 2


@pytest.mark.long
@pytest.mark.parametrize("case", AS_THEY_STAND, ids=str)
def test_all_rules_can_be_relabelled(case: Written) -> None:
    """The same for every book of the gallery and of the contract, more often."""
    assert all(verify(relabel(case.game, seed), games=3) for seed in range(8))


def test_the_digest_of_a_tree_sees_through_other_names() -> None:
    """Fifteen is tic-tac-toe, by a digest that knows nothing about relabelling."""
    tic_tac_toe = books.load_book(str(GALLERY / "tic-tac-toe.toml")).game
    assert tree_digest(tic_tac_toe) == tree_digest(FIFTEEN)
    assert tree_digest(relabel(SMALL, 3).game) == tree_digest(SMALL)
    mirrored = books.load_book("magic-fifteen", None, ("pool=1-6", "wins.sum.equals=11")).game
    assert tree_digest(mirrored) == tree_digest(SMALL)  # each number is 7 minus the other
    other = books.load_book("magic-fifteen", None, ("pool=1-6", "wins.sum.equals=8")).game
    assert tree_digest(other) != tree_digest(SMALL)


class Broken(Relabelling):
    """A relabelling with a fault that a test plants."""

    def with_game(self, game: Game) -> "Broken":
        """The same with other rules."""
        self.game = game
        return self


def test_a_set_that_is_missing_is_shown_by_a_shortest_game() -> None:
    """Without 1 3 6, the games differ where it is completed: after five moves, not earlier."""
    broken = relabel(SMALL, 2, "words")
    planted = Broken(SMALL, broken.story, broken.labels, "ordered")
    sets = [one for one in SMALL.sets if one != (1, 3, 6)]
    listed = {"sets": {"sets": [[*one] for one in sets]}}
    rules = {"rules": {"pool": "1-6", "wins": listed}}
    without = books.read_book(rules, stem="without").game
    planted.with_game(renumbered(without, planted.ids))
    with pytest.raises(NotTheSame) as caught:
        verify(planted)
    assert len(caught.value.moves) <= 4  # the value differs before the set is complete
    assert "the value is" in caught.value.message
    position = SMALL.play([*caught.value.moves])
    assert position.outcome is None


def test_an_answer_that_means_another_move_is_noticed_at_once() -> None:
    """Two labels that the reader confuses are a difference before the first move."""

    class Confused(Relabelling):
        def hear(self, text: str) -> str:
            one, two = [*self.labels.values()][:2]
            return super().hear(two if text == one else one if text == two else text)

    whole = relabel(SMALL, 2, "words")
    confused = Confused(SMALL, whole.story, whole.labels, "free")
    with pytest.raises(NotTheSame, match="the position is") as caught:
        verify(confused)
    assert len(caught.value.moves) == 1


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_no_old_name_is_left(name: str, reading: str) -> None:
    """In words, a prompt has no number of the original, no id, and no noun of it."""
    game = books.load_book(name, reading).game
    shown = relabel(game, 6, "words")
    position = game.play([game.pool[0], game.pool[4]])
    text = shown.prompt(position, history=[game.pool[0], game.pool[4]], legal=True)
    assert not re.search("(?i)number|arithmetic|geometric|consecutive|[0-9]{3}", text)
    digits = [int(found) for found in re.findall(r"\b[0-9]+\b", text)]
    counted = shown.game.rules.values
    assert {*digits} <= {1, 2} | {points for _, points in counted}
    assert all(re.search(rf"\b{label}\b", text) for label in shown.labels.values())


def test_without_a_seed_nothing_changes() -> None:
    """The plain game is told as it always was."""
    position = FIFTEEN.play("5 3")
    assert relabel(FIFTEEN, None).prompt(position, legal=True) == prompt(position, legal=True)


def test_answers_are_read_in_the_new_names() -> None:
    """The grammar is the strict one; what was never shown is not accepted."""
    shown, position = relabel(FIFTEEN, 1, "words"), FIFTEEN.play("5 3")
    five, three, nine = (shown.labels[number] for number in (5, 3, 9))
    assert shown.read(nine, position) == LegalAnswer(9, 8)
    assert shown.read(f"Let me see, 4 or 9.\nAnswer: {nine.upper()}", position) == LegalAnswer(9, 8)
    taken = shown.read(three, position)
    assert isinstance(taken, IllegalAnswer) and (taken.move, taken.code) == (3, "taken")
    assert three in taken.reason and not re.search("[0-9]", taken.reason)
    assert isinstance(shown.read(f"I take {nine}", position), UnreadableAnswer)
    assert isinstance(shown.read("zebra", position), UnreadableAnswer)
    for hidden in (str(shown.ids[9]), "9"):
        answer = shown.read(hidden, position)
        assert isinstance(answer, IllegalAnswer) and answer.code == "not-in-pool"
    assert five != nine


def test_a_number_that_does_not_exist_loses_the_turn_where_the_rules_say_so() -> None:
    """In the reading lose-turn, for labels as for numbers."""
    game = books.load_book("sequence-duel-sum", "lose-turn").game
    shown = relabel(game, 0, "numbers")
    answer = shown.read("5", game.start())
    assert isinstance(answer, IllegalAnswer) and answer.loses_turn
    assert answer.move not in game.pool


def test_order_is_kept_where_it_matters() -> None:
    """New numbers of a game of runs ascend as the old ones do; words stand in a row."""
    game = books.load_book("sequence-capture").game
    labels = [int(label) for label in relabel(game, 4, "numbers").labels.values()]
    assert labels == sorted(labels)
    shown = relabel(game, 4, "words")
    assert f"further left: {', '.join(shown.labels.values())}." in shown.rules_text()


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_says_which_numbers_are_neighbours(kind: str) -> None:
    """Where runs decide: 16 and 23 are not neighbours for who sees only the numbers."""
    shown = relabel(books.load_book("sequence-capture").game, 4, kind)
    text, row = shown.rules_text(), ", ".join(shown.labels.values())
    assert "the longer run of neighbours wins" in text
    assert f"stand in a row, and lower means further left: {row}." in text


def test_the_example_of_an_ordered_set_is_one() -> None:
    """The rules show a set in an order that counts."""
    game = books.load_book("sequence-builder", "three-slots-in-order").game
    text = relabel(game, 1, "words").rules_text()
    (example,) = re.findall(r"such as ([a-z ]+)\)", text)
    (listed,) = re.findall(r"The list: (.*)\.", text)
    assert example in listed.split("; ")


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_other_numbers_make_a_rule_book(name: str, reading: str) -> None:
    """The file is valid, has the new numbers, and loads as exactly the renumbered game."""
    game = books.load_book(name, reading).game
    shown = relabel(game, 8, "numbers")
    written = shown.renumbered_game()
    loaded = books.load_text(format_rule_book("Other numbers", written), "other.toml").game
    assert loaded.rules == written.rules
    assert {*loaded.pool} == {*map(int, shown.labels.values())}


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**9), kind=st.sampled_from(KINDS))
def test_labels_are_different_and_read_back(seed: int, kind: str) -> None:
    """Whatever the seed: every move has an answer that means it."""
    shown = relabel(FIFTEEN, seed, kind)
    assert len({label.casefold() for label in shown.labels.values()}) == 9
    for number in FIFTEEN.pool:
        answer = shown.read(shown.format_answer(number), FIFTEEN.start())
        assert isinstance(answer, LegalAnswer) and answer.move == number


def test_an_unknown_kind_is_refused() -> None:
    """With the kinds there are."""
    with pytest.raises(NinefoldError, match="Choose one of: numbers, words, names, symbols"):
        relabel(FIFTEEN, 1, "smells")


class RelabelledServer(LlmServer):
    """An endpoint whose player sees the relabelled game, and answers in its labels."""

    def __init__(self, shown: Relabelling) -> None:
        super().__init__(shown.game)
        self.shown = shown

    def response(self, body: dict[str, Any], fault: str, seed: int) -> dict[str, Any]:
        """The prompt in ids for the player, its answer in labels for the caller."""
        told = body["messages"][0]["content"]
        nouns = self.shown.story.several, self.shown.story.one
        told = told.replace(nouns[0], "numbers").replace(nouns[1], "number")
        heard = {**body, "messages": [{"role": "user", "content": self.shown.hear(told)}]}
        reply = super().response(heard, fault, seed)
        message = reply["choices"][0]["message"]
        message["content"] = self.shown.say(message["content"])
        return reply


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_a_model_plays_a_relabelled_game_over_http(seed: int) -> None:
    """A perfect player behind the endpoint is perfect in the original, and never at fault."""
    with RelabelledServer(relabel(FIFTEEN, seed)) as server:
        settings_ = settings_from({"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_KEY": "none"})
        player = LlmPlayer(f"perfect?relabel={seed}&retries=0", Endpoint(settings_))
        for first in (1, 2):
            game = play_game(FIFTEEN, (player, "random"), 5, first)
            assert (game.fault, game.outcome.winner in (1, None)) == ("", True)
        player.close()
    assert len(server.requests) >= 4
