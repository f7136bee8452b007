"""What one record says, the other says."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from weir.rundir import Columns, RunData

from weir_testing.swarm.held.broken import Broken

__all__ = ["agree"]

SENT, DROPPED, QUEUED = 0, 1, 2


def agree(data: RunData) -> Iterator[Broken]:
    """Packets one by one and in bins of 10 ms: what came was sent, dropped, or still waits."""
    for name, packets, bins in (
        ("queue", data.queue, data.queue_10ms),
        ("upstream", data.upstream, data.upstream_10ms),
    ):
        if packets is None or bins is None:
            continue
        yield from _sums(name, packets, bins, data.experiment["duration_s"])
        if (np.diff(packets["arrival_ns"]) < 0).any():
            yield Broken("rows in order of arrival", name)
        ended = packets["fate"] != QUEUED
        if (packets["departure_ns"][ended] < packets["arrival_ns"][ended]).any():
            yield Broken("no departure before the arrival", name)


def _sums(name: str, packets: Columns, bins: Columns, duration_s: float) -> Iterator[Broken]:
    """Bins end with the experiment; what its queues hold then leaves after."""
    in_time = packets["departure_ns"] < duration_s * 1e9
    sent = in_time & (packets["fate"] == SENT)
    counted = {
        "sent_packets": int(sent.sum()),
        "sent_bytes": int(packets["size"][sent].sum()),
        "dropped": int((in_time & (packets["fate"] == DROPPED)).sum()),
    }
    for column, count in counted.items():
        if (binned := int(bins[column].sum())) != count:
            yield Broken("bins count what rows do", f"{name} {column}: {binned}, {count}")
