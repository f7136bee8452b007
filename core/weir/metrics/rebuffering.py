"""Startup delay, stalls and rebuffer ratio."""

from __future__ import annotations

import numpy as np

from weir.metrics.context import Context
from weir.metrics.info import MetricInfo, Value
from weir.metrics.link import Floats
from weir.metrics.session import Session

SHORTEST_STALL_S = 1e-3
"""Shorter ones are rounding: no viewer sees less than a frame, 17 ms at the least."""
_ROUNDING_S = 1e-6

_LIVI = "Livi et al. 2017 (RBR)"
INFO = (
    MetricInfo(
        "startup_s",
        "s",
        "client",
        "Mok et al. 2011",
        "lower",
        "Startup delay",
        "time in s from the client's start to the arrival of the first segment after which its "
        "log shows media played or playback stalled",
    ),
    MetricInfo(
        "stall_count",
        "",
        "client",
        "Mok et al. 2011",
        "lower",
        "Stalls",
        f"number of stalls of {1000 * SHORTEST_STALL_S:g} ms and more, startup not among them",
    ),
    MetricInfo(
        "stall_mean_s",
        "s",
        "client",
        "Mok et al. 2011",
        "lower",
        "Mean stall",
        f"sum of the stalls in s / stall_count, stalls of {1000 * SHORTEST_STALL_S:g} ms and more",
    ),
    MetricInfo(
        "rebuffer_ratio_percent",
        "%",
        "client",
        _LIVI,
        "lower",
        "Rebuffer ratio",
        "100 * (startup_s + sum of the stalls in s) / length of the session in s; 100 where "
        "nothing was played",
    ),
    MetricInfo(
        "rebuffer_ratio_no_startup_percent",
        "%",
        "client",
        f"{_LIVI}, without the startup delay",
        "lower",
        "Rebuffer ratio without startup",
        "100 * sum of the stalls in s / (length of the session - startup_s)",
    ),
)


def startup_s(session: Session, segment_s: float) -> float | None:
    """From the client's start to the start of playback, in s; None if nothing was ever played.

    Playback starts with the arrival of a segment: the first after which the log shows that media
    was played or that playback stalled. A player that wants more than one segment to begin with
    plays nothing until then. A lone segment starts it. Of a live film, playback's changes tell.
    """
    if session.playback is not None:
        return session.playback.began_s - session.start_s
    if not session.whole.any():
        return None
    log = session.log
    after = log["buffer_after_s"].astype(np.float64)
    played = after[:-1] + segment_s * session.whole[1:] - after[1:]
    moving = (played > _ROUNDING_S) | (log["stall_s"][1:] > _ROUNDING_S)
    begun = np.flatnonzero(session.whole & np.append(moving, len(after) == 1))
    if not len(begun):
        return None
    return float(log["last_byte_s"][begun[0]]) - session.start_s


def stalls_s(session: Session) -> Floats:
    """Lengths of the stalls in s, startup not among them.

    A stall that lasts over several rows (failed requests, or a player that waits for more than one
    segment before it resumes) is one stall: a row all of whose time since the row before was
    stalled continues that row's stall. The session's end may cut a last one short: the buffer
    ran dry after the last row, and the film was not at its end.
    """
    log = session.log
    if not session.whole.any():
        return np.zeros(0)
    ends = np.append(np.maximum.accumulate(log["last_byte_s"]), session.end_s)
    left = ends[-1] - ends[-2] - float(log["buffer_after_s"][-1])
    unfinished = 0.0 if session.finished else max(0.0, left)
    stalled = np.append(log["stall_s"], unfinished)
    goes_on = (stalled[1:] >= np.diff(ends) - _ROUNDING_S) & (stalled[:-1] > _ROUNDING_S)
    number = np.cumsum(np.concatenate(([True], ~goes_on))) - 1
    stalls: Floats = np.bincount(number, weights=stalled).astype(np.float64)
    return stalls[stalls >= SHORTEST_STALL_S]


def measure(session: Session, context: Context) -> dict[str, Value]:
    """Ratios are percent of the session: (startup + stalls) / length, and without startup
    stalls / (length - startup). A client that never played waited 100 % of it.
    """
    length = session.end_s - session.start_s
    segment_s = float(context.data.experiment["content"]["segment_s"])
    startup, stalls = startup_s(session, segment_s), stalls_s(session)
    stalled = float(stalls.sum())
    if startup is None:
        waited = 100.0 if length > 0 else None
        return {**dict.fromkeys(info.name for info in INFO), "rebuffer_ratio_percent": waited}
    playing = length - startup
    return {
        "startup_s": startup,
        "stall_count": len(stalls),
        "stall_mean_s": stalled / len(stalls) if len(stalls) else None,
        "rebuffer_ratio_percent": 100 * (startup + stalled) / length if length > 0 else None,
        "rebuffer_ratio_no_startup_percent": 100 * stalled / playing if playing > 0 else None,
    }
