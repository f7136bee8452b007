"""From which size on a difference matters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from weir.metrics import CATALOG

from weir_engine.errors import BadInput

__all__ = ["DEFAULTS", "Effect", "NotAnEffect", "limits", "parsed"]


class NotAnEffect(BadInput):
    """A text that is no `METRIC=SIZE`. allowed: what would be."""

    def __init__(self, text: str, allowed: str) -> None:
        super().__init__(f"--effect: {text} — allowed: {allowed}")
        self.text = text
        self.allowed = allowed


@dataclass(frozen=True)
class Effect:
    """A difference matters where it is larger than both. relative: to the baseline's value.

    absolute: in the metric's unit.
    """

    relative: float
    absolute: float

    def of(self, baseline: float) -> float:
        """The smallest difference that matters beside this value of the baseline."""
        return max(self.absolute, self.relative * abs(baseline))

    def text(self, unit: str) -> str:
        """As people read it: `2 % and 0.1 s`."""
        parts = [f"{100 * self.relative:g} %"] if self.relative else []
        parts += [f"{self.absolute:g} {unit}".strip()] if self.absolute else []
        return " and ".join(parts) or "any"


_RELATIVE: Final = 0.02
_ABSOLUTE: Final = {"s": 0.1, "%": 0.5, "MOS": 0.1, "1/100 s": 0.5}
"""By unit: about what a viewer, or one who reads a plot, would not notice."""
_NAMED: Final = {
    "jain": Effect(0.0, 0.01),
    "froff": Effect(0.0, 0.02),
    "ins": Effect(0.0, 0.02),
    "qoe_sabre": Effect(0.02, 0.02),
    "queueing_delay_mean_s": Effect(0.02, 0.001),
    "queueing_delay_p95_s": Effect(0.02, 0.001),
    "restart_slow_start_mean_s": Effect(0.02, 0.005),
    "stall_count": Effect(0.0, 0.5),
    "switch_count": Effect(0.02, 0.5),
}

DEFAULTS: Final[Mapping[str, Effect]] = {
    name: _NAMED.get(name, Effect(_RELATIVE, _ABSOLUTE.get(info.unit, 0.0)))
    for name, info in CATALOG.items()
}


def limits(effects: Sequence[Effect], baseline: NDArray[np.float64]) -> NDArray[np.float64]:
    """`Effect.of` of many values: one effect a row, shape (effects, values)."""
    relative, absolute = np.array([(each.relative, each.absolute) for each in effects]).T
    least: NDArray[np.float64] = np.maximum(absolute[:, None], relative[:, None] * np.abs(baseline))
    return least


def parsed(texts: Iterable[str]) -> dict[str, Effect]:
    """DEFAULTS with these in their place: `stall_mean_s=0.5` in the metric's unit, `jain=3%`.

    Raises NotAnEffect.
    """
    found = dict(DEFAULTS)
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in CATALOG:
            raise NotAnEffect(text, f"one of the metrics {', '.join(sorted(CATALOG))}")
        try:
            number = float(value.removesuffix("%"))
        except ValueError:
            number = -1.0
        if not equals or not 0 <= number < float("inf"):
            raise NotAnEffect(text, "METRIC=NUMBER in the metric's unit, or METRIC=NUMBER%, from 0")
        relative = value.endswith("%")
        found[name] = Effect(number / 100, 0.0) if relative else Effect(0.0, number)
    return found
