"""How many data segments were lost at the bottleneck, each counted once, and after pauses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.metrics import restart
from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.network import DROPPED
from weir.rundir.data import Columns

INFO = (
    MetricInfo(
        "lost_segments_percent",
        "%",
        "run",
        "Yanev et al. 2022: distinct segments of which a copy was lost / distinct segments",
        "lower",
        "Distinct lost data segments",
        "100 * distinct data segments (by flow and sequence number) of which a copy was dropped "
        "at the bottleneck / distinct data segments",
    ),
    MetricInfo(
        "restart_loss_all_percent",
        "%",
        "run",
        "weir.metrics.restart, all clients together",
        "lower",
        "Loss at the bottleneck after idle, all clients",
        "100 * drops / data packets at the bottleneck in all clients' restarts, each from its "
        "first packet until an ACK finds cwnd >= ssthresh or the next request",
    ),
)


def distinct_and_lost(packets: Columns) -> tuple[int, int]:
    """(distinct data segments, those of which a copy was dropped) of one flow.

    packets: rows with seq, payload, fate, in order of arrival. A segment that is sent again counts
    once, however often it is lost. Sequence numbers are not unwrapped: a flow of 4 GiB and more
    would count segments of equal numbers as one.
    """
    data = packets["payload"] > 0
    seq = packets["seq"][data]
    return _distinct(seq), _distinct(seq[packets["fate"][data] == DROPPED])


def _distinct(seq: NDArray[Any]) -> int:
    if not len(seq):
        return 0
    # They come nearly in order, which this kind of sort makes use of.
    in_order = np.sort(seq, kind="stable")
    return 1 + int(np.count_nonzero(in_order[1:] != in_order[:-1]))


def measure(context: Context) -> dict[str, Value]:
    """Over all flows at the bottleneck."""
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    if context.packets is not None:
        counts = [distinct_and_lost(packets) for packets in context.packets.values()]
        segments, lost = (sum(each) for each in zip(*counts, strict=True)) if counts else (0, 0)
        out["lost_segments_percent"] = 100 * lost / segments if segments else None
    each = [restart.of_session(session, context) for session in context.sessions]
    found = [one for several in each if several is not None for one in several]
    out["restart_loss_all_percent"] = restart.loss_percent(found)
    return out
