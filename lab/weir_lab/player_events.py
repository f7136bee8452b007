"""events.jsonl of a player that is a program of its own: what it chose, and how it played.

Standard library only: agents read it, too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from weir.errors import RunFailure
from weir.records import EventRecord
from weir_client.program import MOST_BYTES

from weir_lab import left

__all__ = ["FILE", "read"]

FILE: Final = "events.jsonl"


def read(folder: Path, number: int) -> Iterator[EventRecord]:
    """What client `number` noted in its folder.

    Raises FileNotFoundError; RunFailure as `left.reading`, and where a line is no event.
    """
    for line in left.text(folder, FILE, MOST_BYTES).splitlines():
        yield _event(line, number, f"client-{number}/{FILE}")


def _event(line: str, number: int, name: str) -> EventRecord:
    try:
        given: Any = json.loads(line, parse_constant=_not_finite)
        found: EventRecord = {
            "t_s": _number(given, "t_s"),
            "event": "level-chosen",
            "client": number,
            "buffer_s": _number(given, "buffer_s"),
        }
        kind = given.get("event")
        if kind in ("playback", "media"):
            found |= {
                "event": kind,
                "media_s": _number(given, "media_s"),
                "speed": _number(given, "speed"),
            }
            if kind == "media":
                found["name"] = str(given["name"])
        elif kind == "frames":
            frames, dropped = int(given["frames"]), int(given["dropped_frames"])
            found |= {"event": "frames", "frames": frames, "dropped_frames": dropped}
        else:
            before = given["level_before"]
            found |= {
                "level": int(given["level"]),
                "level_before": None if before is None else int(before),
                "reason": given["reason"],
            }
    except (ArithmeticError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise RunFailure(f"{name}: {line[:80]!r} is no event of a player ({error!r})") from None
    return found


def _number(given: Any, name: str) -> float:
    """To a millionth. Raises ValueError: 1e999 is JSON, and no finite number."""
    if not math.isfinite(value := float(given[name])):
        raise ValueError(f"{name} is {value}, and no finite number")
    return round(value, 6)


def _not_finite(word: str) -> None:
    raise ValueError(f"{word} is no JSON")
