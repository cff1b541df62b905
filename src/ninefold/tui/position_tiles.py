"""A position as tiles: who holds what, what may be taken, what decided the game."""

from collections.abc import Collection, Mapping, Sequence

from ninefold.board_words import NO_NUMBERS, markers_of
from ninefold.books import Book
from ninefold.coach.hint import Hint
from ninefold.core.moves import Move
from ninefold.core.position import Hand, Position
from ninefold.tui.tiles import Tile


def tiles_of(
    book: Book,
    position: Position,
    last: int | None = None,
    chosen: Collection[int] = (),
    hints: Mapping[int, str] | None = None,
    threats: bool = False,
) -> list[Tile]:
    """Every number of the pool as it stands in this position."""
    game, markers = book.game, markers_of(book)
    owners = {number: seat for seat in (1, 2) for number in position.hands[seat - 1]}
    free = position.available if position.outcome is None and not position.asking else ()
    barred = set(free) - set(position.picks)
    lit = game.deciding_numbers(position)
    near = threat_sets(position) if threats else {}
    marked = hints or {}
    tiles = []
    for number in game.pool:
        seat, points = owners.get(number, 0), game.points[number]
        tiles.append(
            Tile(
                number,
                owner=markers[seat - 1] if seat else "",
                seat=seat,
                barred=number in barred,
                last=number == last,
                winning=number in lit,
                chosen=number in chosen,
                hint=marked.get(number, ""),
                threat="".join(markers[who - 1] for who in (1, 2) if number in near.get(who, {})),
                worth="" if points == number else f"={points}",
            )
        )
    return tiles


def last_number(moves: Sequence[Move]) -> int | None:
    """The number taken last."""
    return next((move for move in reversed(moves) if isinstance(move, int)), None)


def hint_marks(hint: Hint, step: int) -> dict[int, str]:
    """What this step of a hint marks on the board: an area, then its numbers."""
    if step <= 1:
        return dict.fromkeys(hint.area, "?") if step else {}
    return {move: "!" for move in hint.moves if isinstance(move, int)}


def threat_sets(position: Position) -> dict[int, dict[int, tuple[Hand, ...]]]:
    """By seat: the numbers that would complete a set at once, and these sets."""
    if position.outcome is not None:
        return {}
    return {
        seat: {number: position.completed_by(seat, number) for number in position.threats(seat)}
        for seat in (1, 2)
    }


def hands_text(
    book: Book, names: tuple[str, str], position: Position, threats: bool = False
) -> str:
    """Both hands, a line each, with the sets that are one number away if that is wanted."""
    lines = []
    near = threat_sets(position) if threats else {}
    for seat, marker in enumerate(markers_of(book), 1):
        numbers = " ".join(map(str, position.hands[seat - 1]))
        line = f"{marker} {names[seat - 1]}: {numbers or NO_NUMBERS}"
        if near.get(seat):
            sets = ["-".join(map(str, found[0])) for found in near[seat].values() if found]
            needs = ", ".join(map(str, near[seat]))
            line += f"   one away: {needs} ({', '.join(sets)})"
        lines.append(line)
    return "\n".join(lines)
