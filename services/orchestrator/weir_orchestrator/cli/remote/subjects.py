"""Subjects: files under test, with the version that each is of."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer
from weir_engine.errors import BadInput

__all__ = ["Subject", "SubjectOption", "subjects"]

SubjectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--subject",
        metavar="NAME=PATH@VERSION",
        help="A file under test in the place of the campaign's of that name, and which version of "
        "it this is, as player=build/abr.py@$GIT_SHA. Repeatable.",
    ),
]


@dataclass(frozen=True)
class Subject:
    """name: as the campaign has it."""

    name: str
    content: bytes
    version: str


def subjects(texts: Iterable[str], names: Collection[str]) -> list[Subject]:
    """names: of the campaign's files; `player` stands for `player.py`. Raises BadInput."""
    return [_subject(text, names) for text in texts]


def _subject(text: str, names: Collection[str]) -> Subject:
    asked, equals, given = text.partition("=")
    path, at, version = given.rpartition("@")
    if not (asked and equals and path and at and version.strip()):
        raise BadInput(f"--subject: {text} — allowed: NAME=PATH@VERSION, none of them empty")
    fits = [name for name in names if asked in {name, PurePosixPath(name).stem}]
    if len(fits) != 1:
        have = ", ".join(sorted(names)) or "none: the campaign names no files"
        raise BadInput(f"--subject: {asked} — allowed: the name of one of its files ({have})")
    try:
        return Subject(fits[0], Path(path).read_bytes(), version)
    except OSError as error:
        raise BadInput(f"--subject: {path}: {error.strerror}") from None
