"""All games of a tournament as one table, in Parquet."""

import json
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from ninefold.arena.results import read_rows
from ninefold.require import require_package

# Rows that are held in memory at a time.
MOST_ROWS = 10_000


def write_parquet(folder: Path, file: BinaryIO) -> int:
    """Write every game as a row; how many there are. Raises MissingExtra and DamagedResults."""
    require_package("pyarrow", "parquet")
    import pyarrow
    import pyarrow.parquet

    schema, rows, count = _schema(pyarrow), read_rows(folder), 0
    with pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while some := [*islice(rows, MOST_ROWS)]:
            values = [_flat(row) for row in some]
            writer.write_table(pyarrow.Table.from_pylist(values, schema))
            count += len(some)
    return count


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the faults as JSON, for their fields may grow."""
    return {**row, "faults": json.dumps(row["faults"], ensure_ascii=False)}


def _schema(pyarrow: Any) -> Any:
    text, small, number = pyarrow.string(), pyarrow.int8(), pyarrow.int32()
    lists = dict.fromkeys(("before", "after", "worst"), pyarrow.list_(small))
    lists |= dict.fromkeys(("depth", "good", "legal"), pyarrow.list_(number))
    fields = {
        **dict.fromkeys(("id", "pair"), text),
        "round": number,
        **dict.fromkeys(("book", "reading"), text),
        "changes": pyarrow.list_(text),
        "rules": text,
        "players": pyarrow.list_(text),
        "first": small,
        "seed": pyarrow.int64(),
        **dict.fromkeys(("opening", "moves"), text),
        "winner": small,
        "reason": text,
        **lists,
        "regret": pyarrow.list_(pyarrow.float64()),
        "faults": text,
        "tokens": pyarrow.list_(pyarrow.int64()),
        "seconds": pyarrow.list_(pyarrow.float64()),
        "cost": pyarrow.list_(pyarrow.float64()),
    }
    return pyarrow.schema([*fields.items()])
