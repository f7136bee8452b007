"""Writing the runs of submitted campaigns, some at a time.

What is written is known from the campaign's `expanded`, so anyone may go on where another stopped
or died. The chunk is made outside any transaction, and written only where nobody else was faster.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from sqlalchemy import insert, select
from sqlalchemy.orm import Session, sessionmaker
from weir.errors import Problem, SpecError
from weir.expand import Expansion
from weir.runkey import key_of_seed

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Combination, Team, finds, utc_now
from weir_orchestrator.objects import ObjectNotFound, ObjectStore
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission.files import contents, lay_out
from weir_orchestrator.submission.lab import Lab, kernel_code, lab_with
from weir_orchestrator.submission.reading import check_experiment, of_spec, with_kernels

__all__ = ["CHUNK_RUNS", "Chunk", "Expander"]

CHUNK_RUNS: Final = 2_000
_CHUNK_COMBINATIONS: Final = 500
_OPEN_AT_MOST: Final = 8
_EXPANDING: Final = select(Campaign).where(Campaign.state == "expanding")
Row = dict[str, Any]


@dataclass
class Chunk:
    """Rows of a campaign, of its runs from a position on."""

    campaign_id: uuid.UUID
    position: int
    combinations: list[Row] = field(default_factory=list)
    runs: list[Row] = field(default_factory=list)
    film_s: float = 0.0


class _Opened:
    """A campaign in the midst of its expansion, with its files laid out."""

    def __init__(
        self, session: Session, objects: ObjectStore, settings: Settings, campaign: Campaign
    ) -> None:
        self.position = campaign.expanded
        self._campaign = campaign
        self._folder = TemporaryDirectory(prefix="weir-expand-")
        folder = Path(self._folder.name)
        lay_out(folder, "", contents(session, objects, campaign.team_id, campaign.files))
        team = session.get_one(Team, campaign.team_id)
        takes_code = settings.takes_kernel_code(team.slug)
        code = kernel_code(folder, allowed=takes_code)
        now = replace(lab_with(code), takes_code=takes_code, clocks=settings.clocks)
        expansion = Expansion(of_spec(campaign.spec, folder))
        self._lab = _lab_of(campaign, with_kernels(now, expansion))
        self._max_film = settings.max_film
        self._number = -1
        self._key: Callable[[int], str] = str
        self._left = expansion.runs(self.position)

    def next_chunk(self, at_most: int) -> Chunk:
        """The next rows. Raises SpecError for a combination that is not sound."""
        campaign_id = self._campaign.id
        chunk = Chunk(campaign_id, self.position)
        now = utc_now()
        for run in self._left:
            if run.replicate == 0:
                check_experiment(run.experiment, self._lab, self._max_film)
                chunk.combinations.append(
                    {
                        "campaign_id": campaign_id,
                        "number": run.combination,
                        "levels": run.levels,
                        "experiment": run.experiment,
                        "kernel_hash": self._lab.hash_of(run.experiment)
                        if self._lab.changed
                        else None,
                    }
                )
            if run.combination != self._number:
                self._number = run.combination
                self._key = key_of_seed(
                    run.experiment, self._lab.hash_of(run.experiment), self._lab.roles_hash
                )
            chunk.runs.append(
                {
                    "campaign_id": campaign_id,
                    "position": self.position,
                    "combination": run.combination,
                    "replicate": run.replicate,
                    "seed": run.seed,
                    "key": self._key(run.seed),
                    "clock": run.experiment["clock"],
                    "queued_at": now,
                }
            )
            chunk.film_s += float(run.experiment["duration_s"])
            self.position += 1
            full = len(chunk.combinations) >= _CHUNK_COMBINATIONS
            if full or len(chunk.runs) >= at_most:
                break
        return chunk

    def close(self) -> None:
        self._folder.cleanup()


class Expander:
    """Writes what submitted campaigns become. It keeps the files of those begun until `close`."""

    def __init__(
        self, sessions: sessionmaker[Session], objects: ObjectStore, settings: Settings
    ) -> None:
        self._sessions = sessions
        self._objects = objects
        self._settings = settings
        self._opened: dict[uuid.UUID, _Opened] = {}

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
                opened = self._open(session, campaign)
                session.commit()
                return opened.next_chunk(at_most)
            except (SpecError, ObjectNotFound) as error:
                session.rollback()
                self._close(campaign_id)
                problems = error.problems if isinstance(error, SpecError) else [_lost(error)]
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
        for campaign_id in list(self._opened):
            self._close(campaign_id)

    def _open(self, session: Session, campaign: Campaign) -> _Opened:
        opened = self._opened.get(campaign.id)
        if opened is None or opened.position != campaign.expanded:
            self._close(campaign.id)
            while len(self._opened) >= _OPEN_AT_MOST:
                self._close(next(iter(self._opened)))
            opened = _Opened(session, self._objects, self._settings, campaign)
            self._opened[campaign.id] = opened
        return opened

    def _close(self, campaign_id: uuid.UUID) -> None:
        opened = self._opened.pop(campaign_id, None)
        if opened is not None:
            opened.close()


def _write(session: Session, chunk: Chunk) -> int | None:
    """How many runs of the campaign are to be written then; None where it is elsewhere by now."""
    query = select(Campaign).where(
        Campaign.id == chunk.campaign_id,
        Campaign.state == "expanding",
        Campaign.expanded == chunk.position,
    )
    campaign = session.scalar(query.with_for_update(skip_locked=True))
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


def _lost(error: ObjectNotFound) -> Problem:
    return Problem("files", error.key, "a file in the store", "upload it and submit again")


def _lab_of(campaign: Campaign, now: Lab) -> Lab:
    """The lab that a campaign was submitted for; now: the one that there is. Raises SpecError: it
    is another by now, and the kernels that the campaign changes are changes to that one.
    """
    if not now.changed:
        return replace(now, kernel_hash=campaign.kernel_hash, roles_hash=campaign.roles_hash)
    if now.needed != campaign.kernel_hash:
        allowed = "changes to the lab kernel that it was submitted for"
        raise SpecError([Problem("experiment.kernel", None, allowed, "submit it again")])
    return replace(now, roles_hash=campaign.roles_hash)
