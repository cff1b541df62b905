"""Analysis, reviews, design and puzzles as plain data: the same as the library says."""

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.books.check import examine_text
from ninefold.coach.hint import best_line, hint_for
from ninefold.coach.practice import Answer, format_answer, parse_answers
from ninefold.coach.puzzle import puzzles
from ninefold.coach.review import review_game
from ninefold.coach.review_words import overview, remarks
from ninefold.coach.words import sentence, value_words
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move, format_moves
from ninefold.players import LEVELS
from ninefold.record.text import format_settings
from ninefold.solver import solver_for
from ninefold.web.server.work import analysis, design, given
from ninefold.web.server.work import puzzles as work
from ninefold.web.server.work.boards import show_line
from ninefold.web.server.work.review import review

BOOKS = books.names()
OWN = """
id = "mine"
title = "Mine <b>"
[rules]
pool = "1-6"
wins.arithmetic = { length = 3 }
"""


def random_moves(game: Any, seed: int, most: int = 99) -> list[str]:
    """The moves of a random game."""
    random, position, moves = Random(seed), game.start(), list[str]()
    while position.outcome is None and len(moves) < most:
        move = random.choice(position.legal)
        moves.append(format_move(move))
        position = position.play(move)
    return moves


def plain(data: Any) -> Any:
    """The data as it arrives from another process."""
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("name", BOOKS)
def test_an_analysis_is_what_solver_and_coach_say(name: str) -> None:
    """Every move with its value, distance and line; the hint in three sentences."""
    game = books.load_book(name).game
    moves = random_moves(game, 5, 3)
    position = game.start()
    for at in range(len(moves) + 1):
        found = plain(analysis.analyse({"game": name}, moves[:at]))
        solver, hint = solver_for(game), hint_for(position)
        exact = [(format_move(item.move), *item[1:]) for item in solver.moves(position)]
        assert [(one["move"], one["value"], one["plies"]) for one in found["moves"]] == exact
        assert [one["words"] for one in found["moves"]] == [value_words(*one[1:]) for one in exact]
        best = format_moves(solver.best(position))
        assert [one["move"] for one in found["moves"] if one["best"]] == best
        for one in found["moves"]:
            line = best_line(position, [hint.position.legal[exact.index(_key(one))]], solver)
            assert one["line"] == format_moves(line)
        assert found["hint"]["sentences"] == [sentence(hint, step) for step in (1, 2, 3)]
        assert (found["turn"], found["proved"], found["over"]) == (position.turn, True, None)
        if at < len(moves):
            position = position.play(moves[at])


def _key(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["move"], one["value"], one["plies"]


def test_an_analysis_of_a_finished_game_says_how_it_ended() -> None:
    """In the words of the book."""
    found = analysis.analyse({"game": "magic-fifteen"}, ["4", "1", "5", "2", "6"])
    assert found["moves"] == []
    assert found["over"] is not None
    assert found["over"]["winner"] == 1
    assert "Player 1" in found["over"]["text"]
    assert found["turn"] == 1  # who moved last
    assert (found["view"]["status"], found["view"]["turn"]) == ("Player 1 wins.", 0)
    assert found["value"] == {"value": "win", "plies": 0, "proved": True}


def test_the_reason_in_a_lost_position_names_the_defence() -> None:
    """And then how the opponent wins all the same."""
    found = analysis.analyse({"game": "magic-fifteen"}, ["5", "1", "4"])
    assert found["hint"] is not None
    assert found["hint"]["reason"] == (
        "You are losing against best play. Take 6: it stops 4-5-6, and only 8 still wins for them. "
        "After 6, they take 8, you take 2, they take 3 and win. "
        "But their 2, 3, 7 or 9 would let you back in."
    )


def test_a_line_of_play_has_a_board_for_each_step() -> None:
    """For the player to act before it, who is you; at its end, the board says who has won."""
    frames = plain(show_line({"game": "magic-fifteen"}, ["4", "1"], ["5", "2", "6"]))
    assert [frame["text"] for frame in frames] == ["", "you take 5", "they take 2", "you take 6"]
    assert [frame["view"]["hands"] for frame in frames[1:3]] == [[[4, 5], [1]], [[4, 5], [1, 2]]]
    statuses = ["Your turn", "Opponent's turn", "Your turn", "You win!"]
    assert [frame["view"]["status"] for frame in frames] == statuses
    assert frames[0]["view"]["names"] == ["You", "Opponent"]
    lit = [tile["number"] for tile in frames[3]["view"]["tiles"] if tile.get("lit")]
    assert lit == [4, 5, 6]
    with pytest.raises(NinefoldError, match="The game is over"):
        show_line({"game": "magic-fifteen"}, ["4", "1", "5", "2", "6"], ["7"])


def test_a_line_can_pass_through_turns_that_were_lost_on_the_clock() -> None:
    """In every game, as in its records."""
    (frame,) = show_line({"game": "magic-fifteen"}, ["4", "lost", "5"])
    assert frame["view"]["hands"] == [[4, 5], []]
    assert [move["text"] for move in frame["view"]["moves"]] == ["4", "turn lost", "5"]


@pytest.mark.slow
def test_an_analysis_of_a_large_game_claims_only_what_is_proved() -> None:
    """Every move that loses at once is known; without any time, only which moves there are."""
    spec: given.BookSpec = {"game": "magic-fifteen", "changes": ["pool=1-20"]}
    found = analysis.analyse(spec, ["7", "1", "2"], seconds=2.0)
    values = {one["move"]: one["value"] for one in found["moves"]}
    assert values["6"] in ("loss", None, "draw", "win")
    assert all(one["proved"] == (one["value"] is not None) for one in found["moves"])
    # 7 and 2 need 6: every other number loses within two moves, which a look ahead sees.
    assert {value for move, value in values.items() if move != "6"} == {"loss"}
    at_once = analysis.analyse(spec, ["7", "1", "2"], seconds=0.0)
    assert [one["move"] for one in at_once["moves"]] == [*values]
    assert {one["words"] for one in at_once["moves"]} == {"not settled"}
    assert (at_once["hint"], at_once["proved"]) == (None, False)
    assert at_once["view"] == found["view"]


def recorded(book: books.Book, moves: list[str], copy: str | None = None, **tags: Any) -> Any:
    """The record of a game between Ann and Bob."""
    lines = [f"{at}. {move}\n" for at, move in enumerate(moves, 1)]
    return {"record": format_settings(settings_of(book, **tags)) + "".join(lines), "copy": copy}


@pytest.mark.parametrize("name", BOOKS)
def test_a_review_is_what_the_coach_says(name: str) -> None:
    """Every verdict, in words for the reader."""
    book = books.load_book(name)
    moves = random_moves(book.game, 3)
    steps: list[object] = []
    found = plain(review(recorded(book, moves), reader=2, progress=steps.append))
    judged = review_game(book.game, moves)
    assert [one["words"] for one in found["moves"]] == remarks(judged, ("Ann", "Bob"), 2)
    assert [one["verdict"] for one in found["moves"]] == [one.verdict for one in judged.judgements]
    assert found["overview"] == overview(judged, ("Ann", "Bob"), 2)
    assert found["printed"]["overview"] == overview(judged, ("Ann", "Bob"))
    for one, said, printed in zip(
        found["moves"], remarks(judged, ("Ann", "Bob")), found["printed"]["moves"], strict=True
    ):
        assert printed.startswith("Ann" if one["player"] == 1 else "Bob")
        assert said in printed
    assert (found["decided"], found["reader"]) == (judged.decided, 2)
    assert found["ended"]
    assert steps[-1] == {"move": len(moves), "of": len(moves)}


def test_a_review_takes_undone_moves_and_resignations_from_the_record() -> None:
    """As the referee has them; alone against a computer, the person is the reader."""
    book = books.load_book("magic-fifteen")
    game = recorded(book, ["5", "1"], seat2="perfect")
    game["record"] += "undo:0\n1. 4\n2. 5\nresign:1\n"
    found = review(game)
    assert [one["move"] for one in found["moves"]] == ["4", "5"]
    assert (found["reader"], found["proved"]) == (1, True)
    assert "The game ended by resignation" in found["overview"]


def test_a_record_that_is_not_possible_is_refused() -> None:
    """It is a stranger's text."""
    book = books.load_book("magic-fifteen")
    with pytest.raises(NinefoldError, match="line 20: impossible: 5 is already taken"):
        review(recorded(book, ["5", "5"]))
    with pytest.raises(NinefoldError, match="There is no game"):
        review(recorded(book, ["5"], game="./secret.toml"))


def test_faults_have_their_places() -> None:
    """As ``ninefold check`` reports them."""
    text = OWN.replace("pool", "pol").replace("length = 3", 'length = "x"')
    found = plain(design.check(text))
    report = examine_text(text, "./book.toml")
    places = [(fault.place.line, fault.place.column) for fault in report.faults if fault.place]
    assert [(one["line"], one["column"]) for one in found["faults"]] == places
    assert found["verdict"] == "3 errors."
    assert found["faults"][1]["message"] == "rules.pol: unknown field (did you mean pool?)"
    assert (found["valid"], found["book"], found["more"]) == (False, None, 0)
    assert design.check(OWN)["verdict"] == "No errors. It can be played."


@pytest.mark.parametrize("name", BOOKS)
def test_a_good_text_has_no_faults(name: str) -> None:
    """Every built-in book, as if somebody had pasted it."""
    text = (Path(books.__file__).parent / "data" / f"{name}.toml").read_text()
    assert design.check(text)["valid"]
    described = plain(design.describe({"text": text}))
    own = plain(design.describe({"game": name}))
    assert {**described, "copy": None} == own
    again = plain(design.describe({"copy": described["copy"]}))
    assert again == described


def test_many_faults_are_counted() -> None:
    """No text makes a long answer."""
    found = design.check("".join(f"a{at} = 1\n" for at in range(200)) + "[[examples]]\n" * 40 + OWN)
    assert len(found["faults"]) == 50
    assert found["more"] > 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#" * 300_000, "more than 262,144 bytes"),
        ("title = '\ud800'", "line 1 is not UTF-8 text"),
    ],
)
def test_what_is_no_text_is_refused(text: str, expected: str) -> None:
    """Too long, or half a character."""
    with pytest.raises(NinefoldError, match=expected):
        design.check(text)


@pytest.mark.parametrize("parent", ["./other.toml", "/etc/passwd", "../book.toml", "x/y"])
def test_a_pasted_text_reads_no_file_of_the_server(
    parent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it exists; but it can extend a built-in game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.toml").write_text(OWN)
    (fault,) = design.check(f'extends = "{parent}"')["faults"]
    assert fault["message"].startswith("extends: must be the id of a game (the games are ")
    assert (fault["line"], fault["column"]) == (1, 1)
    assert design.check('extends = "magic-fifteen"')["valid"]
    with pytest.raises(NinefoldError, match="There is no game"):
        given.load_spec({"game": parent})


def test_an_audit_reports_its_steps_and_escapes_the_book() -> None:
    """A fragment of HTML without scripts and inline styles, or data."""
    steps: list[str] = []
    text = f"{OWN}[readings.four]\nrules.wins.arithmetic = {{ length = 4 }}\n"
    found = plain(design.audit_book({"text": text}, all_readings=True, progress=steps.append))
    assert steps
    assert "Mine &lt;b&gt;: an audit" in found["html"]
    assert not any(part in found["html"] for part in ("<b>", "<script", "style="))
    assert "Reading: four" in found["html"]
    data = plain(design.audit_book({"text": text}, form="data"))["data"]
    assert data["audits"][0]["title"] == "Mine <b>"


@pytest.mark.slow
def test_the_puzzle_of_the_day_goes_through_all_books_and_ratings() -> None:
    """The same for everyone; another book every day."""
    start = date(2026, 1, 1)
    days = [(start + timedelta(at)).isoformat() for at in range(len(BOOKS) * len(LEVELS))]
    found = [plain(work.daily(day)) for day in days]
    assert [plain(work.daily(day)) for day in days] == found
    assert Counter(one["game"] for one in found) == dict.fromkeys(BOOKS, len(LEVELS))
    for name in BOOKS:
        ratings = {puzzle.rating for puzzle in puzzles(books.load_book(name).game)}
        assert {one["rating"] for one in found if one["game"] == name} == ratings
    assert not any("answer" in one for one in found)


def spec_of(puzzle: dict[str, Any]) -> work.PuzzleSpec:
    """How to name a puzzle that was shown."""
    book: given.BookSpec = {"game": puzzle["game"], "reading": puzzle["reading"]}
    return {"book": book, "moves": puzzle["moves"], "first": puzzle["first"]}


@pytest.mark.parametrize("name", BOOKS)
def test_only_the_winning_number_is_right(name: str) -> None:
    """Each answer comes with its reason, and with a line for the log."""
    game = books.load_book(name).game
    by_identity = {puzzle.identity: puzzle for puzzle in puzzles(game)}
    chosen = plain(work.choose_puzzles({"game": name}, count=2, seed=1))
    assert sum(rated["count"] for rated in chosen["ratings"]) == len(by_identity)
    for shown in chosen["puzzles"]:
        puzzle = by_identity[shown["identity"]]
        for number in puzzle.position.picks:
            found = plain(work.answer(spec_of(shown), str(number)))
            assert found["right"] == (number == puzzle.answer)
            assert found["line"][0] == str(number)
            ((logged,),) = parse_answers(found["log"]).values()
            assert logged.solved == found["right"]


def test_a_number_that_cannot_be_taken_is_no_answer() -> None:
    """And a position with several winning numbers is no puzzle."""
    spec: work.PuzzleSpec = {"book": {"game": "magic-fifteen"}, "moves": ["1", "2", "6", "5"]}
    found = work.answer(spec, "6")
    assert (found["right"], found["log"]) == (None, None)
    assert "6" in found["text"]
    with pytest.raises(NinefoldError, match="This position is not a puzzle"):
        work.answer({"book": {"game": "magic-fifteen"}, "moves": []}, "5")


def test_known_puzzles_are_asked_last() -> None:
    """Only if there are no others."""
    spec: given.BookSpec = {"game": "magic-fifteen"}
    every = [puzzle.identity for puzzle in puzzles(books.load_book("magic-fifteen").game)]
    found = work.choose_puzzles(spec, answered=every[1:])
    assert [one["identity"] for one in found["puzzles"]] == every[:1]
    assert [rated["new"] for rated in found["ratings"]] == [1, 0, 0, 0]
    assert len(work.choose_puzzles(spec, answered=every)["puzzles"]) == 10
    with pytest.raises(NinefoldError, match="This game has no puzzle rated 9"):
        work.choose_puzzles(spec, rating=9)


def test_help_says_more_with_each_step() -> None:
    """The second step counts as missed, and names the number."""
    shown = plain(work.daily("2026-11-19"))
    one, two, three = (plain(work.assist(spec_of(shown), step)) for step in (1, 2, 3))
    assert (one["moves"], one["log"]) == ([], None)
    assert two["text"] == f"Take {two['moves'][0]}."
    assert " failed " in two["log"]
    assert three["line"][0] == two["moves"][0]


def test_lessons_come_from_games_and_puzzles() -> None:
    """Of this player, when they are due; of a book that is not built in, too."""
    book = books.load_book("magic-fifteen")
    moves = ["1", "2", "6", "5", "3"]  # 8 would have completed 1 + 6 + 8
    copy = design.describe({"text": OWN})["copy"]
    assert copy is not None
    mine = given.load_spec({"copy": copy})
    (first, *_) = puzzles(mine.game)
    named: given.BookSpec = {"game": "own-id", "copy": copy}
    spec: work.PuzzleSpec = {"book": named, "moves": format_moves(first.moves)}
    wrong = next(number for number in first.position.picks if number != first.answer)
    log = work.answer(spec, str(wrong))["log"]
    assert log is not None
    game = recorded(book, moves)
    games: list[Any] = [{"name": "g1", "seat": 1, **game}]
    found = plain(work.lessons(games, [log], {"own-id": copy}))
    assert [(one["record"], one["ply"], one["played"]) for one in found["due"]] == [
        ("g1", 5, "3"),
        (None, None, None),
    ]
    assert found["due"][0]["origin"] == "From your game of 02 January, move 5."
    assert [one["game"] for one in found["due"]] == ["magic-fifteen", "own-id"]
    assert (found["later"], found["next"], found["warnings"]) == ([], None, [])
    assert found["counts"] == {"due": 2, "later": 0}
    solved = [format_answer(one["identity"], Answer("2026-03-01T12:00:00Z", True))
              for one in found["due"][:1]]  # fmt: skip
    later = work.lessons(games, solved, today="2026-03-01")
    assert later["due"] == []
    assert [one["due"] for one in later["later"]] == ["2026-03-02"] == [later["next"]]
    games[0]["seat"] = 2
    assert work.lessons(games)["due"] == []


def test_no_log_makes_the_server_read_a_file(tmp_path: Path) -> None:
    """A puzzle of a book that is gone does not come back."""
    path = tmp_path / "book.toml"
    path.write_text(OWN)
    book = books.load_book(str(path))
    puzzle = puzzles(book.game)[0]
    from ninefold.coach.practice import missed_puzzles, source_of

    line = format_answer(
        puzzle.identity, Answer("2026-03-01T12:00:00Z", False, source_of(puzzle, book))
    )
    assert len(missed_puzzles(parse_answers(line))) == 1
    assert work.lessons(log=[line])["due"] == []


def test_one_bad_game_does_not_hide_the_others() -> None:
    """It is named."""
    book = books.load_book("magic-fifteen")
    bad: Any = {"name": "bad", "seat": 1, "record": "nonsense\n"}
    good: Any = {"name": "good", "seat": 1, **recorded(book, ["1", "2", "6", "5", "3"])}
    found = work.lessons([bad, good])
    assert len(found["due"]) == 1
    assert len(found["warnings"]) == 1
    assert found["warnings"][0].startswith("bad, line 1:")
