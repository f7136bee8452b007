"""Conditions of wireless links over time, made by models that are stated: nothing is measured.

A trace is a CSV of the format `rows` (weir.spec.conditions). The same model, mean, length and seed
give the same bytes everywhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from math import ceil
from random import Random
from types import MappingProxyType
from typing import Final

from weir.trace_models.leo import leo
from weir.trace_models.lte import lte
from weir.trace_models.millimetre_wave import millimetre_wave
from weir.trace_models.row import STEP_S, Row, scaled_to

__all__ = ["MODELS", "MOST_S", "Row", "as_csv"]

MODELS: Final = MappingProxyType[str, Callable[[int, Random], list[Row]]](
    {"lte": lte, "5g": millimetre_wave, "leo": leo}
)
"""By name: rows of so many steps, of a mean rate of about 1."""

MOST_S: Final = 1800.0
"""Of a trace; a run takes so many rows of conditions at most (weir.spec.conditions)."""


def as_csv(model: str, mean_bps: float, length_s: float, seed: int) -> str:
    """The trace, whose mean rate is mean_bps to within rounding; its last row gives the end.

    length_s is rounded up to whole steps of 0.1 s. Round trips and loss are there where they
    change: each such row is a command to the kernel.
    """
    steps = ceil(length_s / STEP_S - 1e-9)
    # Only random() is promised to stay the same in later versions of Python.
    rows = scaled_to(mean_bps, MODELS[model](steps, Random(seed)))
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    changes = any((row.rtt_s, row.loss) != (rows[0].rtt_s, rows[0].loss) for row in rows)
    lines.writerow(["time_s", "rate_mbit", *(["rtt_ms", "loss_percent"] if changes else [])])
    for number, row in enumerate([*rows, rows[-1]]):
        conditions = [f"{row.rtt_s * 1e3:.2f}", f"{row.loss * 100:g}"] if changes else []
        lines.writerow([f"{number * STEP_S:.1f}", f"{row.rate / 1e6:.4f}", *conditions])
    return text.getvalue()
