"""The first moment at which two runs part: exact, since a run is the same bytes each time.

Rows of a record are compared in their order. What a row tells may come about at several moments (a
packet arrives, and leaves later), so a row can differ later than one after it: each of its moments
is compared by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isnan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir.rundir import Columns, RunData

__all__ = ["Difference", "Parting", "partings"]

_NS: Final = 1e9

Moments = tuple[tuple[str, tuple[str, ...]], ...]
"""(column with the time, columns that are settled then), the one that rows are ordered by first."""

_PLAYER: Final[Moments] = (
    ("request_s", ("segment", "level", "bitrate_bps", "buffer_before_s", "estimate_bps")),
    ("first_byte_s", ()),
    ("last_byte_s", ("size_bytes", "buffer_after_s", "stall_s", "raw_bps", "status")),
)
_QUEUE: Final[Moments] = (
    ("arrival_ns", ("size", "flow", "backlog", "seq", "payload")),
    ("departure_ns", ("fate", "reason")),
)
_TCP: Final[Moments] = (
    ("t_ns", ("flow", "cwnd", "ssthresh", "srtt_us", "rto_us", "rwnd", "in_flight")),
)
_RETRANSMITS: Final[Moments] = (("t_ns", ("flow", "seq")),)
_QUEUE_10MS: Final[Moments] = (("t_ns", ("sent_bytes", "sent_packets", "dropped", "backlog_max")),)


@dataclass(frozen=True)
class Difference:
    """A column of the row that differs. None: that run has no such row, or no value there."""

    column: str
    a: float | None
    b: float | None


@dataclass(frozen=True)
class Parting:
    """Where two runs' records part.

    record: queue, queue_10ms, tcp, retransmits or player; client: of a player, from 1. t_s: the
    moment, in s; of bins of 10 ms, the start of the bin. row: from 0, the same in both.
    """

    t_s: float
    record: str
    client: int | None
    row: int
    differences: tuple[Difference, ...]


def partings(a: RunData, b: RunData) -> list[Parting]:
    """Where each record that both runs have parts, the earliest first; without those that are the
    same.

    Ports are left out: they are names.
    """
    found = (
        _parting(record, client, moments, left, right)
        for record, client, moments, left, right in _records(a, b)
        if left is not None and right is not None
    )
    return sorted((each for each in found if each is not None), key=lambda each: each.t_s)


def _records(
    a: RunData, b: RunData
) -> Iterator[tuple[str, int | None, Moments, Columns | None, Columns | None]]:
    yield "queue", None, _QUEUE, a.queue, b.queue
    if a.queue is None or b.queue is None:
        # Of its packets a run tells when exactly.
        yield "queue_10ms", None, _QUEUE_10MS, a.queue_10ms, b.queue_10ms
    yield "tcp", None, _TCP, a.tcp, b.tcp
    yield "retransmits", None, _RETRANSMITS, a.retransmits, b.retransmits
    for client, (left, right) in enumerate(zip(a.players, b.players, strict=False), 1):
        yield "player", client, _PLAYER, left, right


def _parting(
    record: str, client: int | None, moments: Moments, a: Columns, b: Columns
) -> Parting | None:
    (order, _), *later = moments
    both = min(len(a[order]), len(b[order]))
    # From the first row on that began differently, rows are no longer the same ones.
    aligned = _first_row(_differ(moments[0], a, b, both))
    row = both if aligned is None else aligned
    candidates = []
    if row < max(len(a[order]), len(b[order])):
        candidates.append((_earlier(a, b, order, row), row))
    for moment in later:
        for place in np.flatnonzero(_differ(moment, a, b, row)).tolist():
            candidates.append((_earlier(a, b, moment[0], place), place))
    if not candidates:
        return None
    t_s, row = min(candidates)
    return Parting(t_s, record, client, row, _differences(moments, a, b, row))


def _differ(moment: tuple[str, tuple[str, ...]], a: Columns, b: Columns, rows: int) -> NDArray[Any]:
    """(rows,) whether anything of this moment differs."""
    names = (moment[0], *moment[1])
    unlike = [_unlike(a[name][:rows], b[name][:rows]) for name in names]
    return np.asarray(np.any(unlike, axis=0))


def _unlike(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    # Undefined on both sides is the same.
    return np.asarray((a != b) & ~(np.isnan(a) & np.isnan(b)))


def _first_row(differs: NDArray[Any]) -> int | None:
    return int(differs.argmax()) if differs.any() else None


def _earlier(a: Columns, b: Columns, column: str, row: int) -> float:
    """When it happened in the run in which it did so first."""
    scale = _NS if column.endswith("_ns") else 1.0
    times = [float(side[column][row]) for side in (a, b) if row < len(side[column])]
    return min((t for t in times if t >= 0), default=inf) / scale


def _differences(moments: Moments, a: Columns, b: Columns, row: int) -> tuple[Difference, ...]:
    names = [name for time, others in moments for name in (time, *others)]
    pairs = ((name, _at(a, name, row), _at(b, name, row)) for name in names)
    return tuple(Difference(*each) for each in pairs if each[1] != each[2])


def _at(columns: Columns, name: str, row: int) -> float | None:
    if row >= len(columns[name]):
        return None
    value = columns[name][row].item()
    return None if isnan(value) else value
