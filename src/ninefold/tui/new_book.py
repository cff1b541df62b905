"""A new rule book: one question after the other, then a look at the file before it is written."""

import os
import shlex
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from ninefold import books
from ninefold.book_files import own_folder, short_path
from ninefold.books.answers import DRAW, NOTHING, BadAnswer
from ninefold.books.describe import summary_of
from ninefold.books.new_file import Draft, format_book, free_name, write_book
from ninefold.books.questions import Interview, Question
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import SUFFIX
from ninefold.tui.base import Page
from ninefold.tui.dialogs import Confirm
from ninefold.tui.fields import buttons

# As many of the last answers stay in sight.
RECENT = 4
# The rows of a screen that has room for them.
ROOMY = 20


class NewBook(Page):
    """Asks, shows the file, and writes it; ``written`` is called with its path."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "previous", "Back"),
        Binding("ctrl+s", "next", "Next or save", priority=True),
        Binding("ctrl+x", "cancel", "Cancel"),
    ]

    def __init__(self, written: Callable[[str], None]) -> None:
        super().__init__()
        self._written = written
        self.interview = Interview()

    def compose(self) -> ComposeResult:
        """The last answers, the question, a place for its field, and what is wrong with it."""
        yield Static("New rule book", classes="title", id="heading")
        yield Static(id="answers", markup=False)
        yield Static(id="question", markup=False)
        yield Vertical(id="field")
        yield Static(id="refusal", markup=False)
        yield from buttons({"next": "Next", "previous": "Previous", "cancel": "Cancel"})
        yield Footer(compact=True)

    async def on_mount(self) -> None:
        """Ask the first question."""
        await self._ask()

    async def _ask(self) -> None:
        """Show the question that is next, or the file if there is none left."""
        self.refuse("")
        question, place = self.interview.question, self.query_one("#field")
        answers = self.interview.answered
        self.query_one("#heading", Static).update(
            f"New rule book: question {len(answers) + 1}" if question else "New rule book: the file"
        )
        recent = [f"{asked.text} {_said(asked, typed)}" for asked, typed in answers[-RECENT:]]
        self.query_one("#answers", Static).update("\n".join(recent))
        has_room = self.app.size.height >= ROOMY
        self.query_one("#answers").display = bool(recent and question) and has_room
        self.query_one("#next", Button).label = "Next" if question else "Save"
        async with self.batch():
            await place.remove_children()
            if question is not None:
                text = question.text
                if question.kind == "several":
                    text += " (Space: choose or not, Enter: next)"
                self.query_one("#question", Static).update(text)
                await place.mount(field := _field_for(question))
            else:
                draft = self._draft
                self.query_one("#question", Static).update(summary_of(draft.book.game))
                proposal = free_name(self._target(books.stem_of(draft.title)))
                field = Input(os.path.basename(proposal), id="file", compact=True)
                where = f"File name, in {short_path(own_folder())}, or a path:"
                where = where if has_room else "File name or path:"
                text = format_book(draft, books.stem_of(proposal), proposal, None)
                preview = VerticalScroll(Static(text, markup=False), id="preview")
                await place.mount(Static(where, markup=False), field, preview)
        field.focus()

    @property
    def _draft(self) -> Draft:
        draft = self.interview.draft
        assert draft is not None, "there is no question left"
        return draft

    # Answers

    # The app runs actions while this screen handles something else; what changes the question
    # is therefore left to the screen, which does one thing after the other.

    @on(Input.Submitted)
    async def _typed(self, event: Input.Submitted) -> None:
        if event.input.is_attached:  # else a second Enter came before the next question
            await self._next()

    @on(OptionList.OptionSelected)
    async def _selected(self, event: OptionList.OptionSelected) -> None:
        if isinstance(event.option_list, Several):
            event.option_list.toggle(event.option_index)
        elif event.option_list.is_attached:
            await self._answer(event.option_id or "")

    def action_next(self) -> None:
        """Go on."""
        self.call_later(self._next)

    async def _next(self) -> None:
        """Answer with what is in the field, or write the file."""
        if self.interview.question is None:
            self._save(self.query_one("#file", Input).value)
            return
        field = self.query_one("#field").children[0]
        if isinstance(field, Input):
            await self._answer(field.value)
        elif isinstance(field, Several):
            await self._answer(" ".join(field.chosen))
        elif isinstance(field, OptionList) and field.highlighted_option is not None:
            await self._answer(field.highlighted_option.id or "")

    def on_several_done(self) -> None:
        """The choices are made."""
        self.action_next()

    async def _answer(self, typed: str) -> None:
        if not typed.strip():
            self.refuse("Choose or type something.")
            return
        try:
            self.interview.answer(typed)
        except BadAnswer as error:
            self.refuse(error.message)
            return
        await self._ask()

    def action_previous(self) -> None:
        """Go back."""
        self.call_later(self._previous)

    async def _previous(self) -> None:
        """Back to the previous question, or out of here."""
        if self.interview.answered:
            self.interview.back()
            await self._ask()
        else:
            self.app.pop_screen()

    def action_cancel(self) -> None:
        """Leave, after a question if something was answered."""

        def answered(yes: bool | None) -> None:
            if yes:
                self.app.pop_screen()

        if self.interview.answered:
            question = "Leave without writing a file? Your answers are lost."
            self.app.push_screen(Confirm(question, "Leave", "Stay"), answered)
        else:
            self.app.pop_screen()

    # The file

    def _target(self, typed: str) -> str:
        """The path that a typed name stands for: without a folder, it goes to the user's own."""
        name = os.path.expanduser(typed.strip())
        name = name if name.endswith(SUFFIX) else name + SUFFIX
        return os.path.abspath(name if os.sep in name else os.path.join(own_folder(), name))

    def _save(self, typed: str) -> None:
        """Write the file, after a question if one is there already."""
        path = self._target(typed)
        if not typed.strip() or not is_readable(path):
            self.refuse("Type a name for the file.")
        elif os.path.lexists(path):
            question = f"{shown(path, 200)} already exists. Replace it?"
            self.app.push_screen(Confirm(question), lambda yes: self._write(path) if yes else None)
        else:
            self._write(path)

    def _write(self, path: str) -> None:
        text = format_book(self._draft, books.stem_of(path), shlex.quote(path), None)
        try:
            if os.path.dirname(path) == own_folder():
                os.makedirs(own_folder(), exist_ok=True)
            write_book(path, text)
        except OSError as error:
            self.refuse(f"Cannot write {shown(path, 200)}: {error.strerror or error}.")
            return
        self.app.pop_screen()
        self._written(path)
        self.tell(f"Written: {shown(path, 200)}")


class Several(OptionList):
    """Several of these, numbered in the order in which they were chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", show=False),
        Binding("space", "select", show=False),
    ]

    class Done(Message):
        """Nothing more is to be chosen."""

    def __init__(self, question: Question) -> None:
        super().__init__(id="several", markup=False)
        self._words = dict(question.choices)
        self.chosen = _proposed(question)

    def on_mount(self) -> None:
        """Show the proposal as chosen."""
        self._show_choices()

    def toggle(self, at: int) -> None:
        """Choose the option, or not any more; nothing and a draw exclude all others."""
        name = [*self._words][at]
        alone = (NOTHING, DRAW)
        if name in self.chosen:
            self.chosen.remove(name)
        elif name in alone:
            self.chosen = [name]
        else:
            self.chosen = [*(other for other in self.chosen if other not in alone), name]
        self._show_choices()

    def action_done(self) -> None:
        """Go on."""
        self.post_message(self.Done())

    def _show_choices(self) -> None:
        at = self.highlighted or 0
        self.set_options(
            Option(f"[{self._mark(name)}] {words}", id=name) for name, words in self._words.items()
        )
        self.highlighted = at

    def _mark(self, name: str) -> str:
        return str(self.chosen.index(name) + 1) if name in self.chosen else " "


def _proposed(question: Question) -> list[str]:
    """The choices that are proposed, by name; a proposal may have their numbers."""
    names = [*question.choices]
    words = question.proposal.split()
    return [names[int(word) - 1] if word.isdecimal() else word for word in words]


def _field_for(question: Question) -> Widget:
    """The field that takes the answer to a question, with its proposal."""
    if question.kind == "several":
        return Several(question)
    if question.kind == "text":
        return Input(question.proposal, id="text", compact=True)
    choices = question.choices or {"yes": "Yes", "no": "No"}
    field = OptionList(
        *(Option(words, id=name) for name, words in choices.items()), id="one", markup=False
    )
    proposed = _proposed(question) if question.choices else [question.proposal]
    field.highlighted = [*choices].index(proposed[0])
    return field


def _said(question: Question, typed: str) -> str:
    """An answer as it was given, but choices in words."""
    if not question.choices:
        return typed
    return "; ".join(question.choices.get(name, name) for name in typed.split())
