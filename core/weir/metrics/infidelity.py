"""Infidelity and convergence speed: how far from, and how soon at, the optimal level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.session import Session

STABLE_S = 60
"""T of V_T in Ben Ameur et al. 2018"""

INFO = (
    MetricInfo(
        "infidelity_percent",
        "%",
        "client",
        "Ben Ameur et al. 2018; L_opt: weir.optimum, by rank",
        "lower",
        "Infidelity (IF)",
        "100 * (number of seconds i in 0..K-1 with L(i) != L_opt(i)) / K, L(i): level of the "
        "segment asked for last at second i, K: play_s",
    ),
    MetricInfo(
        "convergence_s",
        "s",
        "client",
        "Ben Ameur et al. 2018, T = 60 s; L_opt: weir.optimum, by rank",
        "lower",
        "Convergence speed (V_T)",
        f"smallest d in s with L(i) = L_opt(i) for every second i in [d, d + {STABLE_S}], else K "
        "= play_s; L(i): level of the segment asked for last at second i",
    ),
)

Levels = NDArray[np.int64]


def infidelity_percent(levels: Levels, optimum: Levels) -> float | None:
    """IF = 100 * (seconds i in 0..K-1 with L(i) != L_opt(i)) / K, in percent.

    levels, optimum: (K + 1,) samples. None if K = 0.
    """
    if len(levels) < 2:
        return None
    return 100 * float(np.mean(levels[:-1] != optimum[:-1]))


def convergence_s(levels: Levels, optimum: Levels, stable_s: int = STABLE_S) -> float | None:
    """V_T: the smallest d with L(i) = L_opt(i) for all i in [d, d + T]; K if there is none, in s.

    levels, optimum: (K + 1,) samples. None if K = 0.
    """
    seconds = len(levels) - 1
    if seconds < 1:
        return None
    wrong = np.concatenate(([0], np.cumsum(levels != optimum)))
    window = stable_s + 1
    clean = np.flatnonzero(wrong[window:] == wrong[:-window])
    return float(clean[0]) if len(clean) else float(seconds)


def measure(session: Session, context: Context) -> dict[str, Value]:
    if context.optima is None or not len(session.levels):
        return {"infidelity_percent": None, "convergence_s": None}
    optimum = context.optima[context.sessions.index(session)]
    return {
        "infidelity_percent": infidelity_percent(session.levels, optimum),
        "convergence_s": convergence_s(session.levels, optimum),
    }
