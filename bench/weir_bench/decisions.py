"""Decisions of two players of one film, segment by segment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weir.spec.players import completed
from weir_client import abr
from weir_client.state import Download, State

__all__ = ["Row", "asked_first", "decided_on", "first_difference", "rows_of"]

WHOLE = 206
Row = dict[str, float]


def rows_of(columns: dict[str, Any]) -> list[Row]:
    """A player's rows, one by one."""
    every = zip(*columns.values(), strict=True)
    return [dict(zip(columns, values, strict=True)) for values in every]


def asked_first(rows: list[Row]) -> dict[int, Row]:
    """By segment: how it was asked for the first time."""
    return {int(row["segment"]): row for row in reversed(rows)}


def decided_on(
    rule: str, ladder_bps: Sequence[float], segment_s: float, buffer_s: float, rows: list[Row]
) -> dict[int, tuple[int, float | None]]:
    """Level and estimate (bit/s), by segment, of an emulated rule that is given the moments,
    buffers and downloads of another player, in place of those that its own decisions had led to.
    """
    player: Any = abr.make(rule, None, completed(rule, {}), ladder_bps, 1)
    state = State(
        buffer_s, segment_s, lambda level, _: round(ladder_bps[level] * segment_s / 8), lambda: 0.0
    )
    found = {}
    for row in rows:
        segment, level = int(row["segment"]), int(row["level"])
        state.now_s, state.segment = row["request_s"], segment
        state.buffer_s = row["buffer_before_s"]
        state.playing = row["buffer_before_s"] > 0
        chosen = player.choose(state)
        if hasattr(player, "delay_s"):
            player.delay_s(state)  # it keeps count of what it waited
        found[segment] = chosen, player.estimate_bps
        state.stalled_s += row["stall_s"]
        state.previous_level = level
        if row["status"] == WHOLE:
            state.last = Download(
                segment, level, int(row["size_bytes"]), request_s=row["request_s"],
                first_byte_s=row["first_byte_s"], last_byte_s=row["last_byte_s"],
            )  # fmt: skip
            state.history.append(state.last)
    return found


def first_difference(ours: dict[int, Row], theirs: dict[int, Row]) -> str:
    """Of the levels of segments; in words."""
    both = sorted(ours.keys() & theirs.keys())
    segment = next((n for n in both if ours[n]["level"] != theirs[n]["level"]), None)
    if segment is None:
        return ""
    told = (
        f"{int(row['level'])} at {row['request_s']:.2f} s, buffer {row['buffer_before_s']:.2f} s,"
        f" estimate {row['estimate_bps'] / 1e3:.0f} kbit/s"
        for row in (ours[segment], theirs[segment])
    )
    return f"segment {segment}: {' | '.join(told)}"
