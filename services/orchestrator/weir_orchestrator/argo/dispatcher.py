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
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

import httpx2
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.argo import ledger
from weir_orchestrator.argo.builds import Builds
from weir_orchestrator.argo.cluster import Cluster
from weir_orchestrator.argo.demand import Demand, demands
from weir_orchestrator.argo.own_kernels import OwnKernels
from weir_orchestrator.argo.presence import Presence
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.sizing import cut, pods_that_fit, quantity
from weir_orchestrator.argo.stalled import STALLED, Stalled
from weir_orchestrator.argo.steps import Steps, next_number
from weir_orchestrator.argo.trouble import Trouble, troubles
from weir_orchestrator.argo.watched import Watched
from weir_orchestrator.argo.workflow import FAILED, Workflow, batches, live_cell
from weir_orchestrator.lifecycle import ENDED_EARLY

__all__ = ["Dispatcher", "Leads"]

_RECONCILE_S: Final = 1.0
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
        settings: ArgoSettings,
        sessions: sessionmaker[Session],
        cluster: Cluster,
        watched: Watched,
        kernels: OwnKernels,
        leader: Leads,
        stalled: Stalled | None = None,
    ) -> None:
        self._settings = settings
        self._sessions = sessions
        self._cluster = cluster
        self._watched = watched
        self._kernels = kernels
        self._leader = leader
        self._presence = Presence(sessions, kernels.sometime)
        self._stalled = stalled or Stalled()
        self._steps = Steps(sessions, cluster, watched, settings.tries)
        self._builds = Builds(settings, sessions, kernels, self._steps, self._stalled)
        self._stopping = threading.Event()
        self._capacity = 0
        self._capacity_at = -math.inf

    def stop(self) -> None:
        """May be called from a signal handler. Workflows go on."""
        self._stopping.set()

    def run(self) -> None:
        """Until stopped."""
        self._watched.start()
        while not self._stopping.is_set():
            self._watched.changed.wait(_RECONCILE_S)
            self._watched.changed.clear()
            try:
                self._presence.keep()
                if self._leader.leads():
                    self.reconcile()
            except (httpx2.HTTPError, OSError) as error:
                _log.warning("Kubernetes: %s: %s", type(error).__name__, error)
                self._stopping.wait(_RECONCILE_S)
            except DBAPIError as error:
                _log.warning("database: %s", str(error.orig).partition("\n")[0])
                self._stopping.wait(_RECONCILE_S)
            self._stopping.wait(_RECONCILE_S / 4)
        with contextlib.suppress(DBAPIError):
            self._presence.end()

    def reconcile(self) -> None:
        """Do all that there is to do now."""
        workflows = self._watched.workflows()
        if workflows is None:
            return
        workflows = self._remove(workflows)
        self._stalled.observe(workflows)
        for workflow in workflows:
            self._attend(workflow, workflows)
        # After the workflows were: one that has ended has kept what it built.
        self._kernels.refresh()
        self._builds.begin(workflows)
        self._begin(workflows)

    def _remove(self, workflows: Sequence[Workflow]) -> list[Workflow]:
        """Delete workflows that nobody needs; the others. Pods of a campaign that is finished end
        by themselves; failed workflows stay for their logs, until their template's ttlStrategy
        ends them."""
        with self._sessions() as session:
            states = ledger.states(session, {workflow.campaign for workflow in workflows})
        kept = []
        for workflow in workflows:
            state = states.get(workflow.campaign, "cancelled")
            failed = workflow.phase in FAILED
            idle = workflow.over or not any(node.phase == "Running" for node in workflow.nodes)
            if state in ENDED_EARLY or (state == "finished" and idle and not failed):
                _log.info(
                    "campaign %s is %s: %s is deleted", workflow.campaign, state, workflow.name
                )
                self._steps.delete(workflow)
            elif state != "finished":
                kept.append(workflow)
        return kept

    def _attend(self, workflow: Workflow, workflows: Sequence[Workflow]) -> None:
        """Tell what is wrong with a workflow, once, and end what is hopeless."""
        now = datetime.now(UTC)
        found = troubles(workflow, now, self._settings.patience)
        if not found:
            return
        with self._sessions.begin() as session:
            told = ledger.told(session, workflow.campaign)
            new = [
                each
                for each in found
                if (workflow.uid, each.pod, each.kind) not in told.seen
                and not (each.kind == "unschedulable" and _anything_runs(workflows))
            ]
            for trouble in new:
                _log.warning("%s: %s", workflow.name, trouble.reason)
                ledger.tell(session, workflow, trouble)
        hopeless = next((each for each in found if each.hopeless), None)
        if hopeless and not workflow.over and not _anything_runs([workflow]):
            self._steps.give_up(workflow.campaign, workflow.clock, hopeless.reason)
            self._steps.delete(workflow)

    def _begin(self, workflows: Sequence[Workflow]) -> None:
        runs_pods = [one for one in workflows if not one.builds]
        with self._sessions() as session:
            wanted = demands(session, self._kernels.there())
        if not wanted:
            return
        sharing = sum(one.clock == "virtual" for one in wanted)
        share = max(1, self._find_capacity() // max(1, sharing))
        for demand in wanted:
            of_campaign = [one for one in runs_pods if one.campaign == demand.campaign]
            mine = self._without_stalled([one for one in of_campaign if one.clock == demand.clock])
            if mine and datetime.now(UTC) - max(each.created for each in mine) < _BETWEEN:
                continue
            if self._steps.hopeless(demand.campaign, demand.clock, mine, _IDLE):
                continue
            if demand.clock == "real":
                self._begin_cell(demand, mine, runs_pods)
            else:
                self._begin_batches(demand, mine, share)

    def _without_stalled(self, mine: list[Workflow]) -> list[Workflow]:
        """Delete workflows of a campaign, for which there are runs, whose pods do nothing."""
        stalled = [workflow for workflow in mine if self._stalled.possible(workflow)]
        if not stalled:
            return mine
        with self._sessions() as session:
            idle_s = ledger.idle_s(session, stalled[0].campaign)
        if idle_s is None or idle_s < self._stalled.patience_s:
            return mine
        self._steps.replace(stalled, STALLED)
        return [workflow for workflow in mine if workflow not in stalled]

    def _begin_batches(self, demand: Demand, mine: Sequence[Workflow], share: int) -> None:
        with self._sessions() as session:
            told = ledger.told(session, demand.campaign)
        less = self._settings.jobs if told.jobs is None else max(1, told.jobs // 2)
        jobs = min(self._settings.jobs, less)
        room = share if demand.most is None else min(share, math.ceil(demand.most / jobs))
        working = sum(workflow.working for workflow in mine)
        planned = sum(workflow.left * workflow.runs for workflow in mine)
        size = cut(
            demand.runs - planned,
            room=room - working,
            at_once=room,
            jobs=jobs,
            run_s=demand.run_s,
            batch_s=self._settings.batch.total_seconds(),
            at_most=self._settings.batches,
        )
        if size is None:
            return
        deadline_s = 600 + round(5 * size.runs * demand.run_s / jobs)
        made = batches(
            demand.campaign, next_number(mine, told), size, jobs, deadline_s, self._settings
        )
        says = f"{size.pods} pods of {size.runs} runs, {size.at_once} at once, {jobs} jobs each"
        self._steps.create(made, says)

    def _begin_cell(
        self, demand: Demand, mine: Sequence[Workflow], workflows: Sequence[Workflow]
    ) -> None:
        cells = sum(workflow.clock == "real" and not workflow.over for workflow in workflows)
        if cells >= self._settings.cells or any(not workflow.over for workflow in mine):
            return
        with self._sessions() as session:
            told = ledger.told(session, demand.campaign)
        chromium = self._settings.chromium if demand.chromium else ""
        made = live_cell(
            demand.campaign, next_number(mine, told), demand.clients, demand.runs, chromium
        )
        self._steps.create(made, f"a live cell of {demand.clients} clients for {demand.runs} runs")

    def _find_capacity(self) -> int:
        if self._settings.pods:
            return self._settings.pods
        if time.monotonic() - self._capacity_at > _NODES_S:
            memory = quantity(self._settings.memory)
            nodes = self._cluster.nodes()
            self._capacity = max(1, pods_that_fit(nodes, quantity(self._settings.cores), memory))
            self._capacity_at = time.monotonic()
        return self._capacity


_IDLE: Final = Trouble(
    "idle",
    "",
    "its pods found nothing to claim: the image that workflows name is of another version, or has "
    "another lab kernel, than the dispatcher's. Apply both from one kustomization",
)


def _anything_runs(workflows: Sequence[Workflow]) -> bool:
    return any(
        node.phase in {"Running", "Succeeded"} for workflow in workflows for node in workflow.nodes
    )
