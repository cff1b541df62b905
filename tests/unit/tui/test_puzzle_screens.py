"""Puzzles on the full screen: chosen, solved, missed, and asked again when they are due."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import DataTable
from unit.tui.driving import (
    KEYS_AND_MOUSE,
    QUIET,
    SIZES_FOR_KEYS,
    SIZES_FOR_MOUSE,
    click_tile,
    run,
    session_of,
    settle,
    text_of,
    until,
)

from ninefold import books
from ninefold.coach.attempt import PuzzleRun, Task
from ninefold.coach.hint import hint_for
from ninefold.coach.practice import PracticeLog, due_now, missed_puzzles
from ninefold.coach.puzzle import Puzzle, puzzle_at, puzzles
from ninefold.coach.words import sentence, what_is_wrong
from ninefold.core.moves import parse_moves
from ninefold.record.store import Store
from ninefold.tui.home import Home
from ninefold.tui.line_of_play import LineOfPlay
from ninefold.tui.puzzle import PuzzleScreen
from ninefold.tui.puzzles import PuzzlesScreen

DUEL = books.load_book("sequence-duel-arithmetic")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and answers of these tests are nobody else's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def puzzle_after(moves: str) -> Puzzle:
    """The puzzle after these moves."""
    made = tuple(parse_moves(moves))
    found = puzzle_at(DUEL.game.play(made), made)
    assert found is not None
    return found


NINE = puzzle_after("9")  # only 5 wins
EASY = puzzles(DUEL.game)[0]


def screen_of(*asked: Puzzle) -> PuzzleScreen:
    """A screen that asks these puzzles."""
    return PuzzleScreen(PuzzleRun([Task(one, DUEL) for one in asked], PracticeLog(), pytest.fail))


def in_words(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())


def shown(pilot: Pilot[None]) -> str:
    """What is on the screen, without line breaks."""
    return in_words(text_of(pilot.app))  # type: ignore[arg-type]


def answers() -> list[bool]:
    """Whether each answer on record was right, in their order."""
    given = [answer for answers in PracticeLog().read().values() for answer in answers]
    return [answer.solved for answer in sorted(given)]


async def asked(pilot: Pilot[None]) -> PuzzleScreen:
    """Wait for a puzzle."""
    await until(pilot, lambda: getattr(pilot.app.screen, "attempt", None) is not None)
    screen = pilot.app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen


def miss_a_win() -> None:
    """Record a game in which Bob misses the win of ``NINE``."""
    session = session_of(DUEL, Store())
    game = session.next_game()
    for number in (9, 8):
        game.move(number, 0.0)
    session.close()


@pytest.mark.parametrize("size", SIZES_FOR_KEYS)
def test_a_puzzle_is_solved_by_keys_alone(size: tuple[int, int]) -> None:
    """A wrong answer is refuted, a right one explained; what was missed comes once more."""
    screen = screen_of(NINE, EASY)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        assert "Puzzle 1 of 2 · Sequence Duel" in shown(pilot)
        assert "One number wins. You are O." in shown(pilot)
        assert "X They: 9 O You: no numbers yet" in shown(pilot)
        await pilot.press("7", "enter")
        await settle(pilot)
        assert in_words(what_is_wrong(NINE.position, 7))[:30] in shown(pilot)
        assert answers() == [False]
        await pilot.press("w")
        await settle(pilot)
        assert isinstance(pilot.app.screen, LineOfPlay)
        assert pilot.app.screen.moves_shown[:2] == (7, 5)
        await pilot.press("escape", "5", "enter")
        await settle(pilot)
        right = f"Right! {sentence(hint_for(NINE.position), 3)}"
        assert in_words(right)[:60] in shown(pilot)
        assert answers() == [False], "only the first answer counts"
        await pilot.press("enter")
        await until(pilot, lambda: "Puzzle 2 of 3" in shown(pilot))
        await pilot.press(*str(EASY.answer), "enter")
        await settle(pilot)
        assert answers() == [False, True]
        await pilot.press("n")
        await until(pilot, lambda: "Puzzle 3 of 3" in shown(pilot))
        assert screen.attempt is not None
        assert screen.attempt.task.puzzle is NINE
        await pilot.press("5", "enter", "enter")
        await until(pilot, lambda: "Solved on the first try: 1 of 2 puzzles." in shown(pilot))
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Home)

    run(script, lambda: screen, size)
    assert sorted(answers()) == [False, True, True]


@pytest.mark.parametrize("size", SIZES_FOR_MOUSE)
def test_a_puzzle_is_solved_by_the_mouse_alone(size: tuple[int, int]) -> None:
    """Tiles and buttons do all of it."""
    screen = screen_of(NINE)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.click("#do-hint")
        await settle(pilot)
        assert answers() == []
        await click_tile(pilot, screen, 7)
        assert answers() == [False]
        assert "Try again." in shown(pilot)
        await pilot.click("#do-why")
        await settle(pilot)
        assert isinstance(pilot.app.screen, LineOfPlay)
        await pilot.click("#line-close")
        await settle(pilot)
        await click_tile(pilot, screen, 5)
        assert "Right!" in shown(pilot)
        await pilot.click("#do-next")
        await until(pilot, lambda: "Puzzle 2 of 2" in shown(pilot))
        await pilot.click("#do-solution")
        await settle(pilot)
        await pilot.click("#do-next")
        await until(pilot, lambda: "Puzzle 3 of 3" in shown(pilot))
        await pilot.click("#do-next")
        await until(pilot, lambda: "0 of 1 puzzle." in shown(pilot))
        await pilot.click("#do-leave")
        await settle(pilot)
        assert isinstance(pilot.app.screen, Home)

    run(script, lambda: screen, size)
    assert answers() == [False, False]


def test_hints_come_in_steps_and_the_second_counts() -> None:
    """What to look for costs nothing; the number does."""
    screen = screen_of(NINE)
    hint = hint_for(NINE.position)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        area = dict.fromkeys(hint.area, "?")
        for step, counted, marks in ((1, [], area), (2, [False], {5: "!"}), (3, [False], {5: "!"})):
            await pilot.press("h")
            await settle(pilot)
            assert in_words(sentence(hint, step))[:50] in shown(pilot)
            assert answers() == counted
            assert screen.marks == marks

    run(script, lambda: screen)


def test_the_solution_counts_as_missed_and_a_skipped_puzzle_does_not() -> None:
    """Looking is not answering; leaving is always possible."""
    screen = screen_of(EASY, NINE)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press("n")
        await until(pilot, lambda: "Puzzle 2 of 2" in shown(pilot))
        assert answers() == []
        await pilot.press("s")
        await settle(pilot)
        assert in_words(sentence(hint_for(NINE.position), 3))[:50] in shown(pilot)
        assert answers() == [False]
        await pilot.press("7", "h", "s")
        await settle(pilot)
        assert answers() == [False]
        await pilot.press("escape")

    run(script, lambda: screen)
    assert [one.puzzle.identity for one in missed_puzzles(PracticeLog().read())] == [NINE.identity]


def test_keys_and_mouse_can_be_mixed() -> None:
    """After a click on a button, a number is typed as before."""
    screen = screen_of(NINE)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.click("#do-hint")
        await pilot.press("7", "enter")
        await settle(pilot)
        await pilot.click("#do-why")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("5", "enter")
        await settle(pilot)
        assert "Right!" in shown(pilot)

    run(script, lambda: screen)


def test_a_number_that_cannot_be_taken_is_no_answer() -> None:
    """The book says why; nothing is counted."""
    screen = screen_of(NINE)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press("9", "enter")
        await settle(pilot)
        assert "9" in screen.said
        assert answers() == []
        await pilot.press("1", "2", "enter")
        await settle(pilot)
        assert answers() == []

    run(script, lambda: screen)


def test_home_counts_what_is_due_and_leads_there() -> None:
    """Solved, it is due no more today."""
    miss_a_win()

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "Puzzles 1 due today" in shown(pilot))
        await pilot.press("z")
        await until(pilot, lambda: "Due today: 1 puzzle that" in shown(pilot))
        await pilot.press("d")
        await asked(pilot)
        assert "From your game of" in shown(pilot)
        assert ", move 2." in shown(pilot)
        await pilot.press("5", "enter", "n")
        await until(pilot, lambda: "1 of 1 puzzle." in shown(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "Nothing is due today." in shown(pilot))
        await pilot.press("d")
        await settle(pilot)
        assert isinstance(pilot.app.screen, PuzzlesScreen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, Home))
        await until(pilot, lambda: "One number wins" in shown(pilot))

    run(script)
    assert due_now() == []


def test_a_puzzle_that_was_asked_and_missed_is_due() -> None:
    """Not only what was missed in games."""
    screen = screen_of(EASY)
    wrong = next(number for number in EASY.position.picks if number != EASY.answer)

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press(*str(wrong), "enter", "escape")
        await until(pilot, lambda: "Puzzles 1 due today" in shown(pilot))

    run(script, lambda: screen)
    assert [one.puzzle.identity for one in due_now()] == [EASY.identity]


@pytest.mark.parametrize(("size", "mouse"), KEYS_AND_MOUSE)
def test_puzzles_are_chosen_by_game_and_rating(size: tuple[int, int], mouse: bool) -> None:
    """A cell with a count leads to puzzles of this game and rating."""

    async def script(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, PuzzlesScreen)
        await until(pilot, lambda: "1026" in shown(pilot))
        assert "204" in shown(pilot)
        table = screen.query_one(DataTable)
        if not mouse:
            await pilot.press("right", "right", "enter")
        else:
            padding = 2 * table.cell_padding
            game, first = (column.width + padding for column in table.ordered_columns[:2])
            await pilot.click(DataTable, offset=(game + first + 5, 1))
            await settle(pilot)
            if isinstance(pilot.app.screen, PuzzlesScreen):  # a first click moves the cursor
                await pilot.click(DataTable, offset=(game + first + 5, 1))
        asking = await asked(pilot)
        assert len(asking.run.queue) == 10
        assert {task.puzzle.rating for task in asking.run.queue} == {2}
        assert {task.book.id for task in asking.run.queue} == {DUEL.id}

    run(script, PuzzlesScreen, size)


def test_a_rating_without_puzzles_says_so() -> None:
    """Nothing is asked."""

    async def script(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "1026" in shown(pilot))
        await pilot.press("right", "right", "right", "right", "right")
        await settle(pilot)
        assert "Rating 5: plan further ahead" in shown(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "There are none." in shown(pilot)

    run(script, PuzzlesScreen)


def test_the_books_of_the_user_have_puzzles_too(tmp_path: Path) -> None:
    """Small ones are counted, large ones say why not; a broken file is left out."""
    mine, large, broken = (tmp_path / f"{name}.toml" for name in ("mine", "large", "broken"))
    mine.write_text('extends = "magic-fifteen"\ntitle = "[b]Mine[/b]"\n')
    large.write_text('extends = "magic-fifteen"\ntitle = "Large"\n[rules]\npool = "1-20"\n')
    broken.write_text("nonsense")
    settings = QUIET._replace(books=(str(mine), str(large), str(broken), str(tmp_path / "gone")))

    async def script(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, PuzzlesScreen)
        await until(pilot, lambda: screen.is_complete)
        assert "[b]Mine[/b] (yours) 1188 216 124 16 -" in shown(pilot)
        assert "Large (yours) - - - - -" in shown(pilot)
        await pilot.press(*["down"] * 7, "enter")
        await settle(pilot)
        assert "too large to find all its puzzles" in shown(pilot)
        await pilot.press("up", "enter")
        asking = await asked(pilot)
        assert asking.run.queue[0].book.file == str(mine)

    run(script, PuzzlesScreen, settings=settings)


def test_an_answer_that_cannot_be_saved_is_reported_once_and_nothing_breaks(
    tmp_path: Path,
) -> None:
    """Practice goes on."""
    said: list[str] = []
    (tmp_path / "file").write_text("")
    log = PracticeLog(str(tmp_path / "file" / "practice.log"))
    screen = PuzzleScreen(PuzzleRun([Task(NINE, DUEL), Task(EASY, DUEL)], log, said.append))

    async def script(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press("5", "enter", "n")
        await until(pilot, lambda: "Puzzle 2 of 2" in shown(pilot))
        await pilot.press(*str(EASY.answer), "enter")
        await settle(pilot)

    run(script, lambda: screen)
    (once,) = said
    assert once.startswith("Your progress cannot be saved (")
