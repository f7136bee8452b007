"""A table as Parquet, deterministically."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from weir.rundir.schemas import as_columns


def parquet_bytes(schema: pa.Schema, columns: Mapping[str, Any]) -> bytes:
    """The table as Parquet; the same values give the same bytes (with one Arrow version).

    One row group, no dictionary, zstd level 1; times, sequence numbers and counters as deltas.
    """
    values = as_columns(schema, columns)
    table = pa.Table.from_arrays([pa.array(values[name]) for name in schema.names], schema=schema)
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(1, table.num_rows),
        use_dictionary=False,
        compression="zstd",
        compression_level=1,
        column_encoding={f.name: _encoding(f.type) for f in schema},
        write_statistics=False,
        store_schema=False,
    )
    return bytes(sink.getvalue())


def _encoding(kind: pa.DataType) -> str:
    return "DELTA_BINARY_PACKED" if pa.types.is_integer(kind) else "PLAIN"
