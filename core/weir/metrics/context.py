"""What every metric family is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from weir.metrics.link import Link
from weir.metrics.rank import optimum_of, ranks
from weir.metrics.session import Session, sessions_of
from weir.records import FlowRecord
from weir.rundir.data import Columns, RunData

_ACKS: Final = ("t_ns", "cwnd", "ssthresh", "srtt_us", "rto_us")
_PACKETS: Final = ("arrival_ns", "departure_ns", "fate", "seq", "payload")


@dataclass(frozen=True)
class Context:
    """A run, prepared once for all families."""

    data: RunData
    ladder: list[float]
    """bit/s by level"""
    link: Link | None
    """None: the downlink is unshaped"""
    sessions: list[Session]
    ranks: list[int]
    optima: list[NDArray[np.int64]] | None
    """per client (K + 1,) L_opt(i); None without a shaped link"""
    tcp: dict[int, Columns] | None
    """ACKs by flow, in order of time"""
    packets: dict[int, Columns] | None
    """packets at the bottleneck by flow, in order of arrival"""

    @property
    def base_rtt_s(self) -> float:
        return float(self.data.experiment["gateway"]["path"]["rtt"]["mean_s"])

    @property
    def ahead_s(self) -> float:
        """Mean delay from the server to the bottleneck: what of the RTT is on the downlink."""
        on = self.data.experiment["gateway"]["path"]["rtt"]["on"]
        return {"uplink": 0.0, "split": 0.5, "downlink": 1.0}[on] * self.base_rtt_s

    def flows_of(self, session: Session) -> list[FlowRecord]:
        return [flow for flow in self.data.flows if flow["client"] == session.client]


def prepare(data: RunData) -> Context:
    """Raises ValueError when the players' tables and the experiment's clients differ in number."""
    downlink = data.experiment["gateway"]["downlink"]
    ladder = [float(rate) for rate in data.experiment["content"]["bitrates_bps"]]
    steps = downlink["rate_steps"]
    link = Link(steps, downlink["rate_loop_s"]) if steps else None
    sessions = sessions_of(data.experiment, data.players)
    ranked = ranks(sessions)
    optima = (
        None if link is None else [optimum_of(s, sessions, ranked, link, ladder) for s in sessions]
    )
    tcp = None if data.tcp is None else by_flow(data.tcp, _ACKS)
    packets = None if data.queue is None else by_flow(data.queue, _PACKETS)
    return Context(data, ladder, link, sessions, ranked, optima, tcp, packets)


def by_flow(columns: Columns, names: tuple[str, ...]) -> dict[int, Columns]:
    """The named columns split by flow, rows in their order."""
    flow = columns["flow"]
    order = np.argsort(flow, kind="stable")
    found, starts = np.unique(flow[order], return_index=True)
    parts = np.split(order, starts[1:])
    return {
        int(number): {name: columns[name][part] for name in names}
        for number, part in zip(found, parts, strict=False)  # no rows: one empty part, no flow
    }
