"""What the dispatcher does to workflows, and to runs that nothing can be done for."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.argo import ledger
from weir_orchestrator.argo.cluster import Cluster
from weir_orchestrator.argo.trouble import Trouble
from weir_orchestrator.argo.watched import Watched
from weir_orchestrator.argo.workflow import Workflow
from weir_orchestrator.lifecycle import settle_if_over

__all__ = ["Steps", "next_number"]

_log = logging.getLogger(__name__)


class Steps:
    """tries: workflows that may fail one after the other with no run done."""

    def __init__(
        self, sessions: sessionmaker[Session], cluster: Cluster, watched: Watched, tries: int
    ) -> None:
        self._sessions = sessions
        self._cluster = cluster
        self._watched = watched
        self._tries = tries

    def create(self, document: Mapping[str, Any], says: str) -> None:
        """Make a workflow, unless another dispatcher just made it."""
        if self._cluster.create(document):
            _log.info("%s: %s", document["metadata"]["name"], says)
        self._watched.changed.set()

    def delete(self, workflow: Workflow) -> None:
        """Remove one, with its pods."""
        self._cluster.delete(workflow.name)
        self._watched.forget(workflow.name)

    def give_up(self, campaign_id: uuid.UUID, clock: str, reason: str) -> None:
        """Fail a campaign's queued runs."""
        _log.error("campaign %s: %s", campaign_id, reason)
        with self._sessions.begin() as session:
            ended = ledger.end_queued(session, campaign_id, clock, reason)
        for each in ended:
            with self._sessions.begin() as session:
                settle_if_over(session, each)

    def replace(self, stalled: Sequence[Workflow], trouble: Trouble) -> None:
        """Delete workflows whose pods do nothing, and tell so: others are to take their place."""
        with self._sessions.begin() as session:
            for workflow in stalled:
                _log.warning("%s: %s", workflow.name, trouble.reason)
                ledger.tell(session, workflow, trouble)
        for workflow in stalled:
            self.delete(workflow)

    def hopeless(
        self, campaign_id: uuid.UUID, clock: str, mine: Sequence[Workflow], idle: Trouble
    ) -> bool:
        """Whether its workflows fail and fail, or find nothing to do: its runs are ended then.

        mine: of the campaign and this kind. idle: what is told of one that found nothing to do.
        """
        over = max(
            (workflow for workflow in mine if workflow.over),
            key=lambda workflow: workflow.number,
            default=None,
        )
        if over is None:
            return False
        with self._sessions.begin() as session:
            told = ledger.told(session, campaign_id)
            begun = ledger.last_start(session, campaign_id)
            seen = (over.uid, "", "idle") in told.seen
            if over.phase == "Succeeded" and not seen and (begun is None or begun < over.created):
                ledger.tell(session, over, idle)
                told = ledger.told(session, campaign_id)
        if told.in_a_row < self._tries:
            return False
        with self._sessions() as session:
            last = ledger.last_reason(session, campaign_id)
        reason = f"{told.in_a_row} workflows failed one after the other. The last: {last}"
        self.give_up(campaign_id, clock, reason)
        return True


def next_number(mine: Sequence[Workflow], told: ledger.Told) -> int:
    """The number of a campaign's next workflow. Not that of one that was given up: pods are named
    after their workflow, and a lost node's pod, which stays, would be taken for the new one's."""
    return 1 + max((told.number, *(workflow.number for workflow in mine)))
