"""What is told of pods that ended badly or do not start, by Argo's own words."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.sizing import Batches
from weir_orchestrator.argo.trouble import Trouble, troubles
from weir_orchestrator.argo.workflow import Workflow, batches, live_cell, read
from weir_testing.argo import at, node

CAMPAIGN = uuid.uuid4()
PATIENCE = timedelta(seconds=30)


def workflow(
    *nodes: dict[str, Any], phase: str = "Running", message: str = "", jobs: int = 2
) -> Workflow:
    made = batches(CAMPAIGN, 3, Batches(5, 40, 2), jobs, 900, ArgoSettings())
    made["metadata"] |= {"creationTimestamp": at(timedelta(minutes=5)), "uid": "1"}
    numbered = {str(number): each for number, each in enumerate(nodes)}
    made["status"] = {"phase": phase, "message": message, "nodes": numbered}
    found = read(made)
    assert found is not None
    return found


def of(*nodes: dict[str, Any], **settings: Any) -> list[Trouble]:
    return troubles(workflow(*nodes, **settings), datetime.now(UTC), PATIENCE)


def test_a_workflow_says_itself_what_it_is() -> None:
    group = {**node("Running"), "type": "StepGroup"}
    found = workflow(node("Succeeded"), node("Running"), node("Failed"), group)
    assert (found.campaign, found.clock, found.number) == (CAMPAIGN, "virtual", 3)
    assert (found.pods, found.runs, found.at_once, found.jobs) == (5, 40, 2, 2)
    assert (found.left, found.working, len(found.nodes)) == (3, 2, 3)
    cell = live_cell(CAMPAIGN, 1, 4, 7, "")
    cell["metadata"] |= {"creationTimestamp": at(), "uid": "2"}
    live = read(cell)
    assert live is not None
    assert (live.clock, live.runs, live.left, live.over) == ("real", 7, 1, False)


def test_a_workflow_of_others_is_none() -> None:
    meta = {"name": "hello", "creationTimestamp": at(), "labels": {"app": "hello"}}
    assert read({"metadata": meta, "spec": {}}) is None


def test_what_goes_well_is_no_trouble() -> None:
    assert of(node("Succeeded"), node("Running"), node("Pending", "PodInitializing")) == []


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("main: OOMKilled (exit code 137)", "memory"),
        ("main: Error (exit code 137)", "memory"),
        ("The node was low on resource: memory. Threshold quantity: 100Mi", "evicted"),
        ('Usage of EmptyDir volume "data" exceeds the limit "1Gi". ', "evicted"),
        ("Pod ephemeral local storage usage exceeds the total limit 2Gi.", "evicted"),
        ("Pod was active on the node longer than the specified deadline", "deadline"),
        ("pod deleted", "lost"),
        ("main: Error (exit code 3)", "failed"),
        (
            'Pod failed before main container starts due to ImagePullBackOff: Back-off pulling "x"',
            "image",
        ),
    ],
)
def test_how_a_pod_ended(message: str, kind: str) -> None:
    (found,) = of(
        node("Succeeded"), node("Failed", message), phase="Failed", message="child failed"
    )
    assert (found.kind, found.waits) == (kind, False)
    assert message in found.reason


@pytest.mark.parametrize(
    "versions",
    [
        (node("Running"), node("Error", "pod deleted"), node("Pending", "PodInitializing")),
        (node("Running"), node("Pending"), node("Running"), node("Succeeded")),
    ],
)
def test_a_pod_that_argo_makes_again_was_lost(versions: tuple[dict[str, Any], ...]) -> None:
    """Whether or not a version of the workflow said so."""
    last = None
    for version in versions:
        last = workflow(version).after(last)
    assert last is not None
    (found,) = troubles(last, datetime.now(UTC), PATIENCE)
    assert (found.kind, found.hopeless, found.waits) == ("lost", False, False)
    assert "pod deleted" in found.reason
    another = replace(workflow(versions[-1]), uid="2").after(last)
    assert troubles(another, datetime.now(UTC), PATIENCE) == []


def test_a_pod_that_begins_or_fails_once_was_not_made_again() -> None:
    begun = workflow(node("Running")).after(workflow(node("Pending", "PodInitializing")))
    assert begun.remade == ()
    failed = workflow(node("Failed", "pod deleted")).after(begun)
    assert len(troubles(failed, datetime.now(UTC), PATIENCE)) == 1


def test_fewer_jobs_or_more_memory() -> None:
    killed = node("Failed", "main: OOMKilled (exit code 137)")
    assert "pods of 2 at a time" in of(killed, jobs=4)[0].reason
    assert "WEIR_ARGO_MEMORY_MIB" in of(killed, jobs=1)[0].reason


def test_a_missing_image_is_hopeless_at_once_or_after_a_while() -> None:
    never = 'ErrImageNeverPull: Container image "weir:x" is not present with pull policy of Never'
    (found,) = of(node("Pending", never))
    assert (found.kind, found.hopeless, found.waits) == ("image", True, False)
    assert "images:" in found.reason
    back_off = 'ImagePullBackOff: Back-off pulling image "weir:x"'
    (young,) = of(node("Pending", back_off))
    (old,) = of(node("Pending", back_off, ago=timedelta(seconds=31)))
    assert [young.hopeless, old.hopeless] == [False, True]


def test_a_pod_that_finds_no_room_is_told_after_a_minute() -> None:
    full = "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu."
    assert of(node("Pending", full)) == []
    (found,) = of(node("Pending", full, ago=timedelta(seconds=61)))
    assert (found.kind, found.waits, found.hopeless) == ("unschedulable", True, False)


def test_a_workflow_that_cannot_be_carried_out_says_so() -> None:
    (found,) = of(phase="Error", message='workflowtemplates "campaign" not found')
    assert found.kind == "refused"
    assert "not found" in found.reason
