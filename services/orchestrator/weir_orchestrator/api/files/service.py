"""Keeping files by the hash of their content."""

from __future__ import annotations

import hashlib

from sqlalchemy import select
from sqlalchemy.orm import Session

from weir_orchestrator.api import audit_log
from weir_orchestrator.api.access import Principal
from weir_orchestrator.api.files.schemas import FileOut
from weir_orchestrator.api.paging import Page, page_of
from weir_orchestrator.db import Team, UploadedFile
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.errors import FieldProblem, QuotaExceeded, Unprocessable
from weir_orchestrator.objects import ObjectStore, file_key
from weir_orchestrator.submission import quota
from weir_orchestrator.submission.files import touch

__all__ = ["keep", "page"]


def keep(
    session: Session, objects: ObjectStore, who: Principal, team: Team, sha256: str, content: bytes
) -> tuple[UploadedFile, bool]:
    """The file, and whether it is new to the team. Raises Unprocessable, QuotaExceeded."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        remedy = "send the file unchanged, under the hash of its bytes"
        problem = FieldProblem(path="sha256", value=sha256, allowed=found, remedy=remedy)
        raise Unprocessable("the content has another SHA-256", [problem])
    if touch(session, team.id, [sha256]):
        return session.get_one(UploadedFile, (team.id, sha256)), False
    if refused := quota.refusals(session, team, more_bytes=len(content)):
        raise QuotaExceeded("; ".join(refused))
    objects.put_bytes(file_key(team.id, sha256), content)
    new = insert_new(
        session,
        UploadedFile,
        team_id=team.id,
        sha256=sha256,
        size_bytes=len(content),
        created_by=who.user_id,
    )
    audit_log.log(session, who, "file.upload", team.id, sha256, size_bytes=len(content))
    return session.get_one(UploadedFile, (team.id, sha256)), new


def page(session: Session, team: Team, limit: int, cursor: str | None) -> Page[FileOut]:
    """A team's files, newest first. Raises Unprocessable."""
    query = select(UploadedFile).where(UploadedFile.team_id == team.id)
    ordered = query.order_by(UploadedFile.created_at.desc(), UploadedFile.sha256)
    rows, after = page_of(session, ordered, limit, cursor)
    return Page(items=[FileOut.model_validate(row[0]) for row in rows], next=after)
