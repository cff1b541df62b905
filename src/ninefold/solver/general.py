"""The solver for every other book: it plays the judge's own positions and keeps them by key."""

from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.solver.scores import BEST, Budget, for_mover, score_of_child


class GeneralSearch:
    """Exact scores of positions by key, found on demand and kept."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget
        self.scores: dict[object, int] = {}
        # A win that is not immediate takes two plies where one player can act twice in a row.
        rules = game.rules
        twice = rules.declare or rules.hand_limit is not None
        self._next_best = BEST - (2 if twice else 3)
        # Where a set wins nothing, or a turn can be something else than one pick, all is tried.
        self._tries_all = rules.misere or rules.has_turns or bool(rules.opening)
        if self._tries_all:
            self._next_best = BEST
        self._may_lose_turn = rules.invalid == "lose-turn"

    @property
    def positions(self) -> int:
        """How many positions have been solved so far."""
        return len(self.scores)

    def score(self, position: Position) -> int:
        """The score of an unfinished position; raises OutOfBudget."""
        key = position.key
        score = self.scores.get(key)
        if score is None:
            score = self._by_playing(position)
            if self._may_lose_turn and score <= 0 and not position.asking:
                score = self._with_lost_turn(position, score)
            self.scores[key] = score
            self.budget.spend()
        return score

    def _by_playing(self, position: Position) -> int:
        """The best score among all moves but a lost turn: at once, by force, or by trying all."""
        if self._tries_all:
            return self._try_all(position)
        declare = self.game.rules.declare
        if declare and position.sets_of(position.turn):
            return BEST - 1
        if position.asking or (declare and position.sets_of(3 - position.turn)):
            return self._try_all(position)
        if position.threats(position.turn):
            return BEST - 2 if declare else BEST - 1
        threats = position.threats(3 - position.turn)
        if not threats:
            return self._try_all(position)
        loss = self._plies_to_defeat(position) - BEST
        if len(threats) > 1:
            return loss
        block = self._after(position, threats[0])
        return block if len(position.available) == 1 else max(block, loss)

    def _plies_to_defeat(self, position: Position) -> int:
        """How long it takes until the opponent carries out a threat, questions counted."""
        game = self.game
        if not game.rules.declare:
            return 2
        is_asked = len(position.hands[position.turn - 1]) + 1 >= game.smallest_set
        return 4 if is_asked else 3

    def _try_all(self, position: Position) -> int:
        best = -BEST
        for move in position.legal:
            if move is not LOST:
                best = max(best, self._after(position, move))
                if best >= self._next_best:
                    break
        return best

    def _after(self, position: Position, move: Move) -> int:
        """The score of a move for its maker."""
        return score_of_child(position, position.play(move), self.score)

    def _with_lost_turn(self, position: Position, score: int) -> int:
        """The score when the turn may be given away: see the solver for ordinary books."""
        after = position.play(LOST)
        if position.picks_left < self.game.rules.picks_per_turn or position.may_swap:
            # What comes after it never comes back here.
            return max(score, score_of_child(position, after, self.score))
        if after.turn == position.turn:
            return 0  # the other hand is full, so this can go on for ever
        theirs = self._by_playing(after)
        return max(score, for_mover(theirs)) if theirs > 0 else 0
