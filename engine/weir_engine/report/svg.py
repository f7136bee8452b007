"""Matplotlib figures as small inline SVG that follows the page's colours."""

from __future__ import annotations

import io
import re
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["COLOURS", "INK", "SHOWN", "figure", "inline"]

INK: Final = "#010203"
"""Stands for the text colour of the page; replaced by `currentColor`."""
COLOURS: Final = (
    *("#3378ce", "#d66904", "#217053", "#a74c98"),
    *("#908c71", "#00a0d7", "#bb2d18", "#3c4c5c"),
)
"""Blue, orange, green, purple, olive, sky, red, slate: those of the web page, which are told apart
with any colour vision (web/src/shared/theme/palette.ts). In figures they stand as SHOWN."""
SHOWN: Final = tuple(
    f"var(--series-{number}, {colour})" for number, colour in enumerate(COLOURS, start=1)
)
"""A page may set the variables to others, on a dark ground."""

_STYLE: Final[Any] = {
    "font.family": "sans-serif",
    "font.size": 8,
    "svg.fonttype": "none",
    "svg.hashsalt": "weir",
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "path.simplify": True,
}
# For good, not in a context: ticks and legends take their style when they are drawn.
mpl.rcParams.update(_STYLE)


def figure(
    width_in: float, height_in: float, ratios: tuple[float, ...] = (1.0,)
) -> tuple[Figure, list[Axes]]:
    """A figure of stacked axes that share x, in the report's style."""
    made = Figure(figsize=(width_in, height_in), layout="constrained")
    axes = made.subplots(len(ratios), 1, sharex=True, squeeze=False, height_ratios=ratios)
    return made, [axis for (axis,) in axes]


_DECIMALS = re.compile(r"-?\d+\.\d{2,}")


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}"


def inline(made: Figure, title: str) -> str:
    """The figure as an `<svg>` element: scalable, transparent, without ids that could clash."""
    buffer = io.StringIO()
    made.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    text = re.sub(r' width="[\d.]+pt" height="[\d.]+pt"', "", text, count=1)
    # Within tags only: between them stands what people read.
    text = re.sub(r"<[^>]+>", lambda tag: _DECIMALS.sub(_rounded, tag[0]), text)
    text = text.replace(INK, "currentColor")
    for colour, shown in zip(COLOURS, SHOWN, strict=True):
        text = text.replace(f": {colour}", f": {shown}")
    text = re.sub(r"\s*\n\s*", " ", text)
    label = title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
