"""Curves of runs that recorded sums by the second, in place of those of every ACK and packet.

A value holds for its second, and the last one to its end. In seconds without a row nothing came:
what is a rate was 0 then, and what is a state stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir.rundir import Columns

from weir_orchestrator.recorded.curves import Curve, Window, drawn, marked
from weir_orchestrator.recorded.files import RunFiles

__all__ = ["ACKED_RATE", "queueing_delay", "tcp_curves"]

ACKED_RATE: Final = "acked_rate"
_INFINITE_SSTHRESH: Final = 0x7FFF_FFFF
_SECOND_NS: Final = 1_000_000_000
_STATES: Final[dict[str, tuple[str, Callable[[Columns], NDArray[Any]]]]] = {
    "cwnd": ("segments", lambda rows: rows["cwnd"].astype(np.float64)),
    "ssthresh": ("segments", lambda rows: _below(rows["ssthresh"], _INFINITE_SSTHRESH)),
    "srtt": ("s", lambda rows: _per(rows["srtt_sum_us"], rows["acks"]) / 1e6),
}
"""Kind -> unit, and its values, NaN where there is none. srtt: the mean over the second's ACKs."""


def tcp_curves(
    files: RunFiles, kinds: set[str], window: Window, flows: dict[int, dict[str, Any]]
) -> Iterator[Curve]:
    """Of each flow, what is asked for of cwnd, ssthresh, srtt, ACKED_RATE and retransmits."""
    rows = files.columns("tcp_seconds.parquet", _columns(kinds))
    if rows is None:
        return
    for flow, whose in flows.items():
        own = rows["flow"] == flow
        if own.any():
            here = {name: values[own] for name, values in rows.items()}
            yield from _of_flow(here, kinds, window, whose)


def _columns(kinds: set[str]) -> list[str]:
    needed = {
        "srtt": ("srtt_sum_us", "acks"),
        ACKED_RATE: ("acked_bytes",),
        **{kind: (kind,) for kind in ("cwnd", "ssthresh", "retransmits")},
    }
    return sorted({"t_ns", "flow"}.union(*(needed.get(kind, ()) for kind in kinds)))


def _of_flow(
    rows: Columns, kinds: set[str], window: Window, whose: dict[str, Any]
) -> Iterator[Curve]:
    for kind, (unit, values_of) in _STATES.items():
        if kind in kinds:
            t_s, values = _held(rows["t_ns"], values_of(rows))
            yield drawn(kind, unit, "step", t_s, values, window, **whose)
    if ACKED_RATE in kinds:
        t_s, acked = _every_second(rows["t_ns"], rows["acked_bytes"])
        yield drawn(ACKED_RATE, "bit/s", "step", t_s, acked * 8, window, **whose)
    if "retransmits" in kinds:
        again = rows["retransmits"] > 0
        t_s = rows["t_ns"][again] / 1e9
        yield marked("retransmits", "", t_s, rows["retransmits"][again], window, **whose)


def queueing_delay(rows: Columns, window: Window, whose: dict[str, Any]) -> Curve:
    """The mean of all packets that one bottleneck sent in a second; rows: of queue_seconds."""
    seconds, place = np.unique(rows["t_ns"], return_inverse=True)
    delays_ns = np.bincount(place, weights=rows["delay_sum_ns"], minlength=len(seconds))
    packets = np.bincount(place, weights=rows["sent_packets"], minlength=len(seconds))
    t_s, values = _held(seconds, _per(delays_ns, packets) / 1e9)
    return drawn("queueing_delay", "s", "step", t_s, values, window, **whose)


def _held(t_ns: NDArray[Any], values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Times in s and values, where there is one; the last to its second's end."""
    known = np.isfinite(values)
    t_ns, values = t_ns[known], values[known]
    return np.append(t_ns, t_ns[-1:] + _SECOND_NS) / 1e9, np.append(values, values[-1:])


def _every_second(t_ns: NDArray[Any], sums: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """From the first second to the end of the last, with 0 where there was none."""
    place = (t_ns - t_ns[0]) // _SECOND_NS
    filled = np.bincount(place, weights=sums)
    return t_ns[0] / 1e9 + np.arange(len(filled) + 1), np.append(filled, filled[-1:])


def _below(values: NDArray[Any], most: int) -> NDArray[np.float64]:
    return np.where(values < most, values.astype(np.float64), np.nan)


def _per(sums: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.float64]:
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
