"""The table of a page, read by an independent reader, says what judge, solver and coach say."""

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from effort import examples
from web_pages import PAIRS, TableReader, book_of, on_pages, page_of

from ninefold import players
from ninefold.coach.hint import hint_for, winner_of
from ninefold.coach.review import judge
from ninefold.coach.words import sentence
from ninefold.core.moves import format_move, parse_move
from ninefold.core.position import Position
from ninefold.narration import View
from ninefold.solver import solver_for
from ninefold.solver.breadth_first import end_key

pytestmark = pytest.mark.slow
each_pair = on_pages(*PAIRS)
Walk: TypeAlias = tuple[TableReader, dict[int, Position]]


@pytest.fixture
def walk(tmp_path_factory: pytest.TempPathFactory, name: str, reading: str) -> Walk:
    """The table of the page of this pair, walked once."""
    return reached(page_of(tmp_path_factory, name, reading), name, reading)


@cache
def reached(file: Path, name: str, reading: str) -> tuple[TableReader, dict[int, Position]]:
    """The table, and every state with a position that the judge reaches by the same moves.

    Each move leads where the judge says: to a state that stands for the position after it.
    """
    table, start = TableReader(file.read_text("utf-8")), book_of(name, reading).game.start()
    found = {table.header["start"]: start}
    todo = [*found]
    moves = [parse_move(move["key"]) for move in table.header["moves"]]
    for at in todo:  # it grows on the way
        position = found[at]
        for step in table.steps(at):
            child = position.play(moves[step["move"]])
            if step["to"] not in found:
                found[step["to"]] = child
                todo.append(step["to"])
            else:
                assert end_key(found[step["to"]]) == end_key(child)
    return table, found


@each_pair
def test_every_state_and_every_move_is_what_the_judge_and_the_solver_say(
    walk: Walk, name: str, reading: str
) -> None:
    """Hands, turns, legal moves in order, where they lead, values and lengths: all of them."""
    game, (table, positions) = book_of(name, reading).game, walk
    solver, columns = solver_for(game), table.columns
    for at, position in positions.items():
        over, value = position.outcome is not None, solver.value(position)
        assert columns["turn"][at] == (0 if over else position.turn)
        assert columns["asking"][at] == position.asking
        hands = [table.numbers(columns[f"hand{seat}"][at]) for seat in (1, 2)]
        assert hands == [sorted(hand) for hand in position.hands]
        moves = [table.header["moves"][step["move"]]["key"] for step in table.steps(at)]
        assert moves == [format_move(move) for move in position.legal]
        winner = position.outcome.winner if position.outcome else winner_of(value, position.turn)
        assert columns["winner"][at] == (winner or 0)
        assert columns["plies"][at] == (0 if value.plies is None else value.plies + 1)
        assert table.numbers(columns["lit"][at]) == sorted(game.deciding_numbers(position))
    assert len(positions) == table.header["counts"]["states"] == len(columns["turn"])


@each_pair
def test_players_hints_and_verdicts_are_those_of_the_engine(
    walk: Walk, name: str, reading: str
) -> None:
    """In a sample of the states: which moves each player chooses between, and every hint."""
    (table, positions), chance = walk, Random(f"{name} {reading}")
    computers = {kind: players.make(kind) for kind in players.KINDS[1:]}
    bits = {item["kind"]: item["bit"] for item in table.header["opponents"]}
    assert set(bits) == set(players.KINDS)
    open_states = [pair for pair in positions.items() if pair[1].outcome is None]
    for at, position in chance.sample(open_states, examples(60)):
        steps = table.steps(at)
        for kind, player in computers.items():
            assert player is not None
            chosen = [
                move
                for move, step in zip(position.legal, steps, strict=True)
                if step["chosen"] & bits[kind]
            ]
            assert sorted(map(format_move, chosen)) == sorted(
                {*map(format_move, player.candidates(position))}
            )
        hint = hint_for(position)
        for number in (1, 2, 3):
            assert table.text(table.columns[f"hint{number}"][at]) == sentence(hint, number)
        assert table.numbers(table.columns["area"][at]) == sorted(hint.area)
        hinted = {
            move for move, step in zip(position.legal, steps, strict=True) if step["marks"] & 1
        }
        assert hinted == set(hint.moves)
        for move, step in zip(position.legal, steps, strict=True):
            row = table.header["rows"][step["row"]]
            assert row["counts"][1] == judge(position, move, 1).is_mistake


@each_pair
def test_the_end_is_told_in_the_order_in_which_numbers_were_taken(
    walk: Walk, name: str, reading: str
) -> None:
    """Random games: however a state was reached, the text about its result is the book's."""
    (table, _), chance, book = walk, Random(f"{name} {reading}"), book_of(name, reading)
    view, separator = View(book, ("Ann", "Bob"), (True, True)), book.words.phrases["separator"]
    for _ in range(examples(200)):
        at, position = table.header["start"], book.game.start()
        while position.outcome is None:
            step = chance.choice(table.steps(at))
            position = position.play(parse_move(table.header["moves"][step["move"]]["key"]))
            at = step["to"]
        one, two = position.hands
        taken = (*one, *two)
        text = table.text(table.columns["note"][at]).replace("{1}", "Ann").replace("{2}", "Bob")
        text = text.replace("{last}", ("Ann", "Bob")[(position.last_picker or 1) - 1])
        text = text.replace("{hand1}", separator.join(map(str, one)))
        text = text.replace("{hand2}", separator.join(map(str, two)))
        for addends in re.findall(r"\{sum:([^}]*)\}", text):
            numbers = sorted(map(int, addends.split(",")), key=taken.index)
            text = text.replace(f"{{sum:{addends}}}", " + ".join(map(str, numbers)))
        assert text == view.result(position.outcome, position)


@each_pair
def test_a_page_is_under_500_kilobytes(
    tmp_path_factory: pytest.TempPathFactory, name: str, reading: str
) -> None:
    """Small enough for any mailbox."""
    assert page_of(tmp_path_factory, name, reading).stat().st_size < 500_000
