"""The Kubernetes API, as far as the dispatcher needs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from lightkube import Client
from lightkube.core.exceptions import ApiError, ConfigError
from lightkube.generic_resource import create_namespaced_resource
from lightkube.resources.core_v1 import Node
from lightkube.types import CascadeType
from weir_engine.errors import CannotRun

from weir_orchestrator.argo.sizing import quantity
from weir_orchestrator.argo.workflow import CAMPAIGN

__all__ = ["Cluster"]

Workflow = create_namespaced_resource("argoproj.io", "v1alpha1", "Workflow", "workflows")
_CONFLICT: Final = 409
_NOT_FOUND: Final = 404
_WATCH_S: Final = 240
"""The API server ends a watch then, and it is taken up again where it was."""


class Cluster:
    """Workflows of one namespace that carry a campaign's label, and nodes.

    Methods raise httpx2.HTTPError, of which ApiError is one.
    """

    def __init__(self, namespace: str = "") -> None:
        """The pod's own cluster, or that of $KUBECONFIG. Raises CannotRun."""
        try:
            self._client = Client(namespace=namespace or None, field_manager="weir-dispatcher")
        except ConfigError as error:
            raise CannotRun(
                f"no cluster: {error}. Run it in a pod with a service account, or set KUBECONFIG"
            ) from None

    @property
    def namespace(self) -> str:
        """Where the workflows are."""
        return str(self._client.namespace)

    def create(self, workflow: Mapping[str, Any]) -> bool:
        """Whether it was made; False where the name is taken."""
        try:
            self._client.create(Workflow.from_dict(dict(workflow)), namespace=self.namespace)
        except ApiError as error:
            if error.status.code != _CONFLICT:
                raise
            return False
        return True

    def delete(self, name: str) -> None:
        """A workflow and its pods, which end in their own time."""
        try:
            self._client.delete(Workflow, name, cascade=CascadeType.BACKGROUND)
        except ApiError as error:
            if error.status.code != _NOT_FOUND:
                raise

    def workflows(self) -> tuple[list[Mapping[str, Any]], str]:
        """All there are now, and the version that a watch goes on from."""
        found = self._client.list(Workflow, labels={CAMPAIGN: None}, chunk_size=100)
        return list(found), found.resourceVersion

    def changes(self, version: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """(ADDED, MODIFIED or DELETED, the workflow) from a version on, for ever.

        Raises ApiError of code 410 where the version is too old by now.
        """
        return self._client.watch(
            Workflow,
            labels={CAMPAIGN: None},
            resource_version=version,
            server_timeout=_WATCH_S,
        )

    def nodes(self) -> list[tuple[float, float]]:
        """(cores, bytes of memory) of every node that takes pods."""
        found = []
        for node in self._client.list(Node):
            if (node.spec and node.spec.unschedulable) or not _ready(node):
                continue
            have = (node.status.allocatable if node.status else None) or {}
            found.append((quantity(have.get("cpu", "0")), quantity(have.get("memory", "0"))))
        return found


def _ready(node: Node) -> bool:
    conditions = (node.status.conditions if node.status else None) or []
    return any(each.type == "Ready" and each.status == "True" for each in conditions)
