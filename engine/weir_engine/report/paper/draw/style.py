"""Colours and error bars, the same in every kind of figure."""

from __future__ import annotations

from typing import Final

from weir_engine.report.paper.panels import Point
from weir_engine.report.svg import COLOURS

__all__ = ["LINES", "colour", "half_widths"]

LINES: Final = ("-", ":", "--", "-.")
"""Kinds of line, of a figure's metrics in turn."""


def colour(number: int) -> str:
    """That of the n-th series or stack."""
    return COLOURS[number % len(COLOURS)]


def half_widths(points: list[Point], factor: float) -> list[float]:
    """Half of each error bar; 0 where there is none."""
    bars = [point.error_bar for point in points]
    return [(bar[1] - bar[0]) / 2 * factor if bar else 0.0 for bar in bars]
