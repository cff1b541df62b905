"""A review as text, for eighty columns and for ears."""

from ninefold.coach.review import Judgement, Review
from ninefold.core.moves import Move, format_move

VERDICTS = {
    "only": "found the only move that held",
    "kept": "kept the win",
    "even": "kept the balance",
    "threw": "threw the win away",
    "slipped": "lost the balance",
    "lost": "lost anyway",
    "gained": "gained by losing the turn",
}


def report(review: Review, names: tuple[str, str]) -> str:
    """The whole review: moves, turning points, chart, summary."""
    parts = [_moves(review, names), _decision(review, names), _chart(review, names)]
    return "\n\n".join(part for part in (*parts, _summary(review, names)) if part) + "\n"


def remark(judgement: Judgement) -> str:
    """The verdict on one move, with what would have been better."""
    text = VERDICTS[judgement.verdict]
    if judgement.better:
        proof = " ".join(map(format_move, judgement.line))
        text += f"; better: {_list(judgement.better)}; best play: {proof}"
    return text


def _moves(review: Review, names: tuple[str, str]) -> str:
    wide = max(map(len, names))
    room = max((len(format_move(item.move)) for item in review.judgements), default=0)
    lines = []
    for item in review.judgements:
        who, move = names[item.seat - 1], format_move(item.move)
        lines.append(f"{item.ply:3}. {who:{wide}}  {move:>{room}}  {VERDICTS[item.verdict]}")
        if item.better:
            proof = " ".join(map(format_move, item.line))
            lines.append(
                f"     {'':{wide + room + 2}}  better: {_list(item.better)}; best play: {proof}"
            )
    return "\n".join(lines)


def _decision(review: Review, names: tuple[str, str]) -> str:
    if review.outcome is None:
        return "The game is not over."
    if review.decided is None:
        leader = "nobody" if review.standing is None else names[review.standing - 1]
        return (
            f"The game ended by {review.outcome.reason}; under best play {leader} would have won."
        )
    if review.decided == 0:
        return "The result was settled from the start: nobody gave anything away."
    item = review.judgements[review.decided - 1]
    who = names[item.seat - 1]
    return f"The game was decided by move {review.decided}: {who} {VERDICTS[item.verdict]}."


def _chart(review: Review, names: tuple[str, str]) -> str:
    """One sign a move: how the game stood for the first player named after it."""
    signs = []
    for item in review.judgements:
        good = {"win": 1, "loss": -1}.get(item.after.result, 0) * (1 if item.seat == 1 else -1)
        signs.append("+" if good > 0 else "-" if good < 0 else "=")
    return f"After each move, for {names[0]} (+ won, = even, - lost): {''.join(signs)}"


def _summary(review: Review, names: tuple[str, str]) -> str:
    lines = []
    for seat, name in enumerate(names, 1):
        total = sum(item.seat == seat for item in review.judgements)
        given = review.count(seat, "threw", "slipped")
        only = review.count(seat, "only")
        lines.append(
            f"{name}: moves {total}, gave something away {given}, only moves found {only}."
        )
    return "\n".join(lines)


def _list(moves: tuple[Move, ...]) -> str:
    return " or ".join(map(format_move, moves))
