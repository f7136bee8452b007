"""Workflows as Argo's controller writes them, and a cluster that holds them and no pods."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from weir_orchestrator.argo.cluster import Cluster


def at(ago: timedelta = timedelta(0)) -> str:
    """A time as Kubernetes writes it."""
    return (datetime.now(UTC) - ago).strftime("%Y-%m-%dT%H:%M:%SZ")


def node(phase: str, message: str = "", *, ago: timedelta = timedelta(0)) -> dict[str, Any]:
    """The node of a pod."""
    return {
        "type": "Pod",
        "name": "weir[0].batch(0:0)",
        "displayName": "batch(0:0)",
        "phase": phase,
        "message": message,
        "startedAt": at(ago),
    }


class Alone:
    """The only dispatcher."""

    def leads(self) -> bool:
        return True


class StandInCluster(Cluster):
    """Keeps workflows as the API server would; `let` is Argo's controller."""

    def __init__(self, nodes: int = 4) -> None:
        self.made: dict[str, dict[str, Any]] = {}
        self.deleted: list[str] = []
        self._nodes = nodes

    def create(self, workflow: Mapping[str, Any]) -> bool:
        name = workflow["metadata"]["name"]
        if name in self.made:
            return False
        self.made[name] = copy.deepcopy(dict(workflow))
        meta = {"creationTimestamp": at(timedelta(seconds=10)), "uid": str(uuid.uuid4())}
        self.made[name]["metadata"] |= meta
        return True

    def delete(self, name: str) -> None:
        self.made.pop(name, None)
        self.deleted.append(name)

    def workflows(self) -> tuple[list[Mapping[str, Any]], str]:
        return list(self.made.values()), "1"

    def changes(self, version: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        raise AssertionError("these tests list")

    def nodes(self) -> list[tuple[float, float]]:
        return [(2.0, 8 * 2.0**30)] * self._nodes

    def let(self, name: str, phase: str, *nodes: Mapping[str, Any], message: str = "") -> None:
        """Give a workflow a status."""
        numbered = {f"{name}-{number}": dict(each) for number, each in enumerate(nodes)}
        self.made[name]["status"] = {"phase": phase, "message": message, "nodes": numbered}
        if phase != "Running":
            self.made[name]["status"]["finishedAt"] = at()

    def asked(self, name: str) -> dict[str, str]:
        """A workflow's parameters."""
        given = self.made[name]["spec"]["arguments"]["parameters"]
        return {each["name"]: each["value"] for each in given}
