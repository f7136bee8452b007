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
from weir_orchestrator.argo.workflow import Flow, read

__all__ = ["Watched"]

_GONE: Final = 410
_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 30.0
_log = logging.getLogger(__name__)


class Watched:
    """`flows()` gives the workflows as they are now, None while that is not known."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._flows: dict[str, Flow] | None = None
        self._lock = threading.Lock()
        self.changed = threading.Event()
        """Set when something has changed since it was cleared."""

    def start(self) -> None:
        """Watch until the process ends."""
        threading.Thread(target=self._run, name="workflows", daemon=True).start()

    def flows(self) -> list[Flow] | None:
        with self._lock:
            return None if self._flows is None else list(self._flows.values())

    def forget(self, name: str) -> None:
        """Take a workflow that was deleted for gone, before the watch says so."""
        with self._lock:
            if self._flows is not None:
                self._flows.pop(name, None)

    def relist(self) -> str:
        """List all; the version to watch from."""
        documents, version = self._cluster.workflows()
        flows = [flow for document in documents if (flow := read(document))]
        with self._lock:
            self._flows = {flow.name: flow for flow in flows}
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
                self._flows = None
            threading.Event().wait(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _take(self, kind: str, document: Mapping[str, Any]) -> None:
        flow = read(document)
        if flow is None:
            return
        with self._lock:
            if self._flows is None:
                return
            before = self._flows.pop(flow.name, None)
            if kind != "DELETED":
                self._flows[flow.name] = flow.after(before)
        self.changed.set()
