"""Taking a campaign: read, checked, and noted down to be expanded."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy.orm import Session
from weir.expand import Expansion
from weir.spec.campaign import Campaign as Spec
from weir.spec.paper_load import load_paper
from weir_engine.search.first_round import first_round
from weir_engine.search.most import runs_at_most

from weir_orchestrator import lifecycle
from weir_orchestrator.db import Campaign, Team
from weir_orchestrator.errors import QuotaExceeded
from weir_orchestrator.objects import ObjectStore
from weir_orchestrator.settings import Settings
from weir_orchestrator.submission import own_code, quota
from weir_orchestrator.submission.bounds import check_plain
from weir_orchestrator.submission.files import check_subjects, contents, keep_shipped, lay_out
from weir_orchestrator.submission.lab import Lab, kernel_code, lab_with
from weir_orchestrator.submission.reading import read
from weir_orchestrator.submission.submission import Submission

__all__ = ["Checked", "checked", "submit"]


@dataclass(frozen=True)
class Checked:
    """A campaign that may be submitted. film_s: of all its runs, estimated where they are many."""

    spec: Spec
    lab: Lab
    film_s: float


@contextmanager
def checked(
    session: Session,
    objects: ObjectStore,
    settings: Settings,
    team_id: uuid.UUID,
    submission: Submission,
) -> Iterator[Checked]:
    """The campaign of a submission and its lab, while its files are laid out.

    Ends the session's transaction: checking takes a while, and on SQLite nobody else could write.
    Raises SpecError, NoLab.
    """
    check_plain(submission.document, "document")
    check_plain(dict(submission.overrides), "overrides")
    check_subjects(submission)
    found = contents(session, objects, team_id, submission.files)
    refused = own_code.refusal(session)
    takes_c = settings.takes_kernel_code(session.get_one(Team, team_id).slug)
    session.commit()
    with TemporaryDirectory(prefix="weir-campaign-") as folder:
        lay_out(Path(folder), submission.document, found)
        code = kernel_code(Path(folder), allowed=takes_c)
        own_code.require_c(code, refused)
        lab = replace(lab_with(code), refusal=refused, takes_code=takes_c, clocks=settings.clocks)
        spec, lab, film_s = read(Path(folder), submission, lab, settings.max_film)
        yield Checked(spec, lab, film_s)


def submit(
    session: Session,
    objects: ObjectStore,
    settings: Settings,
    team: Team,
    submission: Submission,
    by: uuid.UUID | None,
) -> Campaign:
    """A campaign in state `expanding`; its runs are written by an `Expander`.

    Raises SpecError, NoLab, QuotaExceeded.
    """
    with checked(session, objects, settings, team.id, submission) as found:
        spec, lab = found.spec, found.lab
        expansion = Expansion(spec)
        first = Expansion(first_round(spec))
        runs = runs_at_most(spec, expansion)
        if refused := quota.refusals(session, team, runs=runs, film_s=found.film_s):
            raise QuotaExceeded("; ".join(refused))
        keep_shipped(session, objects, team.id, by, submission.files)
        paper = load_paper(spec.paper_path).model_dump(mode="json") if spec.paper_path else None
        campaign = Campaign(
            team_id=team.id,
            name=spec.name,
            description=spec.description,
            document=submission.document,
            files=dict(submission.files),
            subjects=dict(submission.subjects),
            overrides=dict(submission.overrides),
            asked_replicates=submission.replicates,
            asked_seed=submission.seed,
            spec=spec.model_dump(mode="json"),
            factors=expansion.factors,
            paper=paper,
            kernel_hash=lab.needed,
            roles_hash=lab.roles_hash,
            priority=submission.priority,
            combination_count=first.combination_count(),
            replicates=spec.replicates,
            run_count=first.count(),
            searching=spec.search is not None,
            asked_film_s=found.film_s,
            created_by=by,
            schedule_id=submission.schedule_id,
            cloned_from=submission.cloned_from,
        )
    lifecycle.begin(session, campaign)
    return campaign
