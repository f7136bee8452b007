"""Numbers for people: units that fit, three significant digits."""

from __future__ import annotations

import math
from dataclasses import dataclass

from weir_engine.report.build import Mean, Report

__all__ = ["Scale", "scale_for", "scale_of"]


@dataclass(frozen=True)
class Scale:
    """Multiply by `factor` to get `unit`."""

    factor: float
    unit: str

    def number(self, value: float) -> str:
        """Three significant digits, never an exponent."""
        return f"{value * self.factor:.{self._digits(value)}f}"

    def cell(self, cell: Mean) -> str:
        """`4.95 ± 0.31`: both to the same place."""
        if cell.ci is None:
            return self.number(cell.mean)
        half = (cell.ci[1] - cell.ci[0]) / 2
        digits = self._digits(cell.mean or half)
        mean = cell.mean * self.factor
        return f"{mean:.{digits}f} ± {half * self.factor:.{digits}f}"

    def _digits(self, value: float) -> int:
        scaled = abs(value * self.factor)
        return min(max(2 - math.floor(math.log10(scaled)), 0), 4) if scaled else 0


def scale_of(report: Report, metric: str) -> Scale:
    """The scale that all numbers of a metric in a report are shown in."""
    means = [abs(cell.mean) for (_, name, _), cell in report.means.items() if name == metric]
    return scale_for(report.unit(metric), max(means, default=1.0))


def scale_for(unit: str, largest: float) -> Scale:
    """The scale for numbers of a unit up to `largest` in size."""
    if unit == "bit/s":
        return Scale(1e-6, "Mbit/s")
    if unit == "bytes" and largest >= 1e6:
        return Scale(1e-6, "MB")
    if unit == "s" and largest < 1:
        return Scale(1e3, "ms")
    return Scale(1.0, unit)
