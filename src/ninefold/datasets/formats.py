"""Rows as CSV, by the standard library, or as Parquet, by pyarrow."""

import csv
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from itertools import islice
from typing import Any, BinaryIO

from ninefold.datasets.rows import COLUMNS, Row

FORMATS = ("csv", "parquet")
# How many rows are held in memory at a time, and form a row group of a Parquet file.
GROUP = 16_384


def write_csv(rows: Iterable[Row], file: BinaryIO) -> None:
    """Write a header and all rows; lists are separated by spaces, None is an empty cell."""
    text = TextIOWrapper(file, "utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        cells = ([_cell(value) for value in row] for row in rows)
        first = [*islice(cells, 1)]  # if there can be no rows, nothing is written
        writer.writerows([COLUMNS, *first])
        writer.writerows(cells)
        text.flush()
    finally:
        text.detach()  # the caller closes the file


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(int(value)) if isinstance(value, bool) else str(value)


def write_parquet(
    rows: Iterable[Row], file: BinaryIO, width: int, about: Mapping[str, str]
) -> None:
    """Write all rows in groups; ``width`` is the length of an observation."""
    import pyarrow
    from pyarrow import parquet

    schema = _schema(pyarrow, width).with_metadata(
        {f"ninefold.{key}": value for key, value in about.items()}
    )
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        source = iter(rows)
        while group := [*islice(source, GROUP)]:
            batch = pyarrow.RecordBatch.from_pylist([row._asdict() for row in group], schema)
            writer.write_batch(batch)


def _schema(pyarrow: Any, width: int) -> Any:
    kinds = {
        "flag": pyarrow.bool_(),
        "int8": pyarrow.int8(),
        "int16": pyarrow.int16(),
        "int64 list": pyarrow.list_(pyarrow.int64()),
        "int8 list": pyarrow.list_(pyarrow.int8(), width),
        "int16 list": pyarrow.list_(pyarrow.int16()),
        "text": pyarrow.string(),
        "text list": pyarrow.list_(pyarrow.string()),
        "real": pyarrow.float64(),
    }
    return pyarrow.schema([(name, kinds[kind]) for name, (kind, _) in COLUMNS.items()])
