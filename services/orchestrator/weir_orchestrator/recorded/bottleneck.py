"""Curves of each path's bottleneck: queue, drops with their phase, rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir.metrics.context import Context
from weir.metrics.paths import of_path
from weir.paths import has_names, paths_of
from weir.resolved import Experiment
from weir.resolved_network import Link
from weir.rundir import Columns

from weir_orchestrator.recorded import phases, sequence
from weir_orchestrator.recorded.curves import Curve, Window, drawn, marked
from weir_orchestrator.recorded.files import RunFiles
from weir_orchestrator.recorded.seconds import queueing_delay

__all__ = ["KINDS", "curves"]

KINDS: Final = {
    "queue": "packets",
    "queueing_delay": "s",
    "drops": "packets",
    "sent_rate": "bit/s",
    "link_rate": "bit/s",
    **sequence.KINDS,
}
"""Kind -> unit. drops: the packets that each found in the queue, labelled by phase."""

Whose = dict[str, str | None]
"""The name of a curve's path."""

_BIN_S: Final = 0.01
_RATE_BINS: Final = 10


def curves(
    files: RunFiles, experiment: Experiment, kinds: set[str], window: Window
) -> Iterator[Curve]:
    """Those of KINDS that are asked for, of each path; none where the record was off."""
    told = ("path",) if has_names(experiment) else ()
    packets = bins = context = None
    numbered = kinds & sequence.KINDS.keys()
    if kinds & {"queue", "queueing_delay", "drops"} or numbered:
        short = ("arrival_ns", "departure_ns", "fate", "backlog")
        wanted = {*(phases.COLUMNS if "drops" in kinds else short)}
        wanted.update(sequence.COLUMNS if numbered else (), told)
        packets = files.columns("queue.parquet", sorted(wanted))
    if "drops" in kinds and packets is not None:
        context = phases.context_of(files, experiment)
    if kinds & {"queue", "sent_rate"}:
        bins = files.columns("queue_10ms.parquet", ("t_ns", "sent_bytes", "backlog_max", *told))
    seconds = None
    if "queueing_delay" in kinds:
        summed = ("t_ns", "sent_packets", "delay_sum_ns")
        seconds = files.columns("queue_seconds.parquet", (*summed, *told))
    for number, path in enumerate(paths_of(experiment)):
        whose = {"path": path["name"] or None}
        if (here := of_path(packets, number)) is not None:
            yield from _of_packets(here, kinds, window, whose)
            if numbered:
                flows = files.document("flows.json") or []
                yield from sequence.curves(here, flows, numbered, window, dict(whose))
            if context is not None:
                yield from _drops(context, here, window, whose)
        if (here := of_path(seconds, number)) is not None:
            yield queueing_delay(here, window, whose)
        if (here := of_path(bins, number)) is not None:
            yield from _of_bins(here, experiment, kinds, window, whose)
        if "link_rate" in kinds:
            yield from _link_rate(path["downlink"], experiment["duration_s"], window, whose)


def _of_packets(packets: Columns, kinds: set[str], window: Window, whose: Whose) -> Iterator[Curve]:
    arrival_s = packets["arrival_ns"] / 1e9
    if "queueing_delay" in kinds:
        sent = packets["fate"] == 0
        delay_s = (packets["departure_ns"][sent] - packets["arrival_ns"][sent]) / 1e9
        yield drawn("queueing_delay", "s", "line", arrival_s[sent], delay_s, window, **whose)
    if "queue" in kinds:
        t_s, length = _length(packets)
        yield drawn("queue", "packets", "step", t_s, length, window, **whose)


def _length(packets: Columns) -> tuple[NDArray[Any], NDArray[Any]]:
    """Times in s, and packets in the queue: as each found it, and none once all have left it."""
    arrival_ns, left_ns = packets["arrival_ns"], packets["departure_ns"].copy()
    left_ns[left_ns < 0] = np.iinfo(np.int64).max  # still there at the end
    all_left_ns = np.maximum.accumulate(left_ns)
    last = np.flatnonzero(np.append(arrival_ns[1:] > all_left_ns[:-1], False))
    t_ns = np.insert(arrival_ns, last + 1, all_left_ns[last])
    return t_ns / 1e9, np.insert(packets["backlog"], last + 1, 0)


def _drops(context: Context, packets: Columns, window: Window, path: Whose) -> Iterator[Curve]:
    for whose, lost, labels in phases.drops(context, packets):
        t_s = lost["arrival_ns"] / 1e9
        yield marked("drops", "packets", t_s, lost["backlog"], window, labels, **whose, **path)


def _of_bins(
    bins: Columns, experiment: Experiment, kinds: set[str], window: Window, whose: Whose
) -> Iterator[Curve]:
    if "queue" in kinds and experiment["record"]["queue"] in ("summary", "per-second"):
        most = bins["backlog_max"]
        yield drawn("queue", "packets", "step", bins["t_ns"] / 1e9, most, window, **whose)
    if "sent_rate" in kinds:
        # Over 100 ms: 10 ms hold so few packets that their number would be seen, not a rate.
        count = int(experiment["duration_s"] / _BIN_S) // _RATE_BINS + 1
        place = bins["t_ns"] // int(_RATE_BINS * _BIN_S * 1e9)
        sent = np.bincount(place, weights=bins["sent_bytes"], minlength=count)
        t_s = np.arange(len(sent)) * _RATE_BINS * _BIN_S
        rate = sent * 8 / (_RATE_BINS * _BIN_S)
        yield drawn("sent_rate", "bit/s", "step", t_s, rate, window, **whose)


def _link_rate(link: Link, duration_s: float, window: Window, whose: Whose) -> Iterator[Curve]:
    """The downlink's rate as asked; none where it is unshaped."""
    if not link["rate_steps"]:
        return
    steps = np.asarray(link["rate_steps"], dtype=np.float64)
    loop_s = link["rate_loop_s"]
    rounds = int(duration_s // loop_s) + 1 if loop_s else 1
    t_s = np.concatenate([steps[:, 0] + k * (loop_s or 0.0) for k in range(rounds)])
    rates = np.tile(steps[:, 1], rounds)
    known = t_s <= duration_s
    t_s, rates = t_s[known], rates[known]
    until_s, held = np.append(t_s, duration_s), np.append(rates, rates[-1])
    yield drawn("link_rate", "bit/s", "step", until_s, held, window, **whose)
