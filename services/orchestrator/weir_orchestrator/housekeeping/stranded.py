"""Campaigns that nobody can work on: made for a version or a lab kernel that no worker has.

After an upgrade, runs of an older campaign would wait for ever: keys hold the version, and one
campaign does not mix two. They fail with what to do instead.
"""

from __future__ import annotations

import time
import uuid
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Campaign, Run, Worker, any_queued
from weir_orchestrator.lifecycle import end_runs, settle_if_over, table

__all__ = ["Stranded"]

PATIENCE_S: Final = 600.0
"""Time for old workers to drain, for new ones to come, and for a lab kernel to be built."""
_REASON: Final = (
    "no worker has the version of Weir or the lab kernel that this campaign was submitted with "
    "(roles {roles}, kernel {kernel}), as after an upgrade, or where it brings a congestion "
    "control in C or changes the kernel, and no worker compiles that: clone the campaign to run "
    "it with what the workers have, or start a worker of that version (one that compiles has a "
    "compiler, from a checkout or the image weir-builder, and WEIR_KERNEL_CODE; on Kubernetes the "
    "component k8s/own-kernels) and run it again."
)


class Stranded:
    """Remembers since when a campaign has had no worker, by this process's clock."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._since: dict[uuid.UUID, float] = {}

    def fail(self, sessions: sessionmaker[Session]) -> None:
        """Fail the queued runs of campaigns stranded for too long, while there are workers."""
        with sessions() as session:
            stranded = _stranded(session)
        now = time.monotonic()
        self._since = {one: self._since.get(one, now) for one in stranded}
        for campaign_id, since in self._since.items():
            if now - since < self._patience_s:
                continue
            roles, kernel = stranded[campaign_id]
            reason = _REASON.format(roles=roles[:12], kernel=kernel[:12])
            with sessions.begin() as session:
                end_runs(session, Run.campaign_id == campaign_id, table.STRAND, reason)
            with sessions.begin() as session:
                settle_if_over(session, campaign_id)


def _stranded(session: Session) -> dict[uuid.UUID, tuple[str, str]]:
    """Campaign -> (roles, kernel) that it asks for, of those that no worker has, or may come to:
    one that builds another campaign's kernel may build its own next."""
    workers = session.execute(
        select(Worker.roles_hash, Worker.kernels, Worker.building).where(Worker.state != "gone")
    ).all()
    if not workers:
        return {}
    have = {(roles, kernel) for roles, kernels, _ in workers for kernel in kernels}
    busy = {roles for roles, _, building in workers if building}
    waiting = session.execute(
        select(Campaign.id, Campaign.roles_hash, Campaign.kernel_hash).where(
            Campaign.state == "active", any_queued()
        )
    )
    return {
        campaign_id: (roles, kernel)
        for campaign_id, roles, kernel in waiting
        if roles not in busy and (roles, kernel) not in have
    }
