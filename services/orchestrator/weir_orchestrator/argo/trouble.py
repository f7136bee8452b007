"""What went wrong with a workflow, told so that a person can act on it. Pure.

Argo puts the reason of a pod's end, or why it does not start, into the message of its node:
getPendingReason and inferFailedReason in its workflow/controller/operator.go. Of an evicted pod
it is the kubelet's message: pkg/kubelet/eviction/helpers.go of Kubernetes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from weir_orchestrator.argo.workflow import FAILED, Node, Workflow

__all__ = ["Trouble", "troubles"]

_NO_IMAGE: Final = re.compile(
    r"\b(ErrImageNeverPull|InvalidImageName|ImagePullBackOff|ErrImagePull|ImageInspectError)\b"
)
_EVICTED: Final = re.compile(
    r"evicted|low on resource|had condition|ephemeral (local )?storage|EmptyDir volume|preempt",
    re.I,
)
_ASKS: Final = "WEIR_ARGO_JOBS, WEIR_ARGO_CPU, WEIR_ARGO_MEMORY_MIB"
_BUILD_ASKS: Final = "WEIR_ARGO_BUILD_CPU, WEIR_ARGO_BUILD_MEMORY_MIB"
_FOR_GOOD: Final = {"ErrImageNeverPull", "InvalidImageName"}
_UNSCHEDULABLE: Final = timedelta(seconds=60)


@dataclass(frozen=True)
class Trouble:
    """kind: image, memory, evicted, deadline, lost, unschedulable, refused or failed.

    hopeless: trying again does not help: runs that wait for this end with it. waits: nothing
    ended, something does not begin.
    """

    kind: str
    pod: str
    reason: str
    hopeless: bool = False
    waits: bool = False


def troubles(workflow: Workflow, now: datetime, patience: timedelta) -> list[Trouble]:
    """All that is wrong with a workflow now."""
    nodes = (*workflow.remade, *workflow.nodes)
    found = [each for node in nodes if (each := _of_node(workflow, node, now, patience))]
    if not found and workflow.phase in FAILED:
        found.append(_of_workflow(workflow))
    return found


def _of_node(workflow: Workflow, node: Node, now: datetime, patience: timedelta) -> Trouble | None:
    if node.phase == "Pending":
        waits_for = now - (node.started or workflow.created)
        if image := _NO_IMAGE.search(node.message):
            hopeless = image[1] in _FOR_GOOD or waits_for > patience
            return _no_image(node, hopeless)
        if "Unschedulable" in node.message and waits_for > _UNSCHEDULABLE:
            return Trouble(
                "unschedulable",
                node.name,
                f"no node has room for a pod ({node.message}): it waits. Uncordon or add nodes, or "
                f"let pods ask for less ({_BUILD_ASKS if workflow.builds else _ASKS})",
                waits=True,
            )
        return None
    if node.phase in FAILED and not node.daemon:
        return _ended(workflow, node)
    return None


def _no_image(node: Node, hopeless: bool) -> Trouble:
    return Trouble(
        "image",
        node.name,
        f"an image cannot be had ({node.message}): push it where nodes can pull it from, or name "
        "another in the kustomization's `images:`; then run the campaign again",
        hopeless,
        waits=not hopeless,
    )


def _ended(workflow: Workflow, node: Node) -> Trouble:
    said = node.message or "it did not say why"
    if _NO_IMAGE.search(said):
        return _no_image(node, hopeless=True)
    if "OOMKilled" in said or re.search(r"exit code 137\b", said):
        if workflow.builds:
            more = "its compilers need more: raise WEIR_ARGO_BUILD_MEMORY_MIB"
        elif workflow.jobs > 1:
            more = f"its runs go on in pods of {max(1, workflow.jobs // 2)} at a time"
        else:
            more = "one run at a time needs more: raise WEIR_ARGO_MEMORY_MIB"
        return Trouble("memory", node.name, f"a pod's memory ran out ({said}): {more}")
    if _EVICTED.search(said):
        return Trouble(
            "evicted", node.name, f"a pod was evicted from its node ({said}): another goes on"
        )
    if "deadline" in said.lower():
        return Trouble(
            "deadline", node.name, f"a pod did not end in time ({said}): another goes on"
        )
    if "pod deleted" in said or "NodeLost" in said or "node" in said.lower():
        return Trouble(
            "lost", node.name, f"a pod was deleted or its node lost ({said}): another goes on"
        )
    return Trouble(
        "failed", node.name, f"a pod failed ({said}); its log: kubectl logs in the namespace"
    )


def _of_workflow(workflow: Workflow) -> Trouble:
    """No pod was to blame: the workflow could not be carried out at all."""
    said = workflow.message or "it did not say why"
    return Trouble(
        "refused",
        "",
        f"workflow {workflow.name} could not be carried out ({said}): are the templates of "
        f"k8s/{'own-kernels' if workflow.builds else 'workflows'} applied, and may Argo's "
        "controller create pods here?",
    )
