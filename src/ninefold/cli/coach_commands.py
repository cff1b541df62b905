"""``ninefold hint``, ``strategy``, ``review`` and ``puzzle``: what the coach does for players."""

import argparse
import os
from collections import Counter
from collections.abc import Callable

from ninefold.books import Book
from ninefold.cli import common
from ninefold.coach.attempt import PuzzleRun, Task, task_of
from ninefold.coach.card import as_data, markdown, text
from ninefold.coach.data import hint_data, lesson_data, puzzle_data, review_data
from ninefold.coach.hint import hint_for
from ninefold.coach.mistakes import find_mistakes
from ninefold.coach.practice import (
    Answer,
    PracticeLog,
    agenda,
    due_today,
    missed_puzzles,
)
from ninefold.coach.puzzle import choose, puzzles, puzzles_rated
from ninefold.coach.review import judge, only_human, review_record
from ninefold.coach.review_words import remark, report
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import verify_card
from ninefold.coach.words import sentence
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import split_moves
from ninefold.invocation import command
from ninefold.line.console import open_console
from ninefold.line.puzzle import play_puzzles
from ninefold.line.wrap import note, patience, wrap
from ninefold.match import lock_of
from ninefold.record.replay import Replay
from ninefold.record.store import Store, annotate, locked
from ninefold.record.text import Record, read_record
from ninefold.referee.events import Moved


def run_hint(options: argparse.Namespace) -> None:
    """Print the hint for the position after ``--moves``, as sentences or as JSON."""
    position = common.load_position(options)[1]
    with patience("Searching ..."):
        hint = hint_for(position, options.time_budget)
    sentences = [sentence(hint, step) for step in range(1, options.step + 1)]
    data = {**hint_data(hint), "sentences": sentences}
    common.print_answer(options, data, "\n".join(sentences), indent=None)


def run_strategy(options: argparse.Namespace) -> None:
    """Print the card for the position after ``--moves``; raises NinefoldError."""
    book, position = common.load_position(options)
    with patience("Working out the card ..."):
        card = strategy_for(position, options.player)
        proof = verify_card(card)
    moves = " ".join(split_moves(options.moves))
    title = f"{book.label} after {moves}" if moves else book.label
    if options.format == "markdown" and not options.json:
        print(markdown(card, title, proof), end="")
        return
    data = {"game": book.id, **common.pick(book, "reading", "changes"), **as_data(card, proof)}
    common.print_answer(options, data, text(card, title, proof).removesuffix("\n"), indent=None)


def run_review(options: argparse.Namespace) -> None:
    """Review one record: as text, as JSON, or as comments in the record itself."""
    path = os.path.realpath(Store().find(options.game))
    with patience("Judging every move ..."):
        judged = review_record(path, options.time_budget)
    record = read_record(path)
    if options.annotate:
        with locked(lock_of(path, record)):
            record = read_record(path)
            annotate(path, record, _remarks(record, options.time_budget))
    settings = record.settings
    shown = report(judged, settings.players, only_human(settings.humans)).removesuffix("\n")
    common.print_answer(options, review_data(judged), shown)


def _remarks(record: Record, seconds: float) -> list[str]:
    """A remark for every recorded fact, even if undone; empty if there is nothing to say."""
    replay = Replay(record)
    return [
        remark(judge(before, fact.move, replay.referee.plies, seconds))
        if isinstance(fact, Moved)
        else ""
        for before, (fact, *_) in replay.steps()
    ]


def run_puzzle(options: argparse.Namespace) -> None:
    """Ask puzzles, or print them as JSON; raises NinefoldError."""
    if options.mistakes:
        _practise(options)
        return
    if options.game is None:
        advice = f"To list the games: {command('list')}"
        raise NinefoldError("usage", "Name a game, or add --mistakes.", advice)
    book = common.load_book(options)
    with patience("Searching every position for puzzles ..."):
        found = puzzles(book.game)
    if options.list:
        counts = sorted(Counter(puzzle.rating for puzzle in found).items())
        lines = [f"rating {rating}: {count:,}" for rating, count in counts]
        text = "\n".join([*lines, f"{len(found):,} in all"])
        common.print_answer(options, dict(counts), text, indent=None)
        return
    chosen = choose(
        puzzles_rated(book.game, options.rating), options.count, common.seed_of(options)
    )
    if options.json:
        common.print_json([puzzle_data(puzzle, book) for puzzle in chosen])
        return
    tasks = [Task(puzzle, book) for puzzle in chosen]
    play_puzzles(open_console(), PuzzleRun(tasks, PracticeLog(), _note, again=False))


def _practise(options: argparse.Namespace) -> None:
    """Ask again what the player missed in recorded games or as a puzzle, if it is due."""
    log, book = PracticeLog(), _book_wanted(options)
    answers: dict[str, list[Answer]] = {}
    try:
        answers = log.read()
    except OSError as error:
        _note(f"cannot read {log.path}: {error.strerror or error}.")
    found = find_mistakes(Store(), _wanted(options, book), _note)
    found += [item for item in missed_puzzles(answers) if _is_wanted(options, book, item.book)]
    mistakes = [item for item in found if options.rating in (None, item.puzzle.rating)]
    lessons = agenda(mistakes, answers)
    if options.json:
        common.print_json([lesson_data(lesson) for lesson in lessons])
        return
    if options.list:
        for item, (solved, due) in lessons:
            where = f"  game {item.game}, move {item.ply}" if item.game else ""
            rating = item.puzzle.rating
            print(wrap(f"{due}  {item.book.id}  rating {rating}  solved {solved}{where}"))
    now = due_today(lessons)
    if options.list or not now:
        outlook = f"Due now: {len(now)} of {len(lessons)}."
        if not lessons:
            outlook = "Your recorded games contain no missed win with a single winning number."
        elif not now:
            next_due = f"The next of {len(lessons)} is due on {lessons[0].progress.due}."
            outlook = f"Nothing is due now. {next_due}"
        print(wrap(outlook))
        return
    tasks = [task_of(item) for item in now[: options.count]]
    play_puzzles(open_console(), PuzzleRun(tasks, log, _note))
    if len(now) > options.count:
        print(f"Still due: {len(now) - options.count}.")


def _note(text: str) -> None:
    note(f"ninefold: {text}")


def _book_wanted(options: argparse.Namespace) -> Book | None:
    """The one game to practise; None for all."""
    if options.seed is not None:
        reason = "--seed does not work with --mistakes: they come when they are due."
        raise NinefoldError("usage", reason)
    if options.game is None:
        if options.reading or options.set:
            raise NinefoldError("usage", "--reading and --set need a GAME.")
        return None
    return common.load_book(options)


def _is_wanted(options: argparse.Namespace, book: Book | None, other: Book) -> bool:
    """Whether a puzzle of this book was asked for."""
    if book is None:
        return True
    same_reading = options.reading is None or other.reading == book.reading
    same_changes = not options.set or other.changes == book.changes
    return other.id == book.id and other.file == book.file and same_reading and same_changes


def _wanted(options: argparse.Namespace, book: Book | None) -> Callable[[Record], bool]:
    """Which records to search: all, or those of the game, reading and changes named."""

    def wanted(record: Record) -> bool:
        if book is None:
            return True
        settings = record.settings
        same_reading = options.reading is None or settings.reading == book.reading
        same_changes = not options.set or settings.all_changes == book.changes
        same_book = settings.game == book.id and settings.book is None
        if book.file is not None:
            same_book = settings.book == book.digest or settings.file == book.file
        return same_book and same_reading and same_changes

    return wanted
