"""Latency of live clients, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.rundir import RunData
from weir_testing.metrics import experiment, player


def latency_s(rows: dict[str, Any], live: bool = True) -> float | None:
    asked = experiment([(0, None)], 20.0)
    if live:
        asked["clients"][0]["live"] = True
    found: float | None = compute(RunData(asked, [rows]))["clients"][0]["live_latency_s"]
    return found


def segments(*stalls_s: float) -> dict[str, Any]:
    """Of 2 s each, there at 3, 5, 7, ... s; the first plays at once, stalls before later ones."""
    came_s = 3.0 + np.cumsum([0.0, *(2.0 + stall for stall in stalls_s)])
    rows = player([1] * len(came_s))
    rows["request_s"], rows["last_byte_s"] = came_s - 1.0, came_s
    rows["buffer_before_s"] = np.zeros(len(came_s))
    rows["buffer_after_s"] = np.full(len(came_s), 2.0)
    rows["stall_s"] = np.array([0.0, *stalls_s])
    return rows


@pytest.mark.parametrize(
    ("stalls", "latency"),
    [((0.0,) * 8, 3.0), ((0.0, 0.5, 0.0, 1.5, 0.0, 0.0, 0.0), 5.0)],
)
def test_startup_and_stalls_put_playback_behind(stalls: tuple[float, ...], latency: float) -> None:
    assert latency_s(segments(*stalls)) == pytest.approx(latency, abs=1e-6)


def test_it_is_of_live_clients_that_played() -> None:
    assert latency_s(segments(0.0, 0.0), live=False) is None
    assert latency_s(player([])) is None
