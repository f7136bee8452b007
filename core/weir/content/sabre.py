"""Sabre's movie manifest: JSON with segment_duration_ms, bitrates_kbps, segment_sizes_bits.

Source: K. Spiteri's simulator Sabre (MMSys 2018); segment_sizes_bits has a row per segment with a
size per level, in bits.
"""

from __future__ import annotations

import json
from typing import Any

from weir.content.table import BadContent, Film, film

__all__ = ["from_sabre"]

_KEYS = ("segment_duration_ms", "bitrates_kbps", "segment_sizes_bits")


def from_sabre(text: str) -> Film:
    """The film of a manifest. Raises BadContent."""
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadContent(None, f"it is not JSON: {error}") from None
    if not isinstance(found, dict) or any(key not in found for key in _KEYS):
        raise BadContent(None, f"a Sabre manifest is an object with {', '.join(_KEYS)}")
    duration_ms, rates, rows = (found[key] for key in _KEYS)
    if not _number(duration_ms) or duration_ms <= 0:
        raise BadContent(f"segment_duration_ms {duration_ms!r}", "it is a number above zero")
    if not isinstance(rates, list) or not rates or not all(map(_number, rates)):
        raise BadContent(f"bitrates_kbps {rates!r}", "it is a list of numbers, one per level")
    if not isinstance(rows, list) or not rows:
        raise BadContent("segment_sizes_bits", "it is a list with a row per segment")
    for segment, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(rates):
            have = len(row) if isinstance(row, list) else 0
            raise BadContent(
                f"segment {segment} has {have} sizes", f"give {len(rates)}, one per bitrate"
            )
        for level, bits in enumerate(row):
            if not _number(bits) or not 0 < bits < 2**40:
                raise BadContent(
                    f"level {level}, segment {segment}: {bits!r} bits",
                    "a size is a number of bits above zero; mend that segment",
                )
    order = sorted(range(len(rates)), key=lambda level: float(rates[level]))
    return film(
        [[max(1, round(row[level] / 8)) for row in rows] for level in order],
        [rates[level] * 1000.0 for level in order],
        duration_ms / 1000,
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
