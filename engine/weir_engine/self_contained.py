"""A campaign file as one document that stands alone, with the files that it names."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from weir.spec.folders import listed
from weir.spec.merge import document
from weir.spec.packages import is_package

__all__ = ["self_contained"]

_NOT_NAMES = frozenset({"name", "description"})


def self_contained(
    path: Path,
    overrides: Mapping[str, Any] | None = None,
    *,
    merged: Mapping[str, Any] | None = None,
) -> tuple[str, dict[str, Any], dict[str, Path]]:
    """Document, overrides, and name in them -> file.

    The bases are merged in. A file outside of the campaign's folder gets a name of its own, as a
    server reads none beside the campaign's. The text stays as written where nothing changes.
    merged: what `document` gives for the path, where it is known. Raises SpecError.
    """
    merged = document(path) if merged is None else merged
    files: dict[str, Path] = {}
    alone = _renamed({k: v for k, v in merged.items() if k != "base"}, path.parent, files)
    overridden = _renamed(dict(overrides or {}), path.parent, files)
    if alone == merged:
        return path.read_text(encoding="utf-8"), overridden, files
    text = yaml.safe_dump(alone, sort_keys=False, allow_unicode=True, width=100)
    return text, overridden, files


def _renamed(value: Any, folder: Path, files: dict[str, Path]) -> Any:
    """The value with the names that it has for files; these are added to `files`."""
    if isinstance(value, dict):
        return {
            key: item if key in _NOT_NAMES else _renamed(item, folder, files)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_renamed(item, folder, files) for item in value]
    if not isinstance(value, str):
        return value
    return _name(value, folder, files)


def _name(value: str, folder: Path, files: dict[str, Path]) -> str:
    """The text, where it is no name of a file or folder; else its name, and `files` has it."""
    if is_package(value) and _is_file(folder / value / "package.json"):
        return _with_folder(value, folder / value, files)
    # A player's class follows its file: players/mine.py:Mine
    name, colon, rest = value.partition(":")
    if not name or not _is_file(folder / name):
        return value
    pure = PurePosixPath(name)
    if not pure.is_absolute() and ".." not in pure.parts:
        files[pure.as_posix()] = folder / name
        return value
    content = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    inner = f"outside/{content[:12]}/{pure.name}"
    files[inner] = folder / name
    return f"{inner}{colon}{rest}"


def _with_folder(name: str, folder: Path, files: dict[str, Path]) -> str:
    """The name of a player's folder, whose files are added. Raises SpecError as `listed`."""
    own = listed("player", name, folder)
    pure = PurePosixPath(name)
    if pure.is_absolute() or ".." in pure.parts:
        digest = hashlib.sha256()
        for inner, file in own.items():
            digest.update(f"{inner} {hashlib.sha256(file.read_bytes()).hexdigest()} ".encode())
        pure = PurePosixPath("outside", digest.hexdigest()[:12], pure.name.strip(".") or "player")
        name = f"{pure.as_posix()}/"
    files.update({(pure / inner).as_posix(): file for inner, file in own.items()})
    return name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a text too long to be a name
        return False
