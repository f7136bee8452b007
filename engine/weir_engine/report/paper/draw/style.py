"""Colours and intervals, the same in every kind of figure."""

from __future__ import annotations

from weir_engine.report.paper.panels import Point
from weir_engine.report.svg import COLOURS

__all__ = ["colour", "half_widths"]


def colour(number: int) -> str:
    """That of the n-th series or stack."""
    return COLOURS[number % len(COLOURS)]


def half_widths(points: list[Point], factor: float) -> list[float]:
    """Half of each 95 % interval; 0 where there is none."""
    return [(p.ci[1] - p.ci[0]) / 2 * factor if p.ci else 0.0 for p in points]
