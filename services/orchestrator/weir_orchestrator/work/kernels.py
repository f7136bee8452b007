"""The lab kernels that a worker has, and those with users' congestion controls that it builds."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import WeirError
from weir_lab import kernel as lab_kernel

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.lifecycle import end_runs, settle_if_over, table
from weir_orchestrator.objects import ObjectNotFound, ObjectStore, file_key
from weir_orchestrator.work.claim import Versions

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping, Sequence

    from weir_lab.kernel import Kernel

__all__ = ["Kernels"]

_REFRESH_S: Final = 10.0
_log = logging.getLogger(__name__)


class Kernels:
    """Builds by their hash. Other processes build, too: the cache is looked at now and then."""

    def __init__(self, roles_hash: str, clocks: Sequence[str]) -> None:
        self._roles_hash = roles_hash
        self._clocks = clocks
        self._known: dict[str, Kernel] = {}
        self._refreshed = 0.0
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read the cache again."""
        found = {kernel.hash: kernel for kernel in lab_kernel.installed()}
        with self._lock:
            self._known, self._refreshed = found, time.monotonic()

    def versions(self) -> Versions:
        """What can be carried out now."""
        if time.monotonic() - self._refreshed > _REFRESH_S:
            self.refresh()
        return Versions(self._roles_hash, tuple(self._known), self._clocks)

    def get(self, kernel_hash: str) -> Kernel:
        """Raises KeyError."""
        return self._known[kernel_hash]

    def build_wanted(
        self, sessions: sessionmaker[Session], objects: ObjectStore, folder: Path
    ) -> None:
        """Build the kernels of active campaigns that bring congestion controls.

        Where one does not compile, the campaign's runs fail with what the compiler says. A
        campaign whose kernel cannot come about here is left to other workers.
        """
        with sessions() as session:
            query = select(Campaign.id, Campaign.team_id, Campaign.files, Campaign.kernel_hash)
            wanted = session.execute(
                query.where(
                    Campaign.state == "active",
                    Campaign.roles_hash == self._roles_hash,
                    Campaign.kernel_hash.not_in(self.versions().kernels),
                )
            ).all()
        for campaign_id, team_id, files, kernel_hash in wanted:
            try:
                sources = _fetch(objects, team_id, files, folder / kernel_hash)
            except ObjectNotFound as error:
                _fail(sessions, campaign_id, f"{error}: submit the campaign again")
                continue
            if not sources or kernel_hash not in _names(sources):
                continue
            try:
                lab_kernel.build(sources)
            except WeirError as error:
                _log.warning("kernel %s: %s", kernel_hash, error)
                _fail(sessions, campaign_id, str(error))
            self.refresh()


def _fetch(
    objects: ObjectStore, team_id: uuid.UUID, files: Mapping[str, Any], folder: Path
) -> list[Path]:
    """The campaign's C files, in a folder of their own."""
    named = {Path(name).name: digest for name, digest in files.items() if name.endswith(".c")}
    folder.mkdir(parents=True, exist_ok=True)
    for name, digest in named.items():
        (folder / name).write_bytes(objects.get_bytes(file_key(team_id, digest)))
    return [folder / name for name in sorted(named)]


def _names(sources: list[Path]) -> set[str]:
    """What a build with these files could be called here: one name per kernel source."""
    from weir_lab.kernel import cache, inputs  # noqa: PLC0415 - runs the compiler

    return {inputs.kernel_hash(source.sha256, sources) for source in cache.sources()}


def _fail(sessions: sessionmaker[Session], campaign_id: uuid.UUID, reason: str) -> None:
    with sessions.begin() as session:
        end_runs(session, Run.campaign_id == campaign_id, table.STRAND, reason)
    with sessions.begin() as session:
        settle_if_over(session, campaign_id)
