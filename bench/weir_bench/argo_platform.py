"""Weir on the test cluster, as bench/argo.py uses it: installed, and timed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from weir_bench.argo_meter import Spent, metered
from weir_testing.cluster.installed import IMAGES, Installed, until
from weir_testing.cluster.running import Cluster, running
from weir_testing.docker import TAG, build_images, engine

_PARTS = ("api", "dispatcher", "postgres", "minio")
_PATIENCE_S = 1800.0


@dataclass(frozen=True)
class CampaignTimes:
    """Seconds, by the platform's own clock. wall: from submission to the end. start: from
    submission to the first run's start. work: from there to the end."""

    wall_s: float
    start_s: float
    work_s: float


@dataclass(frozen=True)
class Platform:
    """Weir installed on the cluster."""

    cluster: Cluster
    installed: Installed

    def carried_out(self, campaign: str, runs: int) -> CampaignTimes:
        """Submit and wait. Raises RuntimeError where a run did not succeed."""
        weir = self.installed
        campaign_id = weir.submit(campaign)
        # Seldom: each look costs a tenth of a second of CPU.
        until(lambda: weir.ended(campaign_id), "the campaign's end", _PATIENCE_S, every_s=10.0)
        if weir.counts(campaign_id) != {"succeeded": runs}:
            ends = weir.api(f"/campaigns/{campaign_id}/runs", state="failed", limit=1)["items"]
            raise RuntimeError(f"{weir.counts(campaign_id)}: {[run['reason'] for run in ends]}")
        found = weir.api(f"/campaigns/{campaign_id}")
        names = ("created_at", "started_at", "ended_at")
        created, started, ended = (datetime.fromisoformat(found[name]) for name in names)
        return CampaignTimes(
            (ended - created).total_seconds(),
            (started - created).total_seconds(),
            (ended - started).total_seconds(),
        )

    def metered(self) -> AbstractContextManager[Spent]:
        """What the cluster's programs and Weir's pods spend meanwhile."""
        pods = {name: self._uid("-l", f"app.kubernetes.io/component={name}") for name in _PARTS}
        pods["argo_controller"] = self._uid("-n", "argo", "-l", "app=workflow-controller")
        return metered(self.cluster, pods)

    def _uid(self, *which: str) -> str:
        found = json.loads(self.installed.kubectl("get", "pods", "-o", "json", *which))["items"]
        (uid,) = [
            str(pod["metadata"]["uid"])
            for pod in found
            if pod["status"]["phase"] == "Running" and "deletionTimestamp" not in pod["metadata"]
        ]
        return uid


@contextmanager
def platform() -> Iterator[Platform]:
    """Weir of this checkout on the test cluster, new; gone at the end.

    WEIR_BENCH_LOADED=1: the cluster that is up has the images already.
    """
    with running() as cluster, TemporaryDirectory() as folder:
        if not os.environ.get("WEIR_BENCH_LOADED"):
            with engine():
                build_images()
                cluster.load(*(f"{image}:{TAG}" for image in IMAGES))
        installed = Installed(cluster, Path(folder), TAG)
        installed.install()
        try:
            yield Platform(cluster, installed)
        finally:
            installed.remove()
