"""The versions of dash.js that can play."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["VERSIONS", "Package", "package"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Package:
    """A version. integrity: of the npm package (w3.org/TR/SRI). file: the script in it, of that
    SHA-256. settings: all there are, with their defaults.
    """

    version: str
    integrity: str
    file: str
    sha256: str
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        """As npm has it."""
        return f"dashjs@{self.version}"


def _by_number(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


VERSIONS = tuple(sorted((path.stem for path in _FOLDER.glob("*.json")), key=_by_number))
"""Oldest first."""


@cache
def package(version: str) -> Package:
    """One of VERSIONS. Raises KeyError for another."""
    if version not in VERSIONS:
        raise KeyError(version)
    return Package(version=version, **json.loads((_FOLDER / f"{version}.json").read_text()))
