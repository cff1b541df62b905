"""Text for language models: what they are told, and how their answers are read."""

import re
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold import books
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move
from ninefold.core.position import Position
from ninefold.datasets.rows import Rows
from ninefold.layout import Layout
from ninefold.llm_text import (
    Factors,
    IllegalAnswer,
    LegalAnswer,
    NoOwnWords,
    UnreadableAnswer,
    WrongHistory,
    format_answer,
    prompt,
    prompt_for,
    prompt_hash,
    read_answer,
    rules_text,
)
from ninefold.llm_text.answers import MAX_CHARACTERS

FIFTEEN = books.load_book("magic-fifteen").game
DECLARE = books.load_book("pattern-builder", "declare").game
LOSE_TURN = books.load_book("sequence-duel-sum", "lose-turn").game
RARE = books.load_book(
    "magic-fifteen",
    None,
    ("pool=1-5", "passing=true", "pie=true", "picks-per-turn=2", "otherwise='second'"),
).game
ORDERED = books.load_book("sequence-builder", "three-slots-in-order", ("pool=1-5",)).game
LAST = books.load_book(
    "magic-fifteen",
    None,
    ("pool=1-5", "passing=true", "ending=[{measure='last-pick',prefer='lower'}]"),
).game
NEGATIVE = books.load_book("magic-fifteen", None, ("pool=[-3,-1,0,4,12]",)).game
SMALL_DECLARE = books.load_book("pattern-builder", "declare", ("pool=1-6",)).game
GAMES = [FIFTEEN, DECLARE, LOSE_TURN, RARE, ORDERED, LAST, NEGATIVE]


def unread(text: str, position: Position | None = None) -> str:
    """The code of an answer that must not be readable."""
    answer = read_answer(text, position or FIFTEEN.play("5 3"))
    assert isinstance(answer, UnreadableAnswer), answer
    assert answer.reason.endswith(".") and len(answer.reason) < 200
    assert answer.reason.isprintable()
    return answer.code


def refused(text: str, position: Position) -> IllegalAnswer:
    """The judge's refusal of an answer that can be read."""
    answer = read_answer(text, position)
    assert isinstance(answer, IllegalAnswer), answer
    return answer


def played(game: Game, moves: list[Move]) -> Position:
    """The position after these moves, all of them written out."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("4", 4),
        ("  4\n", 4),
        ("\r\n4\r\n", 4),
        ("+4", 4),
        ("04", 4),
        ("Answer: 4", 4),
        ("ANSWER:4", 4),
        ("I could take 9, or 3.\nAnswer: 9 is tempting.\n  answer:\t4  ", None),
        ("3 is taken, so is 5; I pick 9 or 4.\n\n  answer:\t4  ", 4),
    ],
)
def test_answers_that_are_a_move(text: str, move: int | None) -> None:
    """The move alone, or behind the mark in the last line; one mark only."""
    answer = read_answer(text, FIFTEEN.play("5 3"))
    if move is None:
        assert isinstance(answer, UnreadableAnswer) and answer.code == "several-answers"
    else:
        assert answer == LegalAnswer(move, 3)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("Answer:", "empty"),
        ("thinking\nAnswer: \n", "empty"),
        ("I pick 5 because 3 is taken", "not-alone"),
        ("I pick 4.", "not-alone"),
        ("pick 4", "not-alone"),
        ("4.", "not-alone"),
        ("**4**", "not-alone"),
        ("4!", "not-alone"),
        ("'4'", "not-alone"),
        ("- 4", "not-alone"),
        ("--4", "not-alone"),
        ("1e1", "not-alone"),
        ("0x4", "not-alone"),
        ("4_0", "not-alone"),
        ("four", "not-a-move"),
        ("pass now", "not-a-move"),
        ("lost", "not-a-move"),
        ("resign", "not-a-move"),
        ("4.0", "not-whole"),
        (".5", "not-whole"),
        ("4 6", "several-numbers"),
        ("4, 6", "several-numbers"),
        ("4,6", "several-numbers"),
        ("4\n6", "several-numbers"),
        ("\uff14", "foreign-digits"),
        ("\u0664", "foreign-digits"),
        ("declare \u0664 5 6", "not-a-declaration"),
        ("\u22124", "not-alone"),
        ("\u200b4", "not-alone"),
        ("\u2463", "not-a-move"),
        ("4\x00", "not-alone"),
        ("Answer: 4\nAnswer: 4", "several-answers"),
        ("Answer: 4\nI hope that is right.", "answer-not-last"),
        ("The answer: 4", "not-alone"),
        ("9" * 19, "long-number"),
        ("-" + "9" * 5000, "long-number"),
        ("declare", "no-numbers"),
        ("declare :", "no-numbers"),
        ("declare 1 and 2", "not-a-declaration"),
        ("declare 1 2 3.", "not-a-declaration"),
        ("declare 1 2 " + "9" * 30, "long-number"),
        ("declare " + "1 " * 101, "many-numbers"),
        ("declared 1 2 3", "not-alone"),
        ("declare1 2 3", "not-alone"),
        ("I declare 1 2 3", "not-alone"),
        ("4" + " " * MAX_CHARACTERS, "too-long"),
    ],
)
def test_answers_that_cannot_be_read(text: str, code: str) -> None:
    """Each with a code that says why; no number is picked out of them."""
    assert unread(text) == code


def test_an_illegal_number_is_not_unreadable() -> None:
    """Taken, negative, not in the pool: the judge says why, in its own words."""
    position = FIFTEEN.play("5 3")
    for text, code, reason in (
        ("5", "taken", "5 is already taken. Choose one of: 1 2 4 6 7 8 9"),
        ("-4", "not-in-pool", "-4 is not in the pool. Choose one of: 1 2 4 6 7 8 9"),
        ("0", "not-in-pool", "0 is not in the pool. Choose one of: 1 2 4 6 7 8 9"),
        ("9" * 18, "not-in-pool", f"{'9' * 18} is not in the pool. Choose one of: 1 2 4 6 7 8 9"),
    ):
        assert refused(text, position) == IllegalAnswer(int(text), code, reason, False)
    assert refused("5", LOSE_TURN.play("5 3")).loses_turn
    assert read_answer("-3", NEGATIVE.start()) == LegalAnswer(-3, 0)
    assert refused("5", FIFTEEN.play("5 1 8 3 2")).code == "game-over"


def test_words_are_moves_where_the_rules_have_them() -> None:
    """Else the judge refuses them; giving a turn away is no move where nobody may."""
    second = RARE.play("5 2")
    assert read_answer("Swap", second) == LegalAnswer(SWAP, 6)
    assert read_answer("PASS", second) == LegalAnswer(PASS, 5)
    assert read_answer("lost", LOSE_TURN.start()) == LegalAnswer(LOST, 9)
    assert refused("swap", FIFTEEN.start()).code == "no-swap"
    assert refused("pass", FIFTEEN.start()).code == "no-pass"


def test_declarations() -> None:
    """In any order, with spaces, commas or colons; what is no set is the judge's business."""
    asked = played(DECLARE, [5, 2, 7, 3, 9])
    for text in ("declare 5 7 9", "DECLARE 9, 7, 5", "declare:7:5:9", "Answer: declare 5,7,9"):
        assert read_answer(text, asked) == LegalAnswer(Declare((5, 7, 9)), 9)
    assert refused("declare 5 7", asked).code == "not-a-set"
    assert refused("declare 5 5 7", asked).code == "not-a-set"
    assert refused("declare 2 3 4", asked).code == "not-in-hand"
    assert refused("declare -1 3 4", asked).code == "not-in-hand"
    assert refused("4", asked).code == "asked"
    assert refused("declare 5 7 9", FIFTEEN.start()).code == "no-declaring"
    assert unread("5 7 9", asked) == "several-numbers"


def some_positions(game: Game, seed: int, games: int = 30) -> list[Position]:
    """The positions of random games."""
    chance, found = Random(seed), []
    for _ in range(games):
        position = game.start()
        for _ in range(40):
            found.append(position)
            if position.outcome is not None:
                break
            position = position.play(chance.choice(position.legal))
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_legal_move_is_read_as_it_is_written(game: Game) -> None:
    """And every answer that is listed as legal is a legal move."""
    layout = Layout(game)
    for position in some_positions(game, 1):
        for move in position.legal:
            expected = LegalAnswer(move, layout.action(move))
            assert read_answer(format_answer(move), position) == expected
            assert read_answer(f"so\nAnswer: {format_answer(move)}\n", position) == expected
        if position.legal:
            text = prompt(position, legal=True, factors=Factors(prompt=1))
            listed = re.search("(?m)^Legal answers: (.*)$", text)
            assert listed
            answers = [read_answer(text, position) for text in listed[1].split(", ")]
            assert [getattr(answer, "move", None) for answer in answers] == position.legal


MOVELIKE = st.text(st.sampled_from("0123456789 +-.,:\n\tanswerdclpiotxANSWER\u0664\uff15\u2212é*`"))
ANSWERS = st.text() | MOVELIKE | st.builds("{}\nAnswer: {}".format, st.text(), MOVELIKE)


@pytest.mark.slow
@given(ANSWERS, st.sampled_from(GAMES), st.integers(0, 99))
@settings(max_examples=1500, deadline=None)
def test_no_move_is_ever_invented(text: str, game: Game, seed: int) -> None:
    """Whatever is read is written there in full: the last line, or all of it, is the move."""
    chance = Random(seed)
    position = chance.choice(some_positions(game, seed, 1))
    answer = read_answer(text, position)
    if isinstance(answer, UnreadableAnswer):
        assert re.fullmatch("[a-z-]+", answer.code) and answer.reason.isprintable()
        return
    said = text.strip(" \t\r\n").split("\n")[-1].strip(" \t\r\n").lower().removeprefix("answer:")
    numbers = sorted(map(int, re.findall("[+-]?[0-9]+", said)))
    if isinstance(answer.move, Declare):
        assert tuple(numbers) == answer.move.numbers
        assert re.sub("[0-9+:, \t-]", "", said) == "declare"
    elif isinstance(answer.move, int):
        assert numbers == [answer.move] and re.fullmatch("[ \t]*[+-]?[0-9]+", said)
    else:
        assert said.strip(" \t") == answer.move.value
    if isinstance(answer, LegalAnswer):
        assert answer.move in position.legal
        position.play(answer.move)
    else:
        assert answer.move not in position.legal
        with pytest.raises(Illegal):
            position.play(answer.move)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10**7,
        "1 " * 49_999,
        "-" * 99_999,
        "declare" + " 1" * 49_000,
        "declare " + ":" * 99_000,
        "Answer:" * 14_000,
        "Answer:\n" * 12_000,
        "\n" * 99_999 + "4",
        "\u0664" * 99_999,
        "a" * 99_990 + "4",
    ],
    ids=lambda text: text[:12],
)
def test_huge_answers_take_no_more_steps_than_their_length(text: str) -> None:
    """So many calls are made whatever stands there: nothing is tried again and again."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    position = FIFTEEN.play("5 3")
    sys.setprofile(count)
    try:
        read_answer(text, position)
    finally:
        sys.setprofile(None)
    assert calls < 10 * min(len(text), MAX_CHARACTERS) + 200


@pytest.mark.parametrize("game", [RARE, ORDERED, LAST, SMALL_DECLARE], ids=str)
def test_the_text_tells_all_that_matters_and_nothing_else(game: Game) -> None:
    """Two unfinished positions read alike if and only if they have the same future."""
    told: dict[object, object] = {}
    for position, player in Rows(game).graph().nodes:
        if position.outcome is None:
            key = (player, position.key)
            text = prompt(position, rules=False, factors=Factors(prompt=1))
            assert told.setdefault(text, key) == key
            if not game.rules.declare:
                assert prompt(position, rules=False) == text
    assert len(told) == len(set(told.values())) > 100


def test_a_prompt_to_the_letter() -> None:
    """Rules, position, history, answers, how to answer."""
    expected = """\
Two players share the numbers 1 to 9. On your turn you take one free number. Each number can be \
taken once.

You win as soon as you hold three numbers with a sum of 15 (such as 1 5 9). The order in which you \
took them does not matter.

When every number is taken and nobody has won, the game is drawn.

You are player 2, and it is your turn.
Your numbers: 3
Your opponent's numbers: 1 5
Free numbers: 2 4 6 7 8 9
Moves so far: player 1 took 5, player 2 took 3, player 1 took 1
Legal answers: 2, 4, 6, 7, 8, 9

Answer with your move and nothing else: one number. You may think aloud first if the last line of \
your answer is "Answer:" with the move behind it."""
    assert prompt(FIFTEEN.play("5 3 1"), history=[5, 3, 1], legal=True) == expected
    over = prompt(FIFTEEN.play("5 1 8 3 2"), rules=False)
    assert over.startswith("You are player 1. The game is over: player 1 has won (sum).\n")
    assert "Answer" not in over


def test_a_history_must_lead_to_the_position() -> None:
    """Whoever began; every kind of move has its word."""
    moves: list[Move] = [5, 2, SWAP, 1, PASS]
    text = prompt(played(RARE, moves), history=moves)
    assert (
        "Moves so far: player 1 took 5, player 1 took 2, player 2 swapped, player 1 took 1, "
        "player 1 passed" in text
    )
    assert "player 2 took 5" in prompt(FIFTEEN.play("5", 2), history=[5], first=2)
    assert "player 1 lost the turn" in prompt(LOSE_TURN.play("lost"), history=[LOST])
    won: list[Move] = [5, 2, 7, 3, 9, Declare((5, 7, 9))]
    assert "player 1 declared 5 7 9" in prompt(played(DECLARE, won), history=won)
    for wrong in ([5], [5, 3, 2], [3, 5, 1]):
        with pytest.raises(WrongHistory, match="do not lead to this position"):
            prompt(FIFTEEN.play("5 3 1"), history=wrong)
    with pytest.raises(NinefoldError, match="already taken"):
        prompt(FIFTEEN.play("5 3 1"), history=[5, 5, 1])


def test_rules_are_those_in_force() -> None:
    """Of the reading and the changes; a long list of sets is there in full."""
    assert "If you pick an unavailable number, you lose your turn." in rules_text(LOSE_TURN)
    assert "You win by declaring" in rules_text(DECLARE)
    sets = [[1, at] for at in range(2, 16)]
    changes = ("pool=1-15", f"wins={{sets={{sets={sets}}}}}")
    text = rules_text(books.load_book("magic-fifteen", None, changes).game)
    assert all(f"{one} {two}" in text for one, two in sets)


def test_no_extra_is_needed() -> None:
    """Neither module imports NumPy."""
    import subprocess

    script = "import sys; sys.modules['numpy'] = None; import ninefold.llm_text"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_example_in_the_module_is_true() -> None:
    """As its docstring shows it."""
    import doctest

    from ninefold import oracle
    from ninefold.llm_text import prompts

    for module in (prompts, oracle):
        assert doctest.testmod(module).attempted > 0
        assert doctest.testmod(module).failed == 0


def test_where_wins_are_declared_a_prompt_shows_what_the_book_shows() -> None:
    """It tells nobody that a set is complete; a question asks for a declaration or a pass."""
    complete, empty = played(DECLARE, [5, 2, 7, 3, 9]), played(DECLARE, [5, 2, 7, 3, 8])
    for position in (complete, empty):
        text = prompt(position, rules=False, legal=True)
        assert "Legal answers: pass, declare and the numbers of a set you hold\n" in text
        assert "complete" not in text and "one number" not in text
        assert text.endswith(
            'else: "declare" and the numbers of a set you hold (such as: declare 1 2 3), or '
            '"pass". You may think aloud first if the last line of your answer is "Answer:" with '
            "the move behind it."
        )
    later = prompt(played(DECLARE, [5, 2, 7, 3, 9, PASS]), rules=False, legal=True)
    assert "nothing else: one number, or " in later and '"pass"' not in later
    old = prompt(complete, rules=False, legal=True, factors=Factors(prompt=1))
    assert "You were the first to complete a set." in old and "declare 5 7 9" in old


def test_where_wins_are_declared_only_who_was_first_is_left_out() -> None:
    """Two positions read alike if a person at the table sees the same; moves tell them apart."""
    early: list[Move] = [1, 4, 2, 5, 3, PASS, 6, PASS, 7]
    late: list[Move] = [1, 4, 2, 5, 7, PASS, 6, PASS, 3]
    one, two = played(DECLARE, early), played(DECLARE, late)
    assert (one.first_complete, two.first_complete) == (1, 2)
    assert prompt(one) == prompt(two)
    assert prompt_for(one, Factors(), early) != prompt_for(two, Factors(), late)
    told: dict[object, object] = {}
    for position, player in Rows(SMALL_DECLARE).graph().nodes:
        if position.outcome is None:
            seen = (player, position.masks, position.turn, position.asking)
            assert told.setdefault(prompt(position, rules=False), seen) == seen
    assert len(told) == len(set(told.values())) > 100


def test_the_moves_are_listed_where_the_position_hides_something() -> None:
    """Unless the factor says otherwise: a person would remember them."""
    factors, moves = Factors(), list[Move]([1, 4])
    text = prompt_for(played(SMALL_DECLARE, moves), factors, moves)
    assert "Moves so far: player 1 took 1, player 2 took 4" in text
    assert "Moves so far" not in prompt_for(FIFTEEN.play("5"), factors, [5])
    assert "Moves so far" in prompt_for(FIFTEEN.play("5"), Factors(history="yes"), [5])
    assert "Moves so far" not in prompt_for(DECLARE.start(), Factors(history="no"))


# A change of any word needs a new version: published results name these.
HASHES = {
    Factors(prompt=1): "422b63143834",
    Factors(): "afa62af61bd6",
    Factors(think="yes"): "99bdf07ee234",
    Factors(think="no"): "6d9f6e0fdd8e",
    Factors(format="json"): "4289a53fda62",
    Factors(format="json", think="yes"): "725d8e28427b",
    Factors(format="tool"): "f64cab94756c",
    Factors(legal="yes"): "028f17b06c71",
    Factors(rules="book"): "0c4b9f968c55",
    Factors(history="yes"): "20f319cafde5",
}


@pytest.mark.parametrize(("factors", "expected"), HASHES.items(), ids=str)
def test_the_words_of_a_version_never_change(factors: Factors, expected: str) -> None:
    """Nor do two experiments share a hash."""
    assert prompt_hash(factors) == expected
    assert len({*HASHES.values()}) == len(HASHES)


def test_the_words_of_the_book_are_its_own() -> None:
    """With those of the variant; made ones where nobody wrote any are refused."""
    text = prompt(DECLARE.start(), factors=Factors(rules="book"))
    assert "Both sets are open" in text and "A wrong claim costs nothing." in text
    with pytest.raises(NoOwnWords, match="rules=made"):
        prompt(SMALL_DECLARE.start(), factors=Factors(rules="book"))
