"""The campaigns' workflows, listed once and kept up to date by a watch.

A watch that ends is taken up where it was; where the API server no longer knows that version
(410), or anything else is wrong, everything is listed anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Any, Final

import httpx2
from lightkube.core.exceptions import ApiError

from weir_orchestrator.argo.cluster import Cluster
from weir_orchestrator.argo.workflow import Workflow, read

__all__ = ["Watched"]

_GONE: Final = 410
_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 30.0
_log = logging.getLogger(__name__)


class Watched:
    """`workflows()` gives the workflows as they are now, None while that is not known."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._workflows: dict[str, Workflow] | None = None
        self._lock = threading.Lock()
        self.changed = threading.Event()
        """Set when something has changed since it was cleared."""

    def start(self) -> None:
        """Watch until the process ends."""
        threading.Thread(target=self._run, name="workflows", daemon=True).start()

    def workflows(self) -> list[Workflow] | None:
        with self._lock:
            return None if self._workflows is None else list(self._workflows.values())

    def forget(self, name: str) -> None:
        """Take a workflow that was deleted for gone, before the watch says so."""
        with self._lock:
            if self._workflows is not None:
                self._workflows.pop(name, None)

    def relist(self) -> str:
        """List all; the version to watch from."""
        documents, version = self._cluster.workflows()
        workflows = [workflow for document in documents if (workflow := read(document))]
        with self._lock:
            self._workflows = {workflow.name: workflow for workflow in workflows}
        self.changed.set()
        return version

    def _run(self) -> None:
        pause_s = _PAUSE_S
        while True:
            try:
                version = self.relist()
                pause_s = _PAUSE_S
                for kind, document in self._cluster.changes(version):
                    self._take(kind, document)
            except ApiError as error:
                if error.status.code == _GONE:
                    continue
                _log.warning("workflows: %s", error)
            except (httpx2.HTTPError, OSError) as error:
                _log.warning("workflows: %s: %s", type(error).__name__, error)
            except Exception:
                _log.exception("workflows cannot be read")
            # What was seen may be old by now: nothing is decided on it.
            with self._lock:
                self._workflows = None
            threading.Event().wait(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _take(self, kind: str, document: Mapping[str, Any]) -> None:
        workflow = read(document)
        if workflow is None:
            return
        with self._lock:
            if self._workflows is None:
                return
            before = self._workflows.pop(workflow.name, None)
            if kind != "DELETED":
                self._workflows[workflow.name] = workflow.after(before)
        self.changed.set()
