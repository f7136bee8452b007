"""Published QoE scores. Each goes by its authors' name; none is "the" QoE.

N segments of bitrate r_i, stalls (startup not among them) and startup delay as in
weir.metrics.rebuffering.
"""

from __future__ import annotations

import math

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.rebuffering import stalls_s, startup_s
from weir.metrics.session import Session

PENSIEVE_STALL_WEIGHT = 4.3
"""Of a second, in Mbit/s"""
GAMMA_P_S = 5.0
"""Sabre's default weight of rebuffering"""

INFO = (
    MetricInfo(
        "qoe_yin",
        "kbit/s",
        "client",
        "Yin et al., SIGCOMM 2015, balanced weights (lambda 1, mu = mu_s = 3000)",
        "higher",
        "QoE, Yin 2015",
        "sum r_i - sum |r_i - r_(i-1)| - 3000 * stalled - 3000 * startup_s, r_i: kbit/s of "
        "segment i, stalled: sum of the stalls in s; a total, no mean",
    ),
    MetricInfo(
        "qoe_pensieve",
        "Mbit/s",
        "client",
        "Mao et al., SIGCOMM 2017, QoE_lin, mean per segment",
        "higher",
        "QoE, Pensieve 2017",
        f"(sum r_i - {PENSIEVE_STALL_WEIGHT} * stalled - sum |r_i - r_(i-1)|) / segments, r_i: "
        "Mbit/s of segment i, stalled: sum of the stalls in s",
    ),
    MetricInfo(
        "qoe_sabre",
        "",
        "client",
        "Spiteri et al., MMSys 2018: Sabre's time average score, gamma p = 5 s",
        "higher",
        "QoE, Sabre / dash.js",
        f"(sum ln(r_i / r_lowest) - {GAMMA_P_S:g} s * stalled / p) / ((segments * p + stalled + "
        "startup_s) / p), r_i: bit/s of segment i, p: segment length in s, stalled: sum of the "
        "stalls in s",
    ),
    MetricInfo(
        "qoe_mok_mos",
        "MOS",
        "client",
        "Mok, Chan, Chang, IM 2011: regression on three-level inputs",
        "higher",
        "MOS, Mok 2011",
        "4.23 - 0.0672 Lti - 0.742 Lfr - 0.106 Ltr; each L is 1, 2 or 3, parted by: startup 1 and "
        "5 s, stalls per s of session 0.02 and 0.15, mean stall 5 and 10 s",
    ),
)


def yin(rates_bps: Floats, stalled_s: float, startup: float) -> float:
    """sum r_i - 1 * sum |r_i - r_{i-1}| - 3000 * stalled - 3000 * startup, r in kbit/s: a total
    over the session, so compare sessions of one length only.
    """
    kbps = rates_bps / 1e3
    change = float(np.abs(np.diff(kbps)).sum())
    return float(kbps.sum()) - change - 3000 * stalled_s - 3000 * startup


def pensieve(rates_bps: Floats, stalled_s: float) -> float:
    """(sum r_i - 4.3 * stalled - sum |r_i - r_{i-1}|) / N, r in Mbit/s; it has no startup term."""
    mbps = rates_bps / 1e6
    change = float(np.abs(np.diff(mbps)).sum())
    return (float(mbps.sum()) - PENSIEVE_STALL_WEIGHT * stalled_s - change) / len(mbps)


def sabre(
    rates_bps: Floats, lowest_bps: float, segment_s: float, stalled_s: float, startup: float
) -> float:
    """(sum ln(r_i / r_lowest) - 5 s * stalled / segment) / (all the time in segments).

    All the time = playing + stalls + startup, in s. Segments that arrived count as played.
    """
    utility = float(np.log(rates_bps / lowest_bps).sum())
    total_s = len(rates_bps) * segment_s + stalled_s + startup
    return (utility - GAMMA_P_S * stalled_s / segment_s) / (total_s / segment_s)


def mok_mos(startup: float, stalls: Floats, length_s: float) -> float:
    """4.23 - 0.0672 L_ti - 0.742 L_fr - 0.106 L_tr, each L being 1, 2 or 3.

    L_ti, startup delay: up to 1 s, up to 5 s, above. L_fr, stalls per second of session: up to
    0.02, up to 0.15, above. L_tr, mean stall: up to 5 s, up to 10 s, above.
    """
    mean = float(stalls.mean()) if len(stalls) else 0.0
    l_ti = _level(startup, 1.0, 5.0)
    l_fr = _level(len(stalls) / length_s, 0.02, 0.15)
    l_tr = _level(mean, 5.0, 10.0)
    return 4.23 - 0.0672 * l_ti - 0.742 * l_fr - 0.106 * l_tr


def measure(session: Session, context: Context) -> dict[str, Value]:
    segment_s = float(context.data.experiment["content"]["segment_s"])
    rates, stalls = session.column("bitrate_bps"), stalls_s(session)
    startup = startup_s(session, segment_s)
    length = session.end_s - session.start_s
    if startup is None or length <= 0:
        return dict.fromkeys(info.name for info in INFO)
    stalled = math.fsum(stalls.tolist())
    return {
        "qoe_yin": yin(rates, stalled, startup),
        "qoe_pensieve": pensieve(rates, stalled),
        "qoe_sabre": sabre(rates, context.ladder[0], segment_s, stalled, startup),
        "qoe_mok_mos": mok_mos(startup, stalls, length),
    }


def _level(value: float, low: float, high: float) -> int:
    return 1 + (value > low) + (value > high)
