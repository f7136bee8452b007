"""What every figure has: panels with shared axes, names of rows and columns, one legend."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from weir_engine.report.numbers import Scale, scale_for
from weir_engine.report.paper.course import MOST_CLIENTS
from weir_engine.report.paper.draw import packets, window
from weir_engine.report.paper.draw.time import client_name
from weir_engine.report.paper.panels import Grid, Panel
from weir_engine.report.svg import inline

__all__ = ["framed"]

_WIDEST_IN = 10.5
_TIMES = {
    "time": "time [s]",
    "transfer": "time since the first packet [s]",
    "window": "time since the first packet after the pause [s]",
}
_REM_PER_IN = 7
"""Letters are then of one size in all figures, a little smaller than the page's."""


def framed(grid: Grid, mark: Callable[[Axes, Grid, Panel, float], None]) -> str:
    """Each panel drawn by `mark`, which is given the factor to the unit shown."""
    height, width = len(grid.rows), len(grid.columns)
    per_panel = 2.6 if width < 4 else 2.2
    # With one panel alone, room for its legend.
    size = min(max(per_panel * width + 0.8, 4.0), _WIDEST_IN), 1.55 * height + 0.9
    made = Figure(figsize=size, layout="constrained")
    # Rows of distributions may be of links whose rates are far apart.
    sharex: Literal["row", "all"] = "row" if grid.figure.kind == "cdf" else "all"
    axes = made.subplots(height, width, sharex=sharex, sharey="row", squeeze=False)
    for row, line in enumerate(grid.panels):
        scale = _scale(grid, row)
        for column, panel in enumerate(line):
            axis = axes[row][column]
            mark(axis, grid, panel, scale.factor)
            if grid.figure.kind != "heat map":
                axis.grid(axis="y", linewidth=0.4, alpha=0.25)
            axis.set_axisbelow(True)
            if row == 0 and grid.columns[column]:
                axis.set_title(grid.columns[column], fontsize=8, fontweight="bold")
        _name_row(grid, row, axes[row], scale)
        if grid.figure.kind == "stacked":
            axes[row][0].set(ylim=(0, 118), yticks=range(0, 101, 25))
        elif grid.figure.kind in {"lines", "bars"}:
            axes[row][0].set_ylim(*_limits(grid.panels[row], scale.factor))
    _name_axes(grid, made)
    if grid.places:
        axes[0][0].set_xlim(-0.5, len(grid.places) - 0.5)
        axes[0][0].set_xticks(range(len(grid.places)), grid.places)
    _legend(grid, made, list(axes.flat))
    drawn = inline(made, grid.figure.title)
    return drawn.replace("<svg ", f'<svg style="max-width: {size[0] * _REM_PER_IN:.0f}rem" ', 1)


def _name_row(grid: Grid, row: int, axes: Sequence[Axes], scale: Scale) -> None:
    """A level of an axis stands right of its row, a metric of its own left of it."""
    name = grid.rows[row]
    if grid.figure.kind == "heat map":  # left of it stand its own rows
        axes[0].set_ylabel(grid.series_title)
        name = name or (_measure(grid, row, scale) if len(grid.panels) > 1 else "")
    if name:
        style: dict[str, Any] = {"rotation": 270, "fontsize": 8, "fontweight": "bold"}
        axes[-1].annotate(
            textwrap.fill(name, 22),
            (1.02, 0.5),
            xycoords="axes fraction",
            va="center",
            ha="left",
            **style,
        )
    elif len(grid.panels) > 1:
        axes[0].set_ylabel(textwrap.fill(_measure(grid, row, scale), 22))


def _name_axes(grid: Grid, made: Figure) -> None:
    size = {"fontsize": 8}
    shown = _measure(grid, 0, _scale(grid, 0))
    if grid.figure.kind == "cdf":
        made.supxlabel(shown, **size)
        made.supylabel(f"share of {grid.figure.each}s", **size)
        return
    made.supxlabel(_TIMES.get(grid.figure.kind, grid.x_title), **size)
    if grid.figure.kind == "heat map" and (any(grid.rows) or len(grid.panels) == 1):
        made.suptitle(shown, **size)
    elif any(grid.rows) or len(grid.panels) == 1:
        made.supylabel(textwrap.fill(shown, int(12 * made.get_figheight())), **size)


def _measure(grid: Grid, row: int, scale: Scale) -> str:
    title = grid.measured[row][0]
    return f"{title} [{scale.unit}]" if scale.unit else title


def _legend(grid: Grid, made: Figure, axes: list[Axes]) -> None:
    handles = {
        label: handle
        for axis in axes
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    if grid.figure.kind == "transfer":
        wanted = [packets.RECEIVED, packets.DROPPED]
    elif grid.figure.kind == "window":
        wanted = list(window.NAMES)
    elif grid.figure.kind == "time":
        wanted = [*map(client_name, range(1, MOST_CLIENTS + 1)), *grid.stack]
    else:
        wanted = [*grid.series, *grid.stack]
    names = [name for name in wanted if name in handles]
    if names:
        made.legend(
            [handles[name] for name in names],
            names,
            loc="outside upper left",
            ncols=6,
            fontsize=8,
        )


def _scale(grid: Grid, row: int) -> Scale:
    panels = grid.panels[row]
    means = [abs(p.mean) for panel in panels for some in panel.series.values() for p in some]
    peaks = [float(one.values.max()) for panel in panels for one in panel.course]
    return scale_for(grid.measured[row][1], max([*means, *peaks], default=1.0))


def _limits(panels: list[Panel], factor: float) -> tuple[float, float]:
    """From zero to above the means; a wide interval of few runs may run out of the picture."""
    points = [p for panel in panels for some in panel.series.values() for p in some]
    means = [point.mean for point in points]
    ends = [end for point in points for end in (point.error_bar or ())]
    high, low = max([0.0, *means]), min([0.0, *means])
    span = (high - low) or 1.0
    top = min(max([high, *ends]), high + 0.4 * span) + 0.05 * span
    bottom = max(min([low, *ends]), low - 0.4 * span) if low < 0 else 0.0
    return bottom * factor, top * factor
