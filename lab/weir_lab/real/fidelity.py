"""Did this machine keep up with real time? Checks that only the real clock needs. Pure."""

from __future__ import annotations

import math

import numpy as np
from weir.records import Check, Command
from weir.resolved import Experiment

from weir_lab.checks import check, idle_rtts
from weir_lab.real.timers import QUANTILE


def fidelity(
    experiment: Experiment,
    rtts_after_s: dict[int, list[float]],
    late_s: dict[str, list[float]],
    starved: dict[str, float | None],
    applied: list[Command],
) -> list[Check]:
    """Idle RTT of each path after the run, timer lateness and CPU starvation of the worst host.

    late_s: by host, how late its timers fired; starved: by host, the share of the time in which
    its kernel was ready to run and had no CPU, None where that cannot be measured.
    """
    bounds = experiment["checks"]
    late = {host: float(np.quantile(values, QUANTILE)) for host, values in late_s.items()}
    known = {host: value for host, value in starved.items() if value is not None}
    return [
        *idle_rtts(experiment, rtts_after_s, applied, "idle_rtt_after_s"),
        _worst("timer_lateness_s", late, bounds["timer_lateness_s"]),
        _worst("cpu_starvation", known, bounds["cpu_starvation"]),
    ]


def _worst(name: str, by_host: dict[str, float], bound: float) -> Check:
    """Nothing measured is nothing shown: it is not ok."""
    worst = max(by_host.values(), default=math.nan)
    said = [f"{host}: {value:.6f}" for host, value in by_host.items()]
    measured = None if math.isnan(worst) else round(worst, 9)
    return check(name, 0, said, measured, bound, worst <= bound)
