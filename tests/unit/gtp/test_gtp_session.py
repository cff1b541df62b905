"""The engine's side of the protocol: every line gets the response it should, and no other."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import books
from ninefold.books.faults import BookError
from ninefold.books.rules import MAX_LISTED, format_game, parse_game
from ninefold.core.moves import parse_move
from ninefold.gtp.session import MAX_LINE, Session
from ninefold.players import UnknownPlayer

GAMES = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]
RESPONSE = re.compile(r"[=?][0-9]*(?: [^\n]+)?\n(?:[^\n]+\n)*\n\Z")


def session(
    name: str = "magic-fifteen", reading: str | None = None, kind: str | None = None, seed: int = 1
) -> Session:
    """An engine for this game."""
    return Session(ninefold.load(name, reading), kind, seed)


def talk(engine: Session, *lines: str) -> list[str]:
    """The responses without their empty lines."""
    answers = [engine.answer(line.encode()) for line in lines]
    assert all(RESPONSE.match(answer) for answer in answers if answer)
    return [answer.removesuffix("\n\n") for answer in answers]


def test_who_it_is() -> None:
    """The commands every controller begins with."""
    answers = talk(session(), "protocol_version", "name", "version", "7 known_command genmove")
    assert answers == ["= 2", "= Ninefold", f"= {ninefold.__version__}", "=7 true"]
    assert talk(session(), "known_command dance", "known_command") == ["= false", "= false"]


def test_what_it_lists_it_knows() -> None:
    """And everything the protocol requires is there."""
    engine = session()
    (answer,) = talk(engine, "list_commands")
    names = answer.removeprefix("= ").split("\n")
    for name in names:
        assert talk(engine, f"known_command {name}") == ["= true"]
    required = """protocol_version name version known_command list_commands quit boardsize
    clear_board play genmove undo showboard""".split()
    assert set(required) <= set(names)


@pytest.mark.parametrize("line", ["", "   ", "# only a comment", "\t", "\r", "\x01\x02", "  # x"])
def test_what_is_no_command_gets_no_response(line: str) -> None:
    """Empty lines, comments and control characters."""
    assert talk(session(), line) == [""]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("name", "= Ninefold"),
        ("0 name", "=0 Ninefold"),
        ("0012\tname\r", "=0012 Ninefold"),
        ("  5   name   # who are you?", "=5 Ninefold"),
        ("na\x07me", "= Ninefold"),
        ("12", "?12 syntax error: an id without a command, or a line of more than 65,536 bytes"),
        ("12name", "? unknown command"),
        ("NAME", "? unknown command"),
        ("8 dance b", "?8 unknown command"),
        ("play", "? syntax error: play COLOUR MOVE, for instance play b 5"),
        ("play b 5 6", "? syntax error: play COLOUR MOVE, for instance play b 5"),
        ("play red 5", "? syntax error: a colour is b, w, black or white"),
        ("genmove", "? syntax error: genmove COLOUR, for instance genmove b"),
        ("boardsize", "? syntax error: boardsize NUMBER"),
        ("boardsize 19", "? unacceptable size: this game has 9 numbers"),
        ("boardsize 9", "="),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score: the game is not over"),
    ],
)
def test_syntax(line: str, answer: str) -> None:
    """Ids are repeated, and what is wrong is said."""
    assert talk(session(), line) == [answer]


def test_a_line_without_end_is_refused() -> None:
    """Not read, not remembered."""
    engine = session()
    assert engine.answer(b"3 name " + b"x" * MAX_LINE).startswith("?3 syntax error")
    assert engine.answer(b"#" * (MAX_LINE + 1)) == ""


def test_moves_are_judged() -> None:
    """Legal ones are played, others refused with the reason, and nothing changes."""
    engine = session()
    assert talk(engine, "play B 5", "play White 5", "play w 99", "play w five") == [
        "=",
        "? illegal move: 5 is already taken. Choose one of: 1 2 3 4 6 7 8 9",
        "? illegal move: 99 is not in the pool. Choose one of: 1 2 3 4 6 7 8 9",
        "? illegal move: 'five' is not a move. Write a number, lost, pass, swap, or declare:5:7:9.",
    ]
    assert talk(engine, "play b 6", "genmove b") == ["? illegal move: it is the turn of W"] * 2
    assert talk(engine, "showboard")[0].endswith("\nB: 5\nW:")
    assert talk(engine, "play w lost", "play b 4", "undo", "undo", "play w 6") == ["="] * 5
    assert engine.position.hands == ((5,), (6,))


def test_either_colour_may_begin() -> None:
    """The first command decides, and again after clear_board and after undo."""
    engine = session()
    assert talk(engine, "play w 5", "undo", "play b 5", "clear_board", "play w 5") == ["="] * 5
    assert engine.position.hands == ((), (5,))
    assert engine.position.turn == 1


def test_the_end_of_a_game() -> None:
    """It is scored and described, and nothing more is played; undo opens it again."""
    engine = session("sequence-duel-sum")
    moves = "b 5;w 3;b 2;w 7;b 4;w 6;b 9".split(";")
    assert talk(engine, *(f"play {move}" for move in moves)) == ["="] * 7
    board, score, result, generated, played, _ = talk(
        engine, "showboard", "final_score", "ninefold-result", "genmove w", "play w 1", "undo"
    )
    assert board.splitlines()[0] == "= sequence-duel-sum: over: B+1 (sum-triple)"
    assert board.splitlines()[2:] == ["B: 5 2 4 9", "W: 3 7 6"]
    assert score == "= B+1"
    assert json.loads(result[2:]) == {
        "moves": ["5", "3", "2", "7", "4", "6", "9"],
        "status": "won",
        "turn": None,
        "winner": 1,
        "reason": "sum-triple",
        "sets": [[4, 5, 9]],
    }
    assert generated == "? illegal move: the game is over"
    assert played == "? illegal move: The game is over."
    assert talk(engine, "play b 1") == ["="]


def test_a_question_is_put_to_the_same_colour_again() -> None:
    """In the reading declare: pass or a declaration, by whoever took the number."""
    engine = session("pattern-builder", "declare")
    lines = [f"play {move}" for move in ("b 5", "w 4", "b 7", "w 6", "b 9")]
    assert talk(engine, *lines) == ["="] * 5
    assert "B may declare a set or pass" in talk(engine, "showboard")[0]
    assert talk(engine, "play w 1") == [
        "? illegal move: it is the turn of B, who is asked to declare a set or pass"
    ]
    assert talk(engine, "genmove b") == ["= declare:5:7:9"]


def test_chance_comes_from_the_seed_and_the_number_of_the_game() -> None:
    """The same conversation, the same moves; another game, another chance."""
    lines = ["genmove b", "clear_board"] * 12

    def moves(seed: int) -> list[str]:
        return talk(session(kind="random", seed=seed), *lines)[::2]

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len(set(moves(1))) > 3


@pytest.mark.parametrize("kind", ["human", "program:cat", "oracle"])
def test_only_a_computer_of_ours_can_think(kind: str) -> None:
    """Everybody else is refused before anything is answered."""
    with pytest.raises(UnknownPlayer):
        session(kind=kind)


@pytest.mark.parametrize(("name", "reading"), GAMES)
def test_a_game_goes_over_the_wire_and_back(name: str, reading: str) -> None:
    """Its description is one line without a comment sign, and means the same game."""
    game = ninefold.load(name, reading)
    line = format_game(game)
    assert "\n" not in line and "#" not in line
    assert parse_game(line).fingerprint == game.fingerprint
    engine = session()
    assert talk(engine, f"ninefold-game {line}", "ninefold-game") == ["=", f"= {line}"]
    moves = 0
    while engine.position.outcome is None:
        colour = "bw"[engine.position.turn - 1]
        before = engine.position
        (answer,) = talk(engine, f"genmove {colour}")
        assert parse_move(answer[2:]) in before.legal
        moves += 1
    assert moves > 3


def test_a_large_game_is_played_and_told_without_its_sets() -> None:
    """By whom it may be, also by one that cannot solve it."""
    large = books.load_book("sequence-builder", None, ("pool=1-64",)).game
    assert len(large.sets) > MAX_LISTED
    assert "sets" not in json.loads(format_game(large))
    engine = session()
    assert talk(engine, f"ninefold-game {format_game(large)}", "genmove b")[0] == "="
    assert talk(session(kind="perfect"), f"ninefold-game {format_game(large)}") == ["="]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"game": "x", "rules": {}}',
        '{"game": "x", "rules": {"pool": "1-9", "wins": {"magic": {}}}}',
        '{"game": 5, "rules": {"pool": "1-9"}}',
        "[" * 60_000,
        '{"game": "x", "rules": {"pool": [' + "9" * 5_000 + "]}}",
    ],
)
def test_a_description_that_makes_no_sense_is_refused(text: str) -> None:
    """With its faults, in lines of their own but without an empty one."""
    with pytest.raises(BookError):
        parse_game(text)
    engine = session()
    (answer,) = talk(engine, f"ninefold-game {text}")
    assert answer.startswith("? the description is not a valid rule book:")
    assert engine.position.game.name == "magic-fifteen"


WORDS = """play genmove undo clear_board showboard boardsize known_command list_commands final_score
ninefold-game ninefold-result b w black WHITE 5 9 10 -1 lost pass declare:1:2:3 # {} 1 12"""
SENTENCES = st.lists(st.sampled_from(WORDS.split()), max_size=4)
LINES = st.binary(max_size=60) | SENTENCES.map(lambda words: " ".join(words).encode())


@settings(max_examples=300)
@given(st.lists(LINES, max_size=30), st.sampled_from(GAMES))
def test_whatever_comes_in_well_formed_responses_go_out(
    lines: list[bytes], table: tuple[str, str]
) -> None:
    """At most one for each line, and the board is always one the judge has made."""
    engine = session(*table, kind="greedy")
    for line in lines:
        answer = engine.answer(line)
        assert not answer or RESPONSE.match(answer), (line, answer)
        assert answer.isascii() or answer.startswith("?")
    result = json.loads(engine.answer(b"ninefold-result")[2:])
    moves = [parse_move(move) for move in result["moves"]]
    game = engine.position.game
    first = 1 if not moves else engine._history[0].turn
    position = game.start(first)
    for move in moves:
        position = position.play(move)
    assert position.hands == engine.position.hands
