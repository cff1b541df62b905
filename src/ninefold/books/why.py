"""What makes numbers a winning set, in a few words: 3 x 8 = 24, or steps of 2."""

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from ninefold.books.describe import counted
from ninefold.core.patterns import Numbers, Pattern, quotient


def why(pattern: Pattern, numbers: Numbers) -> str:
    """Why these numbers, in the order they are shown, are a set of this pattern."""
    told = WHY[pattern.family](numbers, dict(pattern.parameters))
    return f"the whole hand, {told}" if pattern.is_whole_hand else told


def shown_order(pattern: Pattern, numbers: Numbers) -> Numbers:
    """A set, given in ascending order, in the order in which its pattern is seen."""
    if pattern.family not in ("geometric", "chain"):
        return numbers
    return tuple(sorted(numbers, key=lambda number: (number == 0, abs(number))))


def _steps(numbers: Numbers, _: Mapping[str, Any]) -> str:
    return f"steps of {numbers[1] - numbers[0]}"


def _factors(numbers: Numbers, _: Mapping[str, Any]) -> str:
    return f"factors of {quotient(numbers[1], numbers[0])}"


def _equation(numbers: Numbers, _: Mapping[str, Any]) -> str:
    total = sum(numbers) // 2
    addends = [number for number in numbers if number != total]
    return f"{_joined(' + ', addends)} = {total}"


def _sum(numbers: Numbers, of: Mapping[str, Any]) -> str:
    return _aggregate(" + ", sum(numbers), numbers, of)


def _product(numbers: Numbers, of: Mapping[str, Any]) -> str:
    return _aggregate(" x ", prod(numbers), numbers, of)


def _aggregate(sign: str, value: int, numbers: Numbers, of: Mapping[str, Any]) -> str:
    multiple = f"a multiple of {of['multiple-of']}" if "multiple-of" in of else ""
    if len(numbers) == 1:
        return multiple or f"just {value}"
    equation = f"{_joined(sign, numbers)} = {value}"
    return f"{equation}, {multiple}" if multiple else equation


def _joined(sign: str, numbers: list[int] | Numbers) -> str:
    first, *rest = numbers
    return sign.join([str(first), *(str(n) if n >= 0 else f"({n})" for n in rest)])


def _kind(numbers: Numbers, of: Mapping[str, Any]) -> str:
    if of["kind"] == "multiple":
        return f"{counted(len(numbers), 'multiple')} of {of['of']}"
    return counted(len(numbers), f"{of['kind']} number")


# A family without its line here is found by a test.
WHY: Mapping[str, Callable[[Numbers, Mapping[str, Any]], str]] = {
    "arithmetic": _steps,
    "geometric": _factors,
    "consecutive": lambda numbers, _: counted(len(numbers), "neighbour"),
    "sum-triple": _equation,
    "sum": _sum,
    "product": _product,
    "kind": _kind,
    "chain": lambda *_: "each divides the next",
    "sets": lambda *_: "a set of the list",
}
