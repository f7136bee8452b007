"""Who is "client 1": rank, and each client's optimal level over time.

The paper calls client 1 whoever gets the higher optimum. Rank 1 is therefore the client that
streamed at the higher mean sampled bitrate over the seconds it shared with another client (over
its whole session if it shared none); ties go to the lower client number. At any instant the
optimal levels of the active clients, highest first, go to them in order of rank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weir.metrics.link import Floats, Link
from weir.metrics.session import Session
from weir.optimum import optimal_levels


def ranks(sessions: list[Session]) -> list[int]:
    """Rank of each client from 1, in the order of `sessions`."""

    def rate(session: Session) -> float:
        if not len(session.rates_bps):
            return 0.0
        shared = _active(sessions, session.times_s) >= 2
        chosen = session.rates_bps[shared] if shared.any() else session.rates_bps
        return float(chosen.mean())

    order = sorted(sessions, key=lambda session: (-rate(session), session.client))
    by_client = {session.client: rank for rank, session in enumerate(order, start=1)}
    return [by_client[session.client] for session in sessions]


def optimum_of(
    session: Session, sessions: list[Session], ranked: list[int], link: Link, ladder: list[float]
) -> NDArray[np.int64]:
    """L_opt(i) at the session's K + 1 samples; length 0 when K = 0."""
    if not session.seconds:
        return np.zeros(0, dtype=np.int64)
    # A session is active on [start, end); the sample at its end belongs to the instant before.
    times = np.minimum(session.times_s, np.nextafter(session.end_s, -np.inf))
    own = ranked[sessions.index(session)]
    above = [other for other, rank in zip(sessions, ranked, strict=True) if rank < own]
    position, active = _active(above, times), _active(sessions, times)
    known: dict[tuple[float, int], list[int]] = {}
    out = np.empty(len(times), dtype=np.int64)
    samples = zip(link.rate_at(times).tolist(), active.tolist(), position.tolist(), strict=True)
    for i, (rate, clients, place) in enumerate(samples):
        levels = known.get((rate, clients))
        if levels is None:
            levels = known[rate, clients] = optimal_levels(rate, ladder, clients)
        out[i] = levels[place]
    return out


def _active(sessions: list[Session], times_s: Floats) -> NDArray[np.int64]:
    count = np.zeros(len(times_s), dtype=np.int64)
    for session in sessions:
        count += (times_s >= session.start_s) & (times_s < session.end_s)
    return count
