"""The picture of one client in one run: cwnd and ssthresh, level and buffer over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from weir.metrics import Metrics
from weir.metrics.playback import playback_of
from weir.resolved import Experiment
from weir.rundir import Columns, RunData

from weir_engine.report.buffer import buffer_curve, live_buffer_curve
from weir_engine.report.svg import COLOURS, INK, figure, inline
from weir_engine.report.thin import thin

__all__ = ["converged_at", "timeline"]

_INFINITE_SSTHRESH = 0x7FFF_FFFF
"""TCP_INFINITE_SSTHRESH of include/net/tcp.h: not set yet."""


def timeline(data: RunData, metrics: Metrics, client: int, title: str) -> str:
    """An SVG of a client (1-based): cwnd and ssthresh on top, then levels, then the buffer.

    A dashed line marks the moment of convergence, where the client converged.
    """
    made, (window, level, buffer) = figure(5.2, 3.3, (1.7, 0.8, 0.8))
    _windows(window, data, client)
    rows = data.players[client - 1]
    _levels(level, rows, len(data.experiment["content"]["bitrates_bps"]))
    _buffer(buffer, data, client)
    moment = converged_at(data.experiment, metrics, client)
    for axis in (window, level, buffer):
        if moment is not None:
            axis.axvline(moment, color=INK, linewidth=0.9, linestyle=(0, (4, 2)))
    if moment is not None:
        late = moment > data.experiment["duration_s"] / 2
        window.annotate(
            f"converged at {moment:.0f} s",
            (moment, 1.0),
            (-3 if late else 3, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="right" if late else "left",
            va="top",
            fontsize=7,
        )
    buffer.set_xlim(0, data.experiment["duration_s"])
    buffer.set_xlabel("time [s]")
    made.align_ylabels()
    return inline(made, title)


def converged_at(experiment: Experiment, metrics: Metrics, client: int) -> float | None:
    """Seconds since the experiment's start at which the client stays at its optimum.

    None where it never does (convergence speed is then the play time itself).
    """
    entry = next(each for each in metrics["clients"] if each["client"] == client)
    speed, play_s = entry.get("convergence_s"), entry.get("play_s")
    if speed is None or play_s is None or speed >= int(play_s):
        return None
    return experiment["clients"][client - 1]["start_s"] + float(speed)


def _windows(axis: Axes, data: RunData, client: int) -> None:
    axis.set_ylabel("cwnd [segments]")
    if data.tcp is None:
        axis.text(0.5, 0.5, "TCP record was off", transform=axis.transAxes, ha="center")
        return
    own = [flow["flow"] for flow in data.flows if flow["client"] == client]
    top = 1.0
    for number, flow in enumerate(own):
        rows = data.tcp["flow"] == flow
        t_s = data.tcp["t_ns"][rows] / 1e9
        if not len(t_s):
            continue
        cwnd = data.tcp["cwnd"][rows].astype(np.float64)
        top = max(top, float(cwnd.max()))
        first = number == 0
        axis.plot(*thin(t_s, cwnd), color=COLOURS[0], linewidth=0.8, label="cwnd" * first)
        t, ssthresh = _known(t_s, data.tcp["ssthresh"][rows])
        style: dict[str, Any] = {"color": COLOURS[1], "linewidth": 0.8, "drawstyle": "steps-post"}
        axis.plot(t, ssthresh, label="ssthresh" * first, **style)
    axis.set_ylim(0, top * 1.3)
    axis.legend(loc="upper right", ncols=2, fontsize=7, handlelength=1.2)


def _known(t_s: NDArray[Any], ssthresh: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The steps of ssthresh since it was first set."""
    known = ssthresh < _INFINITE_SSTHRESH
    t, values = t_s[known], ssthresh[known].astype(np.float64)
    if not len(t):
        return t, values
    steps = np.flatnonzero(np.diff(values, prepend=-1.0, append=-1.0)[:-1])
    steps = np.append(steps, len(t) - 1)
    return thin(t[steps], values[steps])


def _levels(axis: Axes, rows: Columns, levels: int) -> None:
    times = rows["request_s"]
    style: dict[str, Any] = {"color": COLOURS[2], "linewidth": 1.0, "drawstyle": "steps-post"}
    axis.plot(times, rows["level"], **style)
    axis.set_ylim(-0.3, levels - 0.7)
    axis.set_yticks(range(levels) if levels <= 6 else range(0, levels, 2))
    axis.set_ylabel("level")


def _buffer(axis: Axes, data: RunData, client: int) -> None:
    rows, content = data.players[client - 1], data.experiment["content"]
    if live := content.get("live"):
        playback = playback_of(data.events, client, live["time_shift_buffer_s"])
        t_s, levels_s = live_buffer_curve(rows, playback)
    else:
        t_s, levels_s = buffer_curve(rows, content["segment_s"])
    axis.plot(*thin(t_s, levels_s), color=COLOURS[3], linewidth=0.8)
    stalled = np.asarray(rows["stall_s"] > 0)
    if stalled.any():
        x = rows["last_byte_s"][stalled]
        axis.plot(x, np.zeros(len(x)), "|", color=COLOURS[6], markersize=7)
    axis.set_ylim(bottom=0)
    axis.set_ylabel("buffer [s]")
