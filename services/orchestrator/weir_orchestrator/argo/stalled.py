"""Workflows whose pods run and do nothing: those of a node that was lost.

Kubernetes keeps a pod of a lost node until the node is back or was deleted, and Argo takes it for
running until then; with it goes the work that is planned for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from weir_orchestrator.argo.trouble import Trouble
from weir_orchestrator.argo.workflow import Workflow

__all__ = ["STALLED", "STALLED_S", "Stalled"]

STALLED_S: Final = 180.0
"""A pod claims something within seconds, on a busy machine within a minute."""
STALLED: Final = Trouble(
    "lost",
    "",
    f"its pods run and have held no run for {STALLED_S:.0f} s: their node may be lost. Other pods "
    "go on. A node that does not come back: kubectl delete node NAME",
)


class Stalled:
    """Remembers since when the same pods of a workflow have run, by this process's clock."""

    def __init__(self, patience_s: float = STALLED_S) -> None:
        self.patience_s = patience_s
        self._since: dict[str, tuple[frozenset[str], float]] = {}

    def observe(self, workflows: Iterable[Workflow]) -> None:
        """At all workflows that there are."""
        now = time.monotonic()
        before, self._since = self._since, {}
        for workflow in workflows:
            pods = frozenset(node.name for node in workflow.nodes if node.phase == "Running")
            known, since = before.get(workflow.uid, (pods, now))
            self._since[workflow.uid] = (pods, since if known == pods else now)

    def possible(self, workflow: Workflow) -> bool:
        """Whether the same pods of it have run for so long that they should hold runs."""
        pods, since = self._since.get(workflow.uid, (frozenset(), 0.0))
        return bool(pods) and time.monotonic() - since >= self.patience_s
