"""Arrow schemas of the run directory's tables, and the way into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from weir.rundir.data import Columns
from weir.rundir.documents import RunDirectoryError

PLAYER = pa.schema(
    [
        ("segment", pa.int32()),
        ("level", pa.int16()),
        ("bitrate_bps", pa.float64()),
        ("size_bytes", pa.int64()),
        ("request_s", pa.float64()),
        ("first_byte_s", pa.float64()),
        ("last_byte_s", pa.float64()),
        ("buffer_before_s", pa.float64()),
        ("buffer_after_s", pa.float64()),
        ("stall_s", pa.float64()),
        ("raw_bps", pa.float64()),
        ("estimate_bps", pa.float64()),
        ("connection", pa.int32()),
        ("status", pa.int16()),
    ]
)
TCP = pa.schema(
    [
        ("t_ns", pa.int64()),
        ("flow", pa.int16()),
        ("cwnd", pa.uint32()),
        ("ssthresh", pa.uint32()),
        ("srtt_us", pa.uint32()),
        ("rto_us", pa.uint32()),
        ("rwnd", pa.uint32()),
        ("in_flight", pa.uint32()),
    ]
)
RETRANSMITS = pa.schema([("t_ns", pa.int64()), ("flow", pa.int16()), ("seq", pa.uint32())])
QUEUE = pa.schema(
    [
        ("arrival_ns", pa.int64()),
        ("departure_ns", pa.int64()),
        ("fate", pa.uint8()),
        ("reason", pa.uint8()),
        ("size", pa.uint16()),
        ("flow", pa.int16()),
        ("backlog", pa.uint32()),
        ("seq", pa.uint32()),
        ("payload", pa.uint16()),
    ]
)
PATH = pa.field("path", pa.uint8())
"""The number of a row's path: in both tables of the queue, where the experiment names its paths."""
ECN = (pa.field("ecn", pa.uint8()), pa.field("marked", pa.uint8()))
"""The ECN field that a packet came with, and whether the bottleneck set CE: in tables of packets
where a host asks for ECN.
"""
QUEUE_10MS = pa.schema(
    [
        ("t_ns", pa.int64()),
        ("sent_bytes", pa.uint32()),
        ("sent_packets", pa.uint32()),
        ("dropped", pa.uint32()),
        ("backlog_max", pa.uint32()),
    ]
)
TCP_SECONDS = pa.schema(
    [
        ("t_ns", pa.int64()),
        ("flow", pa.int16()),
        ("acks", pa.uint32()),
        ("acked_bytes", pa.uint64()),
        ("cwnd", pa.uint32()),
        ("ssthresh", pa.uint32()),
        ("state", pa.uint8()),
        ("srtt_sum_us", pa.int64()),
        ("srtt_min_us", pa.uint32()),
        ("retransmits", pa.uint32()),
    ]
)
DEADLINES = pa.schema(
    [
        ("t_ns", pa.int64()),
        ("flow", pa.int16()),
        ("margin_us", pa.int64()),
        ("throughput_bps", pa.int64()),
        ("alpha_milli", pa.uint32()),
        ("beta_milli", pa.uint32()),
    ]
)
QUEUE_SECONDS = pa.schema(
    [
        ("t_ns", pa.int64()),
        ("flow", pa.int16()),
        ("sent_bytes", pa.uint64()),
        ("sent_packets", pa.uint32()),
        ("dropped", pa.uint32()),
        ("delay_sum_ns", pa.int64()),
        ("backlog_sum", pa.int64()),
    ]
)


def with_path(schema: pa.Schema, columns: Iterable[str]) -> pa.Schema:
    """The schema of a table with these columns, which may have PATH and ECN beside the schema's."""
    for field in (PATH, *ECN):
        if field.name in columns:
            schema = schema.append(field)
    return schema


def as_columns(schema: pa.Schema, columns: Mapping[str, Any]) -> Columns:
    """The schema's columns out of `columns`, in its types; other columns are left out.

    Raises RunDirectoryError for a missing column or columns of unequal length.
    """
    missing = [name for name in schema.names if name not in columns]
    if missing:
        raise RunDirectoryError(
            f"missing columns {', '.join(missing)}; there are {', '.join(columns) or 'none'}"
        )
    out = {
        field.name: np.asarray(columns[field.name], dtype=field.type.to_pandas_dtype())
        for field in schema
    }
    lengths = {name: len(values) for name, values in out.items()}
    if len(set(lengths.values())) > 1:
        raise RunDirectoryError(f"columns of unequal length: {lengths}")
    return out


def columns_of_rows(schema: pa.Schema, rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Columns from row dicts; no rows give arrays of length 0."""
    kept = list(rows)
    return as_columns(schema, {name: [row[name] for row in kept] for name in schema.names})
