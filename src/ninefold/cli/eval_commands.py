"""``ninefold relabel``, ``fresh``, ``quiz`` and ``export-eval``: tests for language models."""

import argparse
import json
import os
from itertools import islice
from typing import TYPE_CHECKING, Any

from ninefold import __version__
from ninefold.books import Book
from ninefold.cli import common
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.line.wrap import patience
from ninefold.llm_text import Relabelling, relabel

if TYPE_CHECKING:
    from ninefold.evals import Item, Mark
    from ninefold.evals.marks import Asked

FRESH_FORMAT = "ninefold-fresh-1"


def run_relabel(options: argparse.Namespace) -> None:
    """Show a game under other names, prove that it is the same, or write it as a rule book."""
    book = common.load_book(options)
    shown = relabel(book.game, options.seed, options.labels)
    data: dict[str, Any] = {**_about(book), "seed": options.seed, "labels": _labels(shown)}
    lines = [shown.rules_text()]
    if options.verify:
        compared = _verify(shown)
        data["compared"] = compared
        lines.append(f"The same game: no differences in {plural(compared, 'position')}.")
    if options.output:
        _write_renumbered(options.output, book, shown)
        data["file"] = options.output
        lines.append(f"{options.output}: rule book")
    common.print_answer(options, {**data, "rules": shown.rules_text()}, "\n\n".join(lines))


def _about(book: Book) -> dict[str, Any]:
    return {"game": book.id, "reading": book.reading, "changes": [*book.changes]}


def _labels(shown: Relabelling) -> dict[str, str]:
    return {str(number): label for number, label in shown.labels.items()}


def _verify(shown: Relabelling) -> int:
    from ninefold.fresh_games import verify

    with patience("Comparing both games ..."):
        return verify(shown)


def _write_renumbered(path: str, book: Book, shown: Relabelling) -> None:
    """Write the book with its new numbers; raises NinefoldError if they are not numbers."""
    from ninefold.fresh_games.book_file import format_rule_book

    common.check_writable(path, book)
    text = format_rule_book(f"Many {shown.story.several}", shown.renumbered_game())
    with common.whole_file(path) as file:
        file.write(text.encode())


def run_fresh(options: argparse.Namespace) -> None:
    """Draw rule books and write them with a manifest; raises NinefoldError."""
    from ninefold.fresh_games.drawing import draw_books

    folder = options.output
    if os.path.isdir(folder) and os.listdir(folder):
        reason = f"{folder} is not empty."
        raise NinefoldError("unwritable", reason, "Name a new folder.")
    with patience("Drawing rule books ..."):
        drawn = [*islice(draw_books(options.seed, options.decisions), options.count)]
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise NinefoldError("unwritable", f"Cannot make {folder}: {error.strerror}.") from None
    manifest = {
        "format": FRESH_FORMAT,
        "ninefold": __version__,
        "seed": options.seed,
        "decisions": options.decisions,
        "books": [one.as_data() for one in drawn],
    }
    for one in drawn:
        _write(os.path.join(folder, f"{one.id}.toml"), one.text)
    _write(os.path.join(folder, "manifest.json"), json.dumps(manifest, indent=2) + "\n")
    lines = [f"{folder}: {plural(len(drawn), 'rule book')} and manifest.json"]
    for one in drawn:
        first, second = one.figures.decisions
        lines.append(f"    {one.id}: decisions {first:.0%} and {second:.0%} of random moves")
    common.print_answer(options, manifest, "\n".join(lines))


def _write(path: str, text: str) -> None:
    with common.whole_file(path) as file:
        file.write(text.encode())


def run_quiz(options: argparse.Namespace) -> None:
    """Write questions, or ask somebody and print the marks; raises NinefoldError."""
    book = common.load_book(options)
    items = _items(options, book, "questions")
    if options.player is None:
        text = "".join(json.dumps(item.as_data()) + "\n" for item in items)
        if options.output is None:
            print(text, end="")
            return
        common.check_writable(options.output, book)
        _write(options.output, text)
        data = {**_about(book), "questions": len(items), "file": options.output}
        common.print_answer(options, data, f"{options.output}: {plural(len(items), 'question')}")
        return
    if options.output is not None:
        common.check_writable(options.output, book)  # before anybody is asked: answers may cost
    asked, marks = _examine(options.player, items)
    if options.output is not None:
        _write(options.output, "".join(json.dumps(_answer_data(one)) + "\n" for one in asked))
    data = {**_about(book), "player": options.player, "relabelled": options.relabel}
    data["marks"] = [mark.as_data() for mark in marks]
    common.print_answer(options, data, "\n".join(map(_in_words, marks)))


def _examine(who: str, items: "list[Item]") -> "tuple[list[Asked], list[Mark]]":
    from ninefold.evals.answerers import find_answerer
    from ninefold.evals.marks import ask_all, marks_of
    from ninefold.players import PlayStopped

    answerer = find_answerer(who)
    try:
        with patience(f"Asking {who} ..."):
            asked = ask_all(items, answerer.ask, answerer.at_once)
    except PlayStopped as error:
        advice = "Ask again from the beginning; with cache=yes, answers are kept and cost nothing."
        raise NinefoldError(error.code, error.reason, advice) from None
    finally:
        answerer.close()
    return asked, marks_of(asked)


def _answer_data(one: "Asked") -> dict[str, Any]:
    answer = one.answer if isinstance(one.answer, str) else None
    return {**one.item.as_data(), "raw": one.raw, "answer": answer, "right": one.is_right}


def _in_words(mark: "Mark") -> str:
    low, high = mark.as_data()["interval"]
    text = f"{mark.kind}: {mark.right} of {mark.asked} right ({mark.share:.0%}, "
    text += f"95% interval {low:.0%} to {high:.0%}; a guess scores {mark.chance:.0%})"
    return text + (f", {mark.unreadable} unreadable" if mark.unreadable else "")


def _items(options: argparse.Namespace, book: Book, what: str) -> "list[Item]":
    from ninefold.evals import move_items, question_items

    make = move_items if what == "moves" else question_items
    items = make(relabel(book.game, options.relabel, options.labels), options.count, options.seed)
    if not items:
        reason = f"{book.id} has no {what} to ask about."
        raise NinefoldError("no-items", reason, "Choose another game.")
    return items


def run_export_eval(options: argparse.Namespace) -> None:
    """Write positions or questions in the format of an evaluation tool; raises NinefoldError."""
    from ninefold.evals.formats import FORMATS

    book = common.load_book(options)
    items = _items(options, book, options.items)
    name = f"{book.id}-{options.items}"
    files = FORMATS[options.format](name, items)
    paths = [os.path.join(options.output, path) for path in files]
    try:
        for path in paths:
            os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        reason = f"Cannot make {options.output}: {error.strerror}."
        raise NinefoldError("unwritable", reason) from None
    for path, text in zip(paths, files.values(), strict=True):
        common.check_writable(path, book)
        _write(path, text)
    data = {**_about(book), "items": len(items), "files": paths}
    text = "\n".join([f"{plural(len(items), 'item')}:", *paths])
    common.print_answer(options, data, text)
