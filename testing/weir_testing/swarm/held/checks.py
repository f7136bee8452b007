"""A run is what was asked, or says that it is not."""

from __future__ import annotations

from collections.abc import Iterator

from weir.records import Check
from weir.rundir import RunData

from weir_testing.swarm.held.broken import Broken

__all__ = ["kept"]


def kept(data: RunData) -> Iterator[Broken]:
    """Each of its checks: one that is broken is a finding here, too, but for the fallback."""
    faulty = bool(data.experiment["events"])
    for check in data.checks:
        if not check["ok"] and not (faulty and _fell_back(check)):
            yield Broken(
                f"check {check['name']}",
                f"asked {check['asked']}, measured {check['measured']} +- {check['tolerance']}",
            )


def _fell_back(check: Check) -> bool:
    """Whether Linux gave up MPTCP after a SYN was lost repeatedly."""
    return check["name"].startswith("mptcp_")
