"""The lab kernels that a worker has, and those with users' C or changes that it builds."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import WeirError
from weir_lab import kernel as lab_kernel

from weir_orchestrator.db import Campaign, Run
from weir_orchestrator.db.base import printable
from weir_orchestrator.lifecycle import end_runs, settle_if_over, table
from weir_orchestrator.objects import ObjectNotFound, ObjectStore
from weir_orchestrator.work import wanted_kernels
from weir_orchestrator.work.claim import Versions
from weir_orchestrator.work.wanted_kernels import Wanted

if TYPE_CHECKING:
    import uuid

    from weir_lab.kernel import Kernel

__all__ = ["Building", "Kernels"]

_REFRESH_S: Final = 10.0
_MOST_WHAT_CHARS: Final = 200
_log = logging.getLogger(__name__)


class Building(NamedTuple):
    """What a worker builds: number `number` of `of` that a campaign's kernel_hash stands for.

    done, total: steps. what: the one at hand, in a compiler's words.
    """

    kernel_hash: str
    number: int
    of: int
    done: int
    total: int
    what: str


class Kernels:
    """Builds by their hash. Other processes build, too: the cache is looked at now and then."""

    def __init__(self, roles_hash: str, clocks: Sequence[str]) -> None:
        self._roles_hash = roles_hash
        self._clocks = clocks
        self._known: dict[str, Kernel] = {}
        self._sets: dict[str, frozenset[str]] = {}
        self._refreshed = 0.0
        self._lock = threading.Lock()
        self._turns: dict[uuid.UUID, int] = {}
        self.building: Building | None = None
        """What is being built now."""
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
        whole = [name for name, hashes in self._sets.items() if hashes <= self._known.keys()]
        return Versions(self._roles_hash, (*self._known, *whole), self._clocks)

    def get(self, kernel_hash: str) -> Kernel:
        """Raises KeyError."""
        return self._known[kernel_hash]

    def build_wanted(
        self, sessions: sessionmaker[Session], objects: ObjectStore, folder: Path
    ) -> None:
        """Build kernels of active campaigns that bring C, or change the kernel: one for each team.

        The teams whose last build is longest ago come first: one with many campaigns, or whose
        C compiles for as long as it may, holds each other team up by one build. Where one does
        not compile, the campaign's runs fail with what the compiler says. A campaign whose kernel
        cannot come about here is left to other workers.
        """
        with sessions() as session:
            query = select(
                Campaign.id, Campaign.team_id, Campaign.files, Campaign.spec, Campaign.kernel_hash
            )
            wanted = session.execute(
                query.where(
                    Campaign.state == "active",
                    Campaign.roles_hash == self._roles_hash,
                    Campaign.kernel_hash.not_in(self.versions().kernels),
                ).order_by(Campaign.created_at)
            ).all()
        by_team: dict[uuid.UUID, list[Wanted]] = {}
        for row in wanted:
            by_team.setdefault(row.team_id, []).append(Wanted(*row))
        for team_id in self._in_turn(by_team):
            if any(self._build(each, sessions, objects, folder) for each in by_team[team_id]):
                self._turns[team_id] = max(self._turns.values(), default=0) + 1

    def _in_turn(self, teams: Iterable[uuid.UUID]) -> list[uuid.UUID]:
        return sorted(teams, key=lambda team: self._turns.get(team, 0))

    def _build(
        self,
        wanted: Wanted,
        sessions: sessionmaker[Session],
        objects: ObjectStore,
        folder: Path,
    ) -> bool:
        """Whether there was something to build here, in vain or not."""
        try:
            needed = wanted_kernels.needed(wanted, objects, folder / wanted.kernel_hash)
        except ObjectNotFound as error:
            _fail(sessions, wanted.campaign_id, f"{error}: submit the campaign again")
            return False
        if needed is None:
            return False
        try:
            self._build_one(wanted.kernel_hash, *needed)
        except lab_kernel.Busy as error:
            _log.warning("kernel %s is tried again: %s", wanted.kernel_hash, error)
        except WeirError as error:
            _log.warning("kernel %s: %s", wanted.kernel_hash, error)
            _fail(sessions, wanted.campaign_id, str(error))
        finally:
            self.building = None
        self.refresh()
        return True

    def _build_one(
        self, name: str, code: Sequence[Path], changed: Sequence[lab_kernel.Changes]
    ) -> None:
        """The first of a campaign's kernels that is not there yet. Raises WeirError."""
        asked = [lab_kernel.Changes(), *changed]
        found = {each: lab_kernel.find(code, changes=each) for each in asked}
        missing = [each for each, kernel in found.items() if kernel is None]
        ours = 0 if code else 1  # the lab's own has been there from the start

        def progress(done: int, total: int, what: str) -> None:
            number = len(asked) - len(missing) + 1 - ours
            self.building = Building(
                name, number, len(asked) - ours, done, total, printable(what[:_MOST_WHAT_CHARS])
            )

        if missing:
            found[missing[0]] = lab_kernel.build(code, progress=progress, changes=missing[0])
        hashes = [kernel.hash for kernel in found.values() if kernel is not None]
        if changed and len(hashes) == len(asked):
            # Made anew: other threads go through it.
            self._sets = {**self._sets, name: frozenset(hashes)}


def _fail(sessions: sessionmaker[Session], campaign_id: uuid.UUID, reason: str) -> None:
    with sessions.begin() as session:
        end_runs(session, Run.campaign_id == campaign_id, table.STRAND, reason)
    with sessions.begin() as session:
        settle_if_over(session, campaign_id)
