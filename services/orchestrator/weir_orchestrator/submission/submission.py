"""What somebody submits, as one value: sent in a request, cloned from a campaign, or pinned by a
schedule; before anything of it was read or checked."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from weir.errors import Problem, SpecError

from weir_orchestrator.db import Campaign, Schedule

__all__ = ["DOCUMENT", "Submission"]

DOCUMENT: Final = "campaign.yaml"
"""What the document itself is called among a campaign's files and subjects."""

_PINNED: Final = ("document", "files", "overrides", "replicates", "seed", "priority")


@dataclass(frozen=True)
class Submission:
    """document: YAML or JSON. files: the name the document uses -> SHA-256 of the content.

    subjects: name of a file that is under test -> its version, as a commit. overrides: dotted path
    in the experiment -> value. replicates, seed: instead of the document's. priority: higher goes
    first within a team.
    """

    document: str
    files: Mapping[str, str] = field(default_factory=dict)
    subjects: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)
    replicates: int | None = None
    seed: int | None = None
    priority: int = 0
    schedule_id: uuid.UUID | None = None
    cloned_from: uuid.UUID | None = None

    @classmethod
    def of_campaign(cls, campaign: Campaign) -> Submission:
        """The one that a campaign was made from."""
        return cls(
            document=campaign.document,
            files=campaign.files,
            subjects=campaign.subjects,
            overrides=campaign.overrides,
            replicates=campaign.asked_replicates,
            seed=campaign.asked_seed,
            priority=campaign.priority,
        )

    @classmethod
    def of_schedule(cls, schedule: Schedule) -> Submission:
        """The one that a schedule makes, as it was when the schedule was made or changed."""
        return cls(**{name: getattr(schedule, name) for name in _PINNED}, schedule_id=schedule.id)

    def pin(self, schedule: Schedule) -> None:
        """Let a schedule make this one."""
        for name in _PINNED:
            setattr(schedule, name, getattr(self, name))

    def of_night(self, files: Mapping[str, str], subjects: Mapping[str, str]) -> Submission:
        """This one with other contents of some of its files. Raises SpecError for others."""
        problems = [
            Problem(
                f"files.{name}",
                name,
                ", ".join(sorted(self.files)) or "nothing: the schedule's campaign has no files",
                "name a file as the schedule's campaign does, or change the schedule",
            )
            for name in files
            if name not in self.files
        ]
        if problems:
            raise SpecError(problems)
        return replace(self, files={**self.files, **files}, subjects={**self.subjects, **subjects})

    def clone(self, of: uuid.UUID, changes: Mapping[str, Any]) -> Submission:
        """This one for a clone of a campaign. changes: fields; None: as it is here. Overrides
        are added to the ones here."""
        given = {name: value for name, value in changes.items() if value is not None}
        if "files" in given:
            same = {
                name for name, digest in self.files.items() if given["files"].get(name) == digest
            }
            given["subjects"] = {n: version for n, version in self.subjects.items() if n in same}
        if given.get("document", self.document) != self.document:
            kept = given.get("subjects", self.subjects)
            given["subjects"] = {n: version for n, version in kept.items() if n != DOCUMENT}
        overrides = {**self.overrides, **given.pop("overrides", {})}
        return replace(self, **given, overrides=overrides, cloned_from=of)

    def digest(self) -> str:
        """SHA-256 that is equal for equal submissions only."""
        content = json.dumps(vars(self), sort_keys=True, default=str)
        return hashlib.sha256(content.encode()).hexdigest()
