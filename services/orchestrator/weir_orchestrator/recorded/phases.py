"""The phase of each drop, where the metric counts them (weir.metrics.loss_phase)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from weir.metrics.context import Context, by_flow, prepare
from weir.metrics.loss_phase import PHASES, phase_of_drops
from weir.metrics.network import DROPPED
from weir.metrics.session import Session
from weir.records import FlowRecord
from weir.resolved import Experiment
from weir.rundir import PLAYER, Columns, RunData

from weir_orchestrator.recorded.files import RunFiles

__all__ = ["COLUMNS", "FlowDrops", "context_of", "drops"]

COLUMNS: Final = ("flow", "arrival_ns", "departure_ns", "fate", "seq", "payload", "backlog")
"""Of queue.parquet, that this needs."""

FlowDrops = tuple[dict[str, int], Columns, NDArray[Any]]
"""Whose (flow, client; empty: of no recorded flow), the rows dropped, and the phase of each."""


def drops(context: Context, packets: Columns) -> Iterator[FlowDrops]:
    """The dropped packets of each flow in order of arrival; phase "": it carried no data, or none
    that a player's requests tell of.
    """
    split = by_flow(packets, COLUMNS)
    for session in context.sessions:
        for flow in context.flows_of(session):
            rows = split.pop(flow["flow"], None)
            if rows is not None:
                whose = {"flow": int(flow["flow"]), "client": session.client}
                labels = _labels(rows, session, flow, context)
                yield whose, _dropped(rows), labels
    for rows in split.values():
        lost = _dropped(rows)
        yield {}, lost, np.full(len(lost["fate"]), "", dtype=object)


def context_of(files: RunFiles, experiment: Experiment) -> Context:
    """The players and flows that drops are told by."""
    clients = range(1, len(experiment["clients"]) + 1)
    read = (files.columns(f"players/client-{k}.parquet", PLAYER.names) for k in clients)
    players = [rows or {name: np.zeros(0) for name in PLAYER.names} for rows in read]
    flows = files.document("flows.json") or []
    return prepare(RunData(experiment=experiment, players=players, flows=flows))


def _labels(rows: Columns, session: Session, flow: FlowRecord, context: Context) -> NDArray[Any]:
    dropped = rows["fate"] == DROPPED
    labels = np.full(int(dropped.sum()), "", dtype=object)
    mine = session.log["connection"] == flow["remote_port"]
    if len(labels) and mine.any():
        delays = context.base_rtt_s(flow), context.ahead_s(flow)
        found = phase_of_drops(rows, session.log["request_s"][mine], session.whole[mine], *delays)
        labels[rows["payload"][dropped] > 0] = np.array(PHASES, dtype=object)[found]
    return labels


def _dropped(rows: Columns) -> Columns:
    lost = rows["fate"] == DROPPED
    return {name: values[lost] for name, values in rows.items()}
