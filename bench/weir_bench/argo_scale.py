"""How long campaigns take on clusters that nobody here has, from what runs and pods cost. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir_orchestrator.argo.sizing import cut

JOBS = 2
BATCH_S = 600.0
BATCHES = 200
"""As the dispatcher cuts by default: see weir_orchestrator/argo/settings.py."""
NODES = (10, 100, 1000)


@dataclass(frozen=True)
class Part:
    """What must do something for every run or pod, and how many cores it can keep busy."""

    run_ms: float = 0.0
    pod_ms: float = 0.0
    cores: float = 2.0


@dataclass(frozen=True)
class Costs:
    """CPU time as `weir bench argo` measured it here; parts have a machine of two cores each.
    Postgres's is of a fast one, where the reference run takes 0.67 s.

    start_s: from submission to the first run's start. expansion: 1,000,000 runs are written to
    Postgres by one process in 452 s (`weir bench submit`). argo_requests: the controller's own
    limit of 20 requests/s lets it begin 270 workflows of one pod each in a minute (CNOE, Argo
    Workflows Controller Scalability Testing on Amazon EKS, experiment 1).
    """

    start_s: float = 4.1
    api_server: Part = Part(pod_ms=255.9)
    etcd: Part = Part(pod_ms=53.1)
    scheduler: Part = Part(pod_ms=10.6)
    argo_controller: Part = Part(pod_ms=68.3)
    argo_requests: Part = Part(pod_ms=60_000 / 270, cores=1)
    postgres: Part = Part(run_ms=6.5)
    minio: Part = Part(run_ms=14.0)
    expansion: Part = Part(run_ms=0.452, cores=1)

    def parts(self) -> dict[str, Part]:
        return {name: part for name, part in vars(self).items() if isinstance(part, Part)}


@dataclass(frozen=True)
class Campaign:
    """run_core_s: seconds that a core is kept by a run, with both cores at work."""

    runs: int
    run_core_s: float


CAMPAIGNS = {
    # docs/benchmarks.md: 1 h 10 min on two cores, on a busy machine.
    "livi_2112": Campaign(2_112, 2 * 4_200 / 2_112),
    # 720 runs of scenario 1 in 5 min 40 s on two cores.
    "million": Campaign(1_000_000, 2 * 340 / 720),
}


@dataclass(frozen=True)
class Scaled:
    """wall_s: from submission to the end. work_s: what nodes alone would take.

    busiest: the part that has most to do for its cores; share: of the wall time that this takes
    it. It is what saturates first, and at a share of 1 what the campaign waits for.
    """

    pods: int
    work_s: float
    wall_s: float
    busiest: str
    share: float


def scaled(campaign: Campaign, nodes: int, costs: Costs) -> Scaled:
    """A campaign on nodes of two cores, each of which takes a pod of two runs at a time."""
    size = cut(
        campaign.runs,
        room=nodes,
        at_once=nodes,
        jobs=JOBS,
        run_s=campaign.run_core_s,
        batch_s=BATCH_S,
        at_most=BATCHES,
    )
    assert size is not None
    pods = math.ceil(campaign.runs / size.runs)
    batch_s = math.ceil(size.runs / JOBS) * campaign.run_core_s
    work_s = math.ceil(pods / nodes) * (costs.start_s + batch_s)
    busy_s = {
        name: (campaign.runs * part.run_ms + pods * part.pod_ms) / 1e3 / part.cores
        for name, part in costs.parts().items()
    }
    busiest = max(busy_s, key=lambda name: busy_s[name])
    wall_s = max(work_s, busy_s[busiest])
    return Scaled(pods, work_s, wall_s, busiest, busy_s[busiest] / wall_s)


def costs(load: Mapping[str, Any], overhead: Mapping[str, Any], stores: Mapping[str, Any]) -> Costs:
    """From what these parts of the benchmark found; of one that found nothing, the ones here."""
    found = Costs()
    if load:
        found = replace(
            found,
            api_server=_of_pod(load, "kube-apiserver"),
            etcd=_of_pod(load, "etcd"),
            scheduler=_of_pod(load, "kube-scheduler"),
            argo_controller=_of_pod(load, "argo_controller"),
        )
    if overhead:  # what the object store does depends on how large the files of real runs are
        minio = Part(run_ms=overhead["minio_cpu_ms_per_run"])
        found = replace(found, start_s=overhead["until_first_start_s"], minio=minio)
    if stores:
        found = replace(found, postgres=Part(run_ms=stores["postgres_ms"]))
    return found


def rows(found: Costs) -> dict[str, str]:
    """A line for each campaign and number of nodes."""
    return {
        f"{name}_on_{nodes}": _line(scaled(campaign, nodes, found))
        for name, campaign in CAMPAIGNS.items()
        for nodes in NODES
    }


def _of_pod(load: Mapping[str, Any], name: str) -> Part:
    return Part(pod_ms=load[f"{name}_cpu_ms_per_pod"])


def _line(one: Scaled) -> str:
    return (
        f"{one.wall_s:.0f} s (nodes alone {one.work_s:.0f} s), {one.pods} pods; "
        f"{one.busiest} busy for {one.share:.1%} of it"
    )
