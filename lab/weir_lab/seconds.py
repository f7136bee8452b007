"""What the recorder sums up by itself (lab/kernel/modules/recorder_seconds.c), as tables. Pure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from weir.rundir import Columns

__all__ = ["BIN", "CROSSING", "NOT_YET", "SENDER", "TYPES", "bins", "crossings", "dense", "senders"]

SENDER, CROSSING, BIN = 5, 6, 7
TYPES = {
    SENDER: [
        ("srtt_sum_us", "<i8"), ("acks", "<u4"), ("acked_bytes", "<u4"), ("cwnd", "<u4"),
        ("ssthresh", "<u4"), ("srtt_min_us", "<u4"), ("retransmits", "<u4"),
    ],
    CROSSING: [
        ("delay_sum_ns", "<i8"), ("backlog_sum", "<i8"), ("sent_bytes", "<u4"),
        ("sent_packets", "<u4"), ("dropped", "<u4"), ("payload_bytes", "<u4"),
    ],
    BIN: [
        ("busy_ns", "<i8"), ("busy_bytes", "<u4"), ("busy_packets", "<u4"), ("sent_bytes", "<u4"),
        ("sent_packets", "<u4"), ("dropped", "<u4"), ("backlog_max", "<u4"),
    ],
}  # fmt: skip
"""Each kind's fields behind the record's head."""
NOT_YET = 0
"""In srtt_min_us: no round trip was known."""
BIN_NS = 10_000_000


def senders(rows: NDArray[Any], flow: NDArray[np.int16]) -> Columns:
    """A row per second and flow: sums; cwnd, ssthresh and state as last seen, of srtt the least."""
    keys = {"t_ns": rows["t_ns"], "flow": flow}
    order, starts = _groups(list(keys.values()))
    if not len(starts):
        names = ("acks", "acked_bytes", "cwnd", "ssthresh", "state", "srtt_sum_us", "srtt_min_us")
        return {**_empty(keys), **{name: np.zeros(0, np.int64) for name in (*names, "retransmits")}}
    ends = np.append(starts[1:], len(order)) - 1
    found = {name: values[order][starts] for name, values in keys.items()}
    for name in ("acks", "acked_bytes", "srtt_sum_us", "retransmits"):
        found[name] = np.add.reduceat(rows[name][order].astype(np.int64), starts)
    for name in ("cwnd", "ssthresh", "state"):
        found[name] = rows[name][order][ends]
    least = rows["srtt_min_us"][order].astype(np.int64)
    least[least == NOT_YET] = np.iinfo(np.int64).max
    found["srtt_min_us"] = np.minimum.reduceat(least, starts)
    found["srtt_min_us"][found["acks"] == 0] = NOT_YET
    return found


def crossings(rows: NDArray[Any], flow: NDArray[np.int16]) -> Columns:
    """A row per second, bottleneck (`path`, the digit of its device) and flow."""
    keys = {"t_ns": rows["t_ns"], "path": rows["state"], "flow": flow}
    names = [name for name, _ in TYPES[CROSSING]]
    order, starts = _groups(list(keys.values()))
    if not len(starts):
        return {**_empty(keys), **{name: np.zeros(0, np.int64) for name in names}}
    found = {name: values[order][starts] for name, values in keys.items()}
    for name in names:
        found[name] = np.add.reduceat(rows[name][order].astype(np.int64), starts)
    return found


def bins(rows: NDArray[Any]) -> Columns:
    """A row per bottleneck (`path`) and 10 ms in which something happened, in order of time."""
    found: Columns = {"t_ns": rows["t_ns"].copy(), "path": rows["state"].copy()}
    return found | {name: rows[name].copy() for name, _ in TYPES[BIN]}


def dense(found: Columns, duration_s: float) -> Columns:
    """One bottleneck's bins as those of `weir_lab.record.per_10ms`: they cover the experiment."""
    count = int(np.ceil(duration_s * 1e9 / BIN_NS))
    place = found["t_ns"] // BIN_NS
    within = (place >= 0) & (place < count)
    out: Columns = {"t_ns": np.arange(count, dtype=np.int64) * BIN_NS}
    for name in ("sent_bytes", "sent_packets", "dropped", "backlog_max"):
        out[name] = np.zeros(count, np.uint32)
        out[name][place[within]] = found[name][within]
    return out


def _groups(keys: list[NDArray[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """An order of the rows by these keys, the first first, and where each group begins in it."""
    order = np.lexsort(keys[::-1])
    if not len(order):
        return order, np.zeros(0, np.int64)
    differs = np.zeros(len(order) - 1, bool)
    for key in keys:
        differs |= key[order][1:] != key[order][:-1]
    return order, np.concatenate(([0], np.flatnonzero(differs) + 1))


def _empty(keys: Columns) -> Columns:
    return {name: values[:0] for name, values in keys.items()}
