"""Stacked bars of shares."""

from __future__ import annotations

from collections import defaultdict

from matplotlib.axes import Axes

from weir_engine.report.paper.draw.style import colour
from weir_engine.report.paper.panels import Grid, Panel

__all__ = ["mark"]


def mark(axis: Axes, grid: Grid, panel: Panel, factor: float) -> None:
    """A group per place of x, in it a bar per series, named below; a colour per metric.

    Above each bar the number that is shared.
    """
    width = 0.8 / len(grid.series)
    bottoms: dict[tuple[int, int], float] = defaultdict(float)
    for (number, metric), points in sorted(panel.series.items()):
        at = [point.place - 0.4 + width * (number + 0.5) for point in points]
        heights = [point.mean * factor for point in points]
        below = [bottoms[number, point.place] for point in points]
        axis.bar(at, heights, width * 0.9, below, color=colour(metric), label=grid.stack[metric])
        for point, height in zip(points, heights, strict=True):
            bottoms[number, point.place] += height
    for (number, place), total in panel.sums.items():
        x = place - 0.4 + width * (number + 0.5)
        axis.text(x, 103, f"{total:.0f}", ha="center", va="bottom", fontsize=6)
    if len(grid.series) > 1:
        names = [
            (place - 0.4 + width * (number + 0.5), name)
            for place in range(len(grid.places))
            for number, name in enumerate(grid.series)
        ]
        axis.set_xticks([at for at, _ in names], [name for _, name in names], minor=True)
        axis.tick_params(axis="x", which="minor", labelsize=6, labelrotation=90, length=0, pad=1)
        longest = max(len(name) for name in grid.series)
        axis.tick_params(axis="x", which="major", length=0, pad=6 + 3.6 * longest)
