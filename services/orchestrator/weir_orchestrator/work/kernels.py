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
from weir_orchestrator.work import kept_kernels, wanted_kernels
from weir_orchestrator.work.away import AWAY, said
from weir_orchestrator.work.claim import Versions
from weir_orchestrator.work.wanted_kernels import Wanted

if TYPE_CHECKING:
    import uuid

    from weir_lab.kernel import Kernel

__all__ = ["Building", "Kernels", "fail_runs"]

_BUILD_EVERY_S: Final = 2.0
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

    @classmethod
    def at(
        cls, kernel_hash: str, number: int, of: int, done: int, total: int, what: str
    ) -> Building:
        """With as much of a compiler's words as the database takes."""
        return cls(kernel_hash, number, of, done, total, printable(what[:_MOST_WHAT_CHARS]))


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

    def fetch(
        self, sessions: sessionmaker[Session], objects: ObjectStore, campaign_id: uuid.UUID
    ) -> None:
        """Have the kernels of a campaign that a build pod kept, if they are not here.

        Where what the store has is not what was built, it is removed there, and the runs fail.
        """
        with sessions() as session:
            named = select(Campaign.kernel_hash).where(Campaign.id == campaign_id)
            name = session.scalar(named)
        if name is None or name in self.versions().kernels:
            return
        try:
            hashes = kept_kernels.fetch(objects, name)
        except ObjectNotFound as error:
            _log.info("kernel %s: %s", name, error)
            return
        except kept_kernels.NotAsBuilt as error:
            _log.error("%s", error)
            kept_kernels.remove(objects, name)
            fail_runs(sessions, campaign_id, str(error))
            return
        self._sets = {**self._sets, name: hashes}
        self.refresh()

    def keep_building(
        self,
        sessions: sessionmaker[Session],
        objects: ObjectStore,
        folder: Path,
        ended: threading.Event,
    ) -> None:
        """`build_wanted` again and again, until the worker has ended."""
        while not ended.wait(_BUILD_EVERY_S):
            try:
                self.build_wanted(sessions, objects, folder)
            except AWAY as error:
                _log.warning("no kernels built: %s", said(error))

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
            missing = Campaign.kernel_hash.not_in(self.versions().kernels)
            wanted = wanted_kernels.waiting(session, self._roles_hash, missing)
        by_team: dict[uuid.UUID, list[Wanted]] = {}
        for each in wanted:
            by_team.setdefault(each.team_id, []).append(each)
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
            fail_runs(sessions, wanted.campaign_id, f"{error}: submit the campaign again")
            return False
        if needed is None:
            return False
        try:
            self._build_one(wanted.kernel_hash, *needed)
        except lab_kernel.Busy as error:
            _log.warning("kernel %s is tried again: %s", wanted.kernel_hash, error)
        except WeirError as error:
            _log.warning("kernel %s: %s", wanted.kernel_hash, error)
            fail_runs(sessions, wanted.campaign_id, str(error))
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
            self.building = Building.at(name, number, len(asked) - ours, done, total, what)

        if missing:
            found[missing[0]] = lab_kernel.build(code, progress=progress, changes=missing[0])
        hashes = [kernel.hash for kernel in found.values() if kernel is not None]
        if changed and len(hashes) == len(asked):
            # Made anew: other threads go through it.
            self._sets = {**self._sets, name: frozenset(hashes)}


def fail_runs(sessions: sessionmaker[Session], campaign_id: uuid.UUID, reason: str) -> None:
    """End the runs of a campaign that wait for a kernel which does not come."""
    with sessions.begin() as session:
        end_runs(session, Run.campaign_id == campaign_id, table.STRAND, reason)
    with sessions.begin() as session:
        settle_if_over(session, campaign_id)
