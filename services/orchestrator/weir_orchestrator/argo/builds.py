"""Build pods: for each campaign that waits for a kernel of its own, one of a team at a time.

So a team whose C compiles for as long as it may holds up its own campaigns alone.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.argo import ledger
from weir_orchestrator.argo.own_kernels import OwnKernels
from weir_orchestrator.argo.settings import ArgoSettings
from weir_orchestrator.argo.stalled import STALLED, Stalled
from weir_orchestrator.argo.steps import Steps, next_number
from weir_orchestrator.argo.trouble import Trouble
from weir_orchestrator.argo.workflow import Workflow, kernel_build
from weir_orchestrator.work.wanted_kernels import Wanted

__all__ = ["Builds"]

_CLOCK: Final = "virtual"
"""Of the runs that wait: agents have the lab's own kernel alone."""
_BETWEEN: Final = timedelta(seconds=5)
_IDLE: Final = Trouble(
    "idle",
    "",
    "its build pod ended, and the object store has no kernel of this campaign: the image "
    "weir-builder that workflows name is of another version than the API's, or the kernel was "
    "removed from the store. Apply both from one kustomization",
)


class Builds:
    """`begin()` is called with all workflows that there are."""

    def __init__(
        self,
        settings: ArgoSettings,
        sessions: sessionmaker[Session],
        kernels: OwnKernels,
        steps: Steps,
        stalled: Stalled,
    ) -> None:
        self._settings = settings
        self._sessions = sessions
        self._kernels = kernels
        self._steps = steps
        self._stalled = stalled

    def begin(self, workflows: Sequence[Workflow]) -> None:
        """A build pod for the oldest campaign of each team that has none."""
        of_campaign: dict[uuid.UUID, list[Workflow]] = {}
        for each in workflows:
            if each.builds:
                of_campaign.setdefault(each.campaign, []).append(each)
        waiting = [
            (wanted, self._without_stalled(wanted, of_campaign.get(wanted.campaign_id, [])))
            for wanted in self._kernels.missing
        ]
        served = {wanted.team_id for wanted, mine in waiting if not all(one.over for one in mine)}
        for wanted, mine in waiting:
            if wanted.team_id not in served and self._begin_one(wanted, mine):
                served.add(wanted.team_id)

    def _begin_one(self, wanted: Wanted, mine: Sequence[Workflow]) -> bool:
        """Whether the campaign gets a build pod, now or in a moment."""
        if mine and datetime.now(UTC) - max(each.created for each in mine) < _BETWEEN:
            return True
        if self._steps.hopeless(wanted.campaign_id, _CLOCK, mine, _IDLE):
            return False
        with self._sessions() as session:
            told = ledger.told(session, wanted.campaign_id)
        number = next_number(mine, told)
        made = kernel_build(wanted.campaign_id, number, self._settings)
        self._steps.create(made, f"builds kernel {wanted.kernel_hash}")
        return True

    def _without_stalled(self, wanted: Wanted, mine: list[Workflow]) -> list[Workflow]:
        stalled = [each for each in mine if self._stalled.possible(each)]
        if not stalled:
            return mine
        with self._sessions() as session:
            if ledger.is_built(session, wanted.kernel_hash, self._stalled.patience_s):
                return mine
        self._steps.replace(stalled, STALLED)
        return [each for each in mine if each not in stalled]
