"""The run directory's JSON documents: format number, deterministic text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from weir.errors import WeirError

FORMAT = 2


class RunDirectoryError(WeirError):
    """A run directory that cannot be read: the message names the file and the remedy."""


def to_json(value: Any) -> bytes:
    """JSON with sorted keys and a final newline; NaN and infinity raise ValueError."""
    text = json.dumps(value, sort_keys=True, indent=1, allow_nan=False, ensure_ascii=False)
    return text.encode() + b"\n"


def read_json(path: Path) -> Any:
    """Raises RunDirectoryError when absent or not JSON."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        raise RunDirectoryError(f"{path}: no such file; the run did not finish") from None
    except ValueError as error:
        raise RunDirectoryError(f"{path}: not JSON ({error}); run it again") from None


def read_document(directory: Path) -> dict[str, Any]:
    """run.json, checked: it is written last, so a directory without it is unfinished.

    Raises RunDirectoryError when it is absent, unreadable or of a newer format than FORMAT.
    """
    path = directory / "run.json"
    document = read_json(path)
    found = document.get("format") if isinstance(document, dict) else None
    if type(found) is not int or found < 1:
        raise RunDirectoryError(f"{path}: format is {found!r}; a whole number from 1 is needed")
    if found > FORMAT:
        raise RunDirectoryError(
            f"{path}: format {found} is newer than {FORMAT}, the newest this Weir reads; "
            "use the Weir that wrote it, or a later one"
        )
    return dict(document)
