"""The packets of one transfer after a pause, as they came to the bottleneck.

After Yanev et al. 2022, figure 2: sequence number over the time since the restart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.metrics import restart
from weir.metrics.context import Context
from weir.metrics.link import Floats
from weir.metrics.network import DROPPED
from weir.metrics.session import Session
from weir.rundir.data import Columns

__all__ = ["Burst", "burst", "in_mid_film"]

_SEQUENCE_NUMBERS = 1 << 32


@dataclass(frozen=True)
class Burst:
    """(n,) each, a row per data packet in order of arrival at the bottleneck."""

    t_s: Floats
    """since the first"""
    offset_bytes: NDArray[np.int64]
    """of the packet's first byte, from the first packet's; one sent again may be below 0"""
    dropped: NDArray[np.bool_]


def burst(packets: Columns, from_s: float, until_s: float) -> Burst:
    """What arrived in [from_s, until_s), s since the experiment began. packets: of one flow."""
    arrival_s = packets["arrival_ns"].astype(np.float64) / 1e9
    own = (packets["payload"] > 0) & (arrival_s >= from_s) & (arrival_s < until_s)
    if not own.any():
        return Burst(np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_))
    seq = packets["seq"][own].astype(np.int64)
    half = _SEQUENCE_NUMBERS // 2
    offset = (seq - seq[0] + half) % _SEQUENCE_NUMBERS - half
    return Burst(arrival_s[own] - arrival_s[own][0], offset, packets["fate"][own] == DROPPED)


def in_mid_film(session: Session, context: Context, span_s: float) -> Burst | None:
    """The first `span_s` of the restart nearest to the middle of the session.

    None where the client never restarted or a record was off.
    """
    found = restart.in_mid_film(session, context)
    if found is None or context.packets is None:
        return None
    flow, chosen = found
    asked_s = session.log["request_s"]
    later_s = asked_s[asked_s > chosen.started_s]
    until_s = min([chosen.started_s + span_s, *later_s[:1].tolist()])
    return burst(context.packets[flow], chosen.started_s, until_s)
