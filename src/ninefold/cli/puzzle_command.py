"""``ninefold puzzle``: find the one number that wins."""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence

from ninefold.books import Book
from ninefold.cli.common import load_book, patience, print_json, seed_of
from ninefold.coach.mistakes import Mistake, find_mistakes
from ninefold.coach.practice import Answer, Lesson, PracticeLog, agenda, day_of
from ninefold.coach.puzzle import Puzzle, choose, puzzles
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.line.console import open_console
from ninefold.line.puzzle import PuzzleSession, Task
from ninefold.line.series import timestamp
from ninefold.line.wrap import note, wrap
from ninefold.record.store import Store
from ninefold.record.text import Record


def run(options: argparse.Namespace) -> int:
    """Ask puzzles, or print them as JSON; raises NinefoldError."""
    if options.mistakes:
        return _practise(options)
    if options.game is None:
        raise NinefoldError(
            "usage", "Name a game, or add --mistakes.", "ninefold list shows the games."
        )
    book = load_book(options)
    with patience("Searching every position for puzzles"):
        found = puzzles(book.game)
    if options.list:
        return _print_counts(found, options.json)
    rated = [puzzle for puzzle in found if options.rating in (None, puzzle.rating)]
    if not rated:
        raise _no_puzzle(found, options.rating)
    chosen = choose(rated, options.count, seed_of(options))
    if options.json:
        print_json([_as_data(puzzle, book) for puzzle in chosen], indent=2)
        return 0
    session = PuzzleSession(open_console(), lambda _task, _solved: None)
    session.play([Task(puzzle, book) for puzzle in chosen])
    return 0


def _no_puzzle(found: Sequence[Puzzle], rating: int | None) -> NinefoldError:
    if not found:
        return NinefoldError("no-puzzle", "No position of this game has just one winning number.")
    ratings = ", ".join(map(str, sorted({puzzle.rating for puzzle in found})))
    reason = f"This game has no puzzle rated {rating}."
    return NinefoldError("no-puzzle", reason, f"There are puzzles rated {ratings}.")


def _print_counts(found: Sequence[Puzzle], as_json: bool) -> int:
    counts = Counter(puzzle.rating for puzzle in found)
    if as_json:
        print_json({rating: counts[rating] for rating in sorted(counts)})
        return 0
    for rating in sorted(counts):
        print(f"rating {rating}: {counts[rating]:,}")
    print(f"{len(found):,} in all")
    return 0


def _practise(options: argparse.Namespace) -> int:
    """Ask again what the player missed in recorded games, if it is due."""
    found = find_mistakes(Store(), _wanted(options), lambda text: note(f"ninefold: {text}"))
    mistakes = [item for item in found if options.rating in (None, item.puzzle.rating)]
    log = PracticeLog()
    lessons = agenda(mistakes, _answers(log))
    if options.json:
        print_json([_lesson_data(lesson) for lesson in lessons], indent=2)
        return 0
    if options.list:
        for lesson in lessons:
            print(wrap(_lesson_line(lesson)))
    today = day_of(timestamp())
    due = [lesson.mistake for lesson in lessons if lesson.progress.due <= today]
    if options.list or not due:
        print(wrap(_outlook(lessons, len(due))))
        return 0
    _repeat(due[: options.count], log)
    if len(due) > options.count:
        print(f"Still due: {len(due) - options.count}.")
    return 0


def _wanted(options: argparse.Namespace) -> Callable[[Record], bool]:
    """Which records to search: all, or those of the game, reading and changes named."""
    if options.seed is not None:
        raise NinefoldError(
            "usage", "--seed does not work with --mistakes: they come when they are due."
        )
    if options.game is None:
        if options.reading or options.set:
            raise NinefoldError("usage", "--reading and --set need a GAME.")
        return lambda _: True
    book = load_book(options)

    def wanted(record: Record) -> bool:
        settings = record.settings
        same_reading = options.reading is None or settings.reading == book.reading
        same_changes = not options.set or settings.all_changes == book.changes
        same_book = settings.game == book.id and settings.book is None
        if book.file is not None:
            same_book = settings.book == book.digest or settings.file == book.file
        return same_book and same_reading and same_changes

    return wanted


def _answers(log: PracticeLog) -> dict[str, list[Answer]]:
    """The answers so far; none, with a warning, if they cannot be read."""
    try:
        return log.read()
    except OSError as error:
        note(f"ninefold: cannot read {log.path}: {error.strerror or error}.")
        return {}


def _repeat(mistakes: Sequence[Mistake], log: PracticeLog) -> None:
    """Ask these, and save each answer; a failing disk is reported once."""
    keeping = True

    def answered(task: Task, solved: bool) -> None:
        nonlocal keeping
        try:
            if keeping:
                log.add(task.puzzle.identity, Answer(timestamp(), solved))
        except OSError as error:
            keeping = False
            note(f"ninefold: your progress cannot be saved ({error.strerror or error}).")

    tasks = [
        Task(item.puzzle, item.book, f"From game {item.game}, move {item.ply}.", item.names)
        for item in mistakes
    ]
    PuzzleSession(open_console(), answered).play(tasks, again=True)


def _outlook(lessons: Sequence[Lesson], due: int) -> str:
    """How many puzzles are due, now or later."""
    if not lessons:
        return "Your recorded games contain no missed win with a single winning number."
    if due:
        return f"Due now: {due} of {len(lessons)}."
    return f"Nothing is due now. The next of {len(lessons)} is due on {lessons[0].progress.due}."


def _lesson_line(lesson: Lesson) -> str:
    item, (solved, due) = lesson
    where = f"game {item.game}, move {item.ply}"
    return f"{due}  {item.book.id}  rating {item.puzzle.rating}  solved {solved}  {where}"


def _lesson_data(lesson: Lesson) -> dict[str, object]:
    item, (solved, due) = lesson
    return {
        **_as_data(item.puzzle, item.book),
        "played": format_move(item.played),
        "record": item.game,
        "ply": item.ply,
        "solved": solved,
        "due": str(due),
    }


def _as_data(puzzle: Puzzle, book: Book) -> dict[str, object]:
    position = puzzle.position
    return {
        "game": book.id,
        "reading": book.reading,
        "changes": book.changes,
        "first": puzzle.first,
        "moves": [format_move(move) for move in puzzle.moves],
        "turn": position.turn,
        "hands": position.hands,
        "available": position.available,
        "answer": puzzle.answer,
        "plies": puzzle.plies,
        "rating": puzzle.rating,
        "decoys": puzzle.decoys,
    }
