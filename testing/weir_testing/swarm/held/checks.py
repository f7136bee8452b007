"""A run is what was asked, or says that it is not."""

from __future__ import annotations

from collections.abc import Iterator

from weir.paths import paths_of
from weir.records import Check
from weir.resolved import Experiment
from weir.rundir import RunData

from weir_testing.swarm.held.broken import Broken

__all__ = ["kept"]


def kept(data: RunData) -> Iterator[Broken]:
    """Each of its checks: one that is broken is a finding here, too, but for the fallback."""
    may_fall_back = _disturbs(data.experiment)
    for check in data.checks:
        if not check["ok"] and not (may_fall_back and _fell_back(check)):
            yield Broken(
                f"check {check['name']}",
                f"asked {check['asked']}, measured {check['measured']} +- {check['tolerance']}",
            )


def _disturbs(experiment: Experiment) -> bool:
    """Whether a handshake may be lost, or overtaken by the request that follows it."""
    behind = [path["path"] for path in paths_of(experiment)]
    lossy = any(any(each["loss"].values()) or "conditions" in each for each in behind)
    return bool(experiment["events"]) or lossy or not all(e["rtt"]["keep_order"] for e in behind)


def _fell_back(check: Check) -> bool:
    """Whether Linux gave up MPTCP."""
    return check["name"].startswith("mptcp_")
