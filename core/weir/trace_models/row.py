"""A tenth of a second of a link, and what the models share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log
from random import Random
from statistics import NormalDist, fmean
from typing import Final

__all__ = ["STEP_S", "Row", "exponential_s", "log_normal", "normal", "scaled_to"]

STEP_S: Final = 0.1
_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Row:
    """rate: in bit/s, or as a multiple of the mean; loss: a ratio."""

    rate: float
    rtt_s: float
    loss: float = 0.0


def normal(random: Random) -> float:
    """A standard normal number, from one uniform one."""
    return _NORMAL.inv_cdf(max(random.random(), 2**-53))


def exponential_s(mean_s: float, random: Random) -> float:
    """How long something lasts that may end at any moment."""
    return -mean_s * log(1 - random.random())


def log_normal(sigma: float, random: Random) -> float:
    """Of mean 1."""
    return exp(sigma * normal(random) - sigma**2 / 2)


def scaled_to(mean_bps: float, rows: list[Row]) -> list[Row]:
    """With rates whose mean is that."""
    factor = mean_bps / fmean(row.rate for row in rows)
    return [replace(row, rate=row.rate * factor) for row in rows]
