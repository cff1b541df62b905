"""What the proof search remembers: a table of fixed size, which forgets what matters least."""

from typing import NamedTuple

from ninefold.solver.compiled import Ints, compiled
from ninefold.solver.proof.board import STORED

INFINITE = 100_000_000
WAYS = 4


class TranspositionTable(NamedTuple):
    """What is known of positions by key: 0 in ``proof`` is a win, 0 in ``disproof`` a hold."""

    keys: Ints
    proof: Ints
    disproof: Ints


@compiled
def find(table: TranspositionTable, key: int) -> int:
    """The slot that holds this key, or -1."""
    mask = len(table.keys) - 1
    for k in range(WAYS):
        slot = (key + k) & mask
        if table.keys[slot] == key:
            return slot
    return -1


@compiled
def store(table: TranspositionTable, state: Ints, key: int, proof: int, disproof: int) -> None:
    """Keep what is known of a position; what is settled is the last to be overwritten."""
    mask = len(table.keys) - 1
    chosen, least = -1, 2 * INFINITE
    for k in range(WAYS):
        slot = (key + k) & mask
        if table.keys[slot] == key:
            chosen = slot
            break
        if table.keys[slot] == 0:
            chosen = slot
            state[STORED] += 1
            break
        worth = min(table.proof[slot], table.disproof[slot])
        if worth == 0:
            worth = INFINITE
        if worth < least:
            chosen, least = slot, worth
    table.keys[chosen] = key
    table.proof[chosen] = proof
    table.disproof[chosen] = disproof


@compiled
def grow(old: TranspositionTable, new: TranspositionTable, state: Ints) -> None:
    """Copy everything known into a larger table."""
    for slot in range(len(old.keys)):
        if old.keys[slot] != 0:
            store(new, state, old.keys[slot], old.proof[slot], old.disproof[slot])
