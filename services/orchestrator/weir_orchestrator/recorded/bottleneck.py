"""Curves of the bottleneck: queue, drops with their phase, rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from weir.resolved import Experiment
from weir.rundir import Columns

from weir_orchestrator.recorded import phases
from weir_orchestrator.recorded.curves import Curve, Window, drawn, marked
from weir_orchestrator.recorded.files import RunFiles

__all__ = ["KINDS", "curves"]

KINDS: Final = {
    "queue": "packets",
    "queueing_delay": "s",
    "drops": "packets",
    "sent_rate": "bit/s",
    "link_rate": "bit/s",
}
"""Kind -> unit. drops: the packets that each found in the queue, labelled by phase."""

_BIN_S: Final = 0.01
_RATE_BINS: Final = 10


def curves(
    files: RunFiles, experiment: Experiment, kinds: set[str], window: Window
) -> Iterator[Curve]:
    """Those of KINDS that are asked for; none where the record was off."""
    if kinds & {"queue", "queueing_delay", "drops"}:
        short = ("arrival_ns", "departure_ns", "fate", "backlog")
        wanted = phases.COLUMNS if "drops" in kinds else short
        packets = files.columns("queue.parquet", wanted)
        if packets is not None:
            yield from _of_packets(files, experiment, packets, kinds, window)
    if kinds & {"queue", "sent_rate"}:
        bins = files.columns("queue_10ms.parquet", ("t_ns", "sent_bytes", "backlog_max"))
        if bins is not None:
            yield from _of_bins(bins, experiment, kinds, window)
    if "link_rate" in kinds:
        yield from _link_rate(experiment, window)


def _of_packets(
    files: RunFiles,
    experiment: Experiment,
    packets: Columns,
    kinds: set[str],
    window: Window,
) -> Iterator[Curve]:
    arrival_s = packets["arrival_ns"] / 1e9
    if "queueing_delay" in kinds:
        sent = packets["fate"] == 0
        delay_s = (packets["departure_ns"][sent] - packets["arrival_ns"][sent]) / 1e9
        yield drawn("queueing_delay", "s", "line", arrival_s[sent], delay_s, window)
    if "queue" in kinds:
        yield drawn("queue", "packets", "step", arrival_s, packets["backlog"], window)
    if "drops" in kinds:
        yield from _drops(files, experiment, packets, window)


def _drops(
    files: RunFiles, experiment: Experiment, packets: Columns, window: Window
) -> Iterator[Curve]:
    for whose, lost, labels in phases.drops(files, experiment, packets):
        t_s = lost["arrival_ns"] / 1e9
        yield marked("drops", "packets", t_s, lost["backlog"], window, labels, **whose)


def _of_bins(
    bins: Columns, experiment: Experiment, kinds: set[str], window: Window
) -> Iterator[Curve]:
    if "queue" in kinds and experiment["record"]["queue"] == "summary":
        yield drawn("queue", "packets", "step", bins["t_ns"] / 1e9, bins["backlog_max"], window)
    if "sent_rate" in kinds:
        # Over 100 ms: 10 ms hold so few packets that their number would be seen, not a rate.
        count = int(experiment["duration_s"] / _BIN_S) // _RATE_BINS + 1
        place = bins["t_ns"] // int(_RATE_BINS * _BIN_S * 1e9)
        sent = np.bincount(place, weights=bins["sent_bytes"], minlength=count)
        t_s = np.arange(len(sent)) * _RATE_BINS * _BIN_S
        rate = sent * 8 / (_RATE_BINS * _BIN_S)
        yield drawn("sent_rate", "bit/s", "step", t_s, rate, window)


def _link_rate(experiment: Experiment, window: Window) -> Iterator[Curve]:
    """The downlink's rate as asked; none where it is unshaped."""
    link = experiment["gateway"]["downlink"]
    if not link["rate_steps"]:
        return
    steps = np.asarray(link["rate_steps"], dtype=np.float64)
    duration_s, loop_s = float(experiment["duration_s"]), link["rate_loop_s"]
    rounds = int(duration_s // loop_s) + 1 if loop_s else 1
    t_s = np.concatenate([steps[:, 0] + k * (loop_s or 0.0) for k in range(rounds)])
    rates = np.tile(steps[:, 1], rounds)
    inside = t_s <= duration_s
    t_s, rates = np.append(t_s[inside], duration_s), np.append(rates[inside], rates[inside][-1])
    yield drawn("link_rate", "bit/s", "step", t_s, rates, window)
