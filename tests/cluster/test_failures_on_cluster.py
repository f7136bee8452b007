"""What a cluster does to pods, and that every run ends once all the same."""

from __future__ import annotations

import json
import time

import pytest
from weir_orchestrator.argo.workflow import read
from weir_testing.cluster.course import RUNS, begun, ends_well
from weir_testing.cluster.installed import NAMESPACE, Installed, small, until

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]


def _known_to_run(installed: Installed, campaign: str) -> bool:
    """To Argo, which looks at a workflow's pods every ten seconds."""
    flows = filter(None, map(read, installed.workflows(campaign)))
    return any(node.phase == "Running" for flow in flows for node in flow.nodes)


def test_a_killed_pod(installed: Installed) -> None:
    """Argo makes it again; that it was lost is told all the same."""
    campaign = installed.submit(small("killed-pod", 2 * RUNS, duration="2000s"))
    pod = begun(installed, campaign)
    until(lambda: _known_to_run(installed, campaign), "that Argo knows that it runs", 60)
    installed.kubectl("delete", "pod", pod, "--grace-period=0", "--force")
    ends_well(installed, campaign, 2 * RUNS)
    assert "lost" in installed.troubles(campaign)


def test_a_killed_controller(installed: Installed) -> None:
    campaign = installed.submit(small("killed-controller", RUNS))
    begun(installed, campaign)
    installed.kubectl(
        *("-n", "argo", "delete", "pod", "-l", "app=workflow-controller"),
        *("--grace-period=0", "--force"),
    )
    ends_well(installed, campaign)


def test_a_killed_orchestrator(installed: Installed) -> None:
    """API, housekeeper and dispatcher, all at once."""
    campaign = installed.submit(small("killed-orchestrator", RUNS))
    begun(installed, campaign)
    which = "app.kubernetes.io/component in (api, dispatcher)"
    installed.kubectl("delete", "pod", "-l", which, "--grace-period=0", "--force")
    ends_well(installed, campaign)


def test_a_cancelled_campaign_leaves_no_pod(installed: Installed) -> None:
    campaign = installed.submit(small("cancelled", 400))
    begun(installed, campaign)
    installed.post(f"/campaigns/{campaign}/cancel")
    until(lambda: not installed.workflows(campaign), "the end of its workflows", 60)
    until(lambda: not installed.pods(campaign), "the end of its pods", 120)
    counts = installed.counts(campaign)
    assert counts.keys() == {"succeeded", "cancelled"}
    assert installed.each_ended_once(campaign, 400) or counts["cancelled"] > 0


def test_a_batch_without_enough_memory_is_split_and_finished(installed: Installed) -> None:
    """Four such runs at a time take some 450 MiB, two 280. They are long enough to meet."""
    installed.settings(WEIR_ARGO_JOBS="4", WEIR_ARGO_MEMORY_MIB="320")
    try:
        campaign = installed.submit(small("memory", 12, duration="300s"))
        until(lambda: installed.ended(campaign), "the end of the campaign", 900)
    finally:
        installed.settings()
    assert installed.counts(campaign) == {"succeeded": 12}, installed.history(campaign)
    assert installed.each_ended_once(campaign, 12)
    assert "memory" in installed.troubles(campaign)


def test_an_image_that_does_not_exist(installed: Installed) -> None:
    with installed.batches("container/image", "weir-missing:none"):
        campaign = installed.submit(small("image", 2))
        until(lambda: installed.workflows(campaign), "a workflow", 60)
        began = time.monotonic()
        until(lambda: installed.ended(campaign), "the end of the campaign", 120)
        took_s = time.monotonic() - began
    (reason,) = {run["reason"] for run in installed.api(f"/campaigns/{campaign}/runs")["items"]}
    assert "weir-missing:none" in reason
    assert "images:" in reason
    assert took_s < 60
    until(lambda: not installed.pods(campaign), "the end of its pods", 60)


def test_a_deadline(installed: Installed) -> None:
    """Pods that must be over after 25 s: others go on with what each leaves."""
    with installed.batches("activeDeadlineSeconds", "25"):
        campaign = installed.submit(small("deadline", 160))
        until(lambda: "deadline" in installed.troubles(campaign), "a pod out of time", 300)
    ends_well(installed, campaign, 160)


def test_a_pod_that_is_asked_to_go(installed: Installed) -> None:
    """By the eviction API, as when its node is drained: it finishes what runs, another goes on."""
    campaign = installed.submit(small("drained", RUNS))
    pod = begun(installed, campaign)
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod}}
    path = f"/api/v1/namespaces/{NAMESPACE}/pods/{pod}/eviction"
    installed.kubectl("create", "--raw", path, "-f", "-", stdin=json.dumps(eviction))
    ends_well(installed, campaign)


def test_a_pod_that_the_node_evicts(installed: Installed) -> None:
    """Its files take more room than it may have, which the kubelet sees within a minute or so."""
    with installed.batches("volumes/0/emptyDir", {"sizeLimit": "10Ki"}):
        campaign = installed.submit(small("evicted", 120, duration="2000s"))
        until(lambda: "evicted" in installed.troubles(campaign), "an eviction", 300)
    ends_well(installed, campaign, 120)
