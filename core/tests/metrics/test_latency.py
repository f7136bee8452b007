"""Latency, playback rates and skips of a live film, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weir.metrics import compute
from weir.metrics.playback import Playback
from weir.rundir import RunData
from weir_testing.live_film import LIVE, played
from weir_testing.metrics import experiment, player

NAMES = (
    "live_latency_mean_s",
    "live_latency_p95_s",
    "live_latency_s",
    "playback_rate_changes",
    "playback_rate_off_percent",
    "skipped_s",
)


def measured(*changes: tuple[float, float, float], live: bool = True) -> dict[str, Any]:
    """Of a client that plays from 0 to 20 s; changes: (t_s, media_s, speed)."""
    asked = experiment([(0, None)], 20.0)
    if live:
        asked["content"]["live"] = LIVE
    found = compute(RunData(asked, [player([1] * 8)], events=played(*changes)))["clients"][0]
    return {name: found[name] for name in (*NAMES, "startup_s")}


def test_what_is_played_steadily_is_as_late_as_it_began() -> None:
    # The film's making began 30 s before second 0: at 1 s, 31 s of it are made.
    found = measured((1.0, 28.0, 1.0))
    assert found["startup_s"] == 1.0
    for name in ("live_latency_mean_s", "live_latency_p95_s", "live_latency_s"):
        assert found[name] == pytest.approx(3.0), name
    for name in ("playback_rate_changes", "playback_rate_off_percent", "skipped_s"):
        assert found[name] == 0, name


def test_a_stall_adds_to_it_and_a_higher_rate_takes_from_it() -> None:
    # 3 s until 5 s; a stall of 1 s; 4 s until 10 s; 5 s at 1.2 take 1 s; 3 s for the last 5 s.
    found = measured(
        (0.0, 27.0, 1.0), (5.0, 32.0, 0.0), (6.0, 32.0, 1.0), (10.0, 36.0, 1.2), (15.0, 42.0, 1.0)
    )
    assert found["live_latency_mean_s"] == pytest.approx(
        (5 * 3 + 1 * 3.5 + 4 * 4 + 5 * 3.5 + 5 * 3) / 20, abs=0.01
    )
    assert found["live_latency_p95_s"] == pytest.approx(4.0, abs=0.01)
    assert found["live_latency_s"] == pytest.approx(3.0)
    # 1 to 1.2 and back; the stall is between 1 and 1.
    assert found["playback_rate_changes"] == 2
    assert found["playback_rate_off_percent"] == pytest.approx(25.0)
    assert found["skipped_s"] == 0


def test_a_jump_forward_is_skipped_and_rounding_is_not() -> None:
    found = measured((0.0, 24.0, 1.0), (4.0, 28.001, 1.0), (10.0, 37.001, 1.0))
    assert found["skipped_s"] == pytest.approx(3.0)
    assert found["live_latency_s"] == pytest.approx(2.999)


def test_a_jump_back_skips_nothing() -> None:
    assert measured((0.0, 28.0, 1.0), (4.0, 31.0, 1.0))["skipped_s"] == 0


def test_it_is_of_live_films_that_were_played() -> None:
    for found in (measured(), measured((1.0, 28.0, 1.0), live=False)):
        assert [found[name] for name in NAMES] == [None] * len(NAMES)


def test_the_mean_is_over_the_time_from_the_first_picture_on() -> None:
    late = measured((19.95, 40.0, 1.0))
    assert late["live_latency_mean_s"] == pytest.approx(9.95)
    assert np.isfinite(late["live_latency_p95_s"])


def test_it_grows_by_a_second_a_second_in_stalls_and_falls_at_a_jump() -> None:
    # Plays from 1 s on, stalls from 5 to 6 s, skips 2 s at 10 s, and stalls again at 12 s.
    columns = ([1.0, 5.0, 6.0, 10.0, 12.0], [28.0, 32.0, 32.0, 38.0, 40.0], [1, 0, 1, 1, 0])
    times_s, media_s, speeds = (np.array(column, dtype=float) for column in columns)
    playback = Playback(times_s, media_s, speeds, np.zeros(5), 30.0)
    t_s, late_s = playback.latency_curve(15.0)
    assert list(zip(t_s, late_s, strict=True)) == [
        (1, 3), (5, 3), (5, 3), (6, 4), (6, 4), (10, 4), (10, 2), (12, 2), (12, 2), (15, 5),
    ]  # fmt: skip
    ends_s, lengths_s = playback.stalls_s(15.0)
    assert (list(ends_s), list(lengths_s)) == ([6, 15], [1, 3])
