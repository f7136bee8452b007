"""What figures show of single segments, by name: values of those that arrived whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from weir.metrics.link import Floats
from weir.metrics.session import arrived
from weir.rundir.data import Columns

__all__ = ["SEGMENT_VALUES", "SegmentValue"]


@dataclass(frozen=True)
class SegmentValue:
    """of: a player's table (weir.rundir.schemas.PLAYER) -> its values in `unit`."""

    title: str
    unit: str
    of: Callable[[Columns], Floats]


def _known(column: str) -> Callable[[Columns], Floats]:
    """A rate; zero and undefined ones are left out, as in weir.metrics.estimates."""

    def of(rows: Columns) -> Floats:
        values = arrived(rows)[column].astype(np.float64)
        return values[np.isfinite(values) & (values > 0)]

    return of


def _steps(rows: Columns) -> Floats:
    """(n - 1,) level of each segment less that of the one before it in the film."""
    whole = arrived(rows)
    in_order = np.argsort(whole["segment"], kind="stable")
    return np.diff(whole["level"][in_order].astype(np.float64))


SEGMENT_VALUES: Final[Mapping[str, SegmentValue]] = MappingProxyType(
    {
        "raw_bps": SegmentValue("Throughput samples", "bit/s", _known("raw_bps")),
        "estimate_bps": SegmentValue("Throughput estimates", "bit/s", _known("estimate_bps")),
        "level_step": SegmentValue("Change of level", "", _steps),
    }
)
