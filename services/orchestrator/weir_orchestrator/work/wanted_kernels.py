"""What a campaign that waits for its kernel would have compiled: its C files, its changes."""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session
from weir.errors import SpecError
from weir.expand import Expansion
from weir_engine.errors import CannotRun
from weir_lab.kernel import Changes

from weir_orchestrator.db import Campaign
from weir_orchestrator.objects import ObjectStore, file_key
from weir_orchestrator.submission.files import lay_out
from weir_orchestrator.submission.lab import kernel_code, lab_with
from weir_orchestrator.submission.reading import of_spec, with_kernels

__all__ = ["Wanted", "may_bring", "needed", "waiting"]


class Wanted(NamedTuple):
    """An active campaign whose kernel, or one of its kernels, is not there yet."""

    campaign_id: uuid.UUID
    team_id: uuid.UUID
    files: Mapping[str, Any]
    spec: Mapping[str, Any]
    kernel_hash: str


def waiting(session: Session, roles_hash: str, *which: ColumnElement[bool]) -> list[Wanted]:
    """Active campaigns for these roles, of those in question, the oldest first."""
    query = select(
        Campaign.id, Campaign.team_id, Campaign.files, Campaign.spec, Campaign.kernel_hash
    ).where(Campaign.state == "active", Campaign.roles_hash == roles_hash, *which)
    return [Wanted(*row) for row in session.execute(query.order_by(Campaign.created_at))]


def needed(
    wanted: Wanted, objects: ObjectStore, folder: Path
) -> tuple[list[Path], list[Changes]] | None:
    """C files, laid out in `folder`, and changes; None where this machine would build another
    kernel than the campaign was submitted for. Raises ObjectNotFound, StoreUnavailable.
    """
    if not may_bring(wanted):
        return None
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    found = {
        name: objects.get_bytes(file_key(wanted.team_id, digest))
        for name, digest in wanted.files.items()
    }
    lay_out(folder, "", found)
    try:
        code = kernel_code(folder, allowed=True)
        lab = lab_with(code)
        if "experiment" in wanted.spec:
            expansion = Expansion(of_spec(dict(wanted.spec), folder))
            lab = with_kernels(replace(lab, takes_code=True), expansion)
    except (SpecError, CannotRun):
        return None
    built_here = bool(code or lab.changed) and lab.needed == wanted.kernel_hash
    return (code, list(lab.changed)) if built_here else None


def may_bring(wanted: Wanted) -> bool:
    """Whether it may need another kernel than the lab's own, before its files are fetched."""
    return any(name.endswith(".c") for name in wanted.files) or '"kernel' in json.dumps(wanted.spec)
