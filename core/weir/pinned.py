"""Players of others that are pinned: packages of the npm registry, by their hash.

A folder has a VERSION.json for each, which tools/players/pin.cjs writes. Standard library only:
agents import this, too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Package", "Pinned"]


@dataclass(frozen=True)
class Package:
    """A version. integrity: of the npm package (w3.org/TR/SRI). file: the script in it, of that
    SHA-256. settings: all there are, with their defaults. types: of those without a default, and of
    what may stand in them, by dotted path: JSON's types of their values, none of those that take
    code.
    """

    npm: str
    version: str
    integrity: str
    file: str
    sha256: str
    settings: dict[str, Any]
    types: dict[str, list[str]]

    @property
    def name(self) -> str:
        """As npm has it."""
        return f"{self.npm}@{self.version}"


class Pinned:
    """All versions of one player. npm: its name there, by which people know it, too."""

    def __init__(self, folder: Path, npm: str) -> None:
        self._folder = folder
        self.npm = npm
        self.versions = tuple(sorted((path.stem for path in folder.glob("*.json")), key=_by_number))
        """Oldest first."""
        self._read: dict[str, Package] = {}

    def package(self, version: str) -> Package:
        """One of the versions. Raises KeyError for another."""
        if version not in self.versions:
            raise KeyError(version)
        if version not in self._read:
            pinned = json.loads((self._folder / f"{version}.json").read_text())
            self._read[version] = Package(npm=self.npm, version=version, **pinned)
        return self._read[version]


def _by_number(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
