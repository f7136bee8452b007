"""Pods of the tests' own, as locked as Weir's namespace asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from weir_testing.docker import TAG

IMAGE: Final = f"weir-orchestrator:{TAG}"
LOCKED: Final = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
USER: Final = {
    "runAsNonRoot": True,
    "runAsUser": 1000,
    "seccompProfile": {"type": "RuntimeDefault"},
}


def pod(
    namespace: str, name: str, command: Sequence[str], labels: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """One that runs a command in the orchestrator's image once, with a /tmp to write to."""
    container = {
        "name": "main",
        "image": IMAGE,
        "command": list(command),
        "securityContext": LOCKED,
        "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}],
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": dict(labels or {})},
        "spec": {
            "restartPolicy": "Never",
            "securityContext": USER,
            "containers": [container],
            "volumes": [{"name": "tmp", "emptyDir": {"medium": "Memory"}}],
        },
    }
