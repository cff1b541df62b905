"""A known game under other names: the same game tree, told in other words.

The text of a relabelled game is made by the functions that tell every game. They are given the
game with numbers that occur nowhere else, the ids; in their text each id becomes a label, and in
an answer each label becomes its id. So nothing about prompts or answers is written twice.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.layout import layout_for
from ninefold.llm_text.answers import (
    Answer,
    IllegalAnswer,
    LegalAnswer,
    format_answer,
    read_answer,
    reason_alone,
)
from ninefold.llm_text.factors import Factors
from ninefold.llm_text.prompts import VERSION, position_lines, prompt, prompt_for, rules_text
from ninefold.llm_text.renumbering import (
    Freedom,
    freedom_of,
    map_move,
    map_outcome,
    map_position,
    renumbered,
    sees_runs,
)
from ninefold.llm_text.stories import NO_STORY, STORIES, Story, labels_for

KINDS = ("numbers", "words", "names", "symbols")
# No count, total or other number of the rules is as large, and no step between two is the same.
_FIRST_ID = 700_000_000
_DIGITS = re.compile(r"[0-9]+")
_NOUN = re.compile(r"\b([Nn])umber(s?)\b")


@lru_cache(maxsize=64)
def relabel(game: Game, seed: int | None, kind: str | None = None) -> "Relabelling":
    """The game under other names, drawn by a seed; ``kind`` is one of KINDS, or drawn as well.

    Where the rules look at the numbers themselves, they stay, and only the story is another.
    Without a seed, the game keeps its numbers and its words. Raises NinefoldError.
    """
    if kind is not None and kind not in KINDS:
        raise NinefoldError(
            "kind", f"{kind!r} is not a kind of labels.", f"Choose one of: {', '.join(KINDS)}."
        )
    numbers = {number: str(number) for number in game.pool}
    if seed is None:
        return Relabelling(game, NO_STORY, numbers, "fixed")
    random = Random(f"relabel {seed}")
    kind = kind or KINDS[seed % len(KINDS)]
    story = STORIES[(seed + seed // len(KINDS)) % len(STORIES)]  # neighbouring seeds differ
    freedom = freedom_of(game.rules)
    if freedom == "fixed":
        return Relabelling(game, story, numbers, freedom)
    labels = labels_for(kind, len(game.pool), random, game.pool)
    if freedom == "ordered" and kind == "numbers":
        labels.sort(key=int)
    return Relabelling(game, story, dict(zip(game.pool, labels, strict=True)), freedom, random)


class Relabelling:
    """A game, a story, and a label for each number: ``prompt`` and ``read`` use them both ways.

    ``game`` is the same game with the ids as numbers. Positions and moves given and returned are
    those of ``original``.
    """

    def __init__(
        self,
        original: Game,
        story: Story,
        labels: Mapping[int, str],
        freedom: Freedom,
        random: Random | None = None,
    ) -> None:
        self.original, self.story, self.labels = original, story, labels
        self.freedom = freedom
        ids = [_FIRST_ID + at * at for at in range(len(original.pool))]
        if freedom == "free" and random is not None:
            random.shuffle(ids)  # the order of display says nothing about the numbers
        if freedom == "fixed":
            ids = [*original.pool]
        self.ids: Mapping[int, int] = dict(zip(original.pool, ids, strict=True))
        self._numbers = {new: old for old, new in self.ids.items()}
        self.game = original if freedom == "fixed" else renumbered(original, self.ids)
        self._said = {str(self.ids[number]): label for number, label in labels.items()}
        self._heard = {label.casefold(): new for new, label in self._said.items()}
        words = sorted(map(re.escape, labels.values()), key=len, reverse=True)
        self._token = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)|[0-9]+", re.IGNORECASE)

    def renumbered_game(self) -> Game:
        """The game with its labels as numbers, for a rule book; raises NinefoldError."""
        if not all(map(str.isdigit, self.labels.values())) or self.freedom == "fixed":
            reason = "A rule book has numbers, and these labels are none."
            if self.freedom == "fixed":
                reason = "The rules look at the numbers themselves, so they must stay."
            raise NinefoldError("no-numbers", reason, "Use --labels numbers, if they may change.")
        numbers = {number: int(label) for number, label in self.labels.items()}
        return renumbered(self.original, numbers)

    def position(self, position: Position) -> Position:
        """A position of the original as one of the renumbered game."""
        if self.freedom == "fixed":
            return position
        return map_position(position, self.game, self.ids)

    def outcome(self, outcome: Outcome) -> Outcome:
        """An outcome of the original as one of the renumbered game."""
        return outcome if self.freedom == "fixed" else map_outcome(outcome, self.game, self.ids)

    def move(self, move: Move) -> Move:
        """A move of the original in the numbers of the renumbered game."""
        return map_move(move, self.ids, self.game.pool[-1] + 1)

    def original_move(self, move: Move) -> Move:
        """A move of the renumbered game in the numbers of the original."""
        return map_move(move, self._numbers, self.original.pool[-1] + 1)

    def say(self, text: str) -> str:
        """A text about the renumbered game in the words of the story."""
        text = _NOUN.sub(self._noun, text)
        return _DIGITS.sub(lambda found: self._said.get(found[0], found[0]), text)

    def _noun(self, found: re.Match[str]) -> str:
        noun = self.story.several if found[2] else self.story.one
        return noun.capitalize() if found[1] == "N" else noun

    def hear(self, text: str) -> str:
        """An answer with labels in the numbers of the renumbered game; ids are not accepted."""
        if self.freedom == "fixed":
            return text

        def number(found: re.Match[str]) -> str:
            token = found[0].casefold()
            # An id is never shown, so whoever writes one names something that does not exist.
            return self._heard.get(token, "0" if token in self._said else token)

        return self._token.sub(number, text)

    @property
    def scene(self) -> str:
        """What stands before the rules: the story, and the order of labels where it matters."""
        parts = [self.story.scene] if self.story.scene else []
        # Neighbours in a pool with gaps are not what its numbers alone suggest.
        is_plain = all(map(str.isdigit, self.labels.values())) and not sees_runs(self.game.rules)
        if self.freedom == "ordered" and not is_plain:
            row = ", ".join(self.labels.values())
            low = f"lower means further left: {row}"
            parts.append(f"The {self.story.several} stand in a row, and {low}.")
        return "".join(f"{part}\n\n" for part in [" ".join(parts)] if part)

    def rules_text(self) -> str:
        """The rules in the words of the story."""
        return self.scene + self.say(rules_text(self.game))

    def position_text(self, position: Position, *, picks: bool = True) -> str:
        """What the player to act can see, without the rules and how to answer."""
        lines = position_lines(self.position(position), VERSION, picks=picks)
        return self.say("\n".join(lines))

    def prompt(
        self,
        position: Position,
        *,
        rules: bool = True,
        history: Iterable[Move] | None = None,
        **more: Any,
    ) -> str:
        """As ``llm_text.prompt``, for a position and moves of the original."""
        moved = None if history is None else [*map(self.move, history)]
        text = self.say(prompt(self.position(position), rules=rules, history=moved, **more))
        return self.scene + text if rules else text

    def prompt_for(
        self, position: Position, factors: Factors, history: Iterable[Move] = (), first: int = 1
    ) -> str:
        """As ``llm_text.prompt_for``, for a position and moves of the original."""
        moved = [*map(self.move, history)]
        return self.scene + self.say(prompt_for(self.position(position), factors, moved, first))

    def read(self, text: str | None, position: Position, *, advice: bool = True) -> Answer:
        """As ``llm_text.read_answer``: the move of the original that an answer means.

        Without ``advice``, the reason of an illegal answer does not list the legal ones.
        """
        there = self.position(position)
        answer = read_answer(self.hear(text or ""), there)
        if isinstance(answer, IllegalAnswer) and not advice:
            answer = answer._replace(reason=reason_alone(answer, there))
        return self.original_answer(answer)

    def original_answer(self, answer: Answer) -> Answer:
        """What was read in the renumbered game, as a move of the original and in labels."""
        if isinstance(answer, LegalAnswer):
            move = self.original_move(answer.move)
            return LegalAnswer(move, layout_for(self.original).action(move))
        reason = self.say(answer.reason)
        if isinstance(answer, IllegalAnswer):
            return answer._replace(move=self.original_move(answer.move), reason=reason)
        return answer._replace(reason=reason)

    def format_answer(self, move: Move) -> str:
        """A move of the original as an answer with labels; ``read`` reads it back."""
        return self.say(format_answer(self.move(move)))

    @property
    def name(self) -> str:
        """What it is about, and its labels in the order of the numbers."""
        return f"{self.story.several}: {' '.join(self.labels.values())}"
