"""What a cluster does to pods, and that every run ends once all the same."""

from __future__ import annotations

import time

import pytest

from cluster.installed import Installed, names, small, until

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
RUNS = 30


def _begun(installed: Installed, campaign: str) -> str:
    """A running pod of a campaign of which some runs have ended."""
    until(lambda: installed.counts(campaign).get("succeeded", 0) >= 4, "some results", 300)
    running = [pod for pod in installed.pods(campaign) if pod["status"]["phase"] == "Running"]
    return names(running)[0]


def _ends_well(installed: Installed, campaign: str, runs: int = RUNS) -> None:
    until(lambda: installed.ended(campaign), "the end of the campaign", 900)
    assert installed.counts(campaign) == {"succeeded": runs}, installed.troubles(campaign)
    assert installed.each_ended_once(campaign, runs)


def test_a_killed_pod(installed: Installed) -> None:
    campaign = installed.submit(small("killed-pod", RUNS))
    pod = _begun(installed, campaign)
    installed.kubectl("delete", "pod", pod, "--grace-period=0", "--force")
    _ends_well(installed, campaign)
    assert "lost" in installed.troubles(campaign)


def test_a_killed_controller(installed: Installed) -> None:
    campaign = installed.submit(small("killed-controller", RUNS))
    _begun(installed, campaign)
    installed.kubectl(
        *("-n", "argo", "delete", "pod", "-l", "app=workflow-controller"),
        *("--grace-period=0", "--force"),
    )
    _ends_well(installed, campaign)


def test_a_killed_orchestrator(installed: Installed) -> None:
    """API, housekeeper and dispatcher, all at once."""
    campaign = installed.submit(small("killed-orchestrator", RUNS))
    _begun(installed, campaign)
    which = "app.kubernetes.io/component in (api, dispatcher)"
    installed.kubectl("delete", "pod", "-l", which, "--grace-period=0", "--force")
    _ends_well(installed, campaign)


def test_a_cordoned_node(installed: Installed) -> None:
    """What runs goes on; nothing new is begun until there is a node again."""
    campaign = installed.submit(small("cordoned", RUNS))
    pod = _begun(installed, campaign)
    (node,) = names(installed.listed("nodes"))
    installed.kubectl("cordon", node)
    try:
        installed.kubectl("delete", "pod", pod, "--grace-period=0", "--force")
        until(lambda: "room" in installed.troubles(campaign), "that there is no room", 240)
    finally:
        installed.kubectl("uncordon", node)
    _ends_well(installed, campaign)


def test_a_cancelled_campaign_leaves_no_pod(installed: Installed) -> None:
    campaign = installed.submit(small("cancelled", 400))
    _begun(installed, campaign)
    installed.post(f"/campaigns/{campaign}/cancel")
    until(lambda: not installed.workflows(campaign), "the end of its workflows", 60)
    until(lambda: not installed.pods(campaign), "the end of its pods", 120)
    counts = installed.counts(campaign)
    assert counts.keys() == {"succeeded", "cancelled"}
    assert installed.each_ended_once(campaign, 400) or counts["cancelled"] > 0


def test_a_batch_without_enough_memory_is_split_and_finished(installed: Installed) -> None:
    """Four such runs at a time take some 450 MiB, two 280."""
    installed.settings(WEIR_ARGO_JOBS="4", WEIR_ARGO_MEMORY_MIB="320")
    try:
        campaign = installed.submit(small("memory", 12))
        until(lambda: installed.ended(campaign), "the end of the campaign", 900)
    finally:
        installed.settings()
    assert installed.counts(campaign) == {"succeeded": 12}, installed.history(campaign)
    assert installed.each_ended_once(campaign, 12)
    assert "memory" in installed.troubles(campaign)


def test_an_image_that_does_not_exist(installed: Installed) -> None:
    installed.image("virtual-batch", "weir-missing:none")
    try:
        campaign = installed.submit(small("image", 2))
        until(lambda: installed.workflows(campaign), "a workflow", 60)
        began = time.monotonic()
        until(lambda: installed.ended(campaign), "the end of the campaign", 120)
        took_s = time.monotonic() - began
    finally:
        installed.image("virtual-batch", "")
    (reason,) = {run["reason"] for run in installed.api(f"/campaigns/{campaign}/runs")["items"]}
    assert "weir-missing:none" in reason
    assert "images:" in reason
    assert took_s < 60
    until(lambda: not installed.pods(campaign), "the end of its pods", 60)
