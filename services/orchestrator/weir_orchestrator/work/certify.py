"""A run that was carried out again, against the stored one of its key, file by file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from weir.rundir import to_json
from weir_engine import taking

from weir_orchestrator.objects import ObjectNotFound
from weir_orchestrator.recorded import RunFiles

__all__ = ["differing_files"]

_VARIES: Final = "host.json"
_DOCUMENT: Final = "run.json"
_NAMES: Final = ("campaign", "levels", "replicate")
"""What a run is called, which its key does not hold: the first one's names stay in the store."""


def differing_files(stored: RunFiles, folder: Path) -> list[str]:
    """Names of files whose SHA-256 differs, or that stand on one side only; host.json varies.

    run.json is compared under the names that the stored one has. Raises StoreUnavailable.
    """
    here = taking.digests(folder)
    if _DOCUMENT in here:
        here[_DOCUMENT] = _digest([_renamed(stored, (folder / _DOCUMENT).read_bytes())])
    names = (stored.listed().keys() | here.keys()) - {_VARIES}
    return sorted(name for name in names if _sha256(stored, name) != here.get(name))


def _sha256(stored: RunFiles, name: str) -> str | None:
    try:
        return _digest(stored.stream(name)[1])
    except ObjectNotFound:
        return None


def _renamed(stored: RunFiles, document: bytes) -> bytes:
    try:
        found = stored.document(_DOCUMENT)
        names = {name: found[name] for name in _NAMES}
    except (ValueError, TypeError, KeyError):  # damaged: then the bytes differ as they are
        return document
    fresh = json.loads(document)
    return document if fresh | names == fresh else to_json(fresh | names)


def _digest(chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()
