"""Sequence numbers at the bottleneck over time: what is sent first, sent again and dropped.

A time-sequence diagram as tcptrace draws it. Bytes count from a connection's first packet of data;
numbers that wrap around at 2^32 go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir.metrics.network import DROPPED
from weir.rundir import Columns

from weir_orchestrator.recorded.curves import Curve, Window, drawn, marked

__all__ = ["COLUMNS", "KINDS", "curves"]

COLUMNS: Final = ("flow", "arrival_ns", "fate", "seq", "payload")
"""Of queue.parquet, that this needs."""
KINDS: Final = {"sequence": "bytes", "sequence_again": "bytes", "sequence_drops": "bytes"}
"""Kind -> unit: packets that carry bytes no packet before them did, the others, those dropped."""


def curves(
    packets: Columns,
    flows: list[dict[str, Any]],
    kinds: set[str],
    window: Window,
    path: dict[str, str | None],
) -> Iterator[Curve]:
    """Of each recorded flow, those of KINDS that are asked for. packets: of one bottleneck."""
    for flow in flows:
        own = (packets["flow"] == flow["flow"]) & (packets["payload"] > 0)
        if not own.any():
            continue
        whose = {"flow": flow["flow"], "client": flow["client"], **path}
        t_s, number = packets["arrival_ns"][own] / 1e9, _unwrapped(packets["seq"][own])
        is_new = np.ones(len(number), dtype=np.bool_)
        is_new[1:] = number[1:] > np.maximum.accumulate(number)[:-1]
        if "sequence" in kinds:
            new_s, new = t_s[is_new], number[is_new].astype(np.float64)
            yield drawn("sequence", "bytes", "line", new_s, new, window, **whose)
        for kind, which in (
            ("sequence_again", ~is_new),
            ("sequence_drops", packets["fate"][own] == DROPPED),
        ):
            if kind in kinds and which.any():
                yield marked(kind, "bytes", t_s[which], number[which], window, **whose)


def _unwrapped(seq: NDArray[np.uint32]) -> NDArray[np.int64]:
    """Bytes since the first; neighbours are less than 2^31 apart."""
    steps = np.diff(seq.astype(np.uint32)).astype(np.int32).astype(np.int64)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(steps)])
