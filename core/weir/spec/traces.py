"""Measured link traces become rate steps.

mahimahi: one integer per line, the millisecond at which one packet of 1500 bytes may leave; the
trace repeats with the period of its last stamp. Stamps are counted per bin, a stamp at a bin's end
belongs to that bin, so one stamp per millisecond is exactly 12 Mbit/s in every bin.

pensieve: `time_s Mbit/s` per line. As in Pensieve's simulator (env.py), line i holds from the time
of line i-1 to its own; the first line only gives the start.

A rate of 0.0 in the steps is an outage.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import ceil, isfinite

from weir.units import PACKET_BYTES

__all__ = ["BadTrace", "Steps", "mahimahi", "mean_rate", "pensieve", "until"]

Steps = list[list[float]]
"""[[since start in s, rate in bit/s], ...], rising, first at 0.0."""

_MAX_STAMP_MS = 10**9
_MAX_BINS = 1_000_000


class BadTrace(ValueError):
    """A trace that cannot be used; the message says where and what to do."""


def mahimahi(text: str, bin_s: float) -> tuple[Steps, float]:
    """Steps and period in s. Raises BadTrace: no stamps, not integers, falling, zero length."""
    stamps: list[int] = []
    for number, line in _lines(text):
        if not line.isdecimal() or len(line) > 10 or int(line) > _MAX_STAMP_MS:
            raise BadTrace(f"line {number}: {line[:40]!r} is not a whole number of milliseconds")
        stamp = int(line)
        if stamps and stamp < stamps[-1]:
            raise BadTrace(f"line {number}: {stamp} is before {stamps[-1]}; sort the stamps")
        stamps.append(stamp)
    if not stamps:
        raise BadTrace("it has no lines; a mahimahi trace has one millisecond stamp per line")
    period_ms = stamps[-1]
    if period_ms == 0:
        raise BadTrace("its last stamp is 0, so it has no length; give it later stamps")
    bin_ms = bin_s * 1000
    if period_ms / bin_ms > _MAX_BINS:
        raise BadTrace(f"it makes more than {_MAX_BINS} bins of {bin_s:g}s; use a longer bin")
    counts = [0] * max(1, ceil(period_ms / bin_ms - 1e-9))
    for stamp in stamps:
        index = ceil(stamp / bin_ms - 1e-9) - 1
        counts[min(max(index, 0), len(counts) - 1)] += 1
    steps: Steps = []
    for index, count in enumerate(counts):
        start_ms = index * bin_ms
        length_s = (min(start_ms + bin_ms, period_ms) - start_ms) / 1000
        steps.append([round(start_ms / 1000, 9), round(count * PACKET_BYTES * 8 / length_s, 6)])
    return _merged(steps), period_ms / 1000


def pensieve(text: str) -> tuple[Steps, float]:
    """Steps and period in s. Raises BadTrace: under two lines, no numbers, not rising, all 0."""
    rows: list[tuple[float, float]] = []
    for number, line in _lines(text):
        try:
            at, mbit = (float(word) for word in line.split())
        except ValueError:
            raise BadTrace(f"line {number}: {line[:40]!r} is not `time_s Mbit/s`") from None
        if not (isfinite(at) and isfinite(mbit)) or mbit < 0:
            raise BadTrace(f"line {number}: {line[:40]!r} has a negative or infinite number")
        if rows and at <= rows[-1][0]:
            raise BadTrace(f"line {number}: time {at} does not come after {rows[-1][0]}")
        rows.append((at, mbit))
    if len(rows) < 2:
        raise BadTrace("it needs two lines or more; the first only gives the start")
    start = rows[0][0]
    steps = [
        [round(before[0] - start, 9), round(row[1] * 1e6, 6)] for before, row in pairwise(rows)
    ]
    if not any(rate for _, rate in steps):
        raise BadTrace("its rate is zero throughout; nothing could ever be sent")
    return _merged(steps), round(rows[-1][0] - start, 9)


def until(steps: Steps, end_s: float) -> Steps:
    """The steps that begin before `end_s`."""
    return steps[: bisect_left(steps, end_s, key=lambda step: step[0])]


def mean_rate(steps: Steps, end_s: float) -> float:
    """Mean rate in bit/s from 0 to `end_s`, weighted by time."""
    kept = until(steps, end_s)
    ends = [at for at, _ in kept[1:]] + [end_s]
    return sum(rate * (end - at) for (at, rate), end in zip(kept, ends, strict=True)) / end_s


def _lines(text: str) -> list[tuple[int, str]]:
    numbered = ((n, line.strip()) for n, line in enumerate(text.splitlines(), start=1))
    return [(n, line) for n, line in numbered if line]


def _merged(steps: Steps) -> Steps:
    kept = steps[:1]
    for step in steps[1:]:
        if step[1] != kept[-1][1]:
            kept.append(step)
    return kept
