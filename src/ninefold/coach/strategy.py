"""A strategy card for a position: what to do on every turn, small enough to learn.

The search looks for one list of moves that is right in every game; only if there is none does the
card get a line for each reply.
"""

from collections.abc import Iterator
from typing import TypeAlias

from ninefold.coach.card import Card, Goal, Line, Reply, Rule, is_same_turn, moves_by_rule, reply_of
from ninefold.coach.hint import after_turn, winner_of
from ninefold.coach.verify import BadCard, verify_card
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move
from ninefold.core.position import Position, as_seat
from ninefold.core.turns import Lookup
from ninefold.solver import Solver, solver_for
from ninefold.solver.advice import advise

# How many lists of numbers are tried for one set of positions.
LISTS = 400
# Short lists are looked for first.
LENGTHS = (3, 64)
# How many positions are looked at before the search settles for a larger card with fewer tries.
EFFORT = 3_000_000
LISTS_IN_HASTE = 12
# How long a large game may take to solve.
SECONDS = 60.0
# Past this, a minute or more of computing, there would be thousands of lines.
MOST_EFFORT = 20 * EFFORT


class NoCard(NinefoldError):
    """What keeps the value of a position cannot be written on a card."""


def strategy_for(position: Position, player: int | None = None) -> Card:
    """The card for this player, or for whoever wins; raises NinefoldError if there is none."""
    advice = advise(position, SECONDS)
    if advice.solver is None:
        raise NinefoldError(
            "too-large",
            f"This game is too large to solve in {SECONDS:g} seconds, and a card must be proved.",
            "Start from a later position with --moves, or ask for a hint.",
        )
    winner = winner_of(advice.value, position.turn)
    if winner is not None and player == 3 - winner:
        raise NinefoldError(
            "lost",
            f"Player {player} loses against best play, so there is no card for that player.",
            f"Player {winner} has one.",
        )
    seat = winner or position.turn if player is None else as_seat(player)
    game = position.game
    goal: Goal = "win" if winner else "draw"
    every: tuple[Rule, ...] = ("complete", "stop")
    if game.rules.declare:
        every = ("declare", *every)
    if game.rules.misere or not (game.sets or game.whole):
        every = ()  # completing a set loses, or there is none to complete
    limited = game.picks.limited_later or bool(game.rules.losses or game.wins.shared)
    # If a turn is not simply one number, stopping a set is not always the best move.
    for rules in dict.fromkeys((every, every[:-1])):
        try:
            root = _CardSearch(game, seat, goal, rules).root(position)
            card = Card(position, seat, goal, rules, root)
            if game.rules.has_turns or limited:
                verify_card(card)
            return card
        except (NoCard, BadCard):
            continue
    raise NoCard("no-card", "No card was found for this game.", "Ask for a hint on each turn.")


class _Choice:
    """A position in which the card's player is to move, and what is known about it."""

    __slots__ = ("after", "forced", "good", "last", "options", "position", "won")

    def __init__(self, search: "_CardSearch", position: Position) -> None:
        self.position = position
        # The player's next choices after each move, by the reply to it.
        self.after = Lookup[Move, dict[Reply, _Choice]](
            lambda move: search.replies(position.play(move))
        )
        self.options: list[Move] = [m for m in position.legal if not isinstance(m, Declare)]
        self.last = position.picks[0] if len(position.picks) == 1 else None
        allowed = {rule: moves_by_rule(position, rule) for rule in search.rules}
        stops = allowed.pop("stop", [])
        self.won = any(allowed.values())  # whether a general rule wins at once
        self.forced = None if self.won or not stops else stops[0]  # by the rule to stop a set
        self.good: list[Move] = []  # what keeps the promise; if forced, that one or nothing
        if not self.won:
            self.good = search.good_moves(position, self.options, stops)

    def move(self, moves: tuple[Move, ...]) -> Move | None:
        """What someone with this list does here: what is forced, or the first that is possible."""
        if self.forced is not None:
            return self.forced
        listed = next((move for move in moves if move in self.options), None)
        return self.last if listed is None and self.last in self.good else listed


# Positions in which the player is at the same line of the card, each once, in a stable order.
_Choices: TypeAlias = tuple[_Choice, ...]


class _CardSearch:
    """One search, for a player, a goal and the general rules that come before the card."""

    def __init__(self, game: Game, seat: int, goal: Goal, rules: tuple[Rule, ...]) -> None:
        self.game = game
        self.seat = seat
        self.rules = rules
        self._least = 1 if goal == "win" else 0
        self._solver: Solver = solver_for(game)
        self._choices: dict[object, _Choice] = {}
        self._lists: dict[frozenset[_Choice], tuple[Move, ...] | None] = {}
        self._open: set[_Choice] = set()  # whose lines are being written
        self._effort = 0

    def root(self, position: Position) -> Line:
        """The whole card from this position; raises NoCard."""
        if position.asking and position.turn != self.seat:
            # Whoever has this card would have lost to a declaration, and a pass is not a reply.
            position = position.play(PASS)
        answered = _answered(position, self.seat)
        if is_same_turn(position, answered):
            position = answered
        if position.outcome is None and position.turn == self.seat and not position.asking:
            return self._line((), (self._choice(position),))
        return Line((), (), self._branches(self.replies(position)))

    def good_moves(self, position: Position, options: list[Move], stops: list[Move]) -> list[Move]:
        """The moves that keep what the card promises; of stops, the first if all of them do."""
        scores = {move: self._solver.move_score(position, move) for move in stops or options}
        good = [move for move in scores if move is not LOST and scores[move] >= self._least]
        if stops:
            return good[:1] if good == stops else []
        if LOST in scores and PASS in good and scores[PASS] < max(scores.values()):
            good.remove(PASS)  # the players might pass and lose turns forever
        if not good and scores.get(LOST, -1) >= self._least:
            return [LOST]
        return good

    def replies(self, position: Position) -> dict[Reply, _Choice]:
        """The player's next choices after this, by the reply that leads there."""
        position = _answered(position, self.seat)
        limit, hand = self.game.rules.hand_limit, position.hands[self.seat - 1]
        if position.outcome is not None or (limit is not None and len(hand) >= limit):
            return {}
        if position.turn == self.seat:
            return {(): self._choice(position)}
        return dict(self._turns(position, ()))

    def _turns(
        self, position: Position, moves: tuple[Move, ...]
    ) -> Iterator[tuple[Reply, _Choice]]:
        """Every turn of the opponent that begins with these moves, and where it leads."""
        for move in position.legal:
            after, turn = after_turn(position, move), (*moves, move)
            if after.outcome is None and after.turn == self.seat:
                yield reply_of(self.game, turn), self._choice(after)
            elif after.outcome is None and after.key != position.key:  # or a lost turn comes again
                yield from self._turns(after, turn)

    def _choice(self, position: Position) -> _Choice:
        key = position.key
        choice = self._choices.get(key)
        if choice is None:
            choice = self._choices[key] = _Choice(self, position)
        return choice

    def _line(self, replies: tuple[Reply, ...], choices: _Choices) -> Line:
        """The smallest line found for all these positions; raises NoCard."""
        moves = self._list(choices)
        if moves is not None:
            return Line(replies, moves)
        (choice,) = choices  # several are together only if one list is right for all
        if choice in self._open:
            raise NoCard("no-card", "The card would go round in circles.")
        self._open.add(choice)
        best: Line | None = None
        for moves, after in self._good_turns(choice, ()):
            try:
                line = Line(replies, moves, self._branches(after))
            except NoCard:
                continue
            if best is None or line.size < best.size:
                best = line
            if best.size <= 3 or self._effort > EFFORT:
                break  # two lines below it are the fewest there can be
        self._open.remove(choice)
        if best is None:
            raise NoCard("no-card", "No move keeps what the card promises.")
        return best

    def _good_turns(
        self, choice: _Choice, moves: tuple[Move, ...]
    ) -> Iterator[tuple[tuple[Move, ...], dict[Reply, _Choice]]]:
        """Every good way through this turn, with the replies to it."""
        for move in choice.good:
            after, turn = choice.after[move], (*moves, move)
            same = after.get(())
            if same is None or not is_same_turn(choice.position, same.position):
                yield turn, after
            elif same.won:
                yield turn, {}
            else:
                yield from self._good_turns(same, turn)

    def _branches(self, replies: dict[Reply, _Choice]) -> tuple[Line, ...]:
        """A line for each group of replies that one list answers; raises NoCard."""
        groups: list[tuple[tuple[Reply, ...], _Choices]] = []
        lines: list[Line] = []
        for reply, choice in replies.items():
            if self._list((choice,)) is None:
                lines.append(self._line((reply,), (choice,)))
                continue
            for at, (named, others) in enumerate(groups):
                together = tuple(dict.fromkeys((*others, choice)))
                if self._list(together) is not None:
                    groups[at] = ((*named, reply), together)
                    break
            else:
                groups.append(((reply,), (choice,)))
        # The largest group comes last, for any other reply.
        lines += [self._line(*group) for group in sorted(groups, key=lambda group: len(group[0]))]
        if lines:
            lines[-1] = lines[-1]._replace(replies=())
        return tuple(lines)

    def _list(self, choices: _Choices) -> tuple[Move, ...] | None:
        """Moves of which the first possible one is always right; None if they were not found."""
        known = frozenset(choices)
        if known not in self._lists:
            tries = LISTS if self._effort <= EFFORT else LISTS_IN_HASTE
            found = (self._find_list(choices, most, tries) for most in LENGTHS)
            self._lists[known] = next((moves for moves in found if moves is not None), None)
        return self._lists[known]

    def _find_list(self, choices: _Choices, most: int, tries: int) -> tuple[Move, ...] | None:
        """The first right list of at most so many moves, in the order of good moves."""
        todo: list[tuple[Move, ...]] = [()]
        while todo:
            moves = todo.pop()
            needed = self._needed(moves, choices)
            if needed is None:
                return moves
            tries -= 1
            if tries > 0 and len(moves) < most:
                todo += [(*moves, move) for move in reversed(needed)]
        return None

    def _needed(self, moves: tuple[Move, ...], choices: _Choices) -> list[Move] | None:
        """What a list could have next: None if it is complete, nothing if it ever errs."""
        met, todo, stuck = set(choices), list(choices), None
        while todo:
            choice = todo.pop()
            self._effort += 1
            if self._effort > MOST_EFFORT:
                size = len(self.game.pool)
                raise NinefoldError(
                    "too-large",
                    f"A card for these {size} numbers would have thousands of lines.",
                    "Use fewer numbers, or start from a later position with --moves.",
                )
            if choice.won:
                continue
            move = choice.move(moves)
            if move is None:
                stuck = stuck or choice
            elif move not in choice.good:
                return []
            else:
                fresh = [after for after in choice.after[move].values() if after not in met]
                met.update(fresh)
                todo += fresh
        return stuck.good if stuck else None


def _answered(position: Position, seat: int) -> Position:
    """The position after this player's own question: a set is declared, or the turn passed on."""
    if position.outcome is not None or not position.asking or position.turn != seat:
        return position
    sets = position.sets_of(seat)
    return position.play(Declare(sets[0]) if sets else PASS)
