"""Rate of the bottleneck over time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Link:
    """Piecewise constant rate from steps [[s, bit/s], ...], repeated every `loop_s` if given."""

    def __init__(self, rate_steps: list[list[float]], loop_s: float | None) -> None:
        steps = np.asarray(rate_steps, dtype=np.float64).reshape(-1, 2)
        self._times, self._rates, self._loop_s = steps[:, 0], steps[:, 1], loop_s
        self._bits = np.concatenate(([0.0], np.cumsum(np.diff(self._times) * self._rates[:-1])))

    def rate_at(self, t_s: Floats) -> Floats:
        """bit/s at each time."""
        rates: Floats = self._rates[self._step(self._within(t_s))]
        return rates

    def bits_until(self, t_s: Floats) -> Floats:
        """Bits that the link can carry from 0 to each time."""
        if self._loop_s is None:
            return self._bits_in_period(t_s)
        period = float(self._bits_in_period(np.array([self._loop_s]))[0])
        whole = np.floor_divide(t_s, self._loop_s)
        return whole * period + self._bits_in_period(t_s - whole * self._loop_s)

    def _within(self, t_s: Floats) -> Floats:
        return t_s if self._loop_s is None else np.mod(t_s, self._loop_s)

    def _step(self, t_s: Floats) -> NDArray[np.intp]:
        return np.maximum(np.searchsorted(self._times, t_s, side="right") - 1, 0)

    def _bits_in_period(self, t_s: Floats) -> Floats:
        step = self._step(t_s)
        return self._bits[step] + (t_s - self._times[step]) * self._rates[step]
