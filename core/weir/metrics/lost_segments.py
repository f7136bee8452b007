"""How many data segments were lost at the bottleneck, each counted once, and after pauses."""

from __future__ import annotations

import numpy as np

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
    ),
    MetricInfo(
        "restart_loss_all_percent",
        "%",
        "run",
        "weir.metrics.restart, all clients together",
        "lower",
        "Loss at the bottleneck after idle, all clients",
    ),
)


def lost_segments_percent(packets: Columns) -> float | None:
    """100 * distinct (flow, seq) with a drop / distinct (flow, seq), of data packets.

    A segment that is sent again counts once, however often it is lost. Sequence numbers are not
    unwrapped: a flow of 4 GiB and more would count segments of equal numbers as one.
    """
    data = packets["payload"] > 0
    key = packets["flow"][data].astype(np.int64) << 32 | packets["seq"][data].astype(np.int64)
    if not len(key):
        return None
    lost = key[packets["fate"][data] == DROPPED]
    return 100 * len(np.unique(lost)) / len(np.unique(key))


def measure(context: Context) -> dict[str, Value]:
    """Over the flows of all players."""
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    if context.data.queue is not None:
        out["lost_segments_percent"] = lost_segments_percent(context.data.queue)
    each = [restart.of_session(session, context) for session in context.sessions]
    found = [one for several in each if several is not None for one in several]
    out["restart_loss_all_percent"] = restart.loss_percent(found)
    return out
