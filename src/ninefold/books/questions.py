"""The questions about a new book as data: a console asks them one by one, a form can show them."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ninefold.books import answers
from ninefold.books.answers import BadAnswer
from ninefold.books.families import FAMILIES, MEASURES, proposals
from ninefold.books.faults import Values, nearest
from ninefold.books.fields import Field, Fields
from ninefold.books.language import BOOK, LINK, RULES
from ninefold.books.new_file import Draft
from ninefold.books.rule_types import WINS
from ninefold.books.safety import is_readable, shown
from ninefold.books.sources import merge
from ninefold.books.values import FLAG
from ninefold.core.rules import MAX_LINKS, Criterion

T = TypeVar("T")
Kind: TypeAlias = Literal["text", "yes-no", "one", "several"]
MAX_TITLE = 60
# The rules of the question "Anything special?".
SPECIAL: Fields = {name: field for name, field in RULES.items() if field.menu}
_ENDINGS = (
    Criterion("hand-sum", "higher"),
    Criterion("longest-run", "higher"),
    Criterion("last-pick", "higher"),
    Criterion("last-pick", "lower"),
    Criterion("distance", "lower"),
)


class Question(NamedTuple):
    """One question: ``parse`` turns what is typed into the answer, or raises BadAnswer."""

    id: str  # the path of the field it fills, such as rules.caps[0].at-most
    text: str
    proposal: str  # the answer if nothing is typed
    parse: Callable[[str], Any]
    kind: Kind = "text"
    # What can be chosen, by name, in words; an answer has the names, or the numbers from 1.
    choices: Mapping[str, str] = {}
    prompt: str = ""  # asks for one or several of the choices


# Yields questions, is sent what was answered, and returns what the answers make.
Asking: TypeAlias = Generator[Question, Any, T]


class Interview:
    """The questions about a new book, one after the other; each depends on the answers before.

    ``given`` are answers of the command line, which are not asked for; those that make no sense
    raise BadAnswer as soon as that is known. A book that extends another only needs a title.
    """

    def __init__(
        self,
        title: str = "My Game",
        given: Values | None = None,
        extends: str | None = None,
        parent: Values | None = None,
    ) -> None:
        self.answered: list[tuple[Question, str]] = []
        self.question: Question | None = None
        self.draft: Draft | None = None  # what the answers make, once there is no question left
        self._start = partial(_ask_book, title, given or {}, extends, parent or {})
        self._values: list[Any] = []
        self._restart()

    def answer(self, typed: str) -> None:
        """Answer the question; nothing typed accepts the proposal. A BadAnswer changes nothing."""
        assert self.question is not None, "there is a question to answer"
        text = typed.strip() or self.question.proposal
        self.accept(text, self.question.parse(text))

    def accept(self, typed: str, value: Any) -> None:
        """Answer the question with what ``parse`` made of it; raises BadAnswer about ``given``."""
        assert self.question is not None, "there is a question to answer"
        self.answered.append((self.question, typed))
        self._values.append(value)
        self._send(value)

    def back(self) -> None:
        """Take back the last answer: its question is asked again."""
        self.answered, self._values = self.answered[:-1], self._values[:-1]
        self._restart()

    def _restart(self) -> None:
        self._asking = self._start()
        self._send(None)
        for value in self._values:
            self._send(value)

    def _send(self, value: Any) -> None:
        try:
            self.question = self._asking.send(value)
        except StopIteration as end:
            self.question, self.draft = None, end.value
        else:
            self.draft = None


def _ask_book(title: str, given: Values, extends: str | None, parent: Values) -> Asking[Draft]:
    if "title" in given:
        title = _parse_title(given["title"])
    else:
        title = yield Question("title", BOOK["title"].question, title, _parse_title)
    ask = _RuleQuestions(given, parent.get("rules", {}))
    yield from ask.in_order(everything=extends is None)
    return Draft(title, ask.rules, extends, parent)


class _RuleQuestions:
    """Asks for the rules in order; ``rules`` are those answered so far, as a file has them."""

    def __init__(self, given: Values, inherited: Values) -> None:
        self.rules: dict[str, Any] = {}
        self._given = given
        self._inherited = inherited

    @property
    def _pool(self) -> Sequence[int]:
        return answers.numbers_of(self.rules.get("pool") or self._inherited.get("pool", "1-9"))

    def in_order(self, everything: bool) -> Asking[None]:
        """Take what was given, and ask for the rest if everything is needed."""
        steps: tuple[tuple[Iterable[str], Callable[[], Asking[None]]], ...] = (
            (["pool"], self._ask_pool),
            (["wins"], self._ask_wins),
            (["misere"], self._ask_misere),
            (["ending"], self._ask_ending),
            (SPECIAL, self._ask_special),
        )
        for names, ask in steps:
            taken = [name for name in names if name in self._given]
            for name in taken:
                self.rules[name] = self._read(name, self._given[name])
            if taken:
                self._check({})
            elif everything:
                yield from ask()

    def _read(self, name: str, given: Any) -> Any:
        """A rule as the command line gives it; raises BadAnswer."""
        if name in ("wins", "losses"):
            patterns = answers.parse_patterns(given, self._pool)
            # Families that are not named any more are removed.
            removed = [old for old in self._inherited.get(name, {}) if old not in patterns]
            return dict.fromkeys(removed, False) | patterns
        if name == "ending":
            return answers.parse_ending(given, self._pool)
        return given if isinstance(given, bool) else answers.parse_value(RULES[name], given)

    def _check(self, more: Values, asked: str = "") -> None:
        """Whether these rules fit those answered so far; raises BadAnswer."""
        rules = merge({"pool": "1-9", **self._inherited}, {**self.rules, **more})
        answers.read_answers({"rules": rules}, asked)

    def _ask_pool(self) -> Asking[None]:
        yield from self._ask_text("pool", RULES["pool"])

    def _ask_wins(self) -> Asking[None]:
        nothing = "nothing: only the ending decides"
        self.rules["wins"] = yield from self._patterns("wins", **{answers.NOTHING: nothing})

    def _ask_misere(self) -> Asking[None]:
        if self.rules["wins"] and (yield yes_no("rules.misere", RULES["misere"].question)):
            self.rules["misere"] = True

    def _ask_ending(self) -> Asking[None]:
        winners = {answers.DRAW: "a draw"}
        for link in _ENDINGS:
            words = MEASURES[link.measure].winner(link, "a target")
            winners[f"{link.measure}-{link.prefer}"] = words
        question = _several("rules.ending", RULES["ending"].question, winners)
        chosen = yield question._replace(prompt="One, or several in order")
        self.rules["ending"] = []
        for name in chosen:
            if name != answers.DRAW:
                measure, _, prefer = name.rpartition("-")
                yield from self._ask_table("ending", LINK, measure=measure, prefer=prefer)

    def _ask_special(self) -> Asking[None]:
        draft, pool = Draft("", self.rules), self._pool
        fitting = {
            name: field
            for name, field in SPECIAL.items()
            if draft.fits(name, field.proposals(pool)[0])
        }
        menu = {answers.NOTHING: "no", **{name: field.menu for name, field in fitting.items()}}

        def parse(text: str) -> list[str]:
            chosen = [name for name in _parse_several(text, menu) if name != answers.NOTHING]
            values = {name: fitting[name].implied for name in chosen}
            self._check({name: value for name, value in values.items() if value is not None})
            return chosen

        question = _several("special", "Anything special?", menu)
        for name in (yield question._replace(parse=parse)):
            yield from self._ask_rule(name, fitting[name])

    def _ask_rule(self, name: str, field: Field) -> Asking[None]:
        """What is left to ask about a special rule that was chosen."""
        if field.implied is not None:
            self.rules[name] = field.implied
        elif field.type is WINS:
            self.rules[name] = yield from self._patterns(name)
        elif field.type.rows:
            yield from self._ask_tables(name, field)
        elif field.words:
            self.rules[name] = yield _one(f"rules.{name}", field)
        else:
            yield from self._ask_text(name, field)

    def _ask_text(self, name: str, field: Field) -> Asking[None]:
        """A rule that is typed."""
        path, proposal = f"rules.{name}", answers.typed(field.proposals(self._pool)[0])

        def parse(text: str) -> Any:
            value = answers.parse_value(field, text, proposal)
            self._check({name: value}, path)
            return value

        self.rules[name] = yield Question(path, field.question, proposal, parse)

    def _patterns(self, name: str, **more: str) -> Asking[dict[str, Any]]:
        """Families of sets, each with its parameters."""
        meanings = {family: words.meaning for family, words in FAMILIES.items()} | more
        chosen = yield _several(f"rules.{name}", RULES[name].question, meanings)
        found: dict[str, Any] = {}
        for family in chosen if answers.NOTHING not in chosen else ():
            found[family] = yield from self._parameters(name, family, found)
        return found

    def _parameters(self, name: str, family: str, others: Values) -> Asking[dict[str, Any]]:
        given: dict[str, Any] = {}
        pool, fields = self._pool, FAMILIES[family].parameters
        for key, proposal in proposals(family, pool).items():
            path = f"rules.{name}.{family}.{key}"
            parse = partial(self._parse_parameter, name, family, key, others, {**given})
            question = f"{family.capitalize()}: {fields[key].question}"
            given |= yield Question(path, question, answers.typed(proposal), parse)
        return answers.complete(family, given, pool)

    def _parse_parameter(
        self, name: str, family: str, key: str, others: Values, given: Values, text: str
    ) -> dict[str, Any]:
        """What an answer says about a parameter, if it fits those given; raises BadAnswer."""
        said = answers.parse_parameter(family, key, text)
        pattern = answers.complete(family, {**given, **said}, self._pool)
        self._check({name: {**others, family: pattern}}, f"rules.{name}.{family}.{key}")
        return said

    def _ask_tables(self, name: str, field: Field) -> Asking[None]:
        """One table after the other, as long as another one is wanted."""
        self.rules[name] = []
        again = True
        while again:
            yield from self._ask_table(name, field.type.rows)
            number = len(self.rules[name])
            again = number < MAX_LINKS and (yield yes_no(f"rules.{name}[{number}]", field.question))

    def _ask_table(self, name: str, fields: Fields, **table: Any) -> Asking[None]:
        """One more table of a list, with the fields that are asked for."""
        start = f"rules.{name}[{len(self.rules[name])}]"
        for key, field in fields.items():
            if field.question and field.applies(table.get) and field.asked(table):
                path = f"{start}.{key}"
                if field.words:
                    value = yield _one(path, field)
                else:
                    value = yield self._cell(path, field, name, key, table)
                if value != answers.NOTHING:
                    table[key] = value
        self.rules[name] = [*self.rules[name], table]

    def _cell(self, path: str, field: Field, name: str, key: str, table: Values) -> Question:
        """A field of a table that is typed."""
        is_flag = field.type is FLAG
        proposal = answers.typed(field.default if is_flag else field.proposals(self._pool)[0])

        def parse(text: str) -> Any:
            value = answers.parse_value(field, text, proposal)
            self._check({name: [*self.rules[name], {**table, key: value}]}, path)
            return value

        return Question(path, field.question, proposal, parse, "yes-no" if is_flag else "text")


def yes_no(path: str, text: str) -> Question:
    """A question that is answered with no unless somebody says yes."""
    return Question(path, text, "no", answers.parse_yes, "yes-no")


def _one(path: str, field: Field) -> Question:
    """A question for one of the values of a field."""

    def parse(text: str) -> str:
        chosen = _parse_several(text, field.words)
        if len(chosen) != 1:
            raise BadAnswer(f"Type one number from 1 to {len(field.words)}.")
        return chosen[0]

    return Question(path, field.question, "1", parse, "one", field.words, "One of them")


def _several(path: str, text: str, choices: Mapping[str, str]) -> Question:
    """A question for one or more choices."""
    parse = partial(_parse_several, choices=choices)
    return Question(path, text, "1", parse, "several", choices, "One or more of them")


def _parse_several(text: str, choices: Mapping[str, str]) -> list[str]:
    """The choices named by their numbers or by their names; raises BadAnswer."""
    chosen, names = [], [*choices]
    for word in text.replace(",", " ").split():
        if word.isdecimal() and 1 <= int(word[:9]) <= len(names):
            chosen.append(names[int(word[:9]) - 1])
        elif word.casefold() in names:
            chosen.append(word.casefold())
        else:
            advice = nearest(word, names) or f"Type numbers from 1 to {len(names)}."
            raise BadAnswer(f"{shown(word, 40)!r} is not in the list.", advice)
    return [*dict.fromkeys(chosen)]


def _parse_title(text: str) -> str:
    """A title that can be shown; raises BadAnswer."""
    title = text.strip()
    if not title or len(title) > MAX_TITLE or not is_readable(title):
        raise BadAnswer(f"A title must have 1 to {MAX_TITLE} visible characters.")
    return title
