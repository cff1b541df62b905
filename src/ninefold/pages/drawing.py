"""Drawings for the report: a game on the number line, bars; plain SVG that prints and scales."""

from html import escape

from ninefold.core.position import Position
from ninefold.pages.shown import Shown
from ninefold.pages.words import move_words, numbers, outcome_words, percent

ROW = 10  # numbers in a row of the line: readable on a phone
_CELL, _HIGH = 40, 94


def number_line(shown: Shown) -> str:
    """A game on the number line: who took what when, and what decided it.

    Each mark says from which move on it is there, and until when, so that a game can be stepped
    through; as it is drawn, the game is at its end.
    """
    pool, positions = shown.game.pool, shown.positions
    wide = min(ROW, len(pool)) * _CELL
    rows = (len(pool) + ROW - 1) // ROW
    end = positions[-1]
    deciding = deciding_numbers(end)
    cells = "".join(_cell(at, number, positions, deciding) for at, number in enumerate(pool))
    moves = ", ".join(f"{at}. {move_words(move)}" for at, move in enumerate(shown.moves, 1))
    one, two = (numbers(hand) or "nothing" for hand in end.hands)
    held = f"Player 1 holds {one}; Player 2 holds {two}"
    label = escape(f"Number line. Moves: {moves or 'none'}. {held}. {outcome_words(end)}.")
    return (
        f'<svg class="line" role="img" aria-label="{label}" viewBox="0 0 {wide} {rows * _HIGH}" '
        f'width="{wide * 1.1:.0f}"><title>{label}</title>{cells}</svg>'
    )


def deciding_numbers(position: Position) -> tuple[int, ...]:
    """The numbers that decided a game: a set, or the run or the number that the ending compares."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return ()
    if outcome.sets:
        return outcome.sets[0]  # the one the words name, however many the last number completed
    hand = position.hands[outcome.winner - 1]
    if outcome.reason in ("longest-run", "run-start", "run-sum"):
        link = position.deciding_link
        return position.game.run(position.game.mask(hand), link.among if link else "lowest")
    one = {"highest": max, "lowest": min}.get(outcome.reason)
    return (one(hand),) if one and hand else ()


def _cell(at: int, number: int, positions: list[Position], deciding: tuple[int, ...]) -> str:
    """One number, with the mark of whoever held it, and the move in which it was taken."""
    x, y = at % ROW * _CELL + _CELL // 2, at // ROW * _HIGH
    kind = " set" if number in deciding else ""
    owners = [
        next((seat for seat in (1, 2) if number in position.hands[seat - 1]), 0)
        for position in positions
    ]
    line = f'<path class="axis" d="M{x - _CELL // 2} {y + 57}h{_CELL}"/>'
    text = f'<text class="n{kind}" x="{x}" y="{y + 50}">{number}</text>'
    taken = [ply for ply, seat in enumerate(owners) if seat]
    marks = ""
    for ply in taken:
        if owners[ply] != owners[ply - 1]:  # a number changes its owner in a swap
            until = next((k for k in taken if k > ply and owners[k] != owners[ply]), None)
            marks += _mark(owners[ply], x, y, kind, (taken[0], ply, until))
    return line + marks + text


def _mark(seat: int, x: int, y: int, kind: str, when: tuple[int, int, int | None]) -> str:
    taken, start, until = when
    if seat == 1:
        mark = f'<rect class="p1{kind}" x="{x - 14}" y="{y + 3}" width="28" height="26" rx="4"/>'
        mark += f'<text class="t1" x="{x}" y="{y + 21}">{taken}</text>'
    else:
        mark = f'<circle class="p2{kind}" cx="{x}" cy="{y + 73}" r="13"/>'
        mark += f'<text class="t2" x="{x}" y="{y + 78}">{taken}</text>'
    ends = "" if until is None else f' data-until="{until}"'
    return f'<g class="mark{" gone" if ends else ""}" data-from="{start}"{ends}>{mark}</g>'


def bar(share: float) -> str:
    """A bar of this share of its room, with a mark at one half."""
    wide = f"{1000 * share:.0f}"
    return (
        '<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="room" width="1000" height="20"/>'
        f'<rect class="one" width="{wide}" height="20"/>'
        '<rect class="half" x="497" y="-3" width="6" height="26"/></svg>'
    )


def stacked(first: float, draw: float, second: float) -> str:
    """The shares of a pairing as one bar: the first player, draws, the second player."""
    one, middle = 1000 * first, 1000 * draw
    label = escape(
        f"First player {percent(first)}, draw {percent(draw)}, second player {percent(second)}"
    )
    return (
        '<svg class="stack" viewBox="0 0 1000 40" preserveAspectRatio="none" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect class="one" width="{one:.1f}" height="40"/>'
        f'<rect class="draw" x="{one:.1f}" width="{middle:.1f}" height="40"/>'
        f'<rect class="two" x="{one + middle:.1f}" width="{max(0.0, 1000 - one - middle):.1f}" '
        'height="40"/></svg>'
    )
