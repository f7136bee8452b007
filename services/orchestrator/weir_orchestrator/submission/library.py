"""The campaigns that are shipped: each merged with its base, with the files that it names."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from weir.expand import Expansion
from weir.spec.load import parse_campaign
from weir.spec.merge import document
from weir_engine.self_contained import self_contained

from weir_orchestrator import shipped

__all__ = ["Shipped", "campaigns", "files"]

_FOLDER: Final = shipped.folder("campaigns")
_FIRST: Final = "quickstart.yaml"
_reading: Final = Lock()


@dataclass(frozen=True)
class Shipped:
    """A shipped campaign. path: below campaigns/. document: YAML that stands alone.

    files: name in the document -> SHA-256.
    """

    path: str
    name: str
    description: str
    runs: int
    factors: list[str]
    document: str
    files: dict[str, str]


def campaigns() -> list[Shipped]:
    """All that a platform can carry out: the quickstart, then in the order of their paths.

    Neither files that only serve as base, nor searches, which are refused here.
    """
    with _reading:  # once: who asks meanwhile waits for what is read already
        return _campaigns()


@cache
def _campaigns() -> list[Shipped]:
    return [
        _shipped(path, merged)
        for path in sorted(_FOLDER.rglob("*.yaml"), key=lambda path: (path.name != _FIRST, path))
        if "name" in (merged := document(path)) and "search" not in merged
    ]


@cache
def files() -> dict[str, Path]:
    """SHA-256 -> path of every file that a shipped campaign names."""
    return {
        sha256: path.parent / name
        for campaign in campaigns()
        for path in [_FOLDER / campaign.path]
        for name, sha256 in campaign.files.items()
    }


def _shipped(path: Path, merged: dict[str, Any]) -> Shipped:
    # Its paper says nothing of its runs, and takes as long to read as all else.
    campaign = parse_campaign({**merged, "paper": None}, path.parent)
    expansion = Expansion(campaign)
    text, _, named = self_contained(path, merged=merged)
    return Shipped(
        path=path.relative_to(_FOLDER).as_posix(),
        name=campaign.name,
        description=campaign.description,
        runs=expansion.count(),
        factors=expansion.factors,
        document=text,
        files={name: _sha256(file) for name, file in sorted(named.items())},
    )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
