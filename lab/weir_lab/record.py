"""What the lab kernel's recorder wrote (lab/kernel/modules/recorder.c), as tables."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from weir.ecn import Agreed
from weir.records import FlowRecord
from weir.rundir import Columns

from weir_lab import seconds
from weir_lab.record_file import (
    ACK,
    DEADLINE,
    FLOW,
    PACKET,
    RETRANSMIT,
    TYPES,
    by_kind,
    whole_bytes,
)

__all__ = ["DROPPED", "SENT", "Record", "between", "per_10ms", "read"]

SENT, DROPPED, QUEUED = 0, 1, 2
AGREED: tuple[Agreed, ...] = get_args(Agreed)
"""By TCPI_ECN_MODE_* of include/uapi/linux/tcp.h."""
BIN_NS = 10_000_000
MOST_BYTES = 1 << 16
_ACK_COLUMNS = ("cwnd", "ssthresh", "srtt_us", "rto_us", "rwnd", "in_flight")
_DEADLINE_COLUMNS = ("margin_us", "throughput_bps", "alpha_milli", "beta_milli")


@dataclass(frozen=True)
class Record:
    """Everything recorded, times in ns since the experiment's start (before it: negative).

    queue: with the number of each packet's path. initial_ssthresh: in segments, as the first ACK of
    each of the recorder's flows found it. ecn: what each of them has agreed on. The rest is of a
    record by seconds: see weir_lab.seconds.
    """

    flows: list[FlowRecord]
    tcp: Columns
    retransmits: Columns
    queue: Columns
    initial_ssthresh: list[int] = field(default_factory=list)
    ecn: list[Agreed] = field(default_factory=list)
    senders: Columns = field(default_factory=dict)
    crossings: Columns = field(default_factory=dict)
    bins: Columns = field(default_factory=dict)
    deadlines: Columns = field(default_factory=dict)


def read(
    files: Sequence[tuple[Path, float]],
    traffic: Sequence[FlowRecord] = (),
    *,
    unfinished: bool = False,
) -> Record:
    """The record of a run, from the file of each kernel that recorded and its `epoch_s`.

    traffic: flows that the recorder does not tell of, but by their packets.
    epoch_s: when second 0 was on that kernel's monotonic clock. A file that is not there holds
    nothing. Raises ValueError when one is cut short, but where it is said to be unfinished.
    """
    # Once: a cell may go on writing, and an ACK is not to be read without its flow.
    sized = [
        (path, whole_bytes(path, unfinished=unfinished), round(epoch_s * 1e9))
        for path, epoch_s in files
    ]
    opened = np.concatenate(
        [np.zeros(0, TYPES[FLOW])]
        + [rows for path, size, _ in sized for _, rows in by_kind(path, size, {FLOW})]
    )
    flows: list[FlowRecord] = [
        {
            "flow": number,
            "client": int(row["addr"]) % 256 - 10,
            "local_port": 80,
            "remote_port": int(row["port"]),
            "remote_address": socket.inet_ntoa(int(row["addr"]).to_bytes(4, "big")),
            "congestion_control": row["congestion_control"].decode(),
            "mss_bytes": int(row["mss"]),
        }
        for number, row in enumerate(opened)
    ]
    flows += [{**flow, "flow": len(flows) + k} for k, flow in enumerate(traffic)]
    numbers = _FlowNumbers(np.concatenate([opened, _as_opened(traffic)]))
    decode: dict[int, Callable[[NDArray[Any]], Columns]] = {
        ACK: lambda rows: _columns(rows, _ACK_COLUMNS, numbers),
        RETRANSMIT: lambda rows: _retransmits(rows, numbers, opened["mss"]),
        PACKET: lambda rows: _queue(rows, numbers),
        DEADLINE: lambda rows: _columns(rows, _DEADLINE_COLUMNS, numbers),
    }
    tables = {kind: [of_rows(np.zeros(0, TYPES[kind]))] for kind, of_rows in decode.items()}
    summed = {kind: [np.zeros(0, TYPES[kind])] for kind in seconds.TYPES}
    for path, size, epoch_ns in sized:
        for kind, rows in by_kind(path, size, decode.keys() | summed.keys()):
            since = _since(rows, epoch_ns)
            if kind in decode:
                tables[kind].append(decode[kind](since))
            else:
                summed[kind].append(since)
    sums = {kind: np.concatenate(parts) for kind, parts in summed.items()}
    sender, crossing = sums[seconds.SENDER], sums[seconds.CROSSING]
    return Record(
        flows,
        _joined(tables[ACK]),
        _joined(tables[RETRANSMIT]),
        _in_order(_joined(tables[PACKET])),
        opened["ssthresh"].tolist(),
        [AGREED[mode] for mode in opened["ecn"]],
        seconds.senders(sender, numbers.of(sender)),
        seconds.crossings(crossing, numbers.of(crossing)),
        seconds.bins(sums[seconds.BIN]),
        _joined(tables[DEADLINE]),
    )


def _since(rows: NDArray[Any], epoch_ns: int) -> NDArray[Any]:
    """Times as ns since second 0."""
    for name in {"t_ns", "arrival_ns"} & set(rows.dtype.names or ()):
        rows[name] -= epoch_ns
    return rows


def _joined(parts: list[Columns]) -> Columns:
    """One table of all parts, which are emptied: two copies of one column at a time, no more."""
    names = list(parts[0])
    return {name: np.concatenate([part.pop(name) for part in parts]) for name in names}


def _as_opened(flows: Sequence[FlowRecord]) -> NDArray[Any]:
    found = np.zeros(len(flows), TYPES[FLOW])
    for row, flow in zip(found, flows, strict=True):
        row["port"] = flow["remote_port"]
        row["addr"] = int.from_bytes(socket.inet_aton(flow["remote_address"]), "big")
    return found


class _FlowNumbers:
    """Looks up flow numbers by the receiver's address and port."""

    def __init__(self, flows: NDArray[Any]) -> None:
        keys = _keys(flows)
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._numbers = order.astype(np.int16)

    def of(self, rows: NDArray[Any]) -> NDArray[np.int16]:
        """Flow number of each row; -1 where it belongs to none."""
        if not len(self._keys):
            return np.full(len(rows), -1, np.int16)
        keys = _keys(rows)
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._numbers[at], np.int16(-1))


def _keys(rows: NDArray[Any]) -> NDArray[np.int64]:
    keys: NDArray[np.int64] = rows["addr"].astype(np.int64) << 16 | rows["port"]
    return keys


def _columns(rows: NDArray[Any], names: Sequence[str], numbers: _FlowNumbers) -> Columns:
    columns: Columns = {"t_ns": rows["t_ns"].copy(), "flow": numbers.of(rows)}
    return columns | {name: rows[name].copy() for name in names}


def _retransmits(rows: NDArray[Any], numbers: _FlowNumbers, mss: NDArray[Any]) -> Columns:
    """A row per segment: the kernel may send several again at once, as one record."""
    flow = numbers.of(rows)
    # The last entry is that of flow -1.
    of_row = np.append(mss, MOST_BYTES).astype(np.int64)[flow]
    segments = np.maximum(1, -(-rows["len"].astype(np.int64) // of_row))
    first = np.cumsum(segments) - segments
    within = np.arange(segments.sum()) - np.repeat(first, segments)
    ahead = within * np.repeat(of_row, segments)
    return {
        "t_ns": np.repeat(rows["t_ns"].copy(), segments),
        "flow": np.repeat(flow, segments),
        "seq": (np.repeat(rows["seq"], segments) + ahead).astype(np.uint32),
    }


def _queue(rows: NDArray[Any], numbers: _FlowNumbers) -> Columns:
    departure_ns = rows["t_ns"].copy()
    departure_ns[rows["state"] == QUEUED] = -1
    return {
        "arrival_ns": rows["arrival_ns"].copy(),
        "departure_ns": departure_ns,
        "fate": rows["state"].copy(),
        "reason": rows["reason"].astype(np.uint8),
        "size": rows["size"].copy(),
        "path": rows["device"].copy(),
        "flow": numbers.of(rows),
        "backlog": rows["backlog"].copy(),
        "seq": rows["seq"].copy(),
        "payload": rows["payload"].copy(),
        "ecn": rows["ecn"].copy(),
        "marked": rows["marked"].copy(),
    }


def _in_order(queue: Columns) -> Columns:
    """By arrival; packets still queued at the end were written in no particular order."""
    order = _arrival_order(queue["arrival_ns"], queue["backlog"], queue["seq"])
    return {name: queue.pop(name)[order] for name in list(queue)}


def _arrival_order(
    arrival_ns: NDArray[Any], backlog: NDArray[Any], seq: NDArray[Any]
) -> NDArray[np.intp]:
    """Of those that came at once the one first that found less in the queue.

    They were written as they left, so nearly in this order already, which the sort by arrival
    makes use of: it takes a tenth of the time of one by all three.
    """
    order = np.argsort(arrival_ns, kind="stable")
    one, next_ = order[:-1], order[1:]
    at_once = arrival_ns[one] == arrival_ns[next_]
    swapped = at_once & (
        (backlog[one] > backlog[next_])
        | ((backlog[one] == backlog[next_]) & (seq[one] > seq[next_]))
    )
    if swapped.any():
        moment = np.append(0, np.cumsum(~at_once))
        rows = np.flatnonzero(np.isin(moment, moment[1:][swapped]))
        found = order[rows]
        order[rows] = found[np.lexsort((seq[found], backlog[found], arrival_ns[found]))]
    return order


def between(columns: Columns, key: str, end_ns: int) -> Columns:
    """The rows whose `key` lies in [0, end_ns). Empties `columns`, to hold each column once."""
    times = columns[key]
    rows = np.flatnonzero((times >= 0) & (times < end_ns))
    del times
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        within = slice(rows[0], rows[-1] + 1)
        return {name: columns.pop(name)[within] for name in list(columns)}
    return {name: columns.pop(name)[rows] for name in list(columns)}


def per_10ms(queue: Columns, duration_s: float) -> Columns:
    """The queue record summed up in bins of 10 ms that cover the experiment."""
    bins = int(np.ceil(duration_s * 1e9 / BIN_NS))
    arrival = queue["arrival_ns"] // BIN_NS
    leaving = queue["departure_ns"] // BIN_NS
    counted = (leaving >= 0) & (leaving < bins)
    sent, dropped = counted & (queue["fate"] == SENT), counted & (queue["fate"] == DROPPED)
    sizes = queue["size"][sent]
    backlog = np.zeros(bins, np.uint32)
    within = (arrival >= 0) & (arrival < bins)
    np.maximum.at(backlog, arrival[within], queue["backlog"][within])
    return {
        "t_ns": np.arange(bins, dtype=np.int64) * BIN_NS,
        "sent_bytes": np.bincount(leaving[sent], sizes, bins).astype(np.uint32),
        "sent_packets": np.bincount(leaving[sent], minlength=bins).astype(np.uint32),
        "dropped": np.bincount(leaving[dropped], minlength=bins).astype(np.uint32),
        "backlog_max": backlog,
    }
