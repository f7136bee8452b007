"""The lab kernels that a worker has, and those with users' congestion controls that it builds."""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    from collections.abc import Iterable, Mapping, Sequence

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
        self._turns: dict[uuid.UUID, int] = {}
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
        """Build kernels of active campaigns that bring congestion controls: one for each team.

        The teams whose last build is longest ago come first: one with many campaigns, or whose
        C compiles for as long as it may, holds each other team up by one build. Where one does
        not compile, the campaign's runs fail with what the compiler says. A campaign whose kernel
        cannot come about here is left to other workers.
        """
        with sessions() as session:
            query = select(Campaign.id, Campaign.team_id, Campaign.files, Campaign.kernel_hash)
            wanted = session.execute(
                query.where(
                    Campaign.state == "active",
                    Campaign.roles_hash == self._roles_hash,
                    Campaign.kernel_hash.not_in(self.versions().kernels),
                ).order_by(Campaign.created_at)
            ).all()
        by_team: dict[uuid.UUID, list[_Wanted]] = {}
        for row in wanted:
            by_team.setdefault(row.team_id, []).append(_Wanted(*row))
        for team_id in self._in_turn(by_team):
            if any(self._build(each, sessions, objects, folder) for each in by_team[team_id]):
                self._turns[team_id] = max(self._turns.values(), default=0) + 1

    def _in_turn(self, teams: Iterable[uuid.UUID]) -> list[uuid.UUID]:
        return sorted(teams, key=lambda team: self._turns.get(team, 0))

    def _build(
        self,
        wanted: _Wanted,
        sessions: sessionmaker[Session],
        objects: ObjectStore,
        folder: Path,
    ) -> bool:
        """Whether there was something to build here, in vain or not."""
        name = wanted.kernel_hash
        try:
            sources = _fetch(objects, wanted.team_id, wanted.files, folder / name)
        except ObjectNotFound as error:
            _fail(sessions, wanted.campaign_id, f"{error}: submit the campaign again")
            return False
        if not sources or name not in _names(sources):
            return False
        try:
            lab_kernel.build(sources)
        except lab_kernel.Busy as error:
            _log.warning("kernel %s is tried again: %s", name, error)
        except WeirError as error:
            _log.warning("kernel %s: %s", name, error)
            _fail(sessions, wanted.campaign_id, str(error))
        self.refresh()
        return True


class _Wanted(NamedTuple):
    campaign_id: uuid.UUID
    team_id: uuid.UUID
    files: Mapping[str, Any]
    kernel_hash: str


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
