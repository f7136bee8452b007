"""The files of a campaign: fetched from the store, and laid out in a folder of their own."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path

from sqlalchemy import update
from sqlalchemy.orm import Session
from weir.errors import Problem, SpecError

from weir_orchestrator.db import UploadedFile, utc_now
from weir_orchestrator.db.dialect import insert_new
from weir_orchestrator.objects import ObjectStore, file_key
from weir_orchestrator.submission import library
from weir_orchestrator.submission.submission import DOCUMENT, Submission

__all__ = [
    "MAX_FILES",
    "check_subjects",
    "contents",
    "keep_shipped",
    "lay_out",
    "store",
    "touch",
]

MAX_FILES = 200
_MAX_TOTAL_BYTES = 64 * 1024 * 1024
_NAME = re.compile(r"(?:[A-Za-z0-9_@][A-Za-z0-9._-]{0,99}/){0,7}[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")


def _check_names(files: Mapping[str, str]) -> None:
    """Raises SpecError for names that are no plain relative paths, or in each other's way."""
    problems = []
    for name in files:
        where, allowed = f"files.{name[:120]}", "a relative name such as traces/lte.csv"
        if not _NAME.fullmatch(name):
            remedy = "use letters, digits, '.', '_' and '-', no '..' and at most 8 parts"
            problems.append(Problem(where, name, allowed, remedy))
        elif name == DOCUMENT:
            remedy = "this name is the document's own; rename the file"
            problems.append(Problem(where, name, allowed, remedy))
        elif any(other.startswith(f"{name}/") for other in files):
            remedy = "the same name is a folder of another file; rename one"
            problems.append(Problem(where, name, allowed, remedy))
    if problems:
        raise SpecError(problems)


def check_subjects(submission: Submission) -> None:
    """Raises SpecError for a version of a file that the campaign does not have."""
    have = ", ".join(sorted(submission.files)) or "none: the campaign has no files"
    problems = [
        Problem(f"subjects.{name[:120]}", name, have, "name one of the campaign's files")
        for name in submission.subjects
        if name not in submission.files and name != DOCUMENT
    ]
    if problems:
        raise SpecError(problems)


def touch(session: Session, team_id: uuid.UUID, digests: Iterable[str]) -> dict[str, int]:
    """Note that uploaded files are used, so that they are not removed; their sizes by SHA-256."""
    named = UploadedFile.sha256.in_(set(digests))
    used = update(UploadedFile).where(UploadedFile.team_id == team_id, named)
    query = used.values(used_at=utc_now()).returning(UploadedFile.sha256, UploadedFile.size_bytes)
    return dict(session.execute(query).all())


def contents(
    session: Session, objects: ObjectStore, team_id: uuid.UUID, files: Mapping[str, str]
) -> dict[str, bytes]:
    """Name -> bytes, of the team's uploads or the shipped campaigns' files. Raises SpecError."""
    _check_names(files)
    if not files:
        return {}
    sizes = touch(session, team_id, files.values())
    shipped = library.files()
    problems = [
        Problem(f"files.{name}", sha256, "the SHA-256 of a file of the team", "upload it first")
        for name, sha256 in files.items()
        if sha256 not in sizes and sha256 not in shipped
    ]
    if problems:
        raise SpecError(problems)
    total = sum(sizes.get(sha256, 0) for sha256 in files.values())
    if total > _MAX_TOTAL_BYTES:
        remedy = "shorten them, or split the campaign"
        raise SpecError([Problem("files", total, f"at most {_MAX_TOTAL_BYTES} bytes", remedy)])
    return {
        name: objects.get_bytes(file_key(team_id, sha256))
        if sha256 in sizes
        else shipped[sha256].read_bytes()
        for name, sha256 in files.items()
    }


def keep_shipped(
    session: Session,
    objects: ObjectStore,
    team_id: uuid.UUID,
    by: uuid.UUID | None,
    files: Mapping[str, str],
) -> None:
    """Make shipped files that a campaign names the team's own: a later release may differ."""
    shipped = library.files()
    for sha256 in sorted(set(files.values()) & shipped.keys()):
        if session.get(UploadedFile, (team_id, sha256)) is None:
            store(session, objects, team_id, by, shipped[sha256].read_bytes())


def store(
    session: Session, objects: ObjectStore, team_id: uuid.UUID, by: uuid.UUID | None, content: bytes
) -> str:
    """Make a file the team's, as if it had been uploaded; its SHA-256."""
    sha256 = hashlib.sha256(content).hexdigest()
    if not touch(session, team_id, [sha256]):
        objects.put_bytes(file_key(team_id, sha256), content)
        row = {"sha256": sha256, "size_bytes": len(content), "created_by": by}
        insert_new(session, UploadedFile, team_id=team_id, **row)
    return sha256


def lay_out(folder: Path, document: str, found: Mapping[str, bytes]) -> None:
    """Write a document and its files, whose names were checked, into an empty folder."""
    (folder / DOCUMENT).write_text(document, encoding="utf-8")
    for name, content in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
