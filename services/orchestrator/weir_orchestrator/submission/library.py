"""The campaigns that are shipped: each merged with its base, with the files that it names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from weir.expand import count
from weir.spec import load_campaign
from weir.spec.merge import document

__all__ = ["Shipped", "campaigns", "files"]

_FOLDER = Path(__file__).resolve().parents[4] / "campaigns"


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


@cache
def campaigns() -> list[Shipped]:
    """All that are shipped, in the order of their paths; those that only serve as base are not."""
    return [_shipped(path) for path in sorted(_FOLDER.rglob("*.yaml")) if "name" in document(path)]


@cache
def files() -> dict[str, Path]:
    """SHA-256 -> path of every file that a shipped campaign names."""
    return {
        sha256: path.parent / name
        for shipped in campaigns()
        for path in [_FOLDER / shipped.path]
        for name, sha256 in shipped.files.items()
    }


def _shipped(path: Path) -> Shipped:
    campaign = load_campaign(path)
    merged = document(path)
    merged.pop("base", None)
    return Shipped(
        path=path.relative_to(_FOLDER).as_posix(),
        name=campaign.name,
        description=campaign.description,
        runs=count(campaign),
        factors=[factor for axis in campaign.axes() for factor in axis[0]],
        document=yaml.safe_dump(merged, sort_keys=False, allow_unicode=True, width=100),
        files={name: _sha256(path.parent / name) for name in sorted(_named(merged, path.parent))},
    )


def _named(value: Any, folder: Path) -> Iterator[str]:
    """Names in the document that are files in the campaign's folder."""
    if isinstance(value, dict):
        for item in value.values():
            yield from _named(item, folder)
    elif isinstance(value, list):
        for item in value:
            yield from _named(item, folder)
    elif isinstance(value, str) and len(value) < 200:
        name = value.partition(":")[0]
        if name and (folder / name).is_file():
            yield name


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
