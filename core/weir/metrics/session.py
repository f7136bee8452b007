"""One client's viewing session, as the metrics see it.

K is the client's own play time in whole seconds: from its start to its stop, to the end of the
run, or to the end of a film that it has seen whole. Quality is sampled K + 1 times, at
start + 0, 1, ..., K seconds: Q(i) is the bitrate and L(i) the level of the segment requested last,
which is the one being downloaded, or in an OFF period the one before it (the decision in force, as
in the paper's player log; the buffer delays what is seen by up to its size). Before the first
request it is the first segment's.

A request that failed or was cut off is in `log` but not in `rows`: it shows in quality samples,
stalls and throughput, and is no segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.films import film_of
from weir.metrics.link import Floats
from weir.metrics.playback import Playback, playback_of
from weir.records import EventRecord
from weir.resolved import Client, Experiment
from weir.rundir.data import Columns

_OK = (200, 206)


@dataclass(frozen=True)
class Session:
    """start_s, end_s: s since the experiment began."""

    client: int
    start_s: float
    end_s: float
    log: Columns
    """the player's whole log, in order of time"""
    whole: NDArray[np.bool_]
    """which rows of the log are segments that arrived whole"""
    rows: Columns
    """those rows"""
    seconds: int
    """K"""
    times_s: Floats
    """(K + 1,) instants of the samples, s since the experiment began"""
    rates_bps: Floats
    """(K + 1,) Q(i); length 0 when nothing was requested or K = 0"""
    levels: NDArray[np.int64]
    """(K + 1,) L(i); length 0 likewise"""
    finished: bool
    """the film was downloaded to its end"""
    playback: Playback | None
    """of a live film, where some of it was played"""

    def column(self, name: str) -> Floats:
        """A column of the segments that arrived, as float."""
        return self.rows[name].astype(np.float64)


def arrived(rows: Columns) -> Columns:
    """The rows of a player's table that are segments which arrived whole."""
    return _chosen(rows, _came_whole(rows))


def sessions_of(
    experiment: Experiment, players: list[Columns], events: Sequence[EventRecord] = ()
) -> list[Session]:
    """Sessions of all clients, client 1 first."""
    pairs = zip(experiment["clients"], players, strict=True)
    return [
        _session(k, client, rows, experiment, events) for k, (client, rows) in enumerate(pairs, 1)
    ]


def _session(
    number: int,
    client: Client,
    rows: Columns,
    experiment: Experiment,
    events: Sequence[EventRecord],
) -> Session:
    good = _came_whole(rows)
    whole = _chosen(rows, good)
    start = client["start_s"]
    stop = client["stop_s"]
    end = experiment["duration_s"] if stop is None else float(stop)
    end = max(start, min(end, experiment["duration_s"]))
    film = film_of(experiment, number)
    segments = film["segments"]
    live = film.get("live")
    count = len(whole["segment"])
    finished = segments is not None and count > 0 and int(whole["segment"].max()) >= segments - 1
    if finished:
        came_s = whole["last_byte_s"]
        last = np.flatnonzero(came_s == came_s.max())[-1]  # not always the last asked for
        end = min(end, float(came_s[last]) + float(whole["buffer_after_s"][last]))
    seconds = int(end - start + 1e-9)
    times = start + np.arange(seconds + 1, dtype=np.float64)
    if seconds and len(rows["request_s"]):
        asked = np.maximum(np.searchsorted(rows["request_s"], times, side="right") - 1, 0)
    else:
        asked = np.zeros(0, dtype=np.intp)
    return Session(
        client=number,
        start_s=start,
        end_s=end,
        log=rows,
        whole=good,
        rows=whole,
        seconds=seconds,
        times_s=times,
        rates_bps=rows["bitrate_bps"][asked].astype(np.float64),
        levels=rows["level"][asked].astype(np.int64),
        finished=finished,
        playback=playback_of(events, number, live["time_shift_buffer_s"]) if live else None,
    )


def _came_whole(rows: Columns) -> NDArray[np.bool_]:
    good: NDArray[np.bool_] = np.isin(rows["status"], _OK)
    return good


def _chosen(rows: Columns, good: NDArray[np.bool_]) -> Columns:
    return rows if bool(good.all()) else {name: v[good] for name, v in rows.items()}
