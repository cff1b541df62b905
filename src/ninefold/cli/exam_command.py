"""``ninefold exam``: does a player keep what positions are worth, whatever the opponent replies?"""

import argparse
from typing import TYPE_CHECKING, Any

from ninefold.cli import common
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.text import plural
from ninefold.line.wrap import patience

if TYPE_CHECKING:
    from ninefold.agent_proof import Mark, Proof

_VALUES = {1: "won", 0: "drawn", -1: "lost"}
_ENDS = {1: "it wins", 0: "it draws", -1: "it loses"}


def run_exam(options: argparse.Namespace) -> int:
    """Examine one player; the exit code is 1 if it makes a mistake, or answers in two ways."""
    from ninefold.agent_proof import Inconsistent

    book, who = common.load_book(options), options.player
    about = {"game": book.id, "reading": book.reading, "player": who}
    try:
        with patience(f"Examining {who} ..."):
            proofs, mark = _examine(book.game, who)
    except Inconsistent as refusal:
        data = {**about, "consistent": False, "message": refusal.message}
        common.print_answer(options, data, refusal.message)
        return 1
    data = {**about, "consistent": True, "seats": [*map(_as_data, proofs)]}
    data |= {"worth": mark and mark.worth, "kept": mark and mark.kept}
    lines = [_in_words(seat, proof) for seat, proof in enumerate(proofs, 1)]
    if mark is not None:
        lines.append(f"It keeps {mark.kept:,} of {mark.worth:,} positions that are won or drawn.")
    common.print_answer(options, data, "\n".join(lines))
    return int(not all(proof.holds for proof in proofs))


def _examine(game: Game, who: str) -> "tuple[list[Proof], Mark | None]":
    """The proofs of both seats, and the mark unless there are too many positions."""
    from ninefold.agent_proof import Examiner, prove
    from ninefold.reachable import TooLarge

    proofs = [prove(game, who, seat) for seat in (1, 2)]
    try:
        return proofs, Examiner(game).mark(who)
    except TooLarge:
        return proofs, None


def _as_data(proof: "Proof") -> dict[str, Any]:
    slip = " ".join(map(format_move, proof.slip))
    return {**proof._asdict(), "slip": slip, "holds": proof.holds}


def _in_words(seat: int, proof: "Proof") -> str:
    """One seat: what it is worth, what the player gets, and its shortest mistake."""
    if proof.is_random:
        gets = f"it chooses at random, and averages {proof.worst:.6g} against the best replies"
    else:
        gets = f"at worst {_ENDS[int(proof.worst)]}"
    followed = f"{plural(proof.decisions, 'decision')}, {plural(proof.ends, 'end')}"
    text = f"Seat {seat} is {_VALUES[proof.value]}: {gets} ({followed})."
    if proof.slip:
        moves = " ".join(map(format_move, proof.slip))
        return f"{text} Its shortest mistake is the last move of {moves}."
    return f"{text} It makes no mistake."
