"""What a metric is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Value = float | int | None
"""None: not defined for this run, or its record was off."""


@dataclass(frozen=True)
class MetricInfo:
    """A named number. `unit` is "" when dimensionless; `better` None when neither way is; `source`
    says who defined it."""

    name: str
    unit: str
    scope: Literal["run", "client", "path", "upstream", "traffic"]
    source: str
    better: Literal["lower", "higher"] | None
    title: str
    formula: str
    """how it is computed, in a line: its terms, their units, and what thresholds count"""
