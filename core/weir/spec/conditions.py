"""Measured round trips and loss become steps, as rates do (weir.spec.traces).

rows: CSV with a header. time_s comes first; rate_mbit, rtt_ms and loss_percent may follow, at least
one of them. A row holds until the next one's time; the last gives the end and nothing else.

cellreplay: CellReplay's delay files (Sentosa et al., NSDI 2025), `time_ms delay_ms ...` per line,
where the delay is one way and what follows are delivery opportunities of light load, which are not
used. The RTT is twice the delay. CellReplay draws a line between two delays; here one holds until
the next. Its files of heavy load are of mahimahi's format, a rate.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from itertools import pairwise
from math import ceil, isfinite

from weir.spec.links import Rtt
from weir.spec.traces import BadTrace, Steps

__all__ = ["COLUMNS", "FORMATS", "Table", "cellreplay", "rows", "until"]

MOST_ROWS = 20_000
"""Of a path in one run: each is a command to the kernel."""

COLUMNS = {"rate_mbit": 1e6, "rtt_ms": 1e-3, "loss_percent": 1e-2}
"""Of `rows`, with the factor that leads to bit/s, s and a ratio."""

Table = tuple[dict[str, Steps], float]
"""Steps by column, in SI units, and the period in s."""


def rows(text: str) -> Table:
    """Raises BadTrace, with the line: no header, no number, below zero, not rising, too few."""
    lines = csv.reader(io.StringIO(text))
    names = [name.strip() for name in next(lines, [])]
    if not names or names[0] != "time_s" or len(names) < 2 or set(names[1:]) - COLUMNS.keys():
        raise BadTrace(
            f"line 1: {','.join(names)[:60]!r} — write time_s and then some of {', '.join(COLUMNS)}"
        )
    found: list[list[float]] = []
    for values in lines:
        if not values:
            continue
        if len(values) != len(names):
            raise BadTrace(
                f"line {lines.line_num}: {len(values)} values; the header names {len(names)}"
            )
        found.append([_number(lines.line_num, *each) for each in zip(names, values, strict=True)])
        _require_rising(lines.line_num, found)
    return _table(names[1:], found)


def cellreplay(text: str) -> Table:
    """Raises BadTrace as `rows` does."""
    found: list[list[float]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not (words := line.split()):
            continue
        if len(words) < 2:
            raise BadTrace(f"line {number}: {line[:40]!r} is not `time_ms delay_ms ...`")
        time_ms, delay_ms = _number(number, "time", words[0]), _number(number, "delay", words[1])
        found.append([time_ms / 1000, 2 * delay_ms])
        _require_rising(number, found)
    return _table(["rtt_ms"], found)


FORMATS: dict[str, Callable[[str], Table]] = {"rows": rows, "cellreplay": cellreplay}


def until(table: Table, end_s: float, rtt: Rtt, loss: float, loop: bool) -> list[list[float]]:
    """[[at_s, mean RTT in s, loss], ...] before end_s; what the table has not is rtt's, and loss.

    Raises BadTrace: neither column, too short, delays that jitter would make negative, too many.
    """
    columns, period_s = table
    rtts, losses = columns.get("rtt_ms"), columns.get("loss_percent")
    times = [at_s for at_s, _ in rtts or losses or []]
    if not times:
        raise BadTrace("it has no column rtt_ms or loss_percent; add one")
    if period_s < end_s and not loop:
        raise BadTrace(f"it lasts {period_s:g}s: set loop to true or lower duration")
    if rtts and min(rtt_s for _, rtt_s in rtts) < rtt.stddev:
        raise BadTrace(
            f"it has round trips below rtt.stddev, {rtt.stddev:g}s, which jitter would make "
            "negative; lower the jitter"
        )
    rounds = ceil(end_s / period_s)
    if rounds * len(times) > MOST_ROWS:
        raise BadTrace(f"more than {MOST_ROWS} rows in the run; write fewer a second")
    every = [
        [
            round(number * period_s + at_s, 9),
            rtts[row][1] if rtts else rtt.mean,
            losses[row][1] if losses else loss,
        ]
        for number in range(rounds)
        for row, at_s in enumerate(times)
    ]
    return [step for step in every if step[0] < end_s]


def _number(line: int, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadTrace(f"line {line}: {name} {text[:40]!r} is not a number") from None
    if not isfinite(value) or value < 0:
        raise BadTrace(
            f"line {line}: {name} {text.strip()[:40]} — it cannot be below 0 or infinite"
        )
    if name == "loss_percent" and value > 100:
        raise BadTrace(f"line {line}: {name} {text.strip()[:40]} — it cannot be above 100")
    return value


def _require_rising(line: int, found: list[list[float]]) -> None:
    if len(found) > 1 and found[-1][0] <= found[-2][0]:
        raise BadTrace(
            f"line {line}: time {found[-1][0]:g} s does not come after {found[-2][0]:g} s"
        )


def _table(names: list[str], found: list[list[float]]) -> Table:
    if len(found) < 2:
        raise BadTrace("it needs two rows or more; the last only gives the end")
    start_s = found[0][0]
    steps = {
        name: [
            [round(row[0] - start_s, 9), round(row[column] * COLUMNS[name], 9)]
            for row, _ in pairwise(found)
        ]
        for column, name in enumerate(names, 1)
    }
    return steps, round(found[-1][0] - start_s, 9)
