"""Kernels that campaigns bring: which the object store has, and which build pods have yet to build.

Asked again and again: what was removed from the store meanwhile is built again.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker
from weir_engine.errors import CannotRun

from weir_orchestrator.db import Campaign, Team
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.work import kept_kernels
from weir_orchestrator.work.claim import Versions
from weir_orchestrator.work.wanted_kernels import Wanted, may_bring, waiting

__all__ = ["OwnKernels"]

_BELIEVED_S: Final = 10.0
"""What was there a moment ago is not asked for again."""
_log = logging.getLogger(__name__)


class OwnKernels:
    """What pods can carry out beside the campaigns of their image's own kernel."""

    def __init__(
        self,
        sessions: sessionmaker[Session],
        objects: ObjectStore,
        of_images: Callable[[], Versions],
        takes: Callable[[str], bool],
    ) -> None:
        """takes: whether a team, by its slug, may bring C or change the kernel."""
        self._sessions = sessions
        self._objects = objects
        self._of_images = of_images
        self._takes = takes
        self._there: frozenset[str] = frozenset()
        self._seen_at: dict[str, float] = {}
        self.missing: list[Wanted] = []
        """Active campaigns that wait for a kernel, the oldest first."""

    def refresh(self) -> None:
        """Ask database and store. Raises DBAPIError; while the store is away nothing is there, and
        nothing is missing."""
        self._there, self.missing = frozenset(), []
        try:
            wanted = self._wanted()
            names = {each.kernel_hash for each in wanted}
            self._there = frozenset(name for name in names if self._has(name))
        except CannotRun as error:
            _log.warning("kernels: %s", error)
            return
        self.missing = [each for each in wanted if each.kernel_hash not in self._there]

    def there(self) -> Versions:
        """What pods can carry out now."""
        own = self._of_images()
        return replace(own, kernels=(*own.kernels, *self._there))

    def sometime(self) -> Versions:
        """What they can carry out now, or when it is built."""
        now = self.there()
        return replace(now, kernels=(*now.kernels, *(each.kernel_hash for each in self.missing)))

    def _wanted(self) -> list[Wanted]:
        own = self._of_images()
        with self._sessions() as session:
            others = Campaign.kernel_hash.not_in(own.kernels)
            found = [each for each in waiting(session, own.roles, others) if may_bring(each)]
            teams = Team.id.in_({each.team_id for each in found})
            slugs = dict(session.execute(select(Team.id, Team.slug).where(teams)).all())
        return [each for each in found if self._takes(slugs[each.team_id])]

    def _has(self, name: str) -> bool:
        if time.monotonic() - self._seen_at.get(name, -math.inf) < _BELIEVED_S:
            return True
        try:
            found = kept_kernels.there(self._objects, name, self._of_images().kernels)
        except kept_kernels.NotAsBuilt as error:
            _log.error("%s", error)
            kept_kernels.remove(self._objects, name)
            return False
        if found:
            self._seen_at[name] = time.monotonic()
        return found
