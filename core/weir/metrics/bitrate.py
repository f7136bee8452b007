"""Mean bitrate, average relative bitrate, oscillation and throughput."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats, Link
from weir.metrics.session import Session

INFO = (
    MetricInfo(
        "play_s",
        "s",
        "client",
        "K of Ben Ameur et al. 2018",
        None,
        "Play time",
        "K = floor(end - start) in s; end: the client's stop, the run's planned end, or that of a "
        "film seen whole, whichever is first",
    ),
    MetricInfo(
        "segments",
        "",
        "client",
        "player log",
        None,
        "Segments downloaded",
        "number of segments that arrived whole (HTTP status 200 or 206)",
    ),
    MetricInfo(
        "mean_bitrate_bps",
        "bit/s",
        "client",
        "player log",
        "higher",
        "Mean bitrate",
        "sum rate_i / segments, rate_i: encoding rate in bit/s of segment i that arrived whole",
    ),
    MetricInfo(
        "arb_percent",
        "%",
        "client",
        "Livi et al. 2017 (ARB)",
        "higher",
        "Average relative bitrate",
        "100 * mean_bitrate_bps / mean over the session of (link rate in bit/s / clients there "
        "then)",
    ),
    MetricInfo(
        "oscillation_bps",
        "bit/s",
        "client",
        "Livi et al. 2017",
        "lower",
        "Bitrate oscillation per segment",
        "sum |rate_i - rate_(i-1)| / segments, rate_i: encoding rate in bit/s of segment i that "
        "arrived whole",
    ),
    MetricInfo(
        "throughput_bps",
        "bit/s",
        "client",
        "player log",
        "higher",
        "Throughput",
        "8 * body bytes received (of requests cut off, too) / length of the session in s",
    ),
)


def oscillation_bps(bitrates: Floats) -> float | None:
    """sum |rate_i - rate_{i-1}| / segments, in bit/s per segment; None without a segment."""
    if not len(bitrates):
        return None
    return float(np.abs(np.diff(bitrates)).sum()) / len(bitrates)


def share_bps(session: Session, sessions: list[Session], link: Link) -> float | None:
    """Mean over the session of link rate / active clients, in bit/s: the per-client bandwidth.

    Livi's bottleneck is clients * rate throughout; here clients may come and go.
    """
    edges = [time for other in sessions for time in (other.start_s, other.end_s)]
    inside = np.clip(np.array(edges), session.start_s, session.end_s)
    cuts = np.unique(inside)
    if len(cuts) < 2:
        return None
    middle = (cuts[:-1] + cuts[1:]) / 2
    active = sum(((s.start_s <= middle) & (middle < s.end_s)).astype(int) for s in sessions)
    bits = np.diff(link.bits_until(cuts))
    return float((bits / active).sum() / (cuts[-1] - cuts[0]))


def measure(session: Session, context: Context) -> dict[str, Value]:
    """mean_bitrate_bps: mean encoding rate of the segments that arrived, in bit/s.
    arb_percent: 100 * mean bitrate / per-client bandwidth (`share_bps`).
    throughput_bps: 8 * body bytes received, cut-off segments included, / length of the session.
    """
    rates = session.column("bitrate_bps")
    length = session.end_s - session.start_s
    mean = float(rates.mean()) if len(rates) else None
    share = context.link and share_bps(session, context.sessions, context.link)
    return {
        "play_s": session.seconds,
        "segments": len(rates),
        "mean_bitrate_bps": mean,
        "arb_percent": 100 * mean / share if mean is not None and share else None,
        "oscillation_bps": oscillation_bps(rates),
        "throughput_bps": 8 * float(session.log["size_bytes"].sum()) / length if length else None,
    }
