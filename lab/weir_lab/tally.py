"""What checks ask of a bottleneck's record, from its packets or from sums of them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from weir.rundir import Columns

from weir_lab.record import DROPPED, SENT

__all__ = ["Tally", "of_bins", "of_packets"]


@dataclass(frozen=True)
class Tally:
    """Packets sent and dropped; deepest: the most that any found in the queue.

    busy: packets that left back to back, with their bytes and the time that they took.
    """

    sent: int
    dropped: int
    deepest: int
    busy_packets: int
    busy_bytes: int
    busy_ns: int


def of_packets(queue: Columns) -> Tally:
    """Of one bottleneck's packets."""
    fate = queue["fate"]
    sent = np.flatnonzero(fate == SENT)
    left = sent[np.argsort(queue["departure_ns"][sent], kind="stable")]
    departure, arrival = queue["departure_ns"][left], queue["arrival_ns"][left]
    # Departures n and n+1 are back to back when n+1 had arrived before n-1 left: by then the
    # token bucket was empty.
    busy = arrival[2:] < departure[:-2]
    return Tally(
        sent=len(sent),
        dropped=int((fate == DROPPED).sum()),
        deepest=int(queue["backlog"].max(initial=0)),
        busy_packets=int(busy.sum()),
        busy_bytes=int(queue["size"][left[1:-1][busy]].sum(dtype=np.int64)),
        busy_ns=int((departure[2:] - departure[1:-1])[busy].sum()),
    )


def of_bins(bins: Columns) -> Tally:
    """Of one bottleneck's sums by 10 ms, which the lab kernel makes likewise."""
    total = {name: int(bins[name].sum(dtype=np.int64)) for name in bins if name.startswith("busy")}
    return Tally(
        sent=int(bins["sent_packets"].sum(dtype=np.int64)),
        dropped=int(bins["dropped"].sum(dtype=np.int64)),
        deepest=int(bins["backlog_max"].max(initial=0)),
        **total,
    )
