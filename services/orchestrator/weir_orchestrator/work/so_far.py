"""What a worker's runs have recorded so far, in the object store for as long as they run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from weir_engine.perform import WORK
from weir_engine.so_far import SO_FAR
from weir_engine.store import Store
from weir_engine.taking import take_so_far

from weir_orchestrator.objects import BUNDLE, ObjectStore, pack, running_prefix
from weir_orchestrator.work.away import AWAY, said

__all__ = ["SoFar"]

_LOOK_EVERY_S: Final = 2.0
_log = logging.getLogger(__name__)


class SoFar:
    """Keeps one object per run that has written anything, and removes it after the run's end.

    One thread does both, so nothing is stored after it was removed. What a killed worker leaves is
    the housekeeper's to remove.
    """

    def __init__(
        self, objects: ObjectStore, scratch: Store, held: Callable[[], Collection[str]]
    ) -> None:
        """held: the keys whose runs the worker has."""
        self._objects, self._scratch, self._held = objects, scratch, held
        self._stored: dict[str, tuple[int, int]] = {}

    def run(self, ended: threading.Event) -> None:
        """Look again and again, until the worker has ended; nothing is left then."""
        while not ended.wait(_LOOK_EVERY_S):
            self.look(self._held())
        self.look(())

    def look(self, held: Collection[str]) -> None:
        """Store what is new of these runs; remove what was stored of others."""
        try:
            for key in self._stored.keys() - set(held):
                self._objects.delete_prefix(running_prefix(key))
                del self._stored[key]
            for key in held:
                self._store(key)
        except (*AWAY, OSError) as error:
            _log.warning("no curves of running runs: %s", said(error))

    def _store(self, key: str) -> None:
        for temporary in self._scratch.temporaries(key):
            version = _version(temporary / WORK / SO_FAR)
            if version is None or self._stored.get(key) == version:
                continue
            with TemporaryDirectory(dir=self._scratch.root) as own:
                taken = take_so_far(temporary / WORK, SO_FAR, Path(own))
                if taken:
                    self._stored[key] = version
                    files = {str(path.relative_to(own)): path for path in taken}
                    self._objects.put_bytes(f"{running_prefix(key)}/{BUNDLE}", pack(files))


def _version(folder: Path) -> tuple[int, int] | None:
    """Another for each folder that stood there; None: none does."""
    try:
        state = folder.lstat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns
