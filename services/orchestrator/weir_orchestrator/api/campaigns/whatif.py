"""What-ifs of a run: the campaign of the one run that tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import yaml
from pydantic import Field
from sqlalchemy.orm import Session
from weir.expand import Expansion
from weir.whatif import decided, written
from weir_engine.states import FINISHED

from weir_orchestrator.api.request_body import RequestBody, WholeNumber
from weir_orchestrator.db import Campaign, Combination, Run
from weir_orchestrator.errors import FieldProblem, Unprocessable
from weir_orchestrator.submission import Submission
from weir_orchestrator.submission.reading import of_spec
from weir_orchestrator.submission.submission import DOCUMENT

__all__ = ["WhatIf", "submission_of"]

_NAME_CHARACTERS: Final = 92


class WhatIf(RequestBody):
    """One decision that is to be another."""

    client: WholeNumber = Field(
        ge=1, le=200, description="Whose decision; the first is 1.", examples=[1]
    )
    segment: WholeNumber = Field(
        ge=0, lt=10**9, description="Of the film; the first is 0.", examples=[12]
    )
    level: WholeNumber = Field(
        ge=0, le=1000, description="That it plays there; the lowest is 0.", examples=[3]
    )


def submission_of(session: Session, campaign: Campaign, run: Run, asked: WhatIf) -> Submission:
    """The run with that decision, as a campaign of its own: same seed, same files.

    Raises SpecError: no such client, segment or level; Unprocessable: the run has not ended well.
    """
    if run.state not in FINISHED:
        raise Unprocessable(
            "the run has no course to change",
            [FieldProblem(path="run", value=run.state, allowed="a run that succeeded")],
        )
    combination = session.get_one(Combination, (run.campaign_id, run.combination))
    levels = {asked.segment: asked.level}
    decided(combination.experiment, asked.client, levels)
    spec = of_spec(campaign.spec, Path())
    told = f"client {asked.client}, segment {asked.segment}: level {asked.level}"
    document = {
        "name": f"{campaign.name[:_NAME_CHARACTERS]}-whatif",
        "description": f"What if? {told}. Of run {run.id} of {campaign.name}.",
        "experiment": written(Expansion(spec).written(combination.levels), asked.client, levels),
        "replicate_seeds": [run.seed],
    }
    return replace(
        Submission.of_campaign(campaign),
        document=yaml.safe_dump(document, sort_keys=False),
        subjects={n: v for n, v in campaign.subjects.items() if n != DOCUMENT},
        overrides={},
        replicates=None,
        seed=None,
        cloned_from=campaign.id,
    )
