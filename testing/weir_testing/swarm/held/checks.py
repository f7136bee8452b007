"""A run is what was asked, or says that it is not."""

from __future__ import annotations

from collections.abc import Iterator

from weir.rundir import RunData

from weir_testing.swarm.held.broken import Broken

__all__ = ["kept"]


def kept(data: RunData) -> Iterator[Broken]:
    """Each of its checks: an honest one that is broken is a finding here, too.

    But for a connection that was asked for during an outage: Linux then gives up ECN, and DCTCP
    with it, and the run says so.
    """
    for check in data.checks:
        if not check["ok"] and "dctcp-reno" not in str(check["measured"]):
            yield Broken(
                f"check {check['name']}",
                f"asked {check['asked']}, measured {check['measured']} +- {check['tolerance']}",
            )
