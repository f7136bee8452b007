"""A curve: points in order of time, few enough to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from weir_engine.report.thin import thin

__all__ = ["Curve", "Shape", "Window", "drawn", "marked"]

Shape = Literal["line", "step", "marks"]
_TIME_DIGITS = 6
_VALUE_DIGITS = 7


@dataclass(frozen=True)
class Window:
    """The part of a run that is looked at, and the most points of a curve.

    even: points evenly spaced in time, with the value at each; else peaks and troughs are kept.
    """

    from_s: float
    to_s: float
    points: int
    even: bool = False


@dataclass(frozen=True)
class Curve:
    """kind: see KINDS. client: from 1; flow: entry of flows.json. step: a value holds until the
    next; marks: moments, each with its value. samples: points in the window before thinning.
    labels: of marks, a word each. path: its name, of what belongs to one, where paths are named.
    """

    kind: str
    unit: str
    shape: Shape
    t_s: list[float]
    values: list[float]
    samples: int
    client: int | None = None
    flow: int | None = None
    path: str | None = None
    labels: list[str] = field(default_factory=list)


def drawn(
    kind: str,
    unit: str,
    shape: Shape,
    t_s: NDArray[Any],
    values: NDArray[Any],
    window: Window,
    **whose: Any,
) -> Curve:
    """A line or steps inside the window and one point beyond each end; what is NaN is left out.

    Thinned to the least and largest value per bin, so that no peak is lost; or `even`.
    """
    known = np.isfinite(values)
    if not known.all():
        t_s, values = t_s[known], values[known]
    start = max(0, int(np.searchsorted(t_s, window.from_s)) - 1)
    end = int(np.searchsorted(t_s, window.to_s, side="right")) + 1
    t_s, values = t_s[start:end], values[start:end]
    if window.even:
        t, y = _at_even_times(t_s, values, shape, window)
    else:
        t, y = thin(t_s, values, window.points)
    return Curve(kind, unit, shape, _times(t), _rounded(y), len(t_s), **whose)


def _at_even_times(
    t_s: NDArray[Any], values: NDArray[Any], shape: Shape, window: Window
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Steps hold to the window's end, lines end with their last point; nothing before the first."""
    moments = np.linspace(window.from_s, window.to_s, window.points)
    last = np.searchsorted(t_s, moments, side="right") - 1
    known = last >= 0
    if shape == "step":
        return moments[known], values[last[known]]
    known &= moments <= (t_s[-1] if len(t_s) else -np.inf)
    return moments[known], np.interp(moments[known], t_s, values) if known.any() else values[:0]


def marked(
    kind: str,
    unit: str,
    t_s: NDArray[Any],
    values: NDArray[Any],
    window: Window,
    labels: NDArray[Any] | None = None,
    **whose: Any,
) -> Curve:
    """Marks inside the window; where there are too many, every n-th."""
    inside = np.flatnonzero((t_s >= window.from_s) & (t_s <= window.to_s))
    step = -(-len(inside) // window.points) or 1
    kept = inside[::step]
    words = [] if labels is None else [str(word) for word in labels[kept]]
    numbers = _rounded(np.asarray(values[kept], dtype=np.float64))
    times = _times(np.asarray(t_s[kept], dtype=np.float64))
    return Curve(kind, unit, "marks", times, numbers, len(inside), labels=words, **whose)


def _times(t_s: NDArray[np.float64]) -> list[float]:
    times: list[float] = np.round(t_s, _TIME_DIGITS).tolist()
    return times


def _rounded(values: NDArray[np.float64]) -> list[float]:
    """To 7 significant digits: what a plot can show takes half the bytes."""
    with np.errstate(divide="ignore"):
        magnitude = np.where(values == 0, 0.0, np.floor(np.log10(np.abs(values))))
    scale = 10.0 ** (_VALUE_DIGITS - 1 - magnitude)
    rounded: list[float] = (np.round(values * scale) / scale).tolist()
    return rounded
