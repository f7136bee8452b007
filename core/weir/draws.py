"""Drawing from a resolved distribution: its inverse at one uniform number.

So the same number gives the same rank under every distribution. A cut (`at_most`) leaves out what
lies above it, as if larger values were drawn again.
"""

from __future__ import annotations

from math import exp, expm1, log, log1p
from statistics import NormalDist

from weir.resolved import Drawn

__all__ = ["draw"]

_NORMAL = NormalDist()


def draw(drawn: float | Drawn, uniform: float) -> float:
    """The value at one number of [0, 1); what is written, where it is not drawn."""
    if isinstance(drawn, int | float):
        return drawn
    if drawn["distribution"] == "uniform":
        return float(drawn["at_least"] + uniform * (drawn["at_most"] - drawn["at_least"]))
    if drawn["distribution"] == "log-normal":
        centre, sigma = log(drawn["median"]), drawn["sigma"]
        within = _NORMAL.cdf((log(drawn["at_most"]) - centre) / sigma)
        # 0 has no inverse; a 2^53rd is as good.
        return exp(centre + sigma * _NORMAL.inv_cdf(max(uniform, 2**-53) * within))
    within = -expm1(-drawn["at_most"] / drawn["mean"])
    return float(-drawn["mean"] * log1p(-uniform * within))
