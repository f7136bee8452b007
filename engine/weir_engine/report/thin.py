"""Fewer points for the same picture."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["thin"]

Floats = NDArray[np.float64]


def thin(t: NDArray[Any], y: NDArray[Any], points: int = 1200) -> tuple[Floats, Floats]:
    """At most `points` of the points of a curve, those of the least and largest y per bin.

    t: (n,) rising; y: (n,), finite. Peaks and troughs stay where they are; order is kept.
    """
    times, values = np.asarray(t, dtype=np.float64), np.asarray(y, dtype=np.float64)
    n = len(times)
    if n <= points:
        return times, values
    edges = np.linspace(0, n, max(1, points // 2) + 1).astype(np.int64)
    kept = set()
    for start, end in pairwise(edges.tolist()):
        if end > start:
            part = values[start:end]
            kept |= {start + int(part.argmin()), start + int(part.argmax())}
    index = np.array(sorted(kept), dtype=np.int64)
    return times[index], values[index]
