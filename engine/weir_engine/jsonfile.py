"""JSON files written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

__all__ = ["dump", "line", "read", "write", "write_atomic"]


def dump(value: Any) -> str:
    """The one form in which this part writes JSON: same value, same bytes."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read(path: Path) -> Any:
    """The value in a file. Raises OSError, ValueError."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, value: Any) -> None:
    """Write in place, on the disk before it returns."""
    with path.open("w", encoding="utf-8") as file:
        file.write(dump(value))
        file.flush()
        os.fsync(file.fileno())


def write_atomic(path: Path, value: Any) -> None:
    """Write beside the target, then rename over it: readers see old or new, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write(beside, value)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def line(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
