"""What can be done with campaigns."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Final, Literal

from sqlalchemy import delete
from sqlalchemy.orm import Session
from weir.errors import SpecError
from weir.expand import Expansion
from weir_engine.search.most import runs_at_most

from weir_orchestrator import lifecycle, submission
from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal, Role
from weir_orchestrator.api.campaigns import queries, whatif
from weir_orchestrator.api.campaigns.cell import cell_of
from weir_orchestrator.api.campaigns.cell_schemas import CellOut
from weir_orchestrator.api.campaigns.progress import progress
from weir_orchestrator.api.campaigns.progress_schemas import Progress
from weir_orchestrator.api.campaigns.schemas import (
    CampaignChange,
    CampaignEdit,
    CampaignIn,
    CampaignOut,
    CombinationOut,
    EstimateOut,
    TagOut,
    Validation,
)
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.api.problems import from_spec
from weir_orchestrator.db import (
    Campaign,
    CampaignTag,
    Combination,
    IdempotencyKey,
    Run,
    Team,
    utc_now,
)
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.errors import Conflict, NotFound, Unavailable
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import Submission, quota
from weir_orchestrator.submission.estimate import estimate
from weir_orchestrator.submission.lab import NoLab
from weir_orchestrator.submission.submit import Checked

__all__ = ["Action", "Campaigns", "submission_of"]

Action = Literal["pause", "resume", "cancel"]
_ACTIONS: Final = {
    "pause": lifecycle.pause,
    "resume": lifecycle.resume,
    "cancel": lifecycle.cancel,
}


def submission_of(body: CampaignIn) -> Submission:
    """The submission that a request's body describes."""
    return Submission(**body.model_dump())


class Campaigns:
    """On behalf of `who`, in one session."""

    def __init__(
        self, session: Session, objects: ObjectStore, settings: Settings, who: Principal
    ) -> None:
        self._session = session
        self._objects = objects
        self._settings = settings
        self._who = who

    def validate(self, team: Team, body: CampaignIn) -> Validation:
        """Problems are the answer here, not an error. Raises Unavailable."""
        try:
            with self._checked(team, submission_of(body)) as found:
                spec = found.spec
                expansion = Expansion(spec)
                return Validation(
                    valid=True,
                    name=spec.name,
                    factors=expansion.factors,
                    combinations=expansion.combination_count(),
                    runs=runs_at_most(spec, expansion),
                    at_most=spec.search is not None,
                    cell=cell_of(*next(expansion.sample(1))),
                )
        except SpecError as error:
            return Validation(valid=False, problems=from_spec(error).problems)

    def estimate(self, team: Team, body: CampaignIn) -> EstimateOut:
        """Raises SpecError, Unavailable."""
        with self._checked(team, submission_of(body)) as given:
            found = estimate(self._session, given.spec, given.lab)
        refusals = quota.refusals(
            self._session, team, runs=found.runs, film_s=found.film_s, more_bytes=found.stored_bytes
        )
        return EstimateOut(**asdict(found), allowed=not refusals, refusals=refusals)

    def submit(self, team: Team, given: Submission, key: str | None) -> tuple[Campaign, bool]:
        """The campaign, and whether it is new: with a key that was used before, it is not.

        Raises SpecError, QuotaExceeded, Unavailable; Conflict where the key was used for
        something else.
        """
        if key is None:
            return self._submit(team, given), True
        if (made := self._made_before(team.id, given.digest(), key)) is not None:
            return made, False
        campaign = self._submit(team, given)
        digest, team_id = given.digest(), team.id
        if insert_new(
            self._session,
            IdempotencyKey,
            team_id=team_id,
            key=key,
            request_hash=digest,
            campaign_id=campaign.id,
        ):
            return campaign, True
        # The same request came twice at once, and the other was faster.
        self._session.rollback()
        if (made := self._made_before(team_id, digest, key)) is None:
            raise Conflict("another request with this Idempotency-Key is under way; try again")
        return made, False

    def clone(self, campaign_id: uuid.UUID, change: CampaignChange) -> Campaign:
        """A new campaign of the same team. Raises as `submit`."""
        old = self.find(campaign_id, "submit")
        new = Submission.of_campaign(old).clone(old.id, change.model_dump())
        return self._submit(self._session.get_one(Team, old.team_id), new)

    def whatif(self, run_id: int, asked: whatif.WhatIf) -> Campaign:
        """A new campaign of one run. Raises as `submit`; Unprocessable, NotFound."""
        run = self._session.get(Run, run_id)
        campaign = self._session.get(Campaign, run.campaign_id) if run else None
        self._who.require(campaign.team_id if campaign else None, "submit", "run")
        assert run is not None
        assert campaign is not None
        given = whatif.submission_of(self._session, campaign, run, asked)
        return self._submit(self._session.get_one(Team, campaign.team_id), given)

    def find(self, campaign_id: uuid.UUID, needed: Role = "read") -> Campaign:
        """Raises NotFound, NotAllowed."""
        found = self._session.get(Campaign, campaign_id)
        return self._mine(found, needed)

    def page(
        self,
        team: Team,
        wanted: queries.Wanted,
        limit: int,
        cursor: str | None,
    ) -> Page[CampaignOut]:
        """Newest first. Raises Unprocessable."""
        query = queries.of_team(team.id, wanted)
        rows, after = page_of(self._session, query, limit, cursor)
        return Page(items=self.shown([row[0] for row in rows]), next=after)

    def shown(self, campaigns: Sequence[Campaign]) -> list[CampaignOut]:
        """Campaigns with their counts."""
        counts = queries.counted(self._session, campaigns)
        papers = queries.with_paper(self._session, campaigns)
        questions = queries.with_question(self._session, campaigns)
        tags = queries.tagged(self._session, campaigns)
        searches = queries.with_search(self._session, campaigns)
        told = {"counts", "has_paper", "has_question", "has_search", "tags"}
        fields = CampaignOut.model_fields.keys() - told
        return [
            CampaignOut(
                counts=counts[campaign.id],
                has_paper=campaign.id in papers,
                has_question=campaign.id in questions,
                has_search=campaign.id in searches,
                tags=tags.get(campaign.id, []),
                **{name: getattr(campaign, name) for name in fields},
            )
            for campaign in campaigns
        ]

    def cell(self, campaign: Campaign) -> CellOut | None:
        """The cell of its first combination; None until that is written."""
        first = self._session.get(Combination, (campaign.id, 0))
        return cell_of(first.levels, first.experiment) if first else None

    def grid(self, campaign_id: uuid.UUID, limit: int, cursor: str | None) -> Page[CombinationOut]:
        """Combinations in order, with the states of their runs. Raises Unprocessable."""
        campaign = self.find(campaign_id)
        rows, after = page_of(self._session, queries.combinations(campaign.id), limit, cursor)
        if not rows:
            return Page(items=[])
        states = queries.states_by_combination(self._session, campaign.id, rows[0][0], rows[-1][0])
        items = [
            CombinationOut(number=number, levels=levels, counts=states.get(number, {}))
            for number, levels in rows
        ]
        return Page(items=items, next=after)

    def progress(self, campaign_id: uuid.UUID) -> Progress:
        """Counts, rates and when it will be over."""
        return progress(self._session, self.find(campaign_id))

    def do(self, campaign_id: uuid.UUID, action: Action) -> Campaign:
        """Pause, resume or cancel. Raises Conflict."""
        campaign = self._locked(campaign_id, "submit")
        _ACTIONS[action](self._session, campaign)
        self._log(f"campaign.{action}", campaign)
        return campaign

    def rerun(self, campaign_id: uuid.UUID, only: Sequence[str]) -> int:
        """How many runs were queued again. Raises Conflict."""
        campaign = self._locked(campaign_id, "submit")
        queued = lifecycle.rerun(self._session, campaign, only)
        self._log("campaign.rerun", campaign, only=list(only), queued=queued)
        return queued

    def edit(self, campaign_id: uuid.UUID, change: CampaignEdit) -> Campaign:
        """Rename, tag, note upon, archive. Raises NotFound, NotAllowed."""
        campaign = self._locked(campaign_id, "submit")
        if change.name is not None:
            campaign.name = change.name
        if change.notes is not None:
            campaign.notes = change.notes
        if change.archived is not None:
            campaign.archived_at = (campaign.archived_at or utc_now()) if change.archived else None
        if change.tags is not None:
            self._session.execute(delete(CampaignTag).where(CampaignTag.campaign_id == campaign.id))
            self._session.add_all(
                CampaignTag(campaign_id=campaign.id, tag=tag) for tag in sorted({*change.tags})
            )
        self._session.flush()
        told = change.model_dump(exclude_none=True, exclude={"notes"})
        self._log("campaign.edit", campaign, **told)
        return campaign

    def tags(self, team: Team, limit: int, cursor: str | None) -> Page[TagOut]:
        """By the alphabet. Raises Unprocessable."""
        rows, after = page_of(self._session, queries.tags_of_team(team.id), limit, cursor)
        return Page(items=[TagOut(tag=tag, campaigns=count) for tag, count in rows], next=after)

    def remove(self, campaign_id: uuid.UUID) -> None:
        """Raises Conflict."""
        campaign = self._locked(campaign_id, "admin")
        lifecycle.remove(self._session, campaign)
        self._log("campaign.delete", campaign, name=campaign.name)

    @contextmanager
    def _checked(self, team: Team, given: Submission) -> Iterator[Checked]:
        try:
            with submission.checked(
                self._session, self._objects, self._settings, team.id, given
            ) as found:
                yield found
        except NoLab as error:
            raise Unavailable(str(error)) from error

    def _submit(self, team: Team, given: Submission) -> Campaign:
        try:
            campaign = submission.submit(
                self._session, self._objects, self._settings, team, given, self._who.user_id
            )
        except NoLab as error:
            raise Unavailable(str(error)) from error
        self._log("campaign.submit", campaign, name=campaign.name, runs=campaign.run_count)
        return campaign

    def _made_before(self, team_id: uuid.UUID, digest: str, key: str) -> Campaign | None:
        made = queries.of_key(self._session, team_id, key)
        if made is None:
            return None
        if made.request_hash != digest:
            raise Conflict("this Idempotency-Key was used for another submission; take a new one")
        return self._session.get_one(Campaign, made.campaign_id)

    def _locked(self, campaign_id: uuid.UUID, needed: Role) -> Campaign:
        return self._mine(queries.locked(self._session, campaign_id), needed)

    def _mine(self, found: Campaign | None, needed: Role) -> Campaign:
        self._who.require(found.team_id if found else None, needed, "campaign")
        if found is None:
            raise NotFound("no such campaign, or it is another team's")
        return found

    def _log(self, action: str, campaign: Campaign, **detail: object) -> None:
        audit_log.log(self._session, self._who, action, campaign.team_id, campaign.id, **detail)
