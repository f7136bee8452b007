"""Workflows: as the dispatcher creates them, and what it reads from them. Pure.

The templates they refer to are in k8s/workflows. All that the dispatcher must remember of a
workflow stands in its labels and parameters.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.sizing import Batches

__all__ = [
    "CAMPAIGN",
    "CLOCK",
    "FAILED",
    "Node",
    "Workflow",
    "batches",
    "kernel_build",
    "live_cell",
    "read",
]

CAMPAIGN: Final = "weir.dev/campaign"
CLOCK: Final = "weir.dev/clock"
_BUILDS: Final = "weir.dev/builds"
_NUMBER: Final = "weir.dev/number"
_PODS_OF_A_NODE: Final = {"Pod"}
_LETTERS: Final = {"campaign": "v", "live-cell": "r", "kernel-build": "k"}
"""In workflows' names, by template."""
FAILED: Final = {"Failed", "Error"}
"""Phases of workflows and pods that ended badly."""
_OVER: Final = {"Succeeded", *FAILED}


@dataclass(frozen=True)
class Node:
    """A pod of a workflow. phase: Pending, Running, Succeeded, Failed or Error."""

    name: str
    phase: str
    message: str
    started: datetime | None
    daemon: bool = False


@dataclass(frozen=True)
class Workflow:
    """A workflow of a campaign's. number: which of the campaign's it is, of those there are now
    and those that were given up; uid: never again any other's. remade: pods that were lost and
    that Argo made again. builds: it carries out no runs, but builds the kernels that they wait
    for."""

    name: str
    uid: str
    campaign: uuid.UUID
    clock: str
    number: int
    phase: str
    message: str
    created: datetime
    finished: datetime | None
    pods: int
    runs: int
    at_once: int
    jobs: int
    nodes: tuple[Node, ...]
    remade: tuple[Node, ...] = ()
    builds: bool = False

    def after(self, before: Workflow | None) -> Workflow:
        """This version of a workflow, with pods remembered that an earlier version lost.

        Argo makes a pod again whose end its wait container has not reported, under the same name:
        that it was lost stands in the workflow for some ten milliseconds, or never.
        """
        if before is None or before.uid != self.uid:
            return self
        now = {node.name: node.phase for node in self.nodes}
        lost = [
            replace(node, phase="Error", message=node.message or "pod deleted")
            for node in before.nodes
            if now.get(node.name) == "Pending" and node.phase in {"Running", *FAILED}
        ]
        return replace(self, remade=(*before.remade, *lost))

    @property
    def over(self) -> bool:
        """Whether it does nothing any more."""
        return self.phase in _OVER

    @property
    def left(self) -> int:
        """Pods of it that have not ended."""
        if self.over:
            return 0
        if self.clock == "real":
            return 1
        return self.pods - sum(node.phase in _OVER for node in self.nodes)

    @property
    def working(self) -> int:
        """Pods of it that there are, or will be as soon as there is room."""
        return min(self.left, self.at_once)


def batches(
    campaign: uuid.UUID,
    number: int,
    size: Batches,
    jobs: int,
    deadline_s: int,
    settings: ArgoSettings,
) -> dict[str, Any]:
    """A workflow of template `campaign`."""
    parameters = {
        "campaign": str(campaign),
        "batches": str(size.pods),
        "at-most": str(size.runs),
        "jobs": str(jobs),
        "cpu": settings.cores,
        "memory": settings.memory,
        "deadline-s": str(deadline_s),
    }
    made = _workflow("campaign", campaign, "virtual", number, parameters)
    made["spec"]["parallelism"] = size.at_once
    return made


def live_cell(
    campaign: uuid.UUID, number: int, clients: int, runs: int, chromium: str
) -> dict[str, Any]:
    """A workflow of template `live-cell`. chromium: URL of agents that play in it; empty: none."""
    parameters = {
        "campaign": str(campaign),
        "clients": str(clients),
        "chromium": json.dumps([chromium] if chromium else []),
        "at-most": str(runs),
    }
    return _workflow("live-cell", campaign, "real", number, parameters)


def kernel_build(campaign: uuid.UUID, number: int, settings: ArgoSettings) -> dict[str, Any]:
    """A workflow of template `kernel-build`."""
    parameters = {
        "campaign": str(campaign),
        "cpu": settings.build_cpu,
        "memory": f"{settings.build_memory_mib}Mi",
    }
    made = _workflow("kernel-build", campaign, "virtual", number, parameters)
    made["metadata"]["labels"][_BUILDS] = "kernels"
    return made


def _workflow(
    template: str, campaign: uuid.UUID, clock: str, number: int, parameters: Mapping[str, str]
) -> dict[str, Any]:
    # Two dispatchers that want the same make it once: the second one's name is taken.
    name = f"weir-{campaign.hex[:12]}-{_LETTERS[template]}{number}"
    labels = {CAMPAIGN: str(campaign), CLOCK: clock, _NUMBER: str(number)}
    given = [{"name": name, "value": value} for name, value in parameters.items()]
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": {"name": name, "labels": labels},
        "spec": {
            "workflowTemplateRef": {"name": template},
            "arguments": {"parameters": given},
            "podMetadata": {"labels": {CAMPAIGN: str(campaign)}},
        },
    }


def read(document: Mapping[str, Any]) -> Workflow | None:
    """A workflow that a dispatcher made; None of any other."""
    meta, spec = document["metadata"], document["spec"]
    labels = meta.get("labels", {})
    try:
        campaign, number = uuid.UUID(labels[CAMPAIGN]), int(labels[_NUMBER])
    except (KeyError, ValueError):
        return None
    status = document.get("status") or {}
    given = {
        each["name"]: each.get("value", "") for each in spec.get("arguments", {})["parameters"]
    }
    live = labels.get(CLOCK) == "real"
    nodes = (status.get("nodes") or {}).values()
    return Workflow(
        name=meta["name"],
        uid=meta["uid"],
        campaign=campaign,
        clock="real" if live else "virtual",
        number=number,
        phase=status.get("phase") or "Pending",
        message=status.get("message") or "",
        created=_time(meta["creationTimestamp"]),
        finished=_time(status["finishedAt"]) if status.get("finishedAt") else None,
        pods=1 if live else int(given.get("batches", 1)),
        runs=int(given.get("at-most", 1)),
        at_once=int(spec.get("parallelism", 1)),
        jobs=int(given.get("jobs", 1)),
        nodes=tuple(_node(each) for each in nodes if each.get("type") in _PODS_OF_A_NODE),
        builds=_BUILDS in labels,
    )


def _node(node: Mapping[str, Any]) -> Node:
    started = node.get("startedAt")
    return Node(
        name=node.get("displayName") or node["name"],
        phase=node.get("phase") or "Pending",
        message=node.get("message") or "",
        started=_time(started) if started else None,
        daemon=bool(node.get("daemoned")),
    )


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
