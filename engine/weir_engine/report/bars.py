"""Bar charts of a metric over a campaign's levels, with 95 % intervals and a paper's values."""

from __future__ import annotations

from typing import Any

from weir_engine.report.build import Mean
from weir_engine.report.numbers import Scale
from weir_engine.report.svg import COLOURS, INK, figure, inline

__all__ = ["bars"]


def bars(
    title: str, rows: list[str], columns: list[str], cells: list[list[Mean | None]], scale: Scale
) -> str:
    """An SVG: a group of bars per column, a bar per row, ◇ where the paper has a number.

    cells: [row][column].
    """
    wide = max(4.8, 0.5 + 0.22 * len(rows) * len(columns))
    made, (axis,) = figure(min(wide, 7.0), 2.3)
    width = 0.8 / len(rows)
    for r, row in enumerate(rows):
        colour = COLOURS[r % len(COLOURS)]
        present = [(c, cell) for c, cell in enumerate(cells[r]) if cell is not None]
        where = [c - 0.4 + width * (r + 0.5) for c, _ in present]
        heights = [cell.mean * scale.factor for _, cell in present]
        axis.bar(where, heights, width * 0.92, color=colour, label=row)
        errors = [((c.ci[1] - c.ci[0]) / 2 if c.ci else 0.0) * scale.factor for _, c in present]
        axis.errorbar(where, heights, errors, fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
        papers = [(x, cell.paper) for x, (_, cell) in zip(where, present, strict=True)]
        known = [(x, value * scale.factor) for x, value in papers if value is not None]
        if known:
            x, y = zip(*known, strict=True)
            label = "paper" if r == len(rows) - 1 else None
            style: dict[str, Any] = {
                "markerfacecolor": "none",
                "markeredgecolor": INK,
                "markersize": 4.0,
            }
            axis.plot(x, y, "D", linestyle="none", label=label, **style)
    axis.set_xticks(range(len(columns)), columns)
    axis.set_ylabel(scale.unit)
    axis.set_ylim(*_limits([cell for line in cells for cell in line if cell], scale))
    if len(rows) > 1 or axis.get_legend_handles_labels()[0][1:]:
        made.legend(loc="outside upper left", ncols=4, fontsize=7, handlelength=1.0)
    return inline(made, title)


def _limits(cells: list[Mean], scale: Scale) -> tuple[float, float]:
    """From zero to above the bars; a wide interval of few runs may run out of the picture."""
    values = [cell.mean for cell in cells] + [c.paper for c in cells if c.paper is not None]
    ends = [end for cell in cells for end in (cell.ci or ())]
    high, low = max([0.0, *values]), min([0.0, *values])
    span = (high - low) or 1.0
    top = min(max([high, *ends]), high + 0.5 * span) + 0.08 * span
    bottom = max(min([low, *ends]), low - 0.5 * span) if low < 0 else 0.0
    return bottom * scale.factor, top * scale.factor
