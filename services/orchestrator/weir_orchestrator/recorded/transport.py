"""Curves of TCP at the server, one per flow: of every ACK, or of sums by the second."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from weir_orchestrator.recorded.curves import Curve, Shape, Window, drawn, marked
from weir_orchestrator.recorded.files import RunFiles
from weir_orchestrator.recorded.seconds import ACKED_RATE, tcp_curves

__all__ = ["KINDS", "curves"]

KINDS: Final[dict[str, tuple[str, str]]] = {
    "cwnd": ("segments", "cwnd"),
    "ssthresh": ("segments", "ssthresh"),
    "srtt": ("s", "srtt_us"),
    "rto": ("s", "rto_us"),
    "rwnd": ("bytes", "rwnd"),
    "in_flight": ("segments", "in_flight"),
    "retransmits": ("", "seq"),
    ACKED_RATE: ("bit/s", "acked_bytes"),
}
"""Kind -> unit and column. ACKED_RATE: of runs that recorded by the second, alone."""

_INFINITE_SSTHRESH: Final = 0x7FFF_FFFF
_OF_ACKS: Final = KINDS.keys() - {"retransmits", ACKED_RATE}
_STEPS: Final = frozenset({"ssthresh", "rto", "rwnd"})


def curves(files: RunFiles, kinds: set[str], window: Window) -> Iterator[Curve]:
    """Of each flow, those of KINDS that are asked for; none where the record was off."""
    flows: dict[int, dict[str, Any]] = {
        flow["flow"]: {"flow": flow["flow"], "client": flow["client"], "path": flow.get("path")}
        for flow in files.document("flows.json") or []
    }
    yield from tcp_curves(files, kinds, window, flows)
    acked = [kind for kind in KINDS if kind in kinds & _OF_ACKS]
    if acked:
        wanted = ["t_ns", "flow", *(KINDS[kind][1] for kind in acked)]
        rows = files.columns("tcp.parquet", wanted) or {"flow": np.zeros(0)}
        for flow, whose in flows.items():
            own = rows["flow"] == flow
            if own.any():
                t_s = rows["t_ns"][own] / 1e9
                for kind in acked:
                    known, values = _known(kind, rows[KINDS[kind][1]][own])
                    shape: Shape = "step" if kind in _STEPS else "line"
                    yield drawn(kind, KINDS[kind][0], shape, t_s[known], values, window, **whose)
    if "retransmits" in kinds:
        sent = files.columns("retransmits.parquet", ("t_ns", "flow")) or {"flow": np.zeros(0)}
        for flow, whose in flows.items():
            own = sent["flow"] == flow
            if own.any():
                t_s = sent["t_ns"][own] / 1e9
                ones = np.ones(len(t_s))
                yield marked("retransmits", "", t_s, ones, window, **whose)


def _known(kind: str, values: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Which rows tell something, and their values in the kind's unit."""
    known = np.ones(len(values), dtype=np.bool_)
    if kind == "ssthresh":
        known = values < _INFINITE_SSTHRESH
    elif kind == "srtt":
        known = values > 0
    scaled = values[known].astype(np.float64)
    return known, scaled / 1e6 if KINDS[kind][0] == "s" else scaled
