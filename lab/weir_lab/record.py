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

from weir_lab import seconds, wiring
from weir_lab.record_file import (
    ACK,
    DEADLINE,
    FLOW,
    KINDS,
    PACKET,
    RETRANSMIT,
    TYPES,
    chunks,
    counts,
    of_kind,
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
    there, openings = np.zeros(KINDS, np.int64), [np.zeros(0, TYPES[FLOW])]
    for path, size, _ in sized:
        for records in chunks(path, size):
            there += counts(records)
            openings.append(of_kind(records, FLOW))
    opened = np.concatenate(openings)
    flows: list[FlowRecord] = [
        {
            "flow": number,
            "client": wiring.client_of(int(row["addr"])),
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
        PACKET: lambda rows: _queue(rows, numbers),
        DEADLINE: lambda rows: _columns(rows, _DEADLINE_COLUMNS, numbers),
    }
    tables = {kind: _Table(kind, of_rows, int(there[kind])) for kind, of_rows in decode.items()}
    others = {kind: [np.zeros(0, TYPES[kind])] for kind in (RETRANSMIT, *seconds.TYPES)}
    for path, size, epoch_ns in sized:
        for records in chunks(path, size):
            present = set(np.flatnonzero(counts(records)).tolist())
            for kind in present & tables.keys():
                tables[kind].add(_since(of_kind(records, kind), epoch_ns))
            for kind in present & others.keys():
                others[kind].append(_since(of_kind(records, kind), epoch_ns))
    rows = {kind: np.concatenate(parts) for kind, parts in others.items()}
    sender, crossing = rows[seconds.SENDER], rows[seconds.CROSSING]
    return Record(
        flows,
        tables[ACK].columns,
        _retransmits(rows[RETRANSMIT], numbers, opened["mss"]),
        _in_order(tables[PACKET].columns),
        opened["ssthresh"].tolist(),
        [AGREED[mode] for mode in opened["ecn"]],
        seconds.senders(sender, numbers.of(sender)),
        seconds.crossings(crossing, numbers.of(crossing)),
        seconds.bins(rows[seconds.BIN]),
        tables[DEADLINE].columns,
    )


class _Table:
    """Columns with room for all rows of a kind: each value is copied once, to its place."""

    def __init__(
        self, kind: int, of_rows: Callable[[NDArray[Any]], Columns], row_count: int
    ) -> None:
        none = of_rows(np.zeros(0, TYPES[kind]))
        self._of_rows = of_rows
        self._room = {name: np.empty(row_count, values.dtype) for name, values in none.items()}
        self._filled = 0

    def add(self, rows: NDArray[Any]) -> None:
        """The next rows. Raises ValueError where there is no room for them."""
        begin, self._filled = self._filled, self._filled + len(rows)
        for name, values in self._of_rows(rows).items():
            self._room[name][begin : self._filled] = values

    @property
    def columns(self) -> Columns:
        """What was added."""
        return {name: values[: self._filled] for name, values in self._room.items()}


def _since(rows: NDArray[Any], epoch_ns: int) -> NDArray[Any]:
    """Times as ns since second 0."""
    for name in {"t_ns", "arrival_ns"} & set(rows.dtype.names or ()):
        rows[name] -= epoch_ns
    return rows


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
    columns: Columns = {"t_ns": rows["t_ns"], "flow": numbers.of(rows)}
    return columns | {name: rows[name] for name in names}


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
    return {
        "arrival_ns": rows["arrival_ns"],
        "departure_ns": np.where(rows["state"] == QUEUED, -1, rows["t_ns"]),
        "fate": rows["state"],
        "reason": rows["reason"].astype(np.uint8),
        "size": rows["size"],
        "path": rows["device"],
        "flow": numbers.of(rows),
        "backlog": rows["backlog"],
        "seq": rows["seq"],
        "payload": rows["payload"],
        "ecn": rows["ecn"],
        "marked": rows["marked"],
    }


def _in_order(queue: Columns) -> Columns:
    """By arrival; of packets that came at once the one first that found less in the queue.

    They were written as they left, nearly in this order. A sort by one key makes use of that, and
    leaves few to sort by all: together a tenth of the time of a sort by all keys.
    """
    _permute(queue, slice(None), np.argsort(queue["arrival_ns"], kind="stable"))
    came_ns, backlog, seq = queue["arrival_ns"], queue["backlog"], queue["seq"]
    at_once = came_ns[1:] == came_ns[:-1]
    swapped = at_once & (
        (backlog[1:] < backlog[:-1]) | ((backlog[1:] == backlog[:-1]) & (seq[1:] < seq[:-1]))
    )
    if swapped.any():
        moment = np.append(0, np.cumsum(~at_once))
        rows = np.flatnonzero(np.isin(moment, moment[1:][swapped]))
        _permute(queue, rows, rows[np.lexsort((seq[rows], backlog[rows], came_ns[rows]))])
    return queue


def _permute(columns: Columns, rows: slice | NDArray[np.intp], by: NDArray[np.intp]) -> None:
    for values in columns.values():
        values[rows] = values[by]


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
