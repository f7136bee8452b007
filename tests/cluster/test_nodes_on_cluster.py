"""Nodes that take no pods, fall silent or are gone for ever: every run ends once all the same."""

from __future__ import annotations

import json
import mmap
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from weir_testing.cluster.course import RUNS, begun, ends_well
from weir_testing.cluster.installed import Installed, small, until
from weir_testing.cluster.running import Cluster, cgroups
from weir_testing.docker import engine

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(1800)]
BATCHES = "weir-orchestrator"
TROUBLE = "campaign.trouble"
GIB = 2**30


def test_a_cordoned_node(cluster: Cluster, installed: Installed) -> None:
    """What runs goes on; nothing new is begun until there is a node again."""
    campaign = installed.submit(small("cordoned", RUNS))
    pod = begun(installed, campaign)
    (node,) = cluster.nodes()
    with cluster.cordoned(node):
        installed.kubectl("delete", "pod", pod, "--grace-period=0", "--force")
        until(lambda: "unschedulable" in installed.troubles(campaign), "that there is no room", 240)
    ends_well(installed, campaign)


def test_a_lost_node(cluster: Cluster, installed: Installed) -> None:
    """The kubelet falls silent, the pod's processes are gone. For Kubernetes the pod runs on: a
    cluster of which every node is silent evicts nothing. When the node is back, all goes on."""
    campaign = installed.submit(small("lost", 200))
    pod = begun(installed, campaign)
    (uid,) = [
        each["metadata"]["uid"]
        for each in installed.pods(campaign)
        if each["metadata"]["name"] == pod
    ]
    kubelet = cluster.programs()["kubelet"]
    os.kill(kubelet, signal.SIGSTOP)
    try:
        for process in _processes(uid):
            os.kill(process, signal.SIGKILL)
        until(lambda: "lost" in installed.troubles(campaign), "that the pod is given up", 400)
    finally:
        os.kill(kubelet, signal.SIGCONT)
    ends_well(installed, campaign, 200)


def _processes(uid: str) -> set[int]:
    files = [file for group in cgroups(f"pod{uid}") for file in group.rglob("cgroup.procs")]
    return {int(word) for file in files for word in file.read_text().split()}


def test_runs_of_a_lost_node_go_on_on_another(cluster: Cluster, installed: Installed) -> None:
    """Its power is cut and it never comes back. Kubernetes keeps its pod, under the name that it
    has, until somebody deletes the node."""
    with engine(), cluster.second_node(installed.named(BATCHES)) as second:
        campaign, first = _begun_on(second, cluster, installed)
        cluster.cut()
        until(lambda: "lost" in installed.troubles(campaign), "that the pod is given up", 400)
        until(lambda: first in _places(installed, campaign), "a pod elsewhere", 120)
        ends_well(installed, campaign, 2 * RUNS)


def test_runs_of_a_node_with_a_full_disk_go_on_on_another(
    cluster: Cluster, installed: Installed
) -> None:
    """Filled by more than the kubelet wins back by deleting what it does not need."""
    bound = shutil.disk_usage(cluster.kubeconfig.parent).free - 3 * GIB
    left = ("--disk-left", _mib(bound))
    _moves_from_a_full_node("Disk", left, cluster.filled(bound - 2 * GIB), cluster, installed)


def test_runs_of_a_node_without_memory_go_on_on_another(
    cluster: Cluster, installed: Installed
) -> None:
    (node,) = cluster.nodes()
    said = cluster.kubectl("get", "--raw", f"/api/v1/nodes/{node}/proxy/stats/summary")
    free = json.loads(said)["node"]["memory"]["availableBytes"]
    left = ("--memory-left", _mib(free - 3 * GIB))
    _moves_from_a_full_node("Memory", left, _taken(4 * GIB), cluster, installed)


def _moves_from_a_full_node(
    what: str,
    left: tuple[str, str],
    full: AbstractContextManager[None],
    cluster: Cluster,
    installed: Installed,
) -> None:
    """The kubelet gives a pod one second: a worker that is done by then ends well, and there is no
    trouble to tell of."""
    with engine(), cluster.second_node(*left, installed.named(BATCHES)) as second:
        campaign, first = _begun_on(second, cluster, installed)
        with full:
            until(lambda: cluster.node_says(second, f"{what}Pressure"), "that it is full", 300)
            until(lambda: first in _places(installed, campaign), "a pod elsewhere", 120)
            ends_well(installed, campaign, 2 * RUNS)
    reasons = {event["data"]["reason"] for event in installed.history(campaign, TROUBLE)}
    assert all("low on resource" in reason for reason in reasons)


@contextmanager
def _taken(size_bytes: int) -> Iterator[None]:
    """So much less of the machine's memory free meanwhile."""
    with mmap.mmap(-1, size_bytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as pages:
        for start in range(0, size_bytes, mmap.PAGESIZE):
            pages[start] = 1
        yield


def _mib(size_bytes: int) -> str:
    """As Kubernetes writes quantities."""
    return f"{size_bytes // 2**20}Mi"


def _begun_on(node: str, cluster: Cluster, installed: Installed) -> tuple[str, str]:
    """A campaign whose only pod is there, and the other node's name."""
    (other,) = cluster.nodes() - {node}
    with cluster.cordoned(other):
        campaign = installed.submit(small("moved", 2 * RUNS, duration="2000s"))
        begun(installed, campaign)
        assert _places(installed, campaign) == [node]
    return campaign, other


def _places(installed: Installed, campaign: str) -> list[str]:
    """The nodes of a campaign's pods."""
    return [pod["spec"].get("nodeName", "") for pod in installed.pods(campaign)]
