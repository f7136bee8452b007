"""Writing the runs of submitted campaigns, some at a time.

What is written is known from the campaign's `expanded`, so anyone may go on where another stopped
or died. The chunk is made outside any transaction, and written only where nobody else was faster.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir_engine.search.first_round import first_round

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination, finds
from weir_orchestrator.objects import ObjectNotFound, ObjectStore
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission.opened import Opened, Row, problems_in
from weir_orchestrator.submission.reading import check_experiment

__all__ = ["CHUNK_RUNS", "Chunk", "Expander"]

CHUNK_RUNS: Final = 2_000
_CHUNK_COMBINATIONS: Final = 500
_OPEN_AT_MOST: Final = 8
_EXPANDING: Final = select(Campaign).where(Campaign.state == "expanding")


@dataclass
class Chunk:
    """Rows of a campaign, of its runs from a position on."""

    campaign_id: uuid.UUID
    position: int
    combinations: list[Row] = field(default_factory=list)
    runs: list[Row] = field(default_factory=list)
    film_s: float = 0.0


class _Begun:
    """A campaign in the midst of its expansion."""

    def __init__(self, opened: Opened, campaign: Campaign, max_film: timedelta) -> None:
        self.position = campaign.expanded
        self._opened = opened
        self._max_film = max_film
        self._number = -1
        self._key: Callable[[int], str] = str
        self._left = Expansion(first_round(opened.spec)).runs(self.position)

    def next_chunk(self, at_most: int) -> Chunk:
        """The next rows. Raises SpecError for a combination that is not sound."""
        opened = self._opened
        chunk = Chunk(opened.campaign_id, self.position)
        for run in self._left:
            if run.replicate == 0:
                check_experiment(run.experiment, opened.lab, self._max_film)
                chunk.combinations.append(
                    opened.combination(run.combination, run.levels, run.experiment)
                )
            if run.combination != self._number:
                self._number, self._key = run.combination, opened.key(run.experiment)
            chunk.runs.append(opened.run(self.position, run, self._key(run.seed)))
            chunk.film_s += float(run.experiment["duration_s"])
            self.position += 1
            full = len(chunk.combinations) >= _CHUNK_COMBINATIONS
            if full or len(chunk.runs) >= at_most:
                break
        return chunk

    def close(self) -> None:
        self._opened.close()


class Expander:
    """Writes what submitted campaigns become. It keeps the files of those begun until `close`."""

    def __init__(
        self, sessions: sessionmaker[Session], objects: ObjectStore, settings: Settings
    ) -> None:
        self._sessions = sessions
        self._objects = objects
        self._settings = settings
        self._begun: dict[uuid.UUID, _Begun] = {}

    def expand_some(self, at_most: int = CHUNK_RUNS) -> bool:
        """Write some runs of the campaign that has the fewest; False when there is nothing to do.

        A combination that is not sound makes the campaign refused. Raises StoreUnavailable,
        CannotRun and what the database raises; calling again goes on.
        """
        if not finds(self._sessions, _EXPANDING):
            self.close()
            return False
        chunk = self.make(at_most)
        if chunk is not None:
            self.write(chunk)
        return True

    def make(self, at_most: int) -> Chunk | None:
        """The next chunk of that campaign, not written yet; None where it was refused, or is gone.

        Raises as `expand_some`.
        """
        with self._sessions() as session:
            campaign = session.scalar(
                _EXPANDING.order_by(Campaign.expanded, Campaign.created_at).limit(1)
            )
            if campaign is None:
                return None
            campaign_id = campaign.id
            try:
                begun = self._open(session, campaign)
                session.commit()
                return begun.next_chunk(at_most)
            except (SpecError, ObjectNotFound) as error:
                session.rollback()
                self._close(campaign_id)
                problems = problems_in(error)
        with self._sessions.begin() as session:
            _refuse(session, campaign_id, problems)
        return None

    def write(self, chunk: Chunk) -> bool:
        """Whether it was written: not when the campaign went on without us."""
        with self._sessions.begin() as session:
            left = _write(session, chunk)
        if not left:
            self._close(chunk.campaign_id)
        return left is not None

    def close(self) -> None:
        """Forget the campaigns that were begun; another call goes on with them."""
        for campaign_id in list(self._begun):
            self._close(campaign_id)

    def _open(self, session: Session, campaign: Campaign) -> _Begun:
        begun = self._begun.get(campaign.id)
        if begun is None or begun.position != campaign.expanded:
            self._close(campaign.id)
            while len(self._begun) >= _OPEN_AT_MOST:
                self._close(next(iter(self._begun)))
            opened = Opened(session, self._objects, self._settings, campaign)
            begun = _Begun(opened, campaign, self._settings.max_film)
            self._begun[campaign.id] = begun
        return begun

    def _close(self, campaign_id: uuid.UUID) -> None:
        begun = self._begun.pop(campaign_id, None)
        if begun is not None:
            begun.close()


def _write(session: Session, chunk: Chunk) -> int | None:
    """How many runs of the campaign are to be written then; None where it is elsewhere by now."""
    query = select(Campaign).where(
        Campaign.id == chunk.campaign_id,
        Campaign.state == "expanding",
        Campaign.expanded == chunk.position,
    )
    # Claims and ends of runs that are written already do not lock this out, nor does this them.
    campaign = session.scalar(query.with_for_update(key_share=True, skip_locked=True))
    if campaign is None:
        return None
    if chunk.combinations:
        session.execute(insert(Combination), chunk.combinations)
    lifecycle.add_runs(session, chunk.runs)
    campaign.expanded += len(chunk.runs)
    campaign.film_s += chunk.film_s
    if campaign.expanded >= campaign.run_count:
        lifecycle.expanded(session, campaign)
    return max(0, campaign.run_count - campaign.expanded)


def _refuse(session: Session, campaign_id: uuid.UUID, problems: list[Problem]) -> None:
    query = select(Campaign).where(Campaign.id == campaign_id, Campaign.state == "expanding")
    campaign = session.scalar(query.with_for_update())
    if campaign is not None:
        lifecycle.refuse(session, campaign, problems)
