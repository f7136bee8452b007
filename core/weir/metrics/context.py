"""What every metric family is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from weir.metrics.link import Link
from weir.metrics.rank import optimum_of, ranks
from weir.metrics.session import Session, sessions_of
from weir.paths import idle_rtt_s, paths_of
from weir.records import FlowRecord
from weir.resolved_network import NamedPath
from weir.rundir.data import Columns, RunData

_ACKS: Final = ("t_ns", "cwnd", "ssthresh", "srtt_us", "rto_us")
_PACKETS: Final = ("arrival_ns", "departure_ns", "fate", "seq", "payload", "size")
_ECN: Final = ("ecn", "marked")


@dataclass(frozen=True)
class Context:
    """A run, prepared once for all families."""

    data: RunData
    ladder: list[float]
    """bit/s by level"""
    link: Link | None
    """None: the downlink is unshaped, or there are several"""
    sessions: list[Session]
    ranks: list[int]
    optima: list[NDArray[np.int64]] | None
    """per client (K + 1,) L_opt(i); None without a shaped link, or where films differ"""
    tcp: dict[int, Columns] | None
    """ACKs by flow, in order of time"""
    packets: dict[int, Columns] | None
    """packets at the bottleneck by flow, in order of arrival; ecn and marked where recorded"""

    @property
    def ended_s(self) -> float:
        """When the experiment did, which may be before its duration is over."""
        ends = [each["t_s"] for each in self.data.events if each["event"] == "experiment-ends"]
        return min([*ends, self.data.experiment["duration_s"]])

    def base_rtt_s(self, flow: FlowRecord) -> float:
        """Of the flow's path, when that is idle."""
        return idle_rtt_s(self._path(flow))

    def ahead_s(self, flow: FlowRecord) -> float:
        """Mean delay from the server to the bottleneck: what of the RTT is on the downlink."""
        rtt = self._path(flow)["path"]["rtt"]
        return {"uplink": 0.0, "split": 0.5, "downlink": 1.0}[rtt["on"]] * rtt["mean_s"]

    def _path(self, flow: FlowRecord) -> NamedPath:
        paths = {path["name"]: path for path in paths_of(self.data.experiment)}
        return paths[flow.get("path", "")]

    def flows_of(self, session: Session) -> list[FlowRecord]:
        return [flow for flow in self.data.flows if flow["client"] == session.client]


def prepare(data: RunData) -> Context:
    """Raises ValueError when the players' tables and the experiment's clients differ in number."""
    paths = paths_of(data.experiment)
    downlink = paths[0]["downlink"]
    ladder = [float(rate) for rate in data.experiment["content"]["bitrates_bps"]]
    steps = downlink["rate_steps"]
    link = Link(steps, downlink["rate_loop_s"]) if steps and len(paths) == 1 else None
    sessions = sessions_of(data.experiment, data.players, data.events)
    ranked = ranks(sessions)
    own_films = any("film" in client for client in data.experiment["clients"])
    optima = (
        None
        if link is None or own_films
        else [optimum_of(s, sessions, ranked, link, ladder) for s in sessions]
    )
    tcp = None if data.tcp is None else by_flow(data.tcp, _ACKS)
    names = _PACKETS + tuple(name for name in _ECN if name in (data.queue or ()))
    packets = None if data.queue is None else by_flow(data.queue, names)
    return Context(data, ladder, link, sessions, ranked, optima, tcp, packets)


def by_flow(columns: Columns, names: tuple[str, ...]) -> dict[int, Columns]:
    """The named columns split by flow, rows in their order."""
    flow = columns["flow"]
    if not len(flow):
        return {}
    order = np.argsort(flow, kind="stable")
    starts = np.append(0, np.flatnonzero(np.diff(flow[order])) + 1)
    return {
        int(flow[part[0]]): {name: columns[name][part] for name in names}
        for part in np.split(order, starts[1:])
    }
