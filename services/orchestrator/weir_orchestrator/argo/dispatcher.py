"""The dispatcher: compares what campaigns need with the workflows there are, again and again.

It remembers nothing itself: what was begun stands in workflows' labels and parameters, what went
wrong in campaigns' events. It may be killed at any moment, and another one goes on.
"""

from __future__ import annotations

import contextlib
import logging
import math
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

import httpx2
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.argo import ledger
from weir_orchestrator.argo.cluster import Cluster
from weir_orchestrator.argo.demand import Demand, demands
from weir_orchestrator.argo.presence import Presence
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.silence import SILENT, Silence
from weir_orchestrator.argo.sizing import cut, pods_that_fit, quantity
from weir_orchestrator.argo.trouble import Trouble, troubles
from weir_orchestrator.argo.watched import Watched
from weir_orchestrator.argo.workflow import FAILED, Flow, batches, live_cell
from weir_orchestrator.lifecycle import ENDED_EARLY, settle_if_over
from weir_orchestrator.work.claim import Versions

__all__ = ["Dispatcher", "Leads"]

_LOOK_S: Final = 1.0
_NODES_S: Final = 15.0
_BETWEEN: Final = timedelta(seconds=5)
"""Between two workflows of one campaign: the first one's pods are to have claimed something."""
_log = logging.getLogger(__name__)


class Leads(Protocol):
    """Whether this process is the one that is to act."""

    def leads(self) -> bool: ...


class Dispatcher:
    """`run()` returns after `stop()`."""

    def __init__(
        self,
        how: ArgoSettings,
        sessions: sessionmaker[Session],
        cluster: Cluster,
        versions: Callable[[], Versions],
        leader: Leads,
        silence: Silence | None = None,
    ) -> None:
        self._how = how
        self._sessions = sessions
        self._cluster = cluster
        self._watched = Watched(cluster)
        self._versions = versions
        self._leader = leader
        self._presence = Presence(sessions, versions)
        self._silence = silence or Silence()
        self._stopping = threading.Event()
        self._room = 0
        self._room_at = -math.inf

    def stop(self) -> None:
        """May be called from a signal handler. Workflows go on."""
        self._stopping.set()

    def run(self) -> None:
        """Until stopped."""
        self._watched.start()
        while not self._stopping.is_set():
            self._watched.changed.wait(_LOOK_S)
            self._watched.changed.clear()
            try:
                self._presence.keep()
                if self._leader.leads():
                    self.look()
            except (httpx2.HTTPError, OSError) as error:
                _log.warning("Kubernetes: %s: %s", type(error).__name__, error)
                self._stopping.wait(_LOOK_S)
            except DBAPIError as error:
                _log.warning("database: %s", str(error.orig).partition("\n")[0])
                self._stopping.wait(_LOOK_S)
            self._stopping.wait(_LOOK_S / 4)
        with contextlib.suppress(DBAPIError):
            self._presence.end()

    def look(self) -> None:
        """Do all that there is to do now."""
        flows = self._watched.flows()
        if flows is None:
            return
        flows = self._remove(flows)
        self._silence.look(flows)
        for flow in flows:
            self._attend(flow, flows)
        self._begin(flows)

    def _remove(self, flows: Sequence[Flow]) -> list[Flow]:
        """Delete workflows that nobody needs; the others. Pods of a campaign that is finished end
        by themselves; failed workflows stay for their logs, until their template's ttlStrategy
        ends them."""
        with self._sessions() as session:
            states = ledger.states(session, {flow.campaign for flow in flows})
        kept = []
        for flow in flows:
            state = states.get(flow.campaign, "cancelled")
            failed = flow.phase in FAILED
            idle = flow.over or not any(node.phase == "Running" for node in flow.nodes)
            if state in ENDED_EARLY or (state == "finished" and idle and not failed):
                _log.info("campaign %s is %s: %s is deleted", flow.campaign, state, flow.name)
                self._delete(flow)
            elif state != "finished":
                kept.append(flow)
        return kept

    def _attend(self, flow: Flow, flows: Sequence[Flow]) -> None:
        """Tell what is wrong with a workflow, once, and end what is hopeless."""
        now = datetime.now(UTC)
        found = troubles(flow, now, self._how.patience)
        if not found:
            return
        with self._sessions.begin() as session:
            told = ledger.told(session, flow.campaign)
            new = [
                each
                for each in found
                if (flow.uid, each.pod, each.kind) not in told.seen
                and not (each.kind == "room" and _anything_runs(flows))
            ]
            for trouble in new:
                _log.warning("%s: %s", flow.name, trouble.reason)
                ledger.tell(session, flow, trouble)
        hopeless = next((each for each in found if each.hopeless), None)
        if hopeless and not flow.over and not _anything_runs([flow]):
            self._give_up(flow.campaign, flow.clock, hopeless.reason)
            self._delete(flow)

    def _begin(self, flows: Sequence[Flow]) -> None:
        with self._sessions() as session:
            wanted = demands(session, self._versions())
        if not wanted:
            return
        sharing = sum(one.clock == "virtual" for one in wanted)
        share = max(1, self._find_room() // max(1, sharing))
        for demand in wanted:
            mine = [flow for flow in flows if flow.campaign == demand.campaign]
            mine = self._without_silent([flow for flow in mine if flow.clock == demand.clock])
            if mine and datetime.now(UTC) - max(flow.created for flow in mine) < _BETWEEN:
                continue
            if self._hopeless(demand, mine):
                continue
            if demand.clock == "real":
                self._begin_cell(demand, mine, flows)
            else:
                self._begin_batches(demand, mine, share)

    def _without_silent(self, mine: list[Flow]) -> list[Flow]:
        """Delete workflows of a campaign, for which there are runs, whose pods do nothing."""
        silent = [flow for flow in mine if self._silence.possible(flow)]
        if not silent:
            return mine
        with self._sessions.begin() as session:
            idle_s = ledger.idle_s(session, silent[0].campaign)
            if idle_s is None or idle_s < self._silence.patience_s:
                return mine
            for flow in silent:
                _log.warning("%s: %s", flow.name, SILENT.reason)
                ledger.tell(session, flow, SILENT)
        for flow in silent:
            self._delete(flow)
        return [flow for flow in mine if flow not in silent]

    def _hopeless(self, demand: Demand, mine: Sequence[Flow]) -> bool:
        """Whether its workflows fail and fail, or find nothing to do: its runs are ended then."""
        over = max((flow for flow in mine if flow.over), key=lambda flow: flow.number, default=None)
        if over is None:
            return False
        with self._sessions.begin() as session:
            told = ledger.told(session, demand.campaign)
            begun = ledger.last_start(session, demand.campaign)
            seen = (over.uid, "", "idle") in told.seen
            if over.phase == "Succeeded" and not seen and (begun is None or begun < over.created):
                ledger.tell(session, over, _IDLE)
                told = ledger.told(session, demand.campaign)
        if told.in_a_row < self._how.tries:
            return False
        with self._sessions() as session:
            last = ledger.last_reason(session, demand.campaign)
        reason = f"{told.in_a_row} workflows failed one after the other. The last: {last}"
        self._give_up(demand.campaign, demand.clock, reason)
        return True

    def _begin_batches(self, demand: Demand, mine: Sequence[Flow], share: int) -> None:
        with self._sessions() as session:
            told = ledger.told(session, demand.campaign)
        less = self._how.jobs if told.jobs is None else max(1, told.jobs // 2)
        jobs = min(self._how.jobs, less)
        room = share if demand.most is None else min(share, math.ceil(demand.most / jobs))
        working = sum(flow.working for flow in mine)
        planned = sum(flow.left * flow.runs for flow in mine)
        size = cut(
            demand.runs - planned,
            room=room - working,
            at_once=room,
            jobs=jobs,
            run_s=demand.run_s,
            batch_s=self._how.batch.total_seconds(),
            at_most=self._how.batches,
        )
        if size is None:
            return
        deadline_s = 600 + round(5 * size.runs * demand.run_s / jobs)
        made = batches(demand.campaign, _next(mine, told), size, jobs, deadline_s, self._how)
        says = f"{size.pods} pods of {size.runs} runs, {size.at_once} at once, {jobs} jobs each"
        self._create(made, says)

    def _begin_cell(self, demand: Demand, mine: Sequence[Flow], flows: Sequence[Flow]) -> None:
        cells = sum(flow.clock == "real" and not flow.over for flow in flows)
        if cells >= self._how.cells or any(not flow.over for flow in mine):
            return
        with self._sessions() as session:
            told = ledger.told(session, demand.campaign)
        made = live_cell(demand.campaign, _next(mine, told), demand.clients, demand.runs)
        self._create(made, f"a live cell of {demand.clients} clients for {demand.runs} runs")

    def _create(self, document: Mapping[str, Any], says: str) -> None:
        made = self._cluster.create(document)
        if made:
            _log.info("%s: %s", document["metadata"]["name"], says)
        self._watched.changed.set()

    def _delete(self, flow: Flow) -> None:
        self._cluster.delete(flow.name)
        self._watched.forget(flow.name)

    def _give_up(self, campaign_id: uuid.UUID, clock: str, reason: str) -> None:
        _log.error("campaign %s: %s", campaign_id, reason)
        with self._sessions.begin() as session:
            ended = ledger.end_queued(session, campaign_id, clock, reason)
        for each in ended:
            with self._sessions.begin() as session:
                settle_if_over(session, each)

    def _find_room(self) -> int:
        if self._how.pods:
            return self._how.pods
        if time.monotonic() - self._room_at > _NODES_S:
            memory = quantity(self._how.memory)
            nodes = self._cluster.nodes()
            self._room = max(1, pods_that_fit(nodes, quantity(self._how.cores), memory))
            self._room_at = time.monotonic()
        return self._room


_IDLE: Final = Trouble(
    "idle",
    "",
    "its pods found nothing to claim: the image that workflows name is of another version, or has "
    "another lab kernel, than the dispatcher's. Apply both from one kustomization",
)


def _next(mine: Sequence[Flow], told: ledger.Told) -> int:
    """The number of a campaign's next workflow. Not that of one that was given up: pods are named
    after their workflow, and a lost node's pod, which stays, would be taken for the new one's."""
    return 1 + max((told.number, *(flow.number for flow in mine)))


def _anything_runs(flows: Sequence[Flow]) -> bool:
    return any(node.phase in {"Running", "Succeeded"} for flow in flows for node in flow.nodes)
