"""The congestion window around one pause.

After Yanev et al. 2022, figure 1: cwnd over time, the window before the pause, the link's capacity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from weir.metrics import restart
from weir.metrics.context import Context
from weir.metrics.link import Floats
from weir.metrics.session import Session
from weir.rundir.data import Columns
from weir.units import PACKET_BYTES

__all__ = ["Window", "around", "in_mid_film"]


@dataclass(frozen=True)
class Window:
    """(n,) each: what the sender had from `t_s` on, until the next row."""

    t_s: Floats
    """since the first packet after the pause; below 0 before it"""
    cwnd_segments: Floats
    ssthresh_segments: Floats
    """NaN where it is infinite"""
    before_segments: int
    """on the last ACK before the pause"""
    bdp_segments: float | None = None
    """rate times idle RTT, in packets of 1500 bytes; None without a shaped link"""


def around(acks: Columns, started_s: float, span_s: float) -> Window | None:
    """From `span_s` before a restart's first packet to `span_s` after it.

    acks: of the flow, in order of time. None where none came before or after. An ACK's record is
    made before it is processed: what the first one after the pause finds was set when the first
    packet was sent, and is shown from then on.
    """
    ack_s = acks["t_ns"].astype(np.float64) / 1e9
    begin, restarted, end = np.searchsorted(
        ack_s, [started_s - span_s, started_s, started_s + span_s], side="right"
    )
    if restarted in {0, end}:
        return None
    shown = slice(max(int(begin) - 1, 0), int(end))
    times = ack_s[shown] - started_s
    times[int(restarted) - shown.start] = 0.0
    threshold = acks["ssthresh"][shown].astype(np.float64)
    threshold[threshold >= restart.INFINITE_SSTHRESH] = np.nan
    cwnd = acks["cwnd"].astype(np.float64)
    return Window(np.maximum(times, -span_s), cwnd[shown], threshold, int(cwnd[restarted - 1]))


def in_mid_film(session: Session, context: Context, span_s: float) -> Window | None:
    """Around the restart nearest to the middle of the session.

    None where the client never restarted or a record was off.
    """
    found = restart.in_mid_film(session, context)
    if found is None or context.tcp is None:
        return None
    flow, chosen = found
    shown = around(context.tcp[flow], chosen.started_s, span_s)
    if shown is None or context.link is None:
        return shown
    (own,) = [each for each in context.flows_of(session) if each["flow"] == flow]
    rate_bps = float(context.link.rate_at(np.array([chosen.started_s]))[0])
    bdp_segments = rate_bps * context.base_rtt_s(own) / 8 / PACKET_BYTES
    return replace(shown, bdp_segments=bdp_segments)
