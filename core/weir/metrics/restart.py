"""What a TCP sender does after a pause: the window it restarts with, and what that loses.

A restart is a transfer whose request comes later after the last byte of the one before it, on the
same connection, than the sender's RTO (off_periods): the sender had nothing to send, and the
kernel may have taken its window back (RFC 2861, tcp_slow_start_after_idle).

The restart lasts until the sender has left slow start: from the transfer's first data packet at the
bottleneck to the first ACK that finds cwnd >= ssthresh, or to the next request of the connection if
none does. A sender that kept its window leaves with the first ACK, so what is counted is its first
burst. A loss in slow start ends it with the first ACKs of the recovery, where ssthresh falls below
cwnd; what the overshoot loses has come to the bottleneck by then.

Records are made before an ACK is processed: the first ACK's is the window that the burst was sent
with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.network import DROPPED
from weir.metrics.off_periods import off_s, rto_s
from weir.metrics.session import Session
from weir.rundir.data import Columns

INFINITE_SSTHRESH: Final = 0x7FFFFFFF
"""The kernel's TCP_INFINITE_SSTHRESH: no loss has been met, or it was forgotten."""

_SOURCE = "weir.metrics.restart; after Yanev et al. 2022, figures 1 and 2"
INFO = (
    MetricInfo(
        "restarts",
        "",
        "client",
        _SOURCE,
        None,
        "Transfers after an OFF period longer than the RTO",
        "number of transfers asked for later after the connection's last byte than its RTO then, "
        "with data at the bottleneck and an ACK for it",
    ),
    MetricInfo(
        "restarts_per_100_segments",
        "1/100 segments",
        "client",
        _SOURCE,
        None,
        "Restarts per 100 segments",
        "100 * restarts / segments that arrived",
    ),
    MetricInfo(
        "restart_loss_percent",
        "%",
        "client",
        _SOURCE,
        "lower",
        "Loss at the bottleneck after idle",
        "100 * drops / data packets at the bottleneck in the client's restarts, each from its "
        "first packet until an ACK finds cwnd >= ssthresh or the next request",
    ),
    MetricInfo(
        "drops_per_restart",
        "",
        "client",
        _SOURCE,
        "lower",
        "Drops per restart",
        "data packets dropped at the bottleneck / restarts, each from its first packet until an "
        "ACK finds cwnd >= ssthresh or the next request",
    ),
    MetricInfo(
        "restart_cwnd_mean_segments",
        "segments",
        "client",
        _SOURCE,
        None,
        "Mean cwnd on a restart's first ACK",
        "mean over restarts of cwnd in segments as their first ACK finds it",
    ),
    MetricInfo(
        "restart_ssthresh_mean_segments",
        "segments",
        "client",
        f"{_SOURCE}; restarts with an infinite ssthresh left out",
        None,
        "Mean ssthresh on a restart's first ACK",
        "mean over restarts of ssthresh in segments as their first ACK finds it, infinite ones "
        "left out",
    ),
    MetricInfo(
        "restart_ssthresh_infinite_percent",
        "%",
        "client",
        _SOURCE,
        None,
        "Restarts without a slow start threshold",
        "100 * restarts whose first ACK finds ssthresh infinite / restarts",
    ),
    MetricInfo(
        "restart_slow_start_mean_s",
        "s",
        "client",
        _SOURCE,
        "lower",
        "Mean time from a restart's first packet until slow start is left",
        "mean time in s from a restart's first packet at the bottleneck to the first ACK that "
        "finds cwnd >= ssthresh; restarts without one left out",
    ),
)


@dataclass(frozen=True)
class Restart:
    """One restart. ended_s: None where the sender was still in slow start at the next request."""

    cwnd_segments: int
    ssthresh_segments: int
    started_s: float
    ended_s: float | None
    packets: int
    """data packets that came to the bottleneck until then"""
    drops: int


def restarts(
    request_s: Floats, last_byte_s: Floats, acks: Columns, packets: Columns
) -> Iterator[Restart]:
    """The restarts of one connection.

    request_s, last_byte_s: (n,) its requests in order. acks: the flow's rows with t_ns, cwnd,
    ssthresh, rto_us. packets: its rows with arrival_ns, fate, payload, in order of arrival.
    A transfer of which nothing came to the bottleneck, or nothing was acknowledged, is none.
    """
    data = packets["payload"] > 0
    arrival_s = packets["arrival_ns"][data].astype(np.float64) / 1e9
    dropped = packets["fate"][data] == DROPPED
    ack_s = acks["t_ns"].astype(np.float64) / 1e9
    off = off_s(request_s, last_byte_s)
    for index in np.flatnonzero(off > rto_s(acks, request_s[1:])) + 1:
        until_s = request_s[index + 1] if index + 1 < len(request_s) else np.inf
        first = int(np.searchsorted(arrival_s, request_s[index]))
        if first == len(arrival_s) or arrival_s[first] >= until_s:
            continue
        started_s = float(arrival_s[first])
        begin, end = np.searchsorted(ack_s, [started_s, until_s], side="right")
        if begin == end:
            continue
        cwnd, ssthresh = acks["cwnd"][begin:end], acks["ssthresh"][begin:end]
        left = np.flatnonzero(cwnd >= ssthresh)
        ended_s = float(ack_s[begin + left[0]]) if len(left) else None
        last = int(np.searchsorted(arrival_s, until_s if ended_s is None else ended_s))
        yield Restart(
            cwnd_segments=int(cwnd[0]),
            ssthresh_segments=int(ssthresh[0]),
            started_s=started_s,
            ended_s=ended_s,
            packets=last - first,
            drops=int(np.count_nonzero(dropped[first:last])),
        )


def by_flow(session: Session, context: Context) -> list[tuple[int, Restart]] | None:
    """All restarts of a client, each with its flow, flow by flow; None where a record was off."""
    if context.tcp is None or context.packets is None:
        return None
    found: list[tuple[int, Restart]] = []
    for flow in context.flows_of(session):
        mine = session.log["connection"] == flow["remote_port"]
        number = flow["flow"]
        if number in context.tcp and number in context.packets and mine.any():
            times = session.log["request_s"][mine], session.log["last_byte_s"][mine]
            own = restarts(*times, context.tcp[number], context.packets[number])
            found.extend((number, one) for one in own)
    return found


def of_session(session: Session, context: Context) -> list[Restart] | None:
    """All restarts of a client, connection by connection; None where a record was off."""
    found = by_flow(session, context)
    return None if found is None else [one for _, one in found]


def in_mid_film(session: Session, context: Context) -> tuple[int, Restart] | None:
    """The flow and the restart nearest to the middle of the session; None where there is none."""
    found = by_flow(session, context)
    middle_s = (session.start_s + session.end_s) / 2
    return min(found, key=lambda one: abs(one[1].started_s - middle_s)) if found else None


def loss_percent(found: list[Restart]) -> float | None:
    """100 * drops / data packets, over the restarts together; None without any."""
    packets = sum(restart.packets for restart in found)
    return 100 * sum(restart.drops for restart in found) / packets if packets else None


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Means are over restarts; all but the counts are None for a client that never restarted."""
    found = of_session(session, context)
    out: dict[str, Value] = dict.fromkeys(info.name for info in INFO)
    if found is None:
        return out
    segments = len(session.rows["segment"])
    out["restarts"] = len(found)
    out["restarts_per_100_segments"] = 100 * len(found) / segments if segments else None
    if not found:
        return out
    bounded = [r.ssthresh_segments for r in found if r.ssthresh_segments < INFINITE_SSTHRESH]
    lasted = [r.ended_s - r.started_s for r in found if r.ended_s is not None]
    out["restart_loss_percent"] = loss_percent(found)
    out["drops_per_restart"] = sum(r.drops for r in found) / len(found)
    out["restart_cwnd_mean_segments"] = _mean([r.cwnd_segments for r in found])
    out["restart_ssthresh_mean_segments"] = _mean(bounded)
    out["restart_ssthresh_infinite_percent"] = 100 * (1 - len(bounded) / len(found))
    out["restart_slow_start_mean_s"] = _mean(lasted)
    return out


def _mean(values: list[int] | list[float]) -> float | None:
    return float(np.mean(values)) if values else None
