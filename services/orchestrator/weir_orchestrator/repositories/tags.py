"""The commit of a release."""

from __future__ import annotations

import re
from typing import Final

from weir_orchestrator.repositories.reached import reached
from weir_orchestrator.repositories.source import Source
from weir_orchestrator.settings import Settings

__all__ = ["commit_of_tag"]

_TAG: Final = re.compile(r"(?!.*(?:\.\.|//|/$|\.lock$))[A-Za-z0-9_][A-Za-z0-9_./+@-]{0,99}")
"""No pattern, which git would take for many."""


def commit_of_tag(
    source: Source, settings: Settings, path: str, tag: str, limit_s: float | None = None
) -> str | None:
    """The whole commit that a tag of the repository is of; None where it has none of that name.

    path: of the source in an answer. limit_s: see `reached`. Raises SpecError.
    """
    if not _TAG.fullmatch(tag):
        return None
    own = f"refs/tags/{tag}"
    # An annotated tag is an object of its own: what it is of has this name.
    peeled = f"{own}^{{}}"
    with reached(source, settings, path, limit_s) as git:
        listed = git("ls-remote", "--quiet", "origin", own, peeled).decode(errors="replace")
    found = {name: commit for commit, _, name in (s.partition("\t") for s in listed.splitlines())}
    return found.get(peeled) or found.get(own)
