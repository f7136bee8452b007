"""The dispatcher's watch, on a real API server."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from lightkube.core.exceptions import ApiError
from weir_orchestrator.argo.cluster import Cluster as Workflows
from weir_orchestrator.argo.watched import Watched
from weir_testing.cluster.installed import NAMESPACE, Installed, small, until
from weir_testing.cluster.running import Cluster

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(900)]
LONG_GONE = "1"


class Late(Workflows):
    """What is first listed is so old that the API server has forgotten what came after it."""

    def __init__(self) -> None:
        super().__init__(NAMESPACE)
        self.refused: list[int | None] = []
        self._late = True

    def workflows(self) -> tuple[list[Mapping[str, Any]], str]:
        if self._late:
            self._late = False
            return [], LONG_GONE
        return super().workflows()

    def changes(self, version: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        try:
            yield from super().changes(version)
        except ApiError as error:
            self.refused.append(error.status.code)
            raise


def test_a_version_that_is_too_old(
    cluster: Cluster, installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All is listed anew, and what comes later is seen as well."""
    monkeypatch.setenv("KUBECONFIG", str(cluster.kubeconfig))
    before = installed.submit(small("before", 60))
    until(lambda: installed.workflows(before), "a workflow", 60)
    workflows = Late()
    watched = Watched(workflows)
    watched.start()
    until(lambda: _seen(watched, before), "the workflow that was there", 30)
    assert workflows.refused == [410]
    after = installed.submit(small("after", 2))
    until(lambda: _seen(watched, after), "the workflow that came", 120)
    assert workflows.refused == [410]
    until(lambda: all(map(installed.ended, (before, after))), "the end of both", 300)


def _seen(watched: Watched, campaign: str) -> bool:
    return any(flow.campaign == uuid.UUID(campaign) for flow in watched.workflows() or [])
